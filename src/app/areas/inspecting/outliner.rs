//! What the document holds, as a tree: mesh, skeleton, tags, methods.

use egui::{RichText, Ui};
use egui_ltreeview::{Action as TreeAction, NodeBuilder, TreeView, TreeViewBuilder};

use crate::app::areas::viewing::command::ViewCommand;
use crate::app::bindings::BodySize;
use crate::app::command::Command;
use crate::app::shell::theme;
use crate::app::state::AppState;
use crate::kernel::rig::TagName;
use crate::kernel::skin::methods;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Node {
    Mesh,
    Part(usize),
    Skeleton,
    Joint(usize),
    Tags,
    Tag(TagName),
    Methods,
    Method(usize),
}

/// The tree.
pub fn outliner_ui(ui: &mut Ui, state: &AppState, commands: &mut Vec<Command>) {
    // Names that are too long are elided, with a tooltip.
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // What is chosen in the viewport has the same bar as what was clicked here: without the focus the tree
        // shows its selection with this share of a button's colour.
        let accent = theme::palette(state.settings.dark).accent;
        ui.visuals_mut().selection.bg_fill = accent.linear_multiply(0.3);
        ui.visuals_mut().widgets.inactive.weak_bg_fill = accent;
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = 20.0;
        let id = ui.make_persistent_id("outliner");
        let mut tree_state = egui_ltreeview::TreeViewState::load(ui, id).unwrap_or_default();
        let chosen: Vec<Node> = state
            .selection
            .joints()
            .iter()
            .map(|&j| Node::Joint(j))
            .chain(state.selection.tag.map(Node::Tag))
            .collect();
        if *tree_state.selected() != chosen {
            // What is chosen in the viewport is brought to light.
            let mut above = state.selection.active_joint();
            while let Some(j) = above {
                above = state.character().skeleton.joints().get(j).and_then(|joint| joint.parent);
                if let Some(parent) = above {
                    tree_state.set_openness(Node::Joint(parent), true);
                }
            }
            tree_state.set_selected(chosen);
        }
        let (_, actions) = TreeView::new(id)
            .default_node_height(Some(20.0))
            .max_width(ui.available_width())
            .show_state(ui, &mut tree_state, |builder| {
                mesh_nodes(builder, state);
                skeleton_nodes(builder, state);
                tag_nodes(builder, state);
                method_nodes(builder, state);
            });
        for action in actions {
            if let TreeAction::SetSelected(nodes) = action {
                select(&nodes, state, commands);
            }
        }
        tree_state.store(ui, id);
    });
}

fn select(nodes: &[Node], state: &AppState, commands: &mut Vec<Command>) {
    if nodes.iter().any(|node| matches!(node, Node::Joint(_))) {
        commands.push(Command::SelectNothing);
    }
    for node in nodes {
        match *node {
            Node::Joint(joint) => commands.push(Command::SelectJoint { joint, add: true }),
            Node::Tag(tag) => commands.push(Command::SelectTag(Some(tag))),
            Node::Method(k) => commands.push(
                ViewCommand::SetMethod {
                    pane: state.panes.active(),
                    method: methods::METHODS[k].info().id.to_owned(),
                }
                .into(),
            ),
            _ => {}
        }
    }
}

fn folder(builder: &mut TreeViewBuilder<'_, Node>, node: Node, label: String, open: bool) -> bool {
    builder.node(NodeBuilder::dir(node).default_open(open).label(label).activatable(true))
}

fn mesh_nodes(builder: &mut TreeViewBuilder<'_, Node>, state: &AppState) {
    let mesh = &state.character().mesh;
    let label = format!("Mesh   {} vertices", thousands(mesh.file_vertex_count()));
    if folder(builder, Node::Mesh, label, false) {
        for (k, part) in mesh.parts.iter().enumerate() {
            let name = if part.name.is_empty() { "Whole mesh" } else { &part.name };
            builder.leaf(Node::Part(k), format!("{name}   {} triangles", thousands(part.triangles.len())));
        }
    }
    builder.close_dir();
}

fn skeleton_nodes(builder: &mut TreeViewBuilder<'_, Node>, state: &AppState) {
    let skeleton = &state.character().skeleton;
    if folder(builder, Node::Skeleton, format!("Skeleton   {} joints", skeleton.len()), true) {
        let roots: Vec<usize> =
            (0..skeleton.len()).filter(|&j| skeleton.joints()[j].parent.is_none()).collect();
        for root in roots {
            joint_nodes(builder, state, root, 0);
        }
    }
    builder.close_dir();
}

fn joint_nodes(builder: &mut TreeViewBuilder<'_, Node>, state: &AppState, j: usize, depth: usize) {
    let skeleton = &state.character().skeleton;
    let name = &skeleton.joints()[j].name;
    let words = if state.hidden.contains(&j) { RichText::new(name).weak() } else { RichText::new(name) };
    let children = skeleton.children(j);
    if children.is_empty() {
        builder.leaf(Node::Joint(j), words);
        return;
    }
    if builder.node(NodeBuilder::dir(Node::Joint(j)).default_open(depth < 4).label(words)) {
        for &child in children {
            joint_nodes(builder, state, child, depth + 1);
        }
    }
    builder.close_dir();
}

fn tag_nodes(builder: &mut TreeViewBuilder<'_, Node>, state: &AppState) {
    let tags = state.document().tags();
    let placed = TagName::REQUIRED.len() - tags.missing().len();
    let label = format!("Tags   {placed} of {}", TagName::REQUIRED.len());
    if folder(builder, Node::Tags, label, state.wants_tags()) {
        for name in TagName::REQUIRED.into_iter().chain(TagName::GUIDES) {
            let guide = TagName::GUIDES.contains(&name);
            let words =
                RichText::new(if guide { format!("{} (optional)", name.label()) } else { name.label() });
            builder.leaf(Node::Tag(name), if tags.get(name).is_some() { words } else { words.weak() });
        }
    }
    builder.close_dir();
}

fn method_nodes(builder: &mut TreeViewBuilder<'_, Node>, state: &AppState) {
    if folder(builder, Node::Methods, format!("Methods   {}", methods::METHODS.len()), true) {
        let size = BodySize::of(state.character());
        for (k, method) in methods::METHODS.iter().enumerate() {
            let info = method.info();
            let shown = state.panes.seen().iter().any(|pane| pane.method == info.id);
            let words = RichText::new(info.label);
            let words = if shown { words.strong() } else { words };
            let ready = state.bindings.ready(info.id, size).is_some();
            builder.leaf(Node::Method(k), if ready { words } else { words.weak() });
        }
    }
    builder.close_dir();
}

/// 12345 as 12,345.
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut words = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            words.push(',');
        }
        words.push(digit);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1234), "1,234");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
