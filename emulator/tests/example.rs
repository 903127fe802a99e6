//! The example of `docs/emulator/admin.md`, as it stands there.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use emulator::{Change, Emulator, Place, Profile, Rule, Which};
use std::error::Error;
use std::time::Duration;

#[test]
fn the_library_injects_inspects_and_subscribes_as_its_page_says() -> Result<(), Box<dyn Error>> {
    let emulator = Emulator::builder().profile(Profile::chaos()).seed(7).start_blocking()?;
    let admin = emulator.admin();
    let mut changes = admin.subscribe();
    for rule in Rule::read("when: { operation: create, nth: 1 }\nthen: { fail: { code: NotStabilized } }")? {
        admin.add_rule(rule)?;
    }
    let place =
        Place { account: "123456789012".into(), region: "us-east-1".into(), type_name: "AWS::SQS::Queue".into() };
    let queue = admin.create(&place, None)?;
    let drifted = admin.drift(&Which::one("AWS::SQS::Queue", &queue.identifier), 3, 7);
    let told: Vec<Change> = std::iter::from_fn(|| changes.next(Duration::ZERO)).collect();

    assert_eq!((drifted.len(), told.len()), (3, 4), "{drifted:?} {told:?}");
    let page = include_str!("../../docs/emulator/admin.md");
    let block = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let own: Vec<&str> = include_str!("example.rs").lines().map(str::trim).collect();
    let lines: Vec<&str> = block.lines().map(str::trim).collect();
    assert!(own.windows(lines.len()).any(|window| window == lines), "the page and this test differ:\n{block}");
    Ok(())
}
