//! A place in a resource: the type that its schema gives a value there, and the marks of its path.
//!
//! Every rule that walks values walks places beside them. A [`Place`] is `Copy` and costs nothing to make.

use std::borrow::Cow;

use metadata::model::{EqualityHint, TagsStyle};
use metadata::view::{Properties, Property, Type};
use value::{Map, Value};

use crate::marks::{Cursor, Mark};
use crate::subject::Subject;
use crate::tags::TagRules;
use crate::union;

/// What the schema says about a value at some path.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The type; [`Type::Any`] where the schema says nothing.
    pub ty: Type,
    /// The marks of the path.
    pub marks: Cursor,
    /// Which tags are invisible, if this is the resource's tags property.
    pub tags: Option<&'static TagRules>,
    /// The declared name of the member that this is; `None` for elements, entries and undeclared members.
    pub name: Option<&'static str>,
}

/// An object whose members the schema declares: a resource or a nested object type.
#[derive(Debug, Clone, Copy)]
pub struct Object {
    /// The declared members.
    pub properties: Properties,
    marks: Cursor,
    tags: Option<(&'static str, &'static TagRules)>,
}

/// How a value is to be walked.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// An object with declared members.
    Declared(Object),
    /// An object with free keys.
    Entries(Entries),
    /// An array; all elements share this place.
    Items(Place),
    /// Anything that has no parts.
    Leaf,
}

/// An object with free keys: a map, or free-form JSON.
#[derive(Debug, Clone, Copy)]
pub struct Entries {
    ty: Type,
    marks: Cursor,
}

impl Object {
    /// A resource seen as the object of its properties.
    pub fn of(subject: impl Into<Subject>) -> Self {
        let Subject { resource, tags: rules } = subject.into();
        let tags = resource.tags().filter(|tags| match tags.style {
            TagsStyle::NestedKeyValueArrayWithResourceType => false,
            TagsStyle::Unknown
            | TagsStyle::Untyped
            | TagsStyle::StringMap
            | TagsStyle::KeyValueArray
            | TagsStyle::KeyValueArrayCreateOnly
            | TagsStyle::KeyValueArrayWithExtraProperties
            | TagsStyle::KeyValueArrayWithAlternateType => true,
        });
        Self {
            properties: resource.properties(),
            marks: Cursor::root(resource),
            tags: tags.map(|tags| (tags.property, rules)),
        }
    }

    /// The place of a declared member.
    pub fn place(self, property: Property) -> Place {
        let name = property.name();
        let tags = self.tags.filter(|(tags, _)| *tags == name).map(|(_, rules)| rules);
        Place { ty: property.ty(), marks: self.marks.enter(name), tags, name: Some(name) }
    }

    /// The member with this SDK name and its place; an undeclared name is free-form.
    pub fn member(self, name: &str) -> (Option<Property>, Place) {
        match self.properties.get(name) {
            Some(property) => (Some(property), self.place(property)),
            None => (None, Place { ty: Type::Any, marks: self.marks.enter(name), tags: None, name: None }),
        }
    }

    /// The marks of the object itself.
    pub fn marks(self) -> Cursor {
        self.marks
    }
}

impl Entries {
    /// The place of the value under a key.
    pub fn entry(self, key: &str) -> Place {
        Place { ty: self.ty, marks: self.marks.enter(key), tags: None, name: None }
    }
}

impl Place {
    /// How to walk `value` here. Unions are settled by the value; a value of another kind than the schema says is
    /// walked as free-form.
    ///
    /// `value` must have its secret wrapper taken off.
    pub fn shape(self, value: &Value) -> Shape {
        let ty = match self.ty {
            Type::Union(arms) => union::choose(arms, value),
            other => other,
        };
        match (value, ty) {
            (Value::Object(_), Type::Object(object)) if !object.properties().is_empty() => {
                Shape::Declared(Object { properties: object.properties(), marks: self.marks, tags: None })
            }
            (Value::Object(_), Type::Map(element)) => Shape::Entries(Entries { ty: element.get(), marks: self.marks }),
            (Value::Object(_), _) => Shape::Entries(Entries { ty: Type::Any, marks: self.marks }),
            (Value::Array(_), Type::Array(element)) => Shape::Items(self.element(element.get())),
            (Value::Array(_), _) => Shape::Items(self.element(Type::Any)),
            _ => Shape::Leaf,
        }
    }

    fn element(self, ty: Type) -> Self {
        Self { ty, marks: self.marks.enter("*"), tags: None, name: None }
    }

    /// Whether the order of an array here carries no meaning.
    pub fn is_set(self) -> bool {
        self.tags.is_some() || self.marks.unordered()
    }

    /// Whether the entry under `key` of a map here is visible: in the tags property, invisible tags are not.
    pub fn shows(self, key: &str) -> bool {
        self.tags.is_none_or(|rules| !rules.hides(key))
    }

    /// Whether an element of a list here is visible, like [`Self::shows`].
    pub fn shows_item(self, item: &Value) -> bool {
        self.tags.is_none_or(|rules| !rules.hides_tag(item))
    }

    /// [`Self::shows_item`] for an element as the service returns it.
    pub fn shows_json(self, item: &serde_json::Value) -> bool {
        self.tags.is_none_or(|rules| !rules.hides_json(item))
    }

    /// Two values that are here on two sides, where null counts as absent. What holds nothing but invisible tags does so
    /// too, opposite to nothing.
    pub fn sides<'v>(self, one: Option<&'v Value>, other: Option<&'v Value>) -> (Option<&'v Value>, Option<&'v Value>) {
        match (present(one), present(other)) {
            (Some(one), Some(other)) => (Some(one), Some(other)),
            (one, other) => (one.filter(|value| !self.hides_all(value)), other.filter(|value| !self.hides_all(value))),
        }
    }

    /// Whether a value here holds tags, and all of them are invisible.
    fn hides_all(self, value: &Value) -> bool {
        match value.unsecret() {
            _ if self.tags.is_none() => false,
            Value::Object(tags) => !tags.is_empty() && !tags.keys().any(|key| self.shows(key)),
            Value::Array(tags) => !tags.is_empty() && !tags.iter().any(|tag| self.shows_item(tag)),
            _ => false,
        }
    }

    /// The value without its invisible tags.
    pub fn visible(self, value: &Value) -> Cow<'_, Value> {
        match value.unsecret() {
            Value::Object(tags) if tags.keys().any(|key| !self.shows(key)) => {
                let shown = tags.iter().filter(|(key, _)| self.shows(key));
                Cow::Owned(shown.map(|(key, tag)| (key.clone(), tag.clone())).collect())
            }
            Value::Array(tags) if tags.iter().any(|tag| !self.shows_item(tag)) => {
                Cow::Owned(tags.iter().filter(|tag| self.shows_item(tag)).cloned().collect())
            }
            _ => Cow::Borrowed(value),
        }
    }

    /// Whether the user can never get the value back: write-only, by the schema.
    pub fn hidden(self) -> bool {
        self.marks.covered(Mark::WriteOnly)
    }

    /// Whether a value here may mean the same as another one without having the same parts: a document, or what the
    /// service rewrites as one.
    pub fn is_document(self) -> bool {
        self.marks.hint() == Some(EqualityHint::JsonDocument)
            || self.marks.rewrite().is_some()
            || self.may_hold_policy()
    }

    /// Whether a policy document may be here: by a hint, or because a member without a shape of its own is called so.
    pub fn may_hold_policy(self) -> bool {
        match self.marks.hint() {
            Some(EqualityHint::PolicyDocument) => true,
            Some(_) => false,
            None => {
                let shapeless = match self.ty {
                    Type::Any | Type::String | Type::Map(_) | Type::Union(_) => true,
                    Type::Boolean | Type::Integer | Type::Number | Type::Enum(_) | Type::Array(_) | Type::Object(_) => {
                        false
                    }
                };
                let is_called_so = |name: &str| {
                    ["policy", "policyDocument", "policyText", "accessPolicies"].contains(&name)
                        || ["Policy", "PolicyDocument", "PolicyText", "PolicyBody"]
                            .iter()
                            .any(|end| name.ends_with(end))
                };
                shapeless && self.name.is_some_and(is_called_so)
            }
        }
    }

    /// Whether `value`, which is here, holds anything at a path with this mark.
    pub fn touches(self, value: &Value, mark: Mark) -> bool {
        if self.marks.covered(mark) {
            return !value.unsecret().is_null();
        }
        self.marks.below(mark) && self.parts(value).any(|(part, place)| place.touches(part, mark))
    }

    /// The members or elements of `value`, which is here, each with its place; none for a value without parts.
    pub fn parts(self, value: &Value) -> impl Iterator<Item = (&Value, Self)> {
        let value = value.unsecret();
        let shape = self.shape(value);
        let members = value.as_object().into_iter().flatten();
        let items = value.as_array().into_iter().flatten();
        let members = members.filter_map(move |(key, member)| Some((member, shape.part(key)?)));
        members.chain(items.filter_map(move |item| Some((item, shape.part("*")?))))
    }
}

impl Shape {
    /// The place of a member by its name, or of an element whatever its name; `None` where there are no parts.
    fn part(self, name: &str) -> Option<Place> {
        match self {
            Self::Declared(object) => Some(object.member(name).1),
            Self::Entries(entries) => Some(entries.entry(name)),
            Self::Items(element) => Some(element),
            Self::Leaf => None,
        }
    }
}

/// The value, unless it is absent or null.
pub fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

/// The value behind a `/` path of member names, through secrets; `None` where it is absent or null.
pub fn lookup<'v>(members: &'v Map, path: &str) -> Option<&'v Value> {
    let mut segments = path.split('/');
    let mut value = members.get(segments.next()?)?;
    for segment in segments {
        value = value.unsecret().get(segment)?;
    }
    present(Some(value))
}
