//! Which type exists in which region, as the pinned package tells: `providers/<region>.json`, an object whose keys are
//! the types. A file that is not called like a region is about something else and is left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::de::IgnoredAny;

use super::FetchError;
use crate::availability::{Availability, is_region_name};

/// Reads the files of the folder `providers` in `folder`.
///
/// # Errors
///
/// [`FetchError::File`] and [`FetchError::Provider`].
pub fn availability(folder: &Path) -> Result<Availability, FetchError> {
    let folder = folder.join("providers");
    let mut regions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(FetchError::file("list", &folder))? {
        let path = entry.map_err(FetchError::file("list", &folder))?.path();
        let region = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !is_region_name(&region) || path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = fs::read(&path).map_err(FetchError::file("read", &path))?;
        let types: BTreeMap<String, IgnoredAny> =
            serde_json::from_slice(&text).map_err(|source| FetchError::Provider { path, source })?;
        regions.insert(region, types.into_keys().collect());
    }
    Ok(Availability::from_regions(regions))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn files_called_like_regions_count() {
        let folder = tempfile::tempdir().unwrap();
        let providers = folder.path().join("providers");
        fs::create_dir(&providers).unwrap();
        fs::write(providers.join("us-east-1.json"), r#"{"A::B::C": "1"}"#).unwrap();
        fs::write(providers.join("sam.json"), "{}").unwrap();
        fs::write(providers.join("us-east-2.txt"), "").unwrap();
        let found = availability(folder.path()).unwrap();
        assert_eq!(found.regions(), ["us-east-1"]);
        assert_eq!(found.is_offered_in("A::B::C", "us-east-1"), Some(true));

        fs::write(providers.join("us-east-2.json"), "[]").unwrap();
        let error = availability(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("us-east-2.json: not a list of types; it needs an object whose keys are type names"));
    }
}
