//! Says what to do when the generator has not run yet.

use std::path::Path;

/// What `make generate` writes and `src/lib.rs` includes.
const OUTPUTS: [&str; 6] = [
    "src/index.rs",
    "src/regions.rs",
    "src/services/mod.rs",
    "src/types/mod.rs",
    "schema.json.zst",
    "resource-schemas.zst",
];

#[allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let missing: Vec<&str> = OUTPUTS.into_iter().filter(|path| !Path::new(path).exists()).collect();
    for path in OUTPUTS {
        println!("cargo::rerun-if-changed={path}");
    }
    if !missing.is_empty() {
        println!("cargo::error=the generator's output is missing ({}): run `make generate`", missing.join(", "));
    }
}
