//! Where in the inputs something is, in the two spellings that messages have.

use value::{PropertyPath, Segment};

/// The steps from the inputs to a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Path<'a>(Vec<Step<'a>>);

/// One step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    /// A declared member.
    Member(&'a str),
    /// A key of a map, or a name that the schema does not know.
    Key(&'a str),
    /// An element of a list.
    Index(usize),
}

impl<'a> Path<'a> {
    pub(super) fn push(&mut self, step: Step<'a>) {
        self.0.push(step);
    }

    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// The path as reasons spell it: `/` before a declared member, `.` before a key.
    pub(super) fn reason(&self) -> String {
        let mut path = String::new();
        for step in &self.0 {
            let between = match step {
                _ if path.is_empty() => "",
                Step::Member(_) => "/",
                Step::Key(_) => ".",
                Step::Index(_) => "",
            };
            path.push_str(between);
            match step {
                Step::Member(name) | Step::Key(name) => path.push_str(name),
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }

    /// The path in Pulumi's syntax.
    pub(super) fn property(&self) -> String {
        let segments = self.0.iter().map(|step| match step {
            Step::Member(name) | Step::Key(name) => Segment::Key((*name).to_owned()),
            Step::Index(index) => Segment::Index(*index),
        });
        segments.collect::<PropertyPath>().to_string()
    }
}
