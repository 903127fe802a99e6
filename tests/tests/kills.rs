//! Twelve kills of the provider and of the engine; `make kill COUNT=210` does more.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::kills::tally::Outcome;

#[test]
fn what_was_cut_off_is_in_the_state_or_was_named() {
    let tally = tests::kills::run(12, 1, &mut |line| eprintln!("{line}")).unwrap();
    assert_eq!((tally.count(Outcome::Lost), tally.doubled), (0, 0), "{tally}");
    // A kill between two calls finds something under way, nearly always.
    assert!(tally.count(Outcome::PickedUp) > 0, "{tally}");
}
