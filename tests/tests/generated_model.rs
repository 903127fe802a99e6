//! What the provider reads from the generated records is what the generator derived from the schemas: for every type, so that
//! no offset can lie. And two runs of the generator on shuffled schemas make the same.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::path::PathBuf;

use codegen::fetch::source::schema_files;
use codegen::names::NameLock;
use codegen::overlay::Overlays;
use codegen::semantics::{self, Semantics};
use codegen::{Input, Output, Source, generate};
use tests::binaries::repository;

/// The pinned schemas with our corrections, what they do not state, and the published names, in the order that `arrange`
/// gives the files.
fn output(arrange: impl FnOnce(&mut Vec<Source>)) -> Output {
    let folder = repository().join("cf-schemas/overlays");
    let files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let texts: Vec<(String, String)> =
        files.iter().map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect();
    let overlays = Overlays::parse(texts.iter().map(|(name, text)| (name.as_str(), text.as_str()))).unwrap();
    let schemas = schema_files(&repository().join("cf-schemas/download")).unwrap();
    let mut sources: Vec<Source> = schemas
        .into_iter()
        .map(|file| {
            let name = file.name.clone();
            let mut document: serde_json::Value = serde_json::from_slice(&file.read().unwrap()).unwrap();
            let type_name = document["typeName"].as_str().unwrap().to_owned();
            overlays.apply(&type_name, &mut document).unwrap();
            Source::from_document(name, document)
        })
        .collect();
    arrange(&mut sources);
    let read = |path: &str| std::fs::read_to_string(repository().join("cf-schemas").join(path)).unwrap();
    let names = NameLock::parse(&read("names.lock")).unwrap();
    let texts = semantics::FILES.map(|name| (name, read(&format!("semantics/{name}"))));
    let semantics = Semantics::parse(std::array::from_fn(|at| (texts[at].0, texts[at].1.as_str()))).unwrap();
    generate(Input { semantics, names: Some(names), ..Input::new(sources) })
}

#[test]
fn every_record_reads_as_the_generator_meant_it() {
    let output = output(|_| {});
    assert_eq!(output.resources.len(), generated::resources().count());
    for model in &output.resources {
        let record = generated::resource(&model.token).unwrap();
        assert_eq!(record.to_model(), *model, "{}; run `make generate` if the output is stale", model.token);
    }
}

#[test]
fn the_order_of_files_does_not_matter() {
    let (straight, reversed) = (output(|_| {}), output(|sources| sources.reverse()));
    assert_eq!(straight.resources, reversed.resources);
    let text = |output: &Output| serde_json::to_string(&output.package).unwrap();
    assert!(text(&straight) == text(&reversed), "the package schema depends on the order of the files");
}
