//! A hundred resources at once through the real engine; `make scale COUNT=1000` measures more.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::binaries::built;
use tests::scale::{Side, measure, table};

#[test]
fn a_hundred_resources_at_once_are_created_changed_and_destroyed() {
    let binary = built("pulumi-resource-aws-native").unwrap();
    let side = Side { version: env!("CARGO_PKG_VERSION").to_owned(), binary };
    let costs = measure(&side, 100, "test", 1).unwrap();
    eprintln!("{}", table(100, &[costs]));
}
