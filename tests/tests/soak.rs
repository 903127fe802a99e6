//! Clients on a cloud where everything goes wrong now and then, for a few seconds; `make emulator-soak` goes on longer.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::time::Duration;

#[test]
fn careful_clients_and_a_chaotic_cloud_agree_in_the_end() {
    let outcome = tests::soak::soak("chaos", 1, 8, Duration::from_secs(6)).unwrap();
    assert!(outcome.operations > 100 && outcome.repeated > 0, "{outcome}");
    for rule in ["chaos-throttle", "chaos-poll-error"] {
        assert!(outcome.fired[rule] > 0, "{outcome}");
    }
}
