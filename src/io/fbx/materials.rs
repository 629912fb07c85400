//! Base colour and texture of FBX materials; textures come from inside the file or from beside it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::io::{image, read_beside, text};
use crate::kernel::geom::{Image, Material};

/// The materials met so far.
pub struct Materials {
    folder: PathBuf,
    pub list: Vec<Material>,
    by_id: HashMap<u32, usize>,
}

impl Materials {
    /// None yet; textures are looked for in the folder of `path`.
    pub fn new(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        Self { folder, list: Vec::new(), by_id: HashMap::new() }
    }

    /// The number of `material` in the list.
    pub fn index(&mut self, material: &ufbx::Material, warnings: &mut Vec<String>) -> Option<usize> {
        let key = material.element.element_id;
        if let Some(&index) = self.by_id.get(&key) {
            return Some(index);
        }
        let map = if material.pbr.base_color.has_value {
            &material.pbr.base_color
        } else {
            &material.fbx.diffuse_color
        };
        let color = &map.value_vec4;
        let mut base_color = [color.x, color.y, color.z, 1.0].map(|x| x as f32);
        if !map.has_value || base_color.iter().any(|x| !x.is_finite()) {
            base_color = Material::default().base_color;
        }
        let texture = map.texture.as_deref().or(material.fbx.diffuse_color.texture.as_deref());
        let texture = texture.and_then(|texture| match self.load(texture) {
            Ok(image) => Some(Arc::new(image)),
            Err(why) => {
                let name = text::quoted(&texture.element.name);
                warnings.push(format!("The texture {name} is left out: {why}."));
                None
            }
        });
        if texture.is_some() {
            // The texture stands in place of the colour, it is not tinted by it.
            base_color = [1.0; 4];
        }
        let name = material.element.name.to_string();
        self.list.push(Material { name, base_color, texture, double_sided: false });
        self.by_id.insert(key, self.list.len() - 1);
        Some(self.list.len() - 1)
    }

    fn load(&self, texture: &ufbx::Texture) -> Result<Image, String> {
        let relative = texture.relative_filename.replace('\\', "/");
        let name = relative.rsplit('/').next().unwrap_or("").to_owned();
        if !texture.content.is_empty() {
            return image::check(&name, texture.content.to_vec());
        }
        let places = [self.folder.join(&relative), self.folder.join(&name)];
        let bytes = places.iter().filter(|_| !name.is_empty()).find_map(|place| read_beside(place).ok());
        image::check(&name, bytes.ok_or("the file is missing")?)
    }
}
