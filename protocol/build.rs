//! Generates the messages and services from the files under `proto/`, without needing `protoc`.

use std::error::Error;
use std::path::Path;

/// Every file that is the root of a generated package; imports follow.
const FILES: [&str; 5] = [
    "pulumi/provider.proto",
    "pulumi/engine.proto",
    "pulumi/errors.proto",
    "google/rpc/status.proto",
    "grpc/health/v1/health.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let descriptors = protox::compile(FILES.map(|file| Path::new("proto").join(file)), ["proto"])?;
    // `Bytes` instead of `Vec<u8>`: fields are slices of the received message, and responses are handed over uncopied.
    tonic_prost_build::configure().bytes(".").emit_rerun_if_changed(false).compile_fds(descriptors)?;
    Ok(())
}
