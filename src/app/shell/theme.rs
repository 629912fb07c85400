//! Colours and spacing, in dark and light.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Vec2, Visuals};

use crate::render::scene::{Backdrop, Color};

/// What stands out: the selection, the active pane, progress.
pub const ACCENT: Color32 = Color32::from_rgb(238, 137, 84);
/// The same on light ground, where the bright one would be hard to read.
const ACCENT_ON_LIGHT: Color32 = Color32::from_rgb(196, 88, 34);

/// What is chosen on the character, whose colours are not the theme's: with a dark rim it is seen on any skin and
/// on either ground. The accent would drown on an orange glove.
pub const CHOSEN: Color32 = Color32::from_rgb(255, 222, 84);
/// The rim around it.
pub const CHOSEN_RIM: Color32 = Color32::from_rgb(24, 20, 10);

/// The three axes: X, Y, Z.
pub const AXES: [Color32; 3] =
    [Color32::from_rgb(226, 86, 92), Color32::from_rgb(126, 190, 84), Color32::from_rgb(84, 142, 232)];

/// Colours that egui's visuals have no name for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// What stands out.
    pub accent: Color32,
    /// Secondary words.
    pub weak: Color32,
    /// Something is odd.
    pub warning: Color32,
    /// Something failed.
    pub error: Color32,
    /// Something went well.
    pub good: Color32,
    /// Bones that are not selected.
    pub bone: Color32,
    /// Labels over the viewport: their ground.
    pub label_ground: Color32,
    /// Labels over the viewport: their words.
    pub label: Color32,
    /// Around lines of the labels' colour, which may lie on skin of the same.
    pub halo: Color32,
}

/// The colours of a theme.
pub fn palette(dark: bool) -> Palette {
    if dark {
        Palette {
            accent: ACCENT,
            weak: Color32::from_rgb(146, 153, 166),
            warning: Color32::from_rgb(240, 190, 90),
            error: Color32::from_rgb(240, 105, 100),
            good: Color32::from_rgb(120, 200, 140),
            bone: Color32::from_rgb(208, 214, 224),
            label_ground: Color32::from_black_alpha(150),
            label: Color32::from_rgb(236, 239, 244),
            halo: Color32::from_rgb(14, 16, 20),
        }
    } else {
        Palette {
            accent: ACCENT_ON_LIGHT,
            weak: Color32::from_rgb(96, 103, 116),
            warning: Color32::from_rgb(168, 112, 0),
            error: Color32::from_rgb(190, 40, 44),
            good: Color32::from_rgb(34, 128, 74),
            // Light as well: the dark edges of a bone set it off from the ground, its faces from dark skin.
            bone: Color32::from_rgb(200, 207, 218),
            label_ground: Color32::from_white_alpha(200),
            label: Color32::from_rgb(34, 38, 46),
            halo: Color32::from_rgb(250, 251, 253),
        }
    }
}

/// The colours around the character.
pub fn backdrop(dark: bool) -> Backdrop {
    if dark { Backdrop::DARK } else { Backdrop::LIGHT }
}

/// An egui colour as the renderer wants it: linear, alpha not multiplied in.
pub fn linear(color: Color32) -> Color {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let channel = |v: u8| {
        let v = f32::from(v) / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    };
    [channel(r), channel(g), channel(b), f32::from(a) / 255.0]
}

/// Sets the whole interface to dark or light.
pub fn apply(context: &egui::Context, dark: bool) {
    context.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
    context.all_styles_mut(|style| {
        let spacing = &mut style.spacing;
        spacing.item_spacing = Vec2::new(8.0, 6.0);
        spacing.button_padding = Vec2::new(9.0, 4.0);
        spacing.menu_margin = Margin::same(7);
        spacing.indent = 16.0;
        spacing.interact_size.y = 24.0;
        spacing.slider_width = 120.0;
        spacing.combo_width = 60.0;
        spacing.scroll = egui::style::ScrollStyle::thin();
        style.text_styles = [
            (TextStyle::Small, FontId::new(11.0, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(13.5, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(13.5, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace)),
            (TextStyle::Heading, FontId::new(17.0, FontFamily::Proportional)),
        ]
        .into();
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.4;
    });
    context.set_visuals_of(egui::Theme::Dark, visuals(true));
    context.set_visuals_of(egui::Theme::Light, visuals(false));
}

fn visuals(dark: bool) -> Visuals {
    let mut visuals = if dark { Visuals::dark() } else { Visuals::light() };
    let colors = palette(dark);
    let (panel, window, field, faint, text, line) = if dark {
        (
            Color32::from_rgb(38, 41, 48),
            Color32::from_rgb(45, 48, 57),
            Color32::from_rgb(28, 30, 36),
            Color32::from_rgb(43, 46, 54),
            Color32::from_rgb(222, 226, 233),
            Color32::from_rgb(58, 62, 72),
        )
    } else {
        (
            Color32::from_rgb(243, 244, 247),
            Color32::from_rgb(251, 251, 253),
            Color32::from_rgb(255, 255, 255),
            Color32::from_rgb(236, 238, 242),
            Color32::from_rgb(36, 40, 48),
            Color32::from_rgb(210, 214, 222),
        )
    };
    visuals.panel_fill = panel;
    visuals.window_fill = window;
    visuals.extreme_bg_color = field;
    visuals.faint_bg_color = faint;
    visuals.override_text_color = Some(text);
    visuals.weak_text_color = Some(colors.weak);
    visuals.warn_fg_color = colors.warning;
    visuals.error_fg_color = colors.error;
    visuals.hyperlink_color = colors.accent;
    visuals.selection.bg_fill = colors.accent.gamma_multiply(if dark { 0.42 } else { 0.30 });
    visuals.selection.stroke = Stroke::new(1.0, if dark { Color32::WHITE } else { text });
    visuals.window_stroke = Stroke::new(1.0, line);
    visuals.window_corner_radius = CornerRadius::same(9);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, line);
    let (rest, over, down) = if dark {
        (Color32::from_rgb(56, 60, 70), Color32::from_rgb(68, 73, 85), Color32::from_rgb(80, 86, 100))
    } else {
        (Color32::from_rgb(226, 229, 235), Color32::from_rgb(214, 218, 227), Color32::from_rgb(200, 206, 217))
    };
    for (widget, fill) in [
        (&mut visuals.widgets.inactive, rest),
        (&mut visuals.widgets.hovered, over),
        (&mut visuals.widgets.active, down),
        (&mut visuals.widgets.open, over),
    ] {
        widget.weak_bg_fill = fill;
        widget.bg_fill = fill;
        widget.bg_stroke = Stroke::NONE;
        widget.corner_radius = CornerRadius::same(6);
        widget.expansion = 0.0;
    }
    visuals.widgets.hovered.bg_stroke = Stroke::new(1.0, colors.accent.gamma_multiply(0.55));
    visuals.slider_trailing_fill = true;
    visuals
}
