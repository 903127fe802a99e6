//! Embeds the compact resource schemas when `make generate` has written them, and the data files about services.
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
    embed("services", "SERVICES", "The data files about services: namespace and text.")?;
    embed("forms", "FORMS", "The data files about forms of values: namespace and text.")
}

/// Writes a table of the YAML files in a folder of `data/`, sorted by name: namespace and text.
#[allow(clippy::print_stdout, clippy::disallowed_methods, reason = "this is how a build script speaks to cargo")]
fn embed(folder: &str, table: &str, about: &str) -> Result<(), Box<dyn std::error::Error>> {
    let target = Path::new(&std::env::var("OUT_DIR")?).join(format!("{folder}.rs"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    let mut text = format!("/// {about}\nstatic {table}: &[(&str, &str)] = &[\n");
    for file in files {
        let namespace = file.file_stem().unwrap_or_default().display().to_string();
        text += &format!("    ({namespace:?}, include_str!({:?})),\n", file.display().to_string());
    }
    text += "];\n";
    std::fs::write(target, text)?;
    Ok(())
}
