//! The crates depend on each other as ARCHITECTURE.md says, and wire types stay where they belong.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends with its first surprise")]

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;
use tests::architecture::{ALLOWED, IMPURE_DEPENDENCIES, PURE, WIRE_FOLDERS};
use tests::binaries::repository;

fn packages() -> Vec<(String, Vec<(String, bool)>)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(repository())
        .output()
        .unwrap();
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    let dependency = |entry: &Json| (entry["name"].as_str().unwrap().to_owned(), entry["kind"].is_null());
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter().map(dependency).collect();
            (package["name"].as_str().unwrap().to_owned(), dependencies)
        })
        .collect()
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    for (name, dependencies) in packages() {
        let (_, allowed) = ALLOWED.iter().find(|(known, _)| *known == name).unwrap_or_else(|| {
            panic!("crate {name} is not in tests/src/architecture.rs; add it there and to ARCHITECTURE.md")
        });
        for (dependency, ordinary) in dependencies {
            let ours = ALLOWED.iter().any(|(known, _)| *known == dependency);
            assert!(
                !ours || !ordinary || allowed.contains(&dependency.as_str()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn provider_and_emulator_never_meet_not_even_in_tests() {
    for (name, dependencies) in packages() {
        let forbidden = match name.as_str() {
            "provider" => "emulator",
            "emulator" => "provider",
            "codegen" => "generated",
            _ => continue,
        };
        assert!(dependencies.iter().all(|(dependency, _)| dependency != forbidden), "{name} must not know {forbidden}");
    }
}

#[test]
fn pure_crates_name_no_runtime_and_no_wire_types() {
    for (name, dependencies) in packages() {
        if PURE.contains(&name.as_str()) {
            for (dependency, ordinary) in dependencies {
                assert!(
                    !ordinary || !IMPURE_DEPENDENCIES.contains(&dependency.as_str()),
                    "{name} is pure and must not depend on {dependency}"
                );
            }
        }
    }
}

#[test]
fn protobuf_types_stay_in_the_wire_layer() {
    let root = repository();
    let mut sources = Vec::new();
    for (crate_name, _) in ALLOWED {
        collect(&root.join(crate_name).join("src"), &mut sources);
    }
    for source in sources {
        let relative = source.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        if WIRE_FOLDERS.iter().any(|folder| relative.starts_with(folder)) {
            continue;
        }
        let text = std::fs::read_to_string(&source).unwrap();
        for word in ["pulumirpc", "prost::", "tonic::"] {
            let hit = text.lines().find(|line| line.contains(word) && !line.trim_start().starts_with("//"));
            assert!(hit.is_none(), "{relative} names {word}: {hit:?}; wire types belong to {WIRE_FOLDERS:?}");
        }
    }
}

fn collect(folder: &Path, sources: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
}

#[test]
fn every_program_that_a_verb_runs_is_there() {
    let makefile = std::fs::read_to_string(repository().join("Makefile")).unwrap();
    let names: Vec<&str> = makefile
        .split("-p tests --bin ")
        .skip(1)
        .map(|rest| rest.split_whitespace().next().unwrap_or_default())
        .collect();
    assert!(names.contains(&"demo"), "{names:?}");
    for name in names {
        assert!(repository().join(format!("tests/src/bin/{name}.rs")).is_file(), "tests/src/bin/{name}.rs is missing");
    }
}
