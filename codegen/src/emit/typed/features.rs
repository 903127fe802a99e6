//! The cargo features of the `generated` crate that stand for services.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::emit::names::Entry;

/// The feature that stands for all services together.
pub const ALL: &str = "all-types";

/// Features that a service of the same name may not take.
const RESERVED: &[&str] = &["default", "typed", ALL];

/// First and last line of the part of `Cargo.toml` that belongs to the generator.
const FIRST: &str = "# One feature per service; `make generate` keeps this list.";
/// See [`FIRST`].
const LAST: &str = "# End of the list.";

/// The feature of a service's module: its name.
pub fn name(module: &str) -> String {
    if RESERVED.contains(&module) { format!("{module}_") } else { module.to_owned() }
}

/// `manifest`, the text of `Cargo.toml`, with a feature for every service of `entries`; `None` when it has no list to
/// keep.
pub fn update(manifest: &str, entries: &[Entry<'_>]) -> Option<String> {
    let features: BTreeSet<String> = entries.iter().map(|entry| name(&entry.module)).collect();
    let list: String = features.iter().map(|feature| format!("{feature} = [\"typed\"]\n")).collect();
    let place = place(manifest)?;
    Some(format!("{}{list}{}", manifest.get(..place.start)?, manifest.get(place.end..)?))
}

/// Where the list is, between its first and its last line.
fn place(manifest: &str) -> Option<Range<usize>> {
    let first = format!("{FIRST}\n");
    let start = manifest.find(&first)? + first.len();
    let length = manifest.get(start..)?.find(LAST)?;
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use metadata::model::Resource;

    #[test]
    fn the_list_is_replaced_and_nothing_else() {
        let resources = ["aws-native:sqs:Queue", "aws-native:default:Thing", "aws-native:sqs:QueuePolicy"]
            .map(|token| Resource { token: token.to_owned(), ..Resource::default() });
        let entries = crate::emit::names::entries(&resources).unwrap();
        let before = format!("[features]\ntyped = []\n{FIRST}\nold = [\"typed\"]\n{LAST}\n\n[lints]\n");
        let after =
            format!("[features]\ntyped = []\n{FIRST}\ndefault_ = [\"typed\"]\nsqs = [\"typed\"]\n{LAST}\n\n[lints]\n");
        assert_eq!(update(&before, &entries).as_ref(), Some(&after));
        assert_eq!(update(&after, &entries), Some(after));
        for without in ["", "[features]\n", FIRST, LAST, &format!("{LAST}\n{FIRST}\n")] {
            assert_eq!(update(without, &entries), None, "{without}");
        }
    }
}
