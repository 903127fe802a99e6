//! Reading, correcting and parsing all schemas.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use cfn::{SchemaError, TypeName, bundle};
use codegen::Source;
use codegen::fetch::source::SchemaFile;
use codegen::overlay::{OverlayError, Overlays};
use indicatif::ProgressBar;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// All schemas of a source.
#[derive(Debug, Default)]
pub struct Schemas {
    /// What the generator reads, in order of file name.
    pub sources: Vec<Source>,
    /// What the outputs and the inventory need of every document, by type name.
    pub documents: BTreeMap<String, Document>,
    /// Corrections that did not fit, where they need not.
    pub passed_over: Vec<OverlayError>,
    /// How many bytes were read.
    pub bytes: usize,
}

/// How corrections relate to the schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Corrections {
    /// They were written for these very schemas: each must have its effect.
    MustFit,
    /// They were written for other schemas, in which some faults may be absent: what does not fit is passed over.
    MayFit,
}

/// A schema document after correction.
#[derive(Debug)]
pub struct Document {
    /// Compact JSON text without what only people read.
    pub text: String,
    /// The first twelve hexadecimal digits of the SHA-256 of `text`.
    pub hash: String,
    /// How many top-level properties there are.
    pub properties: usize,
}

/// Reads all files and applies the overlays. Advances `bar` by one per file.
///
/// A file that is no schema stays in the result, for the generator to report. One thread does it all: a second one
/// raised the peak memory of a run by half for a gain that is small beside the rest.
pub fn load(
    files: Vec<SchemaFile>,
    overlays: &Overlays,
    corrections: Corrections,
    bar: &ProgressBar,
) -> Result<Schemas> {
    let mut schemas = Schemas::default();
    for file in files {
        schemas.add(file, overlays, corrections)?;
        bar.inc(1);
    }
    match corrections {
        Corrections::MustFit => overlays.check_types(|type_name| schemas.documents.contains_key(type_name))?,
        Corrections::MayFit => {}
    }
    Ok(schemas)
}

impl Schemas {
    fn add(&mut self, file: SchemaFile, overlays: &Overlays, corrections: Corrections) -> Result<()> {
        let name = file.name.clone();
        let bytes = file.read()?;
        self.bytes += bytes.len();
        let mut document: Value = match serde_json::from_slice(&bytes) {
            Ok(document) => document,
            Err(source) => {
                self.sources.push(Source { file: name, schema: Err(SchemaError::NotJson { source }) });
                return Ok(());
            }
        };
        // The generator reports what has no such name.
        let type_name = document.get("typeName").and_then(Value::as_str).and_then(TypeName::parse);
        if let Some(type_name) = type_name.map(|type_name| type_name.to_string()) {
            match (overlays.apply(&type_name, &mut document), corrections) {
                (Ok(()), _) => {}
                (Err(error), Corrections::MustFit) => return Err(error.into()),
                (Err(error), Corrections::MayFit) => self.passed_over.push(error),
            }
            let text = bundle::compact(&document).with_context(|| format!("{name}: cannot be written as JSON"))?;
            let hash = Sha256::digest(text.as_bytes()).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
            let properties = document.get("properties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
            // Of two files for one type the generator takes the first and reports the second.
            self.documents.entry(type_name).or_insert(Document { text, hash, properties });
        }
        self.sources.push(Source::from_document(name, document));
        Ok(())
    }
}
