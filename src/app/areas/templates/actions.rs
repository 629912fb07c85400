//! Choosing and editing templates.

use crate::app::action::{Can, actions};

actions! {
    NextTemplate: View 0, "Next template",
        "Show this very frame with the next template at the selected joint of a cage; what Tab does there", [],
        can: |state| state.tab_swaps_templates().into(), run: |studio| studio.swap_template(1);
    PreviousTemplate: View 0, "Previous template",
        "Show this very frame with the previous template at the selected joint of a cage; what Shift+Tab does there", [],
        can: |state| state.tab_swaps_templates().into(), run: |studio| studio.swap_template(-1);
    EditTemplate: Rig 4, "Edit the template…",
        "Reshape the template at the selected joint of a cage; one that comes with Sinew is edited as a copy", [],
        can: |state| state.tab_swaps_templates().into(), run: |studio| studio.edit_template();
    DeleteTemplate: Rig 4, "Delete the template",
        "Take your own template at the selected joint of a cage out of the lists; its file is kept in the folder “removed”", [],
        can: |state| Can::from(state.own_template().is_some()).or("The template there is none of your own"),
        run: |studio| studio.delete_template();
    OpenTemplateFolder: Rig 4, "Open template folder",
        "Show the folder of your own templates in the system's file manager", [],
        can: |state| state.templates.folder.path.is_some().into(), run: |studio| studio.open_template_folder();
    ReloadTemplates: Rig 4, "Reload templates", "Read your own templates again, after files were changed by hand", [],
        can: |state| state.templates.folder.path.is_some().into(), run: |studio| studio.reload_templates();
}
