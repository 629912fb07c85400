//! A picture of the active pane: the frame is read back, cut to the pane and written as PNG.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::mpsc::channel;

use egui::{ColorImage, Rect};

use crate::app::areas::files::Ask;
use crate::app::areas::files::work::Picture;
use crate::app::studio::Studio;
use crate::app::viewport::pane_rect;
use crate::jobs::save::WriteBytes;

/// Frames after which menus have faded.
const FRAMES: u32 = 8;
/// Seconds after which a frame that was asked for does not come any more.
const PATIENCE: f64 = 4.0;

impl Studio {
    pub(in crate::app) fn take_picture(&mut self) {
        self.files.picture = Picture::Wait(FRAMES);
    }

    /// Whether a picture is being taken, so that no toast is in it.
    pub(in crate::app) fn is_taking_picture(&self) -> bool {
        matches!(self.files.picture, Picture::Wait(_) | Picture::Asked(..))
    }

    pub(in crate::app) fn poll_picture(&mut self) {
        let time = self.context.input(|i| i.time);
        match &mut self.files.picture {
            Picture::None | Picture::Taken(_) => {}
            Picture::Wait(0) => {
                let (sender, answer) = channel();
                let context = self.context.clone();
                self.context.request_screenshot(move |image| {
                    // Nobody receives when the window closes meanwhile.
                    let _ = sender.send(image);
                    context.request_repaint();
                });
                self.files.picture = Picture::Asked(answer, time + PATIENCE);
                self.context.request_repaint();
            }
            Picture::Wait(frames) => {
                *frames -= 1;
                self.context.request_repaint();
            }
            Picture::Asked(answer, until) => {
                if let Ok(image) = answer.try_recv() {
                    let scale = self.context.pixels_per_point();
                    let pane = pane_rect(&self.context, self.state.panes.active());
                    self.files.picture = Picture::Taken(
                        pane.map_or_else(|| ColorImage::clone(&image), |rect| cut(&image, rect, scale)),
                    );
                    self.ask_for_path(Ask::Picture);
                } else if time > *until {
                    self.files.picture = Picture::None;
                    self.state.log.error("The picture could not be taken: the screen gives none here");
                } else {
                    self.context.request_repaint();
                }
            }
        }
    }

    pub(in crate::app) fn write_picture(&mut self, path: PathBuf) {
        let Picture::Taken(image) = std::mem::replace(&mut self.files.picture, Picture::None) else { return };
        let words = format!("Picture saved to {}", path.display());
        self.write(words, WriteBytes { make: move || png_of(&image), path });
    }
}

/// The part of an image that a rectangle of the window covers.
fn cut(image: &ColorImage, rect: Rect, scale: f32) -> ColorImage {
    let [width, height] = image.size;
    let inside = |at: f32, most: usize| ((at * scale).round().max(0.0) as usize).min(most);
    let (left, right) = (inside(rect.left(), width), inside(rect.right(), width));
    let (top, bottom) = (inside(rect.top(), height), inside(rect.bottom(), height));
    let rows = (top..bottom).flat_map(|y| &image.pixels[y * width + left..y * width + right]);
    ColorImage::new([right - left, bottom - top], rows.copied().collect())
}

fn png_of(image: &ColorImage) -> Result<Vec<u8>, String> {
    let bytes: Vec<u8> = image.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    let [width, height] = image.size.map(|size| u32::try_from(size).unwrap_or(0));
    let picture = image::RgbImage::from_raw(width, height, bytes).ok_or("the picture is too large")?;
    let mut out = Cursor::new(Vec::new());
    picture
        .write_to(&mut out, image::ImageFormat::Png)
        .map_err(|error| format!("the picture cannot be written: {error}"))?;
    Ok(out.into_inner())
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2};

    use super::*;

    #[test]
    fn the_pane_is_cut_out_and_comes_back_from_png() {
        let shade = |x: usize, y: usize| Color32::from_rgb(x as u8 * 10, y as u8 * 20, 7);
        let pixels = (0..6).flat_map(|y| (0..8).map(move |x| shade(x, y))).collect();
        let image = ColorImage::new([8, 6], pixels);
        let part = cut(&image, Rect::from_min_max(pos2(1.0, 0.5), pos2(2.5, 2.0)), 2.0);
        assert_eq!(part.size, [3, 3]);
        assert_eq!(part.pixels[0], shade(2, 1));
        let png = image::load_from_memory(&png_of(&part).expect("written")).expect("read").to_rgb8();
        assert_eq!(png.dimensions(), (3, 3));
        assert_eq!(png.get_pixel(2, 2).0, [40, 60, 7]);
        let outside = cut(&image, Rect::from_min_max(pos2(-3.0, 0.0), pos2(90.0, 90.0)), 1.0);
        assert_eq!(outside.size, [8, 6], "no further than the window");
    }
}
