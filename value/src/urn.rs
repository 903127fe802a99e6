//! URNs: the names of resources.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::error::shorten;

const PREFIX: &str = "urn:pulumi:";
const SEPARATOR: &str = "::";
const ROOT_STACK_TYPE: &str = "pulumi:pulumi:Stack";
const PROVIDER_TYPE_PREFIX: &str = "pulumi:providers:";

/// The name of a resource: `urn:pulumi:STACK::PROJECT::QUALIFIED-TYPE::NAME`.
///
/// The qualified type is the chain of the types of the resource's component ancestors and its own type, joined by `$`.
/// The name is all that follows, and may itself contain `::`. The parts are not validated further.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Urn {
    text: String,
    /// Where each separator begins: after the stack, after the project, after the qualified type.
    separators: [usize; 3],
}

impl Urn {
    /// Reads a URN.
    ///
    /// # Errors
    ///
    /// [`Error::Urn`] when the text does not start with `urn:pulumi:` or has fewer than three `::` after it.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let malformed = || Error::Urn { text: shorten(text) };
        if !text.starts_with(PREFIX) {
            return Err(malformed());
        }
        let mut separators = [0; 3];
        let mut start = PREFIX.len();
        for separator in &mut separators {
            let at = start + text[start..].find(SEPARATOR).ok_or_else(malformed)?;
            *separator = at;
            start = at + SEPARATOR.len();
        }
        Ok(Self { text: text.to_owned(), separators })
    }

    /// The URN of a resource of type `type_token` named `name`.
    ///
    /// `parent` is the URN of the component above it, if any; the root stack does not count in the type.
    ///
    /// # Errors
    ///
    /// [`Error::Urn`] when a part contains `::` where it must not.
    pub fn new(stack: &str, project: &str, parent: Option<&Self>, type_token: &str, name: &str) -> Result<Self, Error> {
        let qualified_type = match parent.map(Self::qualified_type) {
            None | Some(ROOT_STACK_TYPE) => type_token.to_owned(),
            Some(parent_type) => format!("{parent_type}${type_token}"),
        };
        let text = format!("{PREFIX}{stack}::{project}::{qualified_type}::{name}");
        let urn = Self::parse(&text)?;
        match urn.stack() == stack && urn.project() == project && urn.qualified_type() == qualified_type {
            true => Ok(urn),
            false => Err(Error::Urn { text: shorten(&text) }),
        }
    }

    /// The whole URN.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The stack.
    pub fn stack(&self) -> &str {
        &self.text[PREFIX.len()..self.separators[0]]
    }

    /// The project.
    pub fn project(&self) -> &str {
        &self.text[self.separators[0] + SEPARATOR.len()..self.separators[1]]
    }

    /// The type with the types of the components above it, joined by `$`.
    pub fn qualified_type(&self) -> &str {
        &self.text[self.separators[1] + SEPARATOR.len()..self.separators[2]]
    }

    /// The type of the resource itself, for example `aws-native:s3:Bucket`.
    pub fn type_token(&self) -> &str {
        let qualified = self.qualified_type();
        qualified.rsplit_once('$').map_or(qualified, |(_, token)| token)
    }

    /// The name that the program gave to the resource.
    pub fn name(&self) -> &str {
        &self.text[self.separators[2] + SEPARATOR.len()..]
    }

    /// Whether the resource is a provider.
    pub fn is_provider(&self) -> bool {
        self.type_token().starts_with(PROVIDER_TYPE_PREFIX)
    }

    /// Whether the resource is a provider that the engine made itself, because the program names none.
    pub fn is_default_provider(&self) -> bool {
        self.is_provider() && self.name().starts_with("default")
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Urn {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl AsRef<str> for Urn {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts() {
        let urn = Urn::parse("urn:pulumi:dev::proj::my:mod:Comp$aws:s3/bucket:Bucket::n::x").unwrap();
        assert_eq!((urn.stack(), urn.project()), ("dev", "proj"));
        assert_eq!(urn.qualified_type(), "my:mod:Comp$aws:s3/bucket:Bucket");
        assert_eq!(urn.type_token(), "aws:s3/bucket:Bucket");
        assert_eq!(urn.name(), "n::x");
    }

    #[test]
    fn odd_urns_have_parts_too() {
        let empty = Urn::parse("urn:pulumi:::::::").unwrap();
        assert_eq!((empty.stack(), empty.project(), empty.type_token(), empty.name()), ("", "", "", ""));
        let colons = Urn::parse("urn:pulumi:s::p::t:::n").unwrap();
        assert_eq!((colons.type_token(), colons.name()), ("t", ":n"));
    }

    #[test]
    fn what_is_no_urn_is_refused_by_name() {
        for text in ["", "urn", "urn:pulumi:", "urn:pulumi:a::b::c", "URN:pulumi:a::b::c::d", "urn:pulumi:a:b:c:d"] {
            let expected = format!("malformed URN {text:?}: expected urn:pulumi:STACK::PROJECT::TYPE::NAME");
            assert_eq!(Urn::parse(text).unwrap_err().to_string(), expected);
        }
        let long = Urn::parse(&"é".repeat(10_000)).unwrap_err().to_string();
        assert!(long.len() < 600, "{long}");
    }

    #[test]
    fn built_from_parts() {
        let stack = Urn::new("dev", "proj", None, ROOT_STACK_TYPE, "proj-dev").unwrap();
        let component = Urn::new("dev", "proj", Some(&stack), "my:mod:Comp", "c").unwrap();
        assert_eq!(component.as_str(), "urn:pulumi:dev::proj::my:mod:Comp::c");
        let child = Urn::new("dev", "proj", Some(&component), "aws:s3:Bucket", "n::x").unwrap();
        assert_eq!(child.as_str(), "urn:pulumi:dev::proj::my:mod:Comp$aws:s3:Bucket::n::x");
        Urn::new("de::v", "proj", None, "a:b:C", "n").unwrap_err();
    }

    proptest! {
        #[test]
        fn any_text_has_an_answer(text in "(urn:pulumi:)?[a-zé:$]{0,20}") {
            if let Ok(urn) = Urn::parse(&text) {
                let parts = [urn.stack(), urn.project(), urn.qualified_type(), urn.name()];
                let joined = format!("{PREFIX}{}", parts.join(SEPARATOR));
                prop_assert_eq!(joined, text);
            }
        }
    }
}
