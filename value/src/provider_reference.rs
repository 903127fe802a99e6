//! Provider references: which provider manages a resource.

use std::fmt;

use crate::error::shorten;
use crate::{Error, Unknown, Urn};

/// A provider resource by URN and id, written as `URN::ID`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderReference {
    /// The URN of the provider resource.
    pub urn: Urn,
    /// Its id; `None` while it is unknown.
    pub id: Option<String>,
}

impl ProviderReference {
    /// Reads a provider reference; the id is what follows the last `::`.
    ///
    /// # Errors
    ///
    /// [`Error::ProviderReference`] when the part before the id is not the URN of a provider resource.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let malformed = || Error::ProviderReference { text: shorten(text) };
        let (urn, id) = text.rsplit_once("::").ok_or_else(malformed)?;
        let urn = Urn::parse(urn).map_err(|_| malformed())?;
        if !urn.is_provider() {
            return Err(malformed());
        }
        let known = !id.is_empty() && Unknown::from_sentinel(id).is_none();
        Ok(Self { urn, id: known.then(|| id.to_owned()) })
    }
}

impl fmt::Display for ProviderReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.as_deref().unwrap_or(Unknown::String.sentinel());
        write!(f, "{}::{id}", self.urn)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn an_unknown_id_is_its_sentinel() {
        let text = "urn:pulumi:dev::p::pulumi:providers:aws::default_6_0_0::04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        let reference = ProviderReference::parse(text).unwrap();
        assert_eq!(reference.id, None);
        assert!(reference.urn.is_default_provider());
        assert_eq!(reference.to_string(), text);
    }

    #[test]
    fn what_is_no_reference_is_refused_by_name() {
        for text in ["", "x::y", "urn:pulumi:dev::p::a:b:C::n::id", "urn:pulumi:dev::p::pulumi:providers:aws::id"] {
            let error = ProviderReference::parse(text).unwrap_err().to_string();
            assert!(error.contains(&format!("{text:?}")), "{error}");
        }
    }
}
