//! The answers of Diff and DiffConfig as messages.
//!
//! The engine relies on this: each name in `diffs` begins at least one path in `detailedDiff`, each path begins with a
//! name in `diffs`, and nothing is named twice.

use std::collections::{BTreeMap, BTreeSet};

use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::property_diff::Kind;
use protocol::pulumirpc::{DiffResponse, PropertyDiff};
use value::{PropertyPath, Segment};

use crate::config::ConfigDiff;
use crate::lifecycle::{ChangeKind, DiffAnswer};

/// The answer of Diff. Paths are input paths: the engine shows old and new inputs at them.
pub(super) fn answer(answer: &DiffAnswer) -> DiffResponse {
    DiffResponse {
        stables: answer.stables.clone(),
        ..response(&answer.detailed, &answer.replaces, answer.record_only, answer.delete_before_replace)
    }
}

/// The answer of DiffConfig.
pub(super) fn configuration(diff: &ConfigDiff) -> DiffResponse {
    response(&diff.detailed, &diff.replaces, false, false)
}

fn response(
    detailed: &BTreeMap<String, ChangeKind>,
    replaces: &[String],
    record_only: bool,
    delete_before_replace: bool,
) -> DiffResponse {
    let diffs: BTreeSet<String> = detailed.keys().map(|path| top_level(path)).collect();
    let changed = !detailed.is_empty() || !replaces.is_empty() || record_only;
    let replaces: BTreeSet<&String> = replaces.iter().collect();
    DiffResponse {
        replaces: replaces.into_iter().cloned().collect(),
        stables: Vec::new(),
        delete_before_replace,
        changes: if changed { DiffChanges::DiffSome } else { DiffChanges::DiffNone }.into(),
        diffs: diffs.into_iter().collect(),
        detailed_diff: detailed
            .iter()
            .map(|(path, kind)| (path.clone(), PropertyDiff { kind: self::kind(*kind).into(), input_diff: true }))
            .collect(),
        has_detailed_diff: !detailed.is_empty(),
    }
}

/// The top-level property of a path; a path that does not parse is one name.
fn top_level(path: &str) -> String {
    match PropertyPath::parse(path).ok().and_then(|path| path.segments().first().cloned()) {
        Some(Segment::Key(key)) => key.to_string(),
        Some(_) | None => path.to_owned(),
    }
}

fn kind(kind: ChangeKind) -> Kind {
    match kind {
        ChangeKind::Add => Kind::Add,
        ChangeKind::AddReplace => Kind::AddReplace,
        ChangeKind::Delete => Kind::Delete,
        ChangeKind::DeleteReplace => Kind::DeleteReplace,
        ChangeKind::Update => Kind::Update,
        ChangeKind::UpdateReplace => Kind::UpdateReplace,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detailed(paths: &[(&str, ChangeKind)]) -> DiffAnswer {
        DiffAnswer {
            detailed: paths.iter().map(|(path, kind)| ((*path).to_owned(), *kind)).collect(),
            ..DiffAnswer::default()
        }
    }

    #[test]
    fn names_and_paths_agree() {
        let found = answer(&detailed(&[
            ("tags[0].value", ChangeKind::Update),
            ("tags[1]", ChangeKind::Add),
            (r#"["a.b"].c"#, ChangeKind::DeleteReplace),
            ("name", ChangeKind::Update),
        ]));
        assert_eq!(found.diffs, ["a.b", "name", "tags"]);
        assert_eq!(found.changes, i32::from(DiffChanges::DiffSome));
        assert!(found.has_detailed_diff && found.detailed_diff.values().all(|diff| diff.input_diff));
        assert_eq!(found.detailed_diff[r#"["a.b"].c"#].kind, i32::from(Kind::DeleteReplace));
    }

    #[test]
    fn nothing_and_something_to_record() {
        assert_eq!(answer(&DiffAnswer::default()).changes, i32::from(DiffChanges::DiffNone));
        let recorded = answer(&DiffAnswer { record_only: true, ..DiffAnswer::default() });
        assert_eq!(recorded.changes, i32::from(DiffChanges::DiffSome));
        assert!(!recorded.has_detailed_diff && recorded.diffs.is_empty());
    }
}
