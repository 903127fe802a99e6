//! CloudFormation type names.

use std::fmt;

/// A type name of exactly three parts, for example `AWS::S3::Bucket`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeName {
    text: String,
    service_at: usize,
    resource_at: usize,
}

impl TypeName {
    /// Reads `Organization::Service::Resource`; `None` when a part is missing, empty or surplus.
    pub fn parse(text: &str) -> Option<TypeName> {
        let (organization, rest) = text.split_once("::")?;
        let (service, resource) = rest.split_once("::")?;
        let valid = !organization.is_empty() && !service.is_empty() && !resource.is_empty() && !resource.contains("::");
        valid.then(|| TypeName {
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
}
