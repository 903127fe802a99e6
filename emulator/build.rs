//! Embeds the compact resource schemas when `make generate` has written them.
//!
//! Without them the crate still builds, so that it can be worked on with `--schemas`; what is missing is said here and
//! again, as an error with the next step, when somebody starts an emulator without naming schemas.

use std::path::Path;

#[allow(clippy::print_stdout, clippy::disallowed_methods, reason = "this is how a build script speaks to cargo")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/resource-schemas.zst");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", bundle.display());
    let value = if bundle.is_file() {
        format!("Some(include_bytes!({:?}))", bundle.display().to_string())
    } else {
        println!(
            "cargo::warning=no resource schemas to embed: run `make generate`; until then the emulator needs --schemas"
        );
        "None".to_owned()
    };
    let text = format!("/// The resource schemas this build carries.\nstatic EMBEDDED: Option<&[u8]> = {value};\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("embedded.rs"), text)?;
    Ok(())
}
