//! Twelve kills of the provider and of the engine; `make kill COUNT=210` does more.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::kills::point::Step;
use tests::kills::tally::Outcome;

#[test]
fn a_kill_doubles_no_given_name_and_loses_no_update_and_no_deletion() {
    let tally = tests::kills::run(12, 1, &mut |line| eprintln!("{line}")).unwrap();
    assert_eq!(tally.doubled, 0, "{tally}");
    for step in [Step::Update, Step::Delete] {
        assert_eq!(tally.count_in(step, Outcome::Lost), 0, "{tally}");
    }
}
