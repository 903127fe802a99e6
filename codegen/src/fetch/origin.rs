//! What `--source` and `--region` name: where schemas come from, and which region they are about.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::availability::is_region_name;

/// The word that stands for AWS's own archives. A folder of that name is `./aws`.
pub const AWS: &str = "aws";

/// A source of schemas, as the user names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// AWS's archives, one per region.
    Aws,
    /// A folder or an archive.
    Path {
        /// The region that it is about, when that is known.
        region: Option<String>,
        /// Where it lies.
        path: PathBuf,
    },
}

/// A folder or an archive of schemas, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The region that it is about, when that is known.
    pub region: Option<String>,
    /// Where it lies.
    pub path: PathBuf,
}

impl Origin {
    /// Reads `aws`, `PATH` or `REGION=PATH`. Without `REGION=`, a file name that has the name of one of the known
    /// `regions` in it is taken to be about that region.
    #[must_use]
    pub fn parse(text: &Path, regions: &[&str]) -> Self {
        if text == Path::new(AWS) {
            return Self::Aws;
        }
        if let Some((region, path)) = text.to_str().and_then(|text| text.split_once('='))
            && is_region_name(region)
        {
            return Self::Path { region: Some(region.to_owned()), path: PathBuf::from(path) };
        }
        let name = text.file_stem().unwrap_or_default().to_string_lossy();
        Self::Path { region: region_in(&name, regions).map(str::to_owned), path: text.to_owned() }
    }
}

impl fmt::Display for Place {
    /// The region, else the path.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.region {
            Some(region) => formatter.write_str(region),
            None => write!(formatter, "{}", self.path.display()),
        }
    }
}

/// The region whose name stands in `name` between characters that belong to no word.
fn region_in<'r>(name: &str, regions: &[&'r str]) -> Option<&'r str> {
    let stands_in = |region: &&str| {
        name.match_indices(region).any(|(start, _)| {
            let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
            let before = name.get(..start).and_then(|text| text.chars().next_back());
            let after = name.get(start + region.len()..).and_then(|text| text.chars().next());
            !is_word(before) && !is_word(after)
        })
    };
    regions.iter().copied().find(|region| stands_in(region))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_as_they_are_typed() {
        let check = |text: &str, region: Option<&str>, path: &str| {
            let expected = Origin::Path { region: region.map(str::to_owned), path: PathBuf::from(path) };
            assert_eq!(Origin::parse(Path::new(text), &["eu-west-1", "us-east-1"]), expected, "{text}");
        };
        check("schemas", None, "schemas");
        check("./aws", None, "./aws");
        check("a/us-east-1.zip", Some("us-east-1"), "a/us-east-1.zip");
        check("CloudformationSchema-eu-west-1.zip", Some("eu-west-1"), "CloudformationSchema-eu-west-1.zip");
        check("schemas_us-east-1_2026.zip", Some("us-east-1"), "schemas_us-east-1_2026.zip");
        check("us-east-12.zip", None, "us-east-12.zip");
        check("virus-east-1.zip", None, "virus-east-1.zip");
        check("us-east-1/all.zip", None, "us-east-1/all.zip");
        check("xx-new-9=all.zip", Some("xx-new-9"), "all.zip");
        check("us-east-1=a=b.zip", Some("us-east-1"), "a=b.zip");
        check("key=value", None, "key=value");
        assert_eq!(Origin::parse(Path::new("aws"), &[]), Origin::Aws);
    }
}
