//! Property paths: the pointers that a schema uses to speak about properties.
//!
//! A [`PropertyPath`] keeps the pointer as the schema spells it, for the published naming rules that look at the text,
//! and the segments that it means, for everything else. Pointers in the field are sloppy (dots for slashes, a
//! `properties` or `items` token in the middle, a missing `*`); how they are understood with the schema at hand is in
//! [`crate::schema`].

use crate::location::unescape_token;
use crate::naming::to_sdk;
use std::fmt;

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// Every element of an array or every value of a map, `*` in text.
    Each,
    /// The member of an object, by its CloudFormation name.
    Name(String),
}

impl Segment {
    /// The segment that a pointer token means when it is taken by itself.
    pub fn from_token(token: &str) -> Segment {
        if token == "*" { Segment::Each } else { Segment::Name(unescape_token(token)) }
    }

    /// The member name, `None` for [`Segment::Each`].
    pub fn name(&self) -> Option<&str> {
        match self {
            Segment::Name(name) => Some(name),
            Segment::Each => None,
        }
    }
}

/// A path to a property or to what is in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyPath {
    pointer: String,
    segments: Vec<Segment>,
}

impl PropertyPath {
    /// Takes a pointer by its tokens alone. Never fails: whatever stands there is a name.
    pub fn parse(pointer: &str) -> PropertyPath {
        let segments = tokens(pointer).map(Segment::from_token).collect();
        PropertyPath { pointer: pointer.to_owned(), segments }
    }

    /// The same pointer with the segments that it means in a particular schema.
    pub(crate) fn with_segments(pointer: String, segments: Vec<Segment>) -> PropertyPath {
        PropertyPath { pointer, segments }
    }

    /// The text in the schema, for example `/properties/Rules/*/Id`.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The steps from the resource's root value.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The top-level property that the path starts at.
    pub fn head(&self) -> Option<&str> {
        self.segments.first().and_then(Segment::name)
    }

    /// The name of the property when the path ends at top level.
    pub fn top_level(&self) -> Option<&str> {
        match self.segments.as_slice() {
            [Segment::Name(name)] => Some(name),
            _ => None,
        }
    }

    /// The text in the schema without a leading `/properties/`.
    pub fn stripped(&self) -> &str {
        strip(&self.pointer)
    }

    /// The path in SDK names as the published metadata spells it: by the text, name by name, without regard to `awsId`.
    pub fn published_sdk_path(&self) -> String {
        published_sdk_path(self.stripped())
    }

    /// The path in SDK names, `*` for every array element or map value; a top-level `Id` is `awsId`.
    pub fn to_sdk_path(&self) -> String {
        let mut path = String::new();
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 {
                path.push('/');
            }
            match segment {
                Segment::Each => path.push('*'),
                Segment::Name(name) if index == 0 => path.push_str(&top_level_sdk_name(name)),
                Segment::Name(name) => path.push_str(&to_sdk(name)),
            }
        }
        path
    }

    /// Whether the value at `other` is at this path or inside it.
    pub fn contains(&self, other: &[Segment]) -> bool {
        other.starts_with(&self.segments)
    }
}

/// The segments as a schema pointer, `/properties/Rules/*/Id`; the spelling of [`PropertyPath::pointer`] may be another.
impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("/properties")?;
        for segment in &self.segments {
            write!(f, "/{}", segment.name().unwrap_or("*"))?;
        }
        Ok(())
    }
}

/// The SDK name of a top-level property. `Id` becomes `awsId`, because every Pulumi resource has an `id` of its own.
pub fn top_level_sdk_name(cfn_name: &str) -> String {
    let name = to_sdk(cfn_name);
    if name == "id" { "awsId".to_owned() } else { name }
}

/// A pointer's text without the leading `/properties/`, if it has one.
pub fn strip(pointer: &str) -> &str {
    pointer.strip_prefix("/properties/").unwrap_or(pointer)
}

/// A stripped pointer in SDK names, token by token: `Rules/*/S3Key/VPCId` becomes `rules/*/s3Key/vpcId`.
pub fn published_sdk_path(stripped: &str) -> String {
    stripped.split('/').map(to_sdk).collect::<Vec<_>>().join("/")
}

/// The tokens of a pointer below the root's `properties`; `#` and empty tokens carry no meaning.
pub(crate) fn tokens(pointer: &str) -> impl Iterator<Item = &str> {
    let pointer = pointer.strip_prefix('#').unwrap_or(pointer);
    let rest = match pointer.strip_prefix("/properties/") {
        Some(rest) => rest,
        None => pointer.strip_prefix("properties/").unwrap_or(pointer),
    };
    rest.split('/').filter(|token| !token.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_become_sdk_paths() {
        for (pointer, sdk_path, published) in [
            ("/properties/Rules/*/S3Key/VPCId", "rules/*/s3Key/vpcId", "rules/*/s3Key/vpcId"),
            ("/properties/PolyList/*", "polyList/*", "polyList/*"),
            (
                "/properties/EncryptionConfiguration.KeyArn",
                "encryptionConfiguration.KeyArn",
                "encryptionConfiguration.KeyArn",
            ),
            ("/properties/Id", "awsId", "id"),
            ("/properties/Device/Id", "device/id", "device/id"),
            ("properties/MaximumDuration", "maximumDuration", "properties/maximumDuration"),
            ("#/properties/Name", "name", "#/properties/name"),
            ("", "", ""),
        ] {
            let path = PropertyPath::parse(pointer);
            assert_eq!(path.to_sdk_path(), sdk_path, "{pointer:?}");
            assert_eq!(path.published_sdk_path(), published, "{pointer:?}");
            assert_eq!(path.pointer(), pointer);
        }
    }

    #[test]
    fn a_path_contains_what_is_below_it() {
        let rules = PropertyPath::parse("/properties/Rules/*");
        assert!(rules.contains(PropertyPath::parse("/properties/Rules/*/Id").segments()));
        assert!(rules.contains(rules.segments()));
        assert!(!rules.contains(PropertyPath::parse("/properties/Rules").segments()));
        assert_eq!(rules.to_string(), "/properties/Rules/*");
        assert_eq!((rules.head(), rules.top_level()), (Some("Rules"), None));
    }
}
