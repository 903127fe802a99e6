//! The program that measures the emulator does what its table says, on a small scale; its figures are for a release build.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;
use tests::binaries::built;
use tests::load::phases::Load;
use tests::load::{Figures, Measured};

fn calls(figures: &Figures, count: usize) {
    assert!(figures.rate() > 0.0 && figures.within(1.0) >= figures.within(0.5), "{count} calls were timed");
}

#[tokio::test]
async fn resources_are_made_read_listed_and_found_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let program = built("cloudcontrol-emulator").unwrap();
    let flags = ["--state", folder.path().to_str().unwrap()];
    let emulator = Measured::start(&program, &flags).unwrap();
    assert!(emulator.memory_kib() > 0);
    let load = Load { address: emulator.address, connections: 4 };
    let (created, tokens) = load.create(200, "load").await.unwrap();
    assert_eq!(tokens.len(), 200);
    calls(&created, 200);
    let (_, identifiers) = load.finish(tokens).await.unwrap();
    emulator.stop().unwrap();

    let emulator = Measured::start(&program, &flags).unwrap();
    let load = Load { address: emulator.address, ..load };
    calls(&load.read(Arc::new(identifiers), 400).await.unwrap(), 400);
    calls(&load.list(10).await.unwrap(), 4);
    emulator.stop().unwrap();
}

#[tokio::test]
async fn a_thousand_requests_are_open_at_once() {
    let program = built("cloudcontrol-emulator").unwrap();
    let emulator =
        Measured::start(&program, &["--profile", "realistic", "--time-scale", "1000", "--throttle", "off"]).unwrap();
    let load = Load { address: emulator.address, connections: 16 };
    let (_, tokens) = load.create(1_000, "open").await.unwrap();
    let (looks, ended) = load.look(tokens, 2).await.unwrap();
    calls(&looks, 2_000);
    assert_eq!(ended, [None], "all are still open");
    emulator.stop().unwrap();
}
