//! Reading, correcting and parsing all schemas.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use cfn::schema::document;
use cfn::{TypeName, bundle};
use codegen::digest::hexadecimal;
use codegen::fetch::source::SchemaFile;
use codegen::merge::Merge;
use codegen::overlay::{OverlayError, Overlays};
use codegen::{SkipReason, Source};
use indicatif::ProgressBar;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// All schemas of a source.
#[derive(Debug, Default)]
pub struct Schemas {
    /// What the generator reads, in order of file name.
    pub sources: Vec<Source>,
    /// What the outputs need of every document, by type name.
    pub documents: BTreeMap<String, Document>,
    /// Corrections that did not fit, where they need not.
    pub passed_over: Vec<OverlayError>,
    /// Which source has which type.
    pub merge: Merge,
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
}

/// The files of one source.
#[derive(Debug)]
pub struct Files {
    /// What the source is called.
    pub source: String,
    /// Its files, not yet read.
    pub files: Vec<SchemaFile>,
}

/// Reads all files and applies the overlays. Advances `bar` by one per file. Of a type that several sources have, the
/// first one's schema is used.
///
/// A file that is no schema stays in the result, for the generator to report. One thread does it all: a second one
/// raised the peak memory of a run by half for a gain that is small beside the rest.
pub fn load(sources: Vec<Files>, overlays: &Overlays, corrections: Corrections, bar: &ProgressBar) -> Result<Schemas> {
    let merge = Merge::new(sources.iter().map(|files| files.source.clone()).collect());
    let mut schemas = Schemas { merge, ..Schemas::default() };
    let is_merge = sources.len() > 1;
    for (position, Files { source, files }) in sources.into_iter().enumerate() {
        for file in files {
            // Several sources have files of one name.
            let name = if is_merge { format!("{source}: {}", file.name) } else { file.name.clone() };
            schemas.add(name, &file, position, overlays, corrections)?;
            bar.inc(1);
        }
    }
    match corrections {
        Corrections::MustFit => overlays.check_types(|type_name| schemas.documents.contains_key(type_name))?,
        Corrections::MayFit => {}
    }
    Ok(schemas)
}

impl Schemas {
    fn add(
        &mut self,
        name: String,
        file: &SchemaFile,
        source: usize,
        overlays: &Overlays,
        corrections: Corrections,
    ) -> Result<()> {
        let bytes = match file.read() {
            Ok(bytes) => bytes,
            Err(error) => {
                let reason = super::console::with_reasons(&error.into());
                self.sources.push(Source::unusable(name, SkipReason::Unavailable { reason }));
                return Ok(());
            }
        };
        self.bytes += bytes.len();
        let (mut document, repeated) = match document(&bytes) {
            Ok(read) => read,
            Err(error) => {
                self.sources.push(Source::unusable(name, error.into()));
                return Ok(());
            }
        };
        drop(bytes);
        // The generator reports what has no such name.
        let type_name = document.get("typeName").and_then(Value::as_str).and_then(TypeName::parse);
        if let Some(type_name) = type_name.map(|type_name| type_name.to_string()) {
            let text = |document: &Value| {
                bundle::compact(document).with_context(|| format!("{name}: cannot be written as JSON"))
            };
            // Sources are compared as they are, without what only people read.
            let contents = if self.merge.is_of_several() { hash(&text(&document)?) } else { String::new() };
            if !self.merge.add(source, &type_name, contents) {
                return Ok(());
            }
            match (overlays.apply(&type_name, &mut document), corrections) {
                (Ok(()), _) => {}
                (Err(error), Corrections::MustFit) => return Err(error.into()),
                (Err(error), Corrections::MayFit) => self.passed_over.push(error),
            }
            let text = text(&document)?;
            // Of two files for one type the generator takes the first and reports the second.
            self.documents.entry(type_name).or_insert(Document { text });
        }
        self.sources.push(Source::from_document(name, document).with_faults(repeated));
        Ok(())
    }
}

/// The first twelve hexadecimal digits of the SHA-256.
fn hash(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes())[..6])
}
