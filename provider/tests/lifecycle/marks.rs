//! Path lists, compiled.

use provider::marks::{Cursor, Mark};

use crate::models::*;

#[test]
fn marks_cover_what_is_below_them_and_are_seen_from_above() {
    let resource = resource(|model| {
        model.create_only = vec!["template/name".into(), "rules/*/id".into()];
        model.read_only = vec!["rules/0/id/x".into()];
        model.unordered = vec!["rules".into(), "rules/*/tags".into()];
    });
    let root = Cursor::root(resource);
    assert!(root.below(Mark::CreateOnly) && !root.covered(Mark::CreateOnly));
    let template = root.enter("template");
    assert!(template.below(Mark::CreateOnly) && !template.covered(Mark::CreateOnly));
    assert!(template.enter("name").enter("deep").covered(Mark::CreateOnly));
    assert!(!template.enter("other").covered(Mark::CreateOnly));
    assert!(root.enter("rules").unordered() && root.enter("rules").enter("*").enter("tags").unordered());
    // A wildcard holds beside a named sibling too.
    let first = root.enter("rules").enter("0").enter("id");
    assert!(first.covered(Mark::CreateOnly) && first.enter("x").covered(Mark::ReadOnly));
    assert!(!root.enter("nowhere").enter("below").below(Mark::CreateOnly));
}
