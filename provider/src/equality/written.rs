//! Where a compared value stands in what the user wrote, for rules that look around it.

use super::rewrites::Rewrites;

/// One step from a value to a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'p> {
    /// To a member or an entry.
    Key(&'p str),
    /// To an element.
    Index(usize),
}

/// A place in the inputs of one operation. Made on the stack, step by step, beside a walk.
#[derive(Debug, Clone, Copy)]
pub struct Written<'p> {
    rewrites: Option<&'p Rewrites<'p>>,
    path: Path<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Path<'p> {
    From(&'p [Step<'p>]),
    Below(&'p Path<'p>, Step<'p>),
}

impl<'p> Written<'p> {
    /// In no inputs: nothing is around the value.
    pub const NOWHERE: Written<'static> = Written { rewrites: None, path: Path::From(&[]) };

    /// The root of inputs.
    pub fn root(rewrites: &'p Rewrites<'p>) -> Self {
        Self::at(rewrites, &[])
    }

    /// The place that these steps from the root lead to.
    pub fn at(rewrites: &'p Rewrites<'p>, steps: &'p [Step<'p>]) -> Self {
        Self { rewrites: Some(rewrites), path: Path::From(steps) }
    }

    /// One step down.
    pub fn step<'b>(&'b self, step: Step<'b>) -> Written<'b> {
        Written { rewrites: self.rewrites, path: Path::Below(&self.path, step) }
    }

    /// A member or an entry.
    pub fn key<'b>(&'b self, key: &'b str) -> Written<'b> {
        self.step(Step::Key(key))
    }

    /// An element.
    pub fn index(&self, index: usize) -> Written<'_> {
        self.step(Step::Index(index))
    }

    /// The rules of the inputs, and the steps from their root to here.
    pub(super) fn rules(&self) -> Option<(&'p Rewrites<'p>, Vec<Step<'p>>)> {
        let rewrites = self.rewrites?;
        let mut steps = Vec::new();
        let mut path = self.path;
        while let Path::Below(above, step) = path {
            steps.push(step);
            path = *above;
        }
        if let Path::From(root) = path {
            steps.extend(root.iter().rev().copied());
        }
        steps.reverse();
        Some((rewrites, steps))
    }
}

/// Where both values of a comparison stand; what the service holds stands nowhere.
#[derive(Debug, Clone, Copy)]
pub struct At<'p> {
    /// The first value.
    pub first: Written<'p>,
    /// The second value.
    pub second: Written<'p>,
}

impl<'p> At<'p> {
    /// Nothing is known about either.
    pub const NOWHERE: At<'static> = At { first: Written::NOWHERE, second: Written::NOWHERE };

    /// A desired value and what the service holds.
    pub fn live(first: Written<'p>) -> Self {
        Self { first, second: Written::NOWHERE }
    }

    /// One step down in both.
    pub fn key<'b>(&'b self, key: &'b str) -> At<'b> {
        At { first: self.first.key(key), second: self.second.key(key) }
    }

    /// An element of each.
    pub fn indexes(&self, first: usize, second: usize) -> At<'_> {
        At { first: self.first.index(first), second: self.second.index(second) }
    }
}

#[cfg(test)]
mod tests {
    use value::Map;

    use super::super::rewrites::Constants;
    use super::*;

    #[test]
    fn steps_are_told_from_the_root() {
        let resource: metadata::view::Resource =
            metadata::encode(&metadata::model::Resource::default()).expect("a well-formed model").leak().into();
        let inputs = Map::new();
        let rewrites = Rewrites::of(resource, &inputs, Constants::Refused);
        let begin = [Step::Key("a"), Step::Index(1)];
        let at = Written::at(&rewrites, &begin);
        let (below, name) = (at.key("b"), "c".to_owned());
        let leaf = below.key(&name);
        let steps = leaf.index(2).rules().map(|(_, steps)| steps);
        let expected = vec![Step::Key("a"), Step::Index(1), Step::Key("b"), Step::Key("c"), Step::Index(2)];
        assert_eq!(steps, Some(expected));
        assert!(Written::NOWHERE.key("a").rules().is_none());
    }
}
