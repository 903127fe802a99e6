//! Property paths: where a value sits inside another.
//!
//! The syntax is the one that users write in `ignoreChanges` and that a provider answers in a detailed diff:
//! `root.list[0]["odd key"].leaf`. This module has the type and what it does to values; reading and printing it are in
//! [`syntax`].

pub mod syntax;

use crate::error::shorten;
use crate::{Error, Map, Value};

/// A step of a property path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// A member of an object; `*` is also the wildcard of [`PropertyPath::contains`].
    Key(String),
    /// An item of an array.
    Index(usize),
}

/// A path from a value to a value inside it. The empty path is the value itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PropertyPath(Vec<Segment>);

impl PropertyPath {
    /// The empty path.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a path the way the engine does, which tolerates a dot before a bracket (`a.[0]`).
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when the text is not a path.
    pub fn parse(text: &str) -> Result<Self, Error> {
        syntax::parse(text, syntax::Dots::Loose).map(Self)
    }

    /// Reads a path and refuses a dot before a bracket.
    ///
    /// # Errors
    ///
    /// [`Error::Path`] when the text is not a path.
    pub fn parse_strict(text: &str) -> Result<Self, Error> {
        syntax::parse(text, syntax::Dots::Strict).map(Self)
    }

    /// The steps, outermost first.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the empty path.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a step at the end.
    pub fn push(&mut self, segment: impl Into<Segment>) {
        self.0.push(segment.into());
    }

    /// Takes the last step off.
    pub fn pop(&mut self) -> Option<Segment> {
        self.0.pop()
    }

    /// This path with one more step.
    pub fn join(&self, segment: impl Into<Segment>) -> Self {
        let mut path = self.clone();
        path.push(segment);
        path
    }

    /// The value at this path, or `None` when a member or item on the way is missing or of another kind.
    ///
    /// Secrets are not looked through.
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        descend(&self.0, value)
    }

    /// [`PropertyPath::get`] from the properties of a resource; `None` for the empty path.
    pub fn get_in<'v>(&self, members: &'v Map) -> Option<&'v Value> {
        match self.0.split_first()? {
            (Segment::Key(key), rest) => descend(rest, members.get(key)?),
            (Segment::Index(_), _) => None,
        }
    }

    /// Puts `new` at this path inside `value`.
    ///
    /// Missing members on the way are created: an array where an index follows, else an object. An index may be one past
    /// the end, which appends. Nulls on the way count as missing; secrets are not looked through.
    ///
    /// # Errors
    ///
    /// [`Error::PathMismatch`] when something on the way has another kind or an index is too large; `value` keeps all
    /// that it held before.
    pub fn set(&self, value: &mut Value, new: Value) -> Result<(), Error> {
        let mut slot = value;
        for (position, segment) in self.0.iter().enumerate() {
            slot = match self.step_into(slot, segment) {
                Ok(inner) => inner,
                Err(reason) => {
                    let path = shorten(&Self(self.0[..=position].to_vec()).to_string());
                    return Err(Error::PathMismatch { path, reason });
                }
            };
        }
        *slot = new;
        Ok(())
    }

    fn step_into<'v>(&self, slot: &'v mut Value, segment: &Segment) -> Result<&'v mut Value, String> {
        if slot.is_null() {
            *slot = match segment {
                Segment::Key(_) => Value::Object(Map::new()),
                Segment::Index(_) => Value::Array(Vec::new()),
            };
        }
        match (slot, segment) {
            (Value::Object(members), Segment::Key(key)) => Ok(members.entry(key.clone()).or_default()),
            (Value::Array(items), Segment::Index(index)) => {
                let length = items.len();
                if *index == length {
                    items.push(Value::Null);
                }
                items.get_mut(*index).ok_or_else(|| format!("the array has {length} items"))
            }
            (other, Segment::Key(_)) => Err(format!("expected an object, found {}", other.type_name())),
            (other, Segment::Index(_)) => Err(format!("expected an array, found {}", other.type_name())),
        }
    }

    /// Takes the value at this path out: a member is removed, an item of an array is set to null, so that later items
    /// keep their places. Returns what was there.
    pub fn delete(&self, value: &mut Value) -> Option<Value> {
        let (last, parents) = self.0.split_last()?;
        let mut slot = value;
        for segment in parents {
            slot = match (slot, segment) {
                (Value::Object(members), Segment::Key(key)) => members.get_mut(key)?,
                (Value::Array(items), Segment::Index(index)) => items.get_mut(*index)?,
                _ => return None,
            };
        }
        match (slot, last) {
            (Value::Object(members), Segment::Key(key)) => members.remove(key),
            (Value::Array(items), Segment::Index(index)) => items.get_mut(*index).map(std::mem::take),
            _ => None,
        }
    }

    /// Whether this path is `other` or leads to a value that `other` lies in. A `*` stands for any one step.
    pub fn contains(&self, other: &Self) -> bool {
        let matches = |(own, other): (&Segment, &Segment)| match own {
            Segment::Key(key) if key == "*" => true,
            own => own == other,
        };
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(matches)
    }
}

fn descend<'v>(segments: &[Segment], value: &'v Value) -> Option<&'v Value> {
    let mut value = value;
    for segment in segments {
        value = match (value, segment) {
            (Value::Object(members), Segment::Key(key)) => members.get(key)?,
            (Value::Array(items), Segment::Index(index)) => items.get(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<String> for Segment {
    fn from(key: String) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<Vec<Segment>> for PropertyPath {
    fn from(segments: Vec<Segment>) -> Self {
        Self(segments)
    }
}

impl FromIterator<Segment> for PropertyPath {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    fn path(text: &str) -> PropertyPath {
        PropertyPath::parse(text).unwrap()
    }

    fn sample() -> Value {
        Value::object([("a", vec![Value::object([("b", 1.into())]), 2.into()].into()), ("s", Value::secret("x"))])
    }

    #[test]
    fn get_finds_members_and_items() {
        check("", Some(sample()));
        check("a[0].b", Some(1.into()));
        check("a[1]", Some(2.into()));
        check("a[2]", None);
        check("a.b", None);
        check("x", None);
        check("[0]", None);
        check("s", Some(Value::secret("x")));
        check("s.x", None);

        #[track_caller]
        fn check(text: &str, expected: Option<Value>) {
            assert_eq!(path(text).get(&sample()), expected.as_ref(), "{text}");
            if !text.is_empty() {
                assert_eq!(path(text).get_in(sample().as_object().unwrap()), expected.as_ref(), "{text} in a map");
            }
        }
    }

    #[test]
    fn set_makes_what_is_missing() {
        let mut value = Value::Null;
        path("a[0].b").set(&mut value, 1.into()).unwrap();
        path("a[1]").set(&mut value, 2.into()).unwrap();
        path("s").set(&mut value, Value::secret("x")).unwrap();
        assert_eq!(value, sample());
        path("a[1].c").set(&mut value, 3.into()).unwrap_err();
        path("").set(&mut value, 3.into()).unwrap();
        assert_eq!(value, 3.into());
    }

    #[test]
    fn set_names_the_place_that_does_not_fit() {
        check("a.b.c", "cannot set a.b: expected an object, found []");
        check("a[3].c", "cannot set a[3]: the array has 2 items");
        check("a[0].b[0]", "cannot set a[0].b[0]: expected an array, found number");
        check("s.t", "cannot set s.t: expected an object, found secret<string>");

        #[track_caller]
        fn check(text: &str, expected: &str) {
            let mut value = sample();
            assert_eq!(path(text).set(&mut value, Value::Null).unwrap_err().to_string(), expected);
            assert_eq!(value, sample());
        }
    }

    #[test]
    fn delete_removes_members_and_clears_items() {
        let mut value = sample();
        assert_eq!(path("a[1]").delete(&mut value), Some(2.into()));
        assert_eq!(path("a[0].b").delete(&mut value), Some(1.into()));
        assert_eq!(path("a[0].b").delete(&mut value), None);
        assert_eq!(path("x.y").delete(&mut value), None);
        assert_eq!(path("s").delete(&mut value), Some(Value::secret("x")));
        assert_eq!(value, Value::object([("a", vec![Map::new().into(), Value::Null].into())]));
    }

    #[test]
    fn contains_goes_by_prefix_and_wildcard() {
        check("", "a", true);
        check("a", "a", true);
        check("a", "a.b[0]", true);
        check("a.b", "a", false);
        check("a[*].c", "a[3].c.d", true);
        check("a.*", "a.b", true);
        check("a[*]", "a.b", true);
        check("a[0]", "a[*]", false);
        check("ab", "abc", false);

        #[track_caller]
        fn check(outer: &str, inner: &str, expected: bool) {
            assert_eq!(path(outer).contains(&path(inner)), expected, "{outer} {inner}");
        }
    }
}
