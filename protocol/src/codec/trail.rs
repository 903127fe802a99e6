//! The way from the outermost value to the one being read.
//!
//! It is a chain of stack frames, so that it costs nothing until an error asks for it.

use value::{PropertyPath, Segment};

#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

#[derive(Clone, Copy)]
pub(super) struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    step: Step<'a>,
    depth: usize,
}

impl<'a> Trail<'a> {
    /// The way to a property of the outermost object.
    pub(super) fn root(key: &'a str) -> Self {
        Self { parent: None, step: Step::Key(key), depth: 2 }
    }

    /// The way to a value inside the one at `self`.
    pub(super) fn to<'b>(&'b self, step: Step<'b>) -> Trail<'b> {
        Trail { parent: Some(self), step, depth: self.depth + 1 }
    }

    /// The number of levels that the value is nested; the outermost object is level 1.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// The nearest property name.
    pub(super) fn key(&self) -> &str {
        let mut trail = self;
        loop {
            match (trail.step, trail.parent) {
                (Step::Key(key), _) => return key,
                (Step::Index(_), Some(parent)) => trail = parent,
                (Step::Index(_), None) => return "",
            }
        }
    }

    /// The path as text; the middle of a very long one is left out.
    pub(super) fn path(&self) -> String {
        const SHOWN: usize = 8;
        let mut segments = Vec::new();
        let mut next = Some(self);
        while let Some(trail) = next {
            segments.push(match trail.step {
                Step::Key(key) => Segment::from(key),
                Step::Index(index) => Segment::from(index),
            });
            next = trail.parent;
        }
        segments.reverse();
        match segments.len() > 2 * SHOWN {
            false => PropertyPath::from(segments).to_string(),
            true => {
                let tail = PropertyPath::from(segments.split_off(segments.len() - SHOWN));
                segments.truncate(SHOWN);
                format!("{}…{tail}", PropertyPath::from(segments))
            }
        }
    }
}
