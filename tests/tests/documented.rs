//! The documented Rust example is a test that runs. Its Python and shell counterparts run in `clients.rs`.

#[path = "../../docs/emulator/examples/test.rs"]
mod example;
