//! AWS partitions by region.

/// A partition: a set of regions with their own accounts and DNS names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partition {
    /// The name in ARNs.
    pub name: &'static str,
    /// The suffix of service host names.
    pub dns_suffix: &'static str,
}

/// First segments of region names; a dash follows, so `us-iso` does not take `us-isob-…`.
const TABLE: &[(&str, Partition)] = &[
    ("cn", Partition { name: "aws-cn", dns_suffix: "amazonaws.com.cn" }),
    ("us-gov", Partition { name: "aws-us-gov", dns_suffix: "amazonaws.com" }),
    ("us-iso", Partition { name: "aws-iso", dns_suffix: "c2s.ic.gov" }),
    ("us-isob", Partition { name: "aws-iso-b", dns_suffix: "sc2s.sgov.gov" }),
    ("eu-isoe", Partition { name: "aws-iso-e", dns_suffix: "cloud.adc-e.uk" }),
    ("us-isof", Partition { name: "aws-iso-f", dns_suffix: "csp.hci.ic.gov" }),
    ("eusc", Partition { name: "aws-eusc", dns_suffix: "amazonaws.eu" }),
];

const COMMERCIAL: Partition = Partition { name: "aws", dns_suffix: "amazonaws.com" };

impl Partition {
    /// The partition of `region`; regions that no entry names are commercial.
    pub fn of(region: &str) -> Self {
        TABLE
            .iter()
            .find(|(prefix, _)| region.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('-')))
            .map_or(COMMERCIAL, |(_, partition)| *partition)
    }
}

#[cfg(test)]
mod tests {
    use super::Partition;

    #[test]
    fn partitions() {
        for (region, name) in [
            ("us-east-1", "aws"),
            ("il-central-1", "aws"),
            ("cn-north-1", "aws-cn"),
            ("us-gov-west-1", "aws-us-gov"),
            ("us-iso-east-1", "aws-iso"),
            ("us-isob-east-1", "aws-iso-b"),
            ("eu-isoe-west-1", "aws-iso-e"),
            ("us-isof-south-1", "aws-iso-f"),
            ("eusc-de-east-1", "aws-eusc"),
            ("", "aws"),
        ] {
            assert_eq!(Partition::of(region).name, name, "{region}");
        }
    }
}
