//! CloudFormation type names.

use std::fmt;
use std::ops::RangeInclusive;

/// How many characters a part may have, by the `TypeName` pattern of the Cloud Control API.
const PART_LENGTH: RangeInclusive<usize> = 2..=64;

/// A type name of exactly three parts, for example `AWS::S3::Bucket`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeName {
    text: String,
    service_at: usize,
    resource_at: usize,
}

impl TypeName {
    /// Reads `Organization::Service::Resource`; `None` when a part is missing or surplus, or is anything but 2 to 64
    /// ASCII letters and digits. That is the `TypeName` pattern of the Cloud Control API, so no other type can exist; it
    /// also makes every part safe as part of a file name.
    pub fn parse(text: &str) -> Option<TypeName> {
        let (organization, rest) = text.split_once("::")?;
        let (service, resource) = rest.split_once("::")?;
        [organization, service, resource].into_iter().all(is_part).then(|| TypeName {
            text: text.to_owned(),
            service_at: organization.len() + 2,
            resource_at: text.len() - resource.len(),
        })
    }

    /// The whole name.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The first part, `AWS` for everything that AWS publishes.
    pub fn organization(&self) -> &str {
        self.text.get(..self.service_at.saturating_sub(2)).unwrap_or_default()
    }

    /// The second part, for example `S3`.
    pub fn service(&self) -> &str {
        self.text.get(self.service_at..self.resource_at.saturating_sub(2)).unwrap_or_default()
    }

    /// The third part, for example `Bucket`.
    pub fn resource(&self) -> &str {
        self.text.get(self.resource_at..).unwrap_or_default()
    }
}

fn is_part(text: &str) -> bool {
    PART_LENGTH.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

impl fmt::Display for TypeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_parts() {
        let name = TypeName::parse("AWS::DocDB::DBCluster")
            .map(|n| (n.organization().to_owned(), n.service().to_owned(), n.resource().to_owned(), n.to_string()));
        assert_eq!(name, Some(("AWS".into(), "DocDB".into(), "DBCluster".into(), "AWS::DocDB::DBCluster".into())));
        for bad in ["", "AWS", "AWS::S3", "AWS::S3::", "::S3::Bucket", "AWS::::Bucket", "AWS::S3::Bucket::MODULE"] {
            assert_eq!(TypeName::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn parts_are_letters_and_digits() {
        let long = "L".repeat(64);
        for good in [format!("AWS::{long}::Thing"), "A1::22::zZ".to_owned()] {
            assert!(TypeName::parse(&good).is_some(), "{good:?}");
        }
        for bad in [
            "AWS::../../x::Y",
            "AWS::Ünï::Thing",
            "AWS::S3::Bucket ",
            "AWS::S3:::Bucket",
            "AWS::S_3::Bucket",
            "AWS::S::Bucket",
            "AWS::S3::B\u{0}t",
            &format!("AWS::{long}L::Thing"),
        ] {
            assert_eq!(TypeName::parse(bad), None, "{bad:?}");
        }
    }
}
