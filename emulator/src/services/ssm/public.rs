//! Public parameters: names that every account can read, from `data/ssm-public.yaml`.

use crate::entropy::Entropy;
use crate::overrides::regions::Regions;
use crate::scope::Scope;
use crate::yaml;
use serde::Deserialize;
use serde_json::json;
use std::sync::LazyLock;

/// Below which every region has a parameter of its name.
const REGIONS: &str = "/aws/service/global-infrastructure/regions";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    images: Vec<String>,
    recommended: Vec<String>,
}

static PUBLIC: LazyLock<File> = LazyLock::new(|| {
    yaml::read("ssm-public.yaml", include_str!("../../../data/ssm-public.yaml")).unwrap_or_else(|error| {
        // A test reads the file; what a build carries can be read.
        tracing::error!(%error, "a data file cannot be read; please report this");
        File::default()
    })
});

/// The value of a public parameter in a region.
pub(super) fn value(regions: &Regions, scope: &Scope, seed: u64, name: &str) -> Option<String> {
    if let Some(region) = name.strip_prefix(REGIONS).and_then(|rest| rest.strip_prefix('/')) {
        return regions.beside(scope).contains(&region).then(|| region.to_owned());
    }
    let image = |name: &str| {
        let parts = ["image", &seed.to_string(), &scope.region, name];
        format!("ami-{}", Entropy::new(&parts).hex(17))
    };
    if PUBLIC.images.iter().any(|known| is_like(name, known)) {
        return Some(image(name));
    }
    let is_recommended = |name: &str| PUBLIC.recommended.iter().any(|known| is_like(name, known));
    let (folder, last) = name.rsplit_once('/')?;
    match last {
        "recommended" if is_recommended(folder) => {
            Some(json!({"image_id": image(&format!("{name}/image_id"))}).to_string())
        }
        "image_id" if is_recommended(folder.strip_suffix("/recommended")?) => Some(image(name)),
        _ => None,
    }
}

/// The public parameters below a path, as far as their names say all.
pub(super) fn below(regions: &Regions, scope: &Scope, path: &str) -> Vec<String> {
    let recommended = PUBLIC.recommended.iter().map(|name| format!("{name}/recommended"));
    let ids = recommended.clone().map(|name| format!("{name}/image_id"));
    let regions = regions.beside(scope).into_iter().map(|region| format!("{REGIONS}/{region}"));
    let all = PUBLIC.images.iter().cloned().chain(recommended).chain(ids).chain(regions);
    all.filter(|name| !name.contains('*') && name.starts_with(path)).collect()
}

/// Whether a name is of a form in which `*` stands for one part.
fn is_like(name: &str, form: &str) -> bool {
    let (name, form): (Vec<&str>, Vec<&str>) = (name.split('/').collect(), form.split('/').collect());
    name.len() == form.len() && name.iter().zip(&form).all(|(part, form)| *form == "*" || part == form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_parameters_have_values_of_their_region() {
        let scope = Scope::new("123456789012", "eu-west-1");
        let regions = crate::overrides::Knowledge::load().map(|known| known.regions).unwrap_or_default();
        let of = |name: &str| value(&regions, &scope, 1, name);
        let image = of("/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64").unwrap_or_default();
        assert!(image.starts_with("ami-") && image.len() == 21, "{image}");
        let elsewhere =
            value(&regions, &Scope::new("1", "us-east-1"), 1, PUBLIC.images.first().map_or("", String::as_str));
        assert_ne!(elsewhere, Some(image));
        let eks = "/aws/service/eks/optimized-ami/1.31/amazon-linux-2023/x86_64/standard/recommended";
        let id = of(&format!("{eks}/image_id")).unwrap_or_default();
        assert_eq!(of(eks), Some(format!("{{\"image_id\":\"{id}\"}}")), "both name the same image");
        assert_eq!(of("/aws/service/global-infrastructure/regions/eu-west-2").as_deref(), Some("eu-west-2"));
        for name in ["", "/", "/aws/service/none", "/aws/service/global-infrastructure/regions/moon-1", "x/image_id"] {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(below(&regions, &scope, "/aws/service/global-infrastructure/regions").len(), 34);
        assert!(below(&regions, &scope, "/aws/service/ecs/").len() >= 8);
    }
}
