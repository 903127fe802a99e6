//! What a change at a place demands, and how it is put into the plan.

use value::{PropertyPath, Segment, Value};

use super::walk::Walk;
use crate::equality::written::Step;
use crate::marks::Mark;
use crate::place::Place;
use crate::requests::ChangeKind;

/// A change at one place, before it is known what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Add,
    Delete,
    Update,
}

impl Walk<'_> {
    /// Records a change at the current path.
    pub(super) fn emit(&mut self, change: Change, place: Place, old: Option<&Value>, new: Option<&Value>) {
        let touches = |mark| [old, new].into_iter().flatten().any(|value| place.touches(value, mark));
        let replaces = !place.marks.updatable() || touches(Mark::CreateOnly);
        self.emit_as(change, place, replaces, [old, new]);
    }

    pub(super) fn emit_as(&mut self, change: Change, place: Place, replaces: bool, values: [Option<&Value>; 2]) {
        let path = render(&self.path);
        if let Some(Step::Key(name)) = self.path.first() {
            if replaces {
                self.plan.replaces.insert((*name).to_owned());
            }
            if self.tags == Some(name) {
                self.plan.tags = Some((*name).to_owned());
            }
        }
        if !replaces && values.into_iter().flatten().any(|value| place.touches(value, Mark::Conditional)) {
            self.plan.conditional.insert(path.clone());
        }
        let kind = match (change, replaces) {
            (Change::Add, false) => ChangeKind::Add,
            (Change::Add, true) => ChangeKind::AddReplace,
            (Change::Delete, false) => ChangeKind::Delete,
            (Change::Delete, true) => ChangeKind::DeleteReplace,
            (Change::Update, false) => ChangeKind::Update,
            (Change::Update, true) => ChangeKind::UpdateReplace,
        };
        self.plan.detailed.insert(path, kind);
    }

    pub(super) fn record(&mut self) {
        self.plan.record_only = true;
    }
}

fn render(path: &[Step<'_>]) -> String {
    let segments = path.iter().map(|step| match step {
        Step::Key(key) => Segment::Key((*key).to_owned()),
        Step::Index(index) => Segment::Index(*index),
    });
    PropertyPath::from(segments.collect::<Vec<_>>()).to_string()
}
