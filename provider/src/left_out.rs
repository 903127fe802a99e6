//! Types of CloudFormation that Cloud Control does not manage, so that the package has no resource for them.
//!
//! A table beside the generated ones, since it must also say what else to use: `data/left-out.tsv`. A test holds it against
//! what the generator leaves out.

use std::fmt::Write as _;

/// `token`, CloudFormation type, the handlers that are missing, and the resource of the `aws` package that does the same
/// where one is known.
const TABLE: &str = include_str!("../data/left-out.tsv");

/// A type that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The token that its resource would have.
    pub token: &'static str,
    /// The CloudFormation type.
    pub cfn_type: &'static str,
    /// Why Cloud Control does not manage it.
    pub reason: &'static str,
    /// The resource of the `aws` package for the same; none is known for most.
    pub classic: Option<&'static str>,
}

/// All types that are left out, in order of their CloudFormation names.
pub fn all() -> impl Iterator<Item = LeftOut> {
    TABLE.lines().filter(|line| !line.starts_with('#')).skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        let (token, cfn_type, reason) = (cells.next()?, cells.next()?, cells.next()?);
        Some(LeftOut { token, cfn_type, reason, classic: cells.next().filter(|classic| !classic.is_empty()) })
    })
}

/// The type that is left out under this token.
pub fn find(token: &str) -> Option<LeftOut> {
    all().find(|left_out| left_out.token == token)
}

impl LeftOut {
    /// What is missing and what to use, as the end of a sentence that begins with the token.
    pub fn advice(&self) -> String {
        let mut text = format!("Cloud Control does not manage {} ({}); use ", self.cfn_type, self.reason);
        // Writing to a string does not fail.
        let _ = match self.classic {
            Some(classic) => write!(text, "{classic} of the aws provider"),
            None => write!(text, "a provider that has the service's own API"),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_whole_and_there_once() {
        let tokens: BTreeSet<&str> = all().map(|left_out| left_out.token).collect();
        let rows = TABLE.lines().filter(|line| !line.starts_with('#')).count() - 1;
        assert!(rows > 100 && all().count() == rows && tokens.len() == rows, "{rows} rows, {} tokens", tokens.len());
        for LeftOut { token, cfn_type, reason, classic } in all() {
            assert!(token.starts_with("aws-native:") && cfn_type.split("::").count() == 3, "{token} {cfn_type}");
            assert!(reason.starts_with("no ") && classic.is_none_or(|classic| classic.starts_with("aws:")), "{token}");
            assert_eq!(find(token).map(|found| found.cfn_type), Some(cfn_type));
        }
        assert!(find("aws-native:s3:Bucket").is_none() && find("token").is_none());
    }

    #[test]
    fn the_advice_names_what_to_use() {
        for (token, expected) in [
            (
                "aws-native:appmesh:Mesh",
                "Cloud Control does not manage AWS::AppMesh::Mesh (no create, read, delete handler); use aws:appmesh:Mesh of \
                 the aws provider",
            ),
            (
                "aws-native:sdc:Deployment",
                "Cloud Control does not manage AMZN::SDC::Deployment (no create, read, delete handler); use a provider that \
                 has the service's own API",
            ),
        ] {
            assert_eq!(find(token).map(|left_out| left_out.advice()).as_deref(), Some(expected));
        }
    }
}
