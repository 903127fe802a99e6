//! What to say about a type that a region does not offer.

use crate::advice::ANOTHER_REGION;

/// More regions than that help nobody in a sentence.
const SHOWN: usize = 6;

/// The warning that a region does not offer a type, as far as is known; `offered_in` are those that do.
pub fn not_offered(cfn_type: &str, region: &str, offered_in: &[&str]) -> String {
    match offering(offered_in) {
        Some(regions) => {
            format!("{cfn_type} is not offered in {region}, as far as this version knows; it is in {regions}")
        }
        None => format!("{cfn_type} is not offered in {region}, as far as this version knows"),
    }
}

/// The first regions by name and the others by number; `None` for no region.
pub fn offering(regions: &[&str]) -> Option<String> {
    if regions.is_empty() {
        return None;
    }
    let shown = regions.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    Some(match regions.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    })
}

/// The text of a failure whose way out is another region, with the regions that offer the type.
pub fn named(message: &str, offered_in: &[&str]) -> Option<String> {
    let regions = offering(offered_in)?;
    let (before, after) = message.split_once(ANOTHER_REGION)?;
    Some(format!("{before}{ANOTHER_REGION} ({regions}){after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_named_up_to_six() {
        let regions = ["a-1", "b-1", "c-1", "d-1", "e-1", "f-1", "g-1", "h-1"];
        for (count, expected) in [
            (0, "AWS::X::Y is not offered in r-1, as far as this version knows"),
            (1, "AWS::X::Y is not offered in r-1, as far as this version knows; it is in a-1"),
            (6, "AWS::X::Y is not offered in r-1, as far as this version knows; it is in a-1, b-1, c-1, d-1, e-1, f-1"),
            (
                8,
                "AWS::X::Y is not offered in r-1, as far as this version knows; it is in a-1, b-1, c-1, d-1, e-1, f-1 and 2 more",
            ),
        ] {
            assert_eq!(not_offered("AWS::X::Y", "r-1", &regions[..count]), expected);
        }
    }
}
