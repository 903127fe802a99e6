//! Where a call acts: account and region, and what follows from the region.

use crate::name::Name;
use serde::{Deserialize, Serialize};

/// An account and region, with what follows from the region.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Scope {
    pub(crate) account: Name,
    pub(crate) region: Name,
}

impl Scope {
    pub(crate) fn new(account: impl Into<Name>, region: impl Into<Name>) -> Scope {
        Scope { account: account.into(), region: region.into() }
    }

    /// The partition of ARNs.
    pub(crate) fn partition(&self) -> &'static str {
        self.partition_and_suffix().0
    }

    /// The domain that the endpoints of the partition end with.
    pub(crate) fn suffix(&self) -> &'static str {
        self.partition_and_suffix().1
    }

    fn partition_and_suffix(&self) -> (&'static str, &'static str) {
        const PARTITIONS: [(&str, &str, &str); 7] = [
            ("cn-", "aws-cn", "amazonaws.com.cn"),
            ("us-gov-", "aws-us-gov", "amazonaws.com"),
            ("us-isob-", "aws-iso-b", "sc2s.sgov.gov"),
            ("us-isof-", "aws-iso-f", "csp.hci.ic.gov"),
            ("us-iso-", "aws-iso", "c2s.ic.gov"),
            ("eu-isoe-", "aws-iso-e", "cloud.adc-e.uk"),
            ("eusc-", "aws-eusc", "amazonaws.eu"),
        ];
        let known = PARTITIONS.iter().find(|(prefix, _, _)| self.region.starts_with(prefix));
        known.map_or(("aws", "amazonaws.com"), |(_, partition, suffix)| (*partition, *suffix))
    }
}

/// Whether a text is the number of an account.
pub(crate) fn is_account(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the form of a region's name: lower-case letters, digits and dashes.
pub(crate) fn is_region(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 32
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Whether something may exist in an account and region.
///
/// # Errors
///
/// Which of the two has no form that a call could name.
pub(crate) fn check(account: &str, region: &str) -> Result<(), String> {
    if !is_account(account) {
        return Err(format!("{account:?} is no account: twelve digits are wanted"));
    }
    if !is_region(region) {
        return Err(format!("{region:?} is no region: lower-case letters, digits and dashes are wanted, at most 32"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_a_form() {
        for (text, expected) in [("eu-west-1", true), ("local", true), ("", false), ("EU WEST", false), ("a_b", false)]
        {
            assert_eq!(is_region(text), expected, "{text}");
        }
    }

    #[test]
    fn places_have_the_form_that_calls_can_name() {
        for (account, region, expected) in [
            ("123456789012", "eu-west-1", None),
            ("12345678901", "eu-west-1", Some("\"12345678901\" is no account")),
            ("x\0y", "eu-west-1", Some("\"x\\0y\" is no account")),
            ("", "", Some("\"\" is no account")),
            ("123456789012", "", Some("\"\" is no region")),
            ("123456789012", "EU WEST", Some("\"EU WEST\" is no region")),
            ("123456789012", "eu\0", Some("\"eu\\0\" is no region")),
        ] {
            let reason = check(account, region).err();
            assert_eq!(reason.is_some(), expected.is_some(), "{account:?} {region:?}");
            assert!(reason.is_none_or(|reason| reason.starts_with(expected.unwrap_or_default())), "{account:?}");
        }
    }

    #[test]
    fn partitions_follow_regions() {
        for (region, expected) in [
            ("eu-west-1", ("aws", "amazonaws.com")),
            ("cn-north-1", ("aws-cn", "amazonaws.com.cn")),
            ("us-gov-west-1", ("aws-us-gov", "amazonaws.com")),
            ("us-isob-east-1", ("aws-iso-b", "sc2s.sgov.gov")),
        ] {
            let scope = Scope::new("1", region);
            assert_eq!((scope.partition(), scope.suffix()), expected, "{region}");
        }
    }
}
