//! One frame: deforms what moves, draws shadows, then the passes of the view in their order.

use std::collections::HashMap;
use std::sync::Arc;

use super::deform::{Deformer, Shaped};
use super::gpu_data::{DotData, ItemData, LineData, PointData, ViewData};
use super::identity::ByIdentity;
use super::meshes::GpuMesh;
use super::passes::backdrop::Backdrop;
use super::passes::blit::BlitPass;
use super::passes::bones::{self, BonePass};
use super::passes::ghosts::{self, GhostPass};
use super::passes::marks::{MarkPass, dot_data, line_data};
use super::passes::muscles::MusclePass;
use super::passes::shadow::ShadowPass;
use super::passes::skin::{SkinPass, XRAY_OPACITY};
use super::passes::wire::WirePass;
use super::passes::{FRONT, Layouts, SKIN};
use super::scene::{Look, Scene, Shape, Spindle};
use super::stream::{Run, Stream};
use super::targets::{ITEM_STRIDE, Target};
use super::textures::Textures;
use super::uploads::Uploads;
use crate::kernel::geom::Mesh;

/// Frames after which [`Renderer::forget_unused`] drops what was not drawn.
const KEPT_FRAMES: u64 = 240;

/// Draws scenes: owns pipelines, what is on the device, and the picture of each view.
pub struct Renderer {
    layouts: Layouts,
    textures: Textures,
    meshes: ByIdentity<Mesh, Option<GpuMesh>>,
    deformer: Deformer,
    uploads: Uploads,
    targets: HashMap<u64, Target>,
    backdrop: Backdrop,
    shadow: ShadowPass,
    skin: SkinPass,
    wire: WirePass,
    ghosts: GhostPass,
    bones: BonePass,
    muscles: MusclePass,
    lines: MarkPass<LineData>,
    dots: MarkPass<DotData>,
    blit: BlitPass,
    /// Counts drawn views.
    now: u64,
    trouble: Option<String>,
}

/// Where in the view's stream the things of a frame are.
struct Marks {
    /// Points and corners of the muscles under each skin.
    muscles: [[Run; 2]; 2],
    /// Lines and dots that the skin hides.
    hidden: (Run, Run),
    octahedra: Run,
    sticks: (Run, Run),
    /// Lines and dots in front of everything.
    front: (Run, Run),
}

/// A skin ready to be drawn.
struct Ready<'a> {
    mesh: &'a Arc<Mesh>,
    look: &'a Look,
    muscles: &'a [Spindle],
    shaped: Shaped,
    weights: Option<wgpu::Buffer>,
    wire: Option<wgpu::BindGroup>,
    /// Left edge and width of the part of the view it is seen in.
    columns: [u32; 2],
}

impl Renderer {
    /// `output` is the format of the pass that [`Self::paint`] blits into. Formats that do not encode
    /// gamma themselves get colours already encoded, as egui wants them.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, output: wgpu::TextureFormat) -> Self {
        let layouts = Layouts::new(device, queue);
        Self {
            textures: Textures::new(device, queue),
            meshes: ByIdentity::default(),
            deformer: Deformer::new(device),
            uploads: Uploads::new(device),
            targets: HashMap::new(),
            backdrop: Backdrop::new(device, &layouts),
            shadow: ShadowPass::new(device, &layouts),
            skin: SkinPass::new(device, &layouts),
            wire: WirePass::new(device, &layouts),
            ghosts: GhostPass::new(device, &layouts),
            bones: BonePass::new(device, &layouts),
            muscles: MusclePass::new(device, &layouts),
            lines: MarkPass::lines(device, &layouts),
            dots: MarkPass::dots(device, &layouts),
            blit: BlitPass::new(device, &layouts, output),
            layouts,
            now: 0,
            trouble: None,
        }
    }

    /// Renders `scene` into the picture of view `view`, which is made or resized as needed.
    /// `size` is in pixels; an empty one draws nothing. Widths of lines are in points, of
    /// which `pixels_per_point` says the size. A scene that shows the same as before costs nothing:
    /// `encoder` must be submitted before the next call.
    #[expect(clippy::too_many_arguments, reason = "what egui's callback has at hand, one by one")]
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        view: u64,
        scene: &Scene,
        size: [u32; 2],
        pixels_per_point: f32,
    ) {
        self.now += 1;
        self.trouble = None;
        if size.contains(&0) {
            self.targets.remove(&view);
            return;
        }
        let most = device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.min(most));
        let mut target = self
            .targets
            .remove(&view)
            .filter(|target| target.size == size)
            .unwrap_or_else(|| Target::new(device, &self.layouts, size));
        target.used = self.now;
        if target
            .shows
            .as_ref()
            .is_some_and(|(shown, ppp)| *ppp == pixels_per_point && scene.shows_same(shown))
        {
            self.keep_alive(scene);
            self.targets.insert(view, target);
            return;
        }
        let data = ViewData::of(scene, size, pixels_per_point);
        self.uploads.write(encoder, &target.view, bytemuck::bytes_of(&data));

        let (skins, ghosts) = self.ready(device, queue, encoder, scene, size[0]);
        let items = self.draw_shadows(device, encoder, scene, &mut target, &skins, &ghosts);
        target.write_items(device, encoder, &mut self.uploads, &self.layouts, &items);
        let marks = self.stream(scene, &skins, &mut target.stream);
        target.stream.upload(device, encoder, &mut self.uploads);
        self.draw_layer(encoder, &target, &skins, &ghosts, &marks);
        self.draw_picture(encoder, scene, &target, &skins);
        self.uploads.finish(encoder);
        target.shows = self.trouble.is_none().then(|| (scene.clone(), pixels_per_point));
        self.targets.insert(view, target);
    }

    /// Marks what a picture that stays shows as used, so that it is there when something changes.
    fn keep_alive(&mut self, scene: &Scene) {
        let skins = scene.skins.iter().map(|skin| (&skin.mesh, &skin.shape));
        for (mesh, shape) in skins.chain(scene.ghosts.iter().map(|ghost| (&ghost.mesh, &ghost.shape))) {
            self.meshes.get_or_make(mesh, self.now, || None);
            self.deformer.touch(mesh, shape, self.now);
        }
    }

    /// Uploads and deforms what `scene` shows.
    fn ready<'s>(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        scene: &'s Scene,
        width: u32,
    ) -> (Vec<Ready<'s>>, Vec<(&'s Arc<Mesh>, Shaped)>) {
        let shown = if scene.wipe.is_some() { 2 } else { 1 };
        let skins = &scene.skins[..scene.skins.len().min(shown)];
        let all = || {
            let skins = skins.iter().map(|skin| (&skin.mesh, &skin.shape));
            skins.chain(scene.ghosts.iter().map(|ghost| (&ghost.mesh, &ghost.shape)))
        };
        all().for_each(|(mesh, shape)| self.deformer.touch(mesh, shape, self.now));
        let shaped: Vec<Option<Shaped>> =
            all().map(|(mesh, shape)| self.shaped(device, queue, encoder, mesh, shape)).collect();
        let (of_skins, of_ghosts) = shaped.split_at(skins.len());

        let divider = scene.wipe.map_or(width, |at| (at.clamp(0.0, 1.0) * width as f32).round() as u32);
        let columns = [[0, divider], [divider, width - divider]];
        let ready = skins
            .iter()
            .zip(of_skins)
            .zip(columns)
            .filter(|(_, [_, width])| *width > 0)
            .filter_map(|((skin, shaped), columns)| {
                let shaped = shaped.clone()?;
                let look = &skin.look;
                let mesh = self.meshes.get_or_make(&skin.mesh, self.now, || None).as_mut()?;
                self.skin.prepare(device, &self.layouts, mesh, look.shading, look.xray);
                let weights =
                    look.shading.is_heat_map().then(|| mesh.weight_colors(device, look.weights.as_ref()));
                let wire =
                    look.wireframe.then(|| self.wire.group(device, &self.layouts, mesh, &shaped.points));
                let muscles = &skin.muscles;
                Some(Ready { mesh: &skin.mesh, look, muscles, shaped, weights, wire, columns })
            })
            .collect();
        let ghosts = scene
            .ghosts
            .iter()
            .zip(of_ghosts)
            .filter_map(|(ghost, shaped)| Some((&ghost.mesh, shaped.clone()?)))
            .collect();
        (ready, ghosts)
    }

    fn shaped(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        mesh: &Arc<Mesh>,
        shape: &Shape,
    ) -> Option<Shaped> {
        let (layouts, textures, now) = (&self.layouts, &mut self.textures, self.now);
        let trouble = &mut self.trouble;
        let make = || {
            GpuMesh::new(device, queue, layouts, textures, mesh, now).unwrap_or_else(|why| {
                *trouble = Some(why);
                None
            })
        };
        let gpu_mesh = self.meshes.get_or_make(mesh, now, make).as_ref()?;
        Some(self.deformer.shape(encoder, &mut self.uploads, mesh, gpu_mesh, shape, now))
    }

    /// Draws the shadows; gives the items of the frame: two grounds, skins, edges, ghosts.
    fn draw_shadows(
        &mut self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene,
        target: &mut Target,
        skins: &[Ready<'_>],
        ghosts: &[(&Arc<Mesh>, Shaped)],
    ) -> Vec<ItemData> {
        let mut items = Vec::new();
        for side in 0..2 {
            let skin = skins.get(side).filter(|_| scene.ground && scene.backdrop.shadow[3] > 0.0);
            let mesh = skin.and_then(|skin| {
                let mesh = self.meshes.get_or_make(skin.mesh, self.now, || None).as_ref()?;
                Some((mesh, &skin.shaped))
            });
            let (_, shadow_box) = self.shadow.draw(
                device,
                encoder,
                &mut self.uploads,
                &self.layouts,
                &mut target.shadows[side],
                mesh,
            );
            items.push(ItemData { shadow_box, ..ItemData::default() });
        }
        for skin in skins {
            let mesh = self.meshes.get_or_make(skin.mesh, self.now, || None).as_ref();
            let all_joints = skin.look.weights.as_ref().is_some_and(|shown| shown.joint.is_none());
            let cells = mesh.map_or(1.0, |mesh| 28.0 / mesh.diagonal().max(1e-6));
            let flag = |on: bool| f32::from(u8::from(on));
            items.push(ItemData {
                color: [1.0, 1.0, 1.0, if skin.look.xray { XRAY_OPACITY } else { 1.0 }],
                params: [flag(all_joints), flag(mesh.is_some_and(|mesh| mesh.has_uvs)), cells, 0.0],
                ..ItemData::default()
            });
            items.push(ItemData { color: wire_color(skin.look), ..ItemData::default() });
        }
        let tints = scene.ghosts.iter().map(|ghost| ghost.color).take(ghosts.len());
        items.extend(tints.map(|color| ItemData { color, ..ItemData::default() }));
        items
    }

    /// Collects what is drawn anew in each frame.
    fn stream(&mut self, scene: &Scene, skins: &[Ready<'_>], stream: &mut Stream) -> Marks {
        stream.clear();
        let muscles = [0, 1].map(|k| {
            skins.get(k).map_or_else(Default::default, |skin| self.muscles.add(skin.muscles, stream))
        });
        let mut marks = |hidden| {
            let lines = stream.add(line_data(&scene.lines, hidden));
            (lines, stream.add(dot_data(&scene.dots, hidden)))
        };
        let (hidden, front) = (marks(true), marks(false));
        let octahedra = stream.add(bones::octahedra(&scene.bones));
        let lines = stream.add(bones::sticks(&scene.bones).map(|(line, _)| line));
        let sticks = (lines, stream.add(bones::sticks(&scene.bones).map(|(_, dot)| dot)));
        Marks { muscles, hidden, octahedra, sticks, front }
    }

    /// What has edges, with several samples a pixel.
    fn draw_layer(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &Target,
        skins: &[Ready<'_>],
        ghosts: &[(&Arc<Mesh>, Shaped)],
        marks: &Marks,
    ) {
        let mut pass = begin(encoder, &target.color, Some((&target.layer, &target.depth)));
        let [width, height] = target.size;
        let depths = |pass: &mut wgpu::RenderPass<'_>, [near, far]: [f32; 2]| {
            pass.set_viewport(0.0, 0.0, width as f32, height as f32, near, far);
        };
        let item = |pass: &mut wgpu::RenderPass<'_>, k: usize| {
            pass.set_bind_group(1, &target.item_group, &[(k as u64 * ITEM_STRIDE) as u32]);
        };
        pass.set_bind_group(0, &target.view_group, &[]);
        for (k, (mesh, shaped)) in ghosts.iter().enumerate() {
            let Some(mesh) = self.meshes.get_or_make(mesh, self.now, || None) else { continue };
            depths(&mut pass, ghosts::slice(k, ghosts.len()));
            item(&mut pass, 2 + 2 * skins.len() + k);
            self.ghosts.draw(&mut pass, mesh, &shaped.points);
        }
        depths(&mut pass, SKIN);
        for (k, skin) in skins.iter().enumerate() {
            let Some(mesh) = self.meshes.get_or_make(skin.mesh, self.now, || None) else { continue };
            pass.set_scissor_rect(skin.columns[0], 0, skin.columns[1], height);
            self.muscles.draw(&mut pass, &target.stream, &marks.muscles[k]);
            item(&mut pass, 2 + 2 * k);
            let look = skin.look;
            self.skin.draw(
                &mut pass,
                look.shading,
                look.xray,
                mesh,
                &skin.shaped.points,
                skin.weights.as_ref(),
            );
            if let Some(group) = &skin.wire {
                item(&mut pass, 3 + 2 * k);
                self.wire.draw(&mut pass, group, mesh.index_count);
            }
        }
        pass.set_scissor_rect(0, 0, width, height);
        let lines_and_dots = |pass: &mut wgpu::RenderPass<'_>, (lines, dots): &(Run, Run), hidden| {
            self.lines.draw(pass, &target.stream, lines, hidden);
            self.dots.draw(pass, &target.stream, dots, hidden);
        };
        lines_and_dots(&mut pass, &marks.hidden, true);
        depths(&mut pass, FRONT);
        self.bones.draw(&mut pass, &target.stream, &marks.octahedra);
        lines_and_dots(&mut pass, &marks.sticks, false);
        lines_and_dots(&mut pass, &marks.front, false);
    }

    /// Backdrop, ground, and the layer that [`Self::draw_layer`] made.
    fn draw_picture(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &Scene,
        target: &Target,
        skins: &[Ready<'_>],
    ) {
        let mut pass = begin(encoder, &target.picture, None);
        let [width, height] = target.size;
        pass.set_bind_group(0, &target.view_group, &[]);
        self.backdrop.draw_gradient(&mut pass);
        if scene.ground {
            for side in 0..skins.len().max(1) {
                // A single skin left of a wipe still stands on a whole ground.
                let alone = skins.len() < 2;
                let [left, across] =
                    skins.get(side).filter(|_| !alone).map_or([0, width], |skin| skin.columns);
                pass.set_scissor_rect(left, 0, across, height);
                pass.set_bind_group(1, &target.item_group, &[(side as u64 * ITEM_STRIDE) as u32]);
                if let Some(shade) = target.shadows[side].group() {
                    self.backdrop.draw_ground(&mut pass, shade);
                }
            }
            pass.set_scissor_rect(0, 0, width, height);
        }
        self.backdrop.draw_layer(&mut pass, &target.layer_group);
    }

    /// Blits the finished picture of `view` into the current pass's viewport; nothing if it was
    /// never drawn. The pass has no depth and one sample a pixel.
    pub fn paint(&self, pass: &mut wgpu::RenderPass<'static>, view: u64) {
        if let Some(target) = self.targets.get(&view) {
            self.blit.draw(pass, &target.blit_group);
        }
    }

    /// Drops pictures of closed views, what was not drawn for a while, and textures of what is gone.
    /// Cheap; call it once a frame.
    pub fn forget_unused(&mut self) {
        let since = self.now.saturating_sub(KEPT_FRAMES);
        let count = self.meshes.len();
        self.meshes.forget(since);
        if self.meshes.len() < count {
            self.uploads.shrink();
        }
        self.textures.forget();
        self.deformer.forget(since);
        self.targets.retain(|_, target| target.used >= since);
    }

    /// What could not be drawn in the last [`Self::draw`], as a sentence for the user.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The finished picture of `view`, in [`super::targets::COLOR`].
    pub(super) fn texture(&self, view: u64) -> Option<&wgpu::Texture> {
        self.targets.get(&view).map(|target| &target.texture)
    }

    /// A copy of the points of `mesh` in `shape`, to be mapped once `encoder` was submitted.
    pub(super) fn copy_points(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        mesh: &Arc<Mesh>,
        shape: &Shape,
    ) -> Option<wgpu::Buffer> {
        self.now += 1;
        let shaped = self.shaped(device, queue, encoder, mesh, shape)?;
        let size = mesh.vertex_count() as u64 * size_of::<PointData>() as u64;
        let copy = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(&shaped.points, 0, &copy, 0, size);
        self.uploads.finish(encoder);
        Some(copy)
    }
}

/// Edges: dark on what is mostly light, pale on the dark of a weight map.
fn wire_color(look: &Look) -> [f32; 4] {
    match look.shading {
        shading if shading.is_heat_map() => [0.75, 0.78, 0.82, 0.30],
        _ => [0.008, 0.010, 0.014, 0.55],
    }
}

/// Begins a pass into `color`, cleared; with several samples, what they are resolved into and their depth.
fn begin<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    color: &wgpu::TextureView,
    samples: Option<(&wgpu::TextureView, &wgpu::TextureView)>,
) -> wgpu::RenderPass<'e> {
    let kept = |keep: bool| if keep { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("view"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: color,
            depth_slice: None,
            resolve_target: samples.map(|(resolved, _)| resolved),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: kept(samples.is_none()),
            },
        })],
        depth_stencil_attachment: samples.map(|(_, depth)| wgpu::RenderPassDepthStencilAttachment {
            view: depth,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: kept(false) }),
            stencil_ops: None,
        }),
        ..wgpu::RenderPassDescriptor::default()
    })
}
