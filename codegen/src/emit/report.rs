//! The report as files: what was left out and why, and what a maintainer should look at after a refresh.

use std::fmt::Write as _;

use serde::Serialize;

use super::{EmitError, OutputFile};
use crate::Skip;
use crate::changes::Changes;
use crate::docs::coverage::Coverage;
use crate::merge::MergeReport;
use crate::report::Report;

/// A type that was left out, as it is written down.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkipEntry<'a> {
    /// CloudFormation type name, or the name of a file that has none.
    #[serde(rename = "type")]
    name: &'a str,
    /// Where something is wrong: the file to look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    reason: String,
    /// Whether something is wrong with the schema, rather than that Cloud Control does not manage the type.
    defect: bool,
}

/// `report/*`: JSON files and a summary to read.
///
/// # Errors
///
/// [`EmitError::Json`], which no report causes.
pub fn emit(report: &Report, skips: &[Skip]) -> Result<Vec<OutputFile>, EmitError> {
    let skips: Vec<SkipEntry<'_>> = skips
        .iter()
        .map(|skip| {
            let defect = skip.reason.is_defect();
            let file = defect.then_some(skip.file.as_str());
            SkipEntry { name: name(skip), file, reason: skip.reason.to_string(), defect }
        })
        .collect();
    let mut files = vec![
        json_file("report/skips.json", &skips)?,
        json_file("report/autonaming-gaps.json", &report.missed_autonaming)?,
        json_file("report/tag-shapes.json", &report.unexpected_tag_shapes)?,
        json_file("report/unmarked-create-only.json", &report.unmarked_create_only)?,
        json_file("report/renamed-types.json", &report.renamed_types)?,
        json_file("report/warnings.json", &report.warnings)?,
        json_file("report/undescribed-regions.json", &report.undescribed_regions)?,
        json_file("report/descriptions.json", &report.coverage)?,
        json_file("report/examples.json", &report.examples)?,
        OutputFile::new("report/summary.md", summary(report, &skips)),
    ];
    if let Some(merge) = &report.merge {
        files.push(json_file("report/regions.json", merge)?);
    }
    Ok(files)
}

/// `report/changes.*`: what changes for users against the last inventory; `None` = there was none.
///
/// # Errors
///
/// [`EmitError::Json`], which no report causes.
pub fn changes(changes: Option<&Changes>) -> Result<Vec<OutputFile>, EmitError> {
    let markdown = match changes {
        Some(changes) => changes.markdown(),
        None => "# Changes\n\nThere was no inventory to compare with.\n".to_owned(),
    };
    let json = changes_json(changes)?;
    Ok(vec![OutputFile::new("report/changes.json", json), OutputFile::new("report/changes.md", markdown)])
}

/// The change report as JSON text; `null` without a base.
///
/// # Errors
///
/// None that a report causes.
pub fn changes_json(changes: Option<&Changes>) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&changes)? + "\n")
}

/// What a skipped schema is called: its type, else its file.
pub fn name(skip: &Skip) -> &str {
    skip.type_name.as_deref().unwrap_or(&skip.file)
}

/// What a skipped schema is called where somebody has to find it: its type and its file.
pub fn name_and_file(skip: &Skip) -> String {
    match &skip.type_name {
        Some(type_name) => format!("{type_name} ({})", skip.file),
        None => skip.file.clone(),
    }
}

/// Indented with two spaces, with a final newline.
pub(super) fn json_file(path: &str, value: &impl Serialize) -> Result<OutputFile, EmitError> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(OutputFile::new(path, text))
}

fn summary(report: &Report, skips: &[SkipEntry<'_>]) -> String {
    let counts = &report.counts;
    let mut text = "# Generator report\n\n| what | how many |\n|---|---:|\n".to_owned();
    for (what, count) in [
        ("resources", counts.resources),
        ("functions", counts.functions),
        ("object types", counts.object_types),
        ("enum types", counts.enum_types),
        ("types that Cloud Control does not manage, left out", counts.not_provisionable),
        ("defective schemas, left out", counts.defective),
        ("resources without automatic naming (autonaming-gaps.json)", report.missed_autonaming.len()),
        ("tags properties of unknown shape (tag-shapes.json)", report.unexpected_tag_shapes.len()),
        (
            "resources with create-only paths that only the runtime knows (unmarked-create-only.json)",
            report.unmarked_create_only.len(),
        ),
        ("types that found their name taken (renamed-types.json)", report.renamed_types.len()),
        ("resources without an example (examples.json)", report.examples.without.len()),
        ("examples that satisfy their CloudFormation schema", report.examples.valid),
        ("examples that break a pattern of it, and nothing else", report.examples.break_patterns.len()),
        ("examples that break another rule of it", report.examples.break_rules.len()),
        ("resources whose schema has a fault, generated all the same (warnings.json)", report.warnings.len()),
        ("regions without a description (undescribed-regions.json)", report.undescribed_regions.len()),
    ] {
        let _ = writeln!(text, "| {what} | {count} |");
    }
    if let Some(merge) = &report.merge {
        text.push_str(&merged(merge));
    }
    text.push_str(&descriptions(&report.coverage));
    if !skips.is_empty() {
        text.push_str("\n## Left out\n\n| type | reason |\n|---|---|\n");
        for skip in skips {
            let file =
                skip.file.filter(|file| *file != skip.name).map_or_else(String::new, |file| format!(" ({file})"));
            let _ = writeln!(text, "| {}{} | {} |", cell(skip.name), cell(&file), cell(&skip.reason));
        }
    }
    text
}

/// Where the sources do not agree.
fn merged(merge: &MergeReport) -> String {
    let mut text = format!(
        "\n## Sources (regions.json)\n\nOf a type that several have, the first one's schema is used: {}.\n",
        merge.sources.join(", ")
    );
    if !merge.differing.is_empty() {
        text.push_str("\n| type | schema of | another one in |\n|---|---|---|\n");
        for differing in &merge.differing {
            let _ =
                writeln!(text, "| {} | {} | {} |", differing.type_name, differing.used, differing.otherwise.join(", "));
        }
    }
    if !merge.partial.is_empty() {
        text.push_str("\n| type | only in |\n|---|---|\n");
        for partial in &merge.partial {
            let _ = writeln!(text, "| {} | {} |", partial.type_name, partial.sources.join(", "));
        }
    }
    text
}

/// How many properties have a description.
fn descriptions(coverage: &Coverage) -> String {
    let mut text = format!("\n## Descriptions\n\nTexts come from {}.\n\n", coverage.source);
    text.push_str("| properties | with a description | of | % |\n|---|---:|---:|---:|\n");
    for (what, counted) in
        [("inputs of resources", &coverage.inputs), ("properties of the types that inputs lead to", &coverage.nested)]
    {
        let _ = writeln!(text, "| {what} | {} | {} | {:.1} |", counted.described(), counted.total, counted.percent());
    }
    text.push_str("\nThose without one are named in descriptions.json.\n");
    text
}

/// Text within a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use crate::SkipReason;

    #[test]
    fn every_skip_is_named() {
        let skip = |type_name: Option<&str>, reason| Skip {
            type_name: type_name.map(str::to_owned),
            file: "b.json".to_owned(),
            reason,
        };
        let skips = [
            skip(Some("AWS::Some::Type"), SkipReason::NotProvisionable { missing: "create | read".to_owned() }),
            skip(Some("AWS::Other::Type"), SkipReason::Duplicate { first: "a.json".to_owned() }),
            skip(None, SkipReason::Duplicate { first: "a.json".to_owned() }),
        ];
        let files = emit(&Report::default(), &skips).unwrap();
        let text = |index: usize| String::from_utf8(files[index].bytes.clone()).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text(0)).unwrap(),
            serde_json::json!([
                {"type": "AWS::Some::Type", "reason": "not provisionable: no create | read handler", "defect": false},
                {"type": "AWS::Other::Type", "file": "b.json", "reason": "#/typeName: a.json describes the same type; remove one of the two files", "defect": true},
                {"type": "b.json", "file": "b.json", "reason": "#/typeName: a.json describes the same type; remove one of the two files", "defect": true},
            ])
        );
        assert_eq!(text(1), "{}\n");
        let summary = files.iter().position(|file| file.path == "report/summary.md").map(text).unwrap_or_default();
        assert!(summary.starts_with("# Generator report\n\n| what | how many |\n|---|---:|\n| resources | 0 |\n"));
        assert!(summary.contains("\n| AWS::Some::Type | not provisionable: no create \\| read handler |\n"));
        assert!(summary.contains("\n| AWS::Other::Type (b.json) | #/typeName: a.json describes the same type; remove one of the two files |\n"));
        assert!(
            summary
                .contains("\n| b.json | #/typeName: a.json describes the same type; remove one of the two files |\n")
        );
    }
}
