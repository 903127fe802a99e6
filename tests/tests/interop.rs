//! A stack that the published Go provider made, with default tags, secrets, generated and imported names, from its recorded
//! state; `make interop PEER=FOLDER` does more, with the provider itself.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::interop::Interop;

#[test]
fn a_stack_of_the_published_provider_goes_on() {
    let mut tell = |line: &str| eprintln!("{line}");
    let mut stack = Interop::recorded(&mut tell).unwrap();
    stack.under_ours().unwrap();
    stack.destroy("this provider").unwrap();
}

#[test]
fn of_a_stack_of_the_published_provider_only_the_drift_is_seen() {
    let mut tell = |line: &str| eprintln!("{line}");
    let mut stack = Interop::recorded(&mut tell).unwrap();
    stack.ours().unwrap();
    stack.only_drift().unwrap();
}
