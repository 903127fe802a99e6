//! The input checkpoint: the inputs of the last operation, kept secret inside the recorded outputs.
//!
//! The key and form are those of the Go provider, so that either provider reads what the other one wrote. What older
//! versions wrote otherwise is mended before it is compared: [`heal`], [`canonical`], [`canonical_inputs`].

use std::borrow::Cow;

use metadata::view::Type;
use value::{Map, Value};

use crate::equality::leaf;
use crate::place::{Object, Place, Shape};

/// The key of the checkpoint in the outputs.
pub const INPUTS: &str = "__inputs";

/// Marks outputs of an import until the first update: what could not be read then is unknown rather than absent.
///
/// Like every key that begins with two underscores, the engine hides it from people.
pub const IMPORTED: &str = "__imported";

/// The checkpointed inputs, if the state has any.
///
/// Every form heals: a bare object, a secret in a secret. A null or anything that is no object counts as absent.
pub fn inputs(state: &Map) -> Option<&Map> {
    state.get(INPUTS)?.unsecret().as_object()
}

/// Whether the state comes from an import that no update has followed.
pub fn is_imported(state: &Map) -> bool {
    state.get(IMPORTED).is_some_and(|flag| flag.unsecret().as_bool() == Some(true))
}

/// Writes the checkpoint.
pub fn put(state: &mut Map, inputs: Map) {
    state.insert(INPUTS.to_owned(), Value::secret(Value::Object(inputs)));
}

/// Takes repeated layers of secrecy away, at any depth.
///
/// States of old providers hold one more for every refresh. What the engine sends has at most [`value::MAX_DEPTH`]
/// layers: the codec refuses what is deeper.
pub fn heal(value: &mut Value) {
    if let Value::Secret(inner) = value
        && inner.is_secret()
    {
        let inner = std::mem::take(&mut **inner);
        *value = Value::secret(inner.into_unsecret());
    }
    value.each_child_mut(heal);
}

/// [`heal`] for all members.
pub fn heal_members(members: &mut Map) {
    members.values_mut().for_each(heal);
}

/// Recorded outputs as this version would have recorded them, at any depth, and the checkpoint as [`canonical_inputs`].
///
/// A member under another spelling of its name, which differs only in case, takes its place, unless that is taken:
/// published names have followed the schemas' spelling by several rules. Elements of lists that are null go, and tags that
/// are empty: Check lets none through, and the Go provider's refresh left some.
pub fn canonical<'m>(members: &'m Map, object: Object) -> Cow<'m, Map> {
    Recording::Outputs.mend(members, object)
}

/// Recorded inputs as Check would let them through: as [`canonical`], without members that the schema does not know and
/// nulls, and every scalar of the kind that the schema has.
pub fn canonical_inputs<'m>(members: &'m Map, object: Object) -> Cow<'m, Map> {
    Recording::Inputs.mend(members, object)
}

/// What is mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recording {
    /// What the service answered, which may be anything.
    Outputs,
    /// What a program gave.
    Inputs,
}

impl Recording {
    fn mend<'m>(self, members: &'m Map, object: Object) -> Cow<'m, Map> {
        match self.is_canonical(members, object, Known::All) {
            true => Cow::Borrowed(members),
            false => Cow::Owned(self.mended(members, object, Known::All)),
        }
    }

    fn is_canonical(self, members: &Map, object: Object, known: Known) -> bool {
        members.iter().all(|(name, value)| match object.member(name) {
            (Some(_), place) => self.keeps(value) && self.is_canonical_value(value, place),
            (None, _) if self == Self::Outputs && name == INPUTS => match value.unsecret().as_object() {
                Some(inputs) => Self::Inputs.is_canonical(inputs, object, known),
                None => true,
            },
            (None, _) => {
                let is_free = spelled(name, object).is_none_or(|name| members.contains_key(name));
                is_free && self.keeps_unknown(known)
            }
        })
    }

    fn is_canonical_value(self, value: &Value, place: Place) -> bool {
        let plain = value.unsecret();
        match (plain, place.shape(plain)) {
            (Value::Object(members), Shape::Declared(object)) => {
                self.is_canonical(members, object, Known::below(place))
            }
            (Value::Object(members), Shape::Entries(entries)) => members.iter().all(|(key, member)| {
                self.keeps_entry(member, place) && self.is_canonical_value(member, entries.entry(key))
            }),
            (Value::Array(items), Shape::Items(element)) => {
                items.iter().all(|item| !is_gap(item, value, place) && self.is_canonical_value(item, element))
            }
            _ => self == Self::Outputs || leaf::as_declared(plain, place.ty).is_none(),
        }
    }

    fn mended(self, members: &Map, object: Object, known: Known) -> Map {
        let mut canonical = Map::new();
        for (name, value) in members.iter().filter(|(_, value)| self.keeps(value)) {
            let (name, value) = match object.member(name) {
                (Some(_), place) => (name.as_str(), self.mended_value(value, place)),
                (None, _) if self == Self::Outputs && name == INPUTS => (
                    INPUTS,
                    under_secret(value, |value| match value {
                        Value::Object(inputs) => Value::Object(Self::Inputs.mended(inputs, object, known)),
                        other => other.clone(),
                    }),
                ),
                (None, place) => match spelled(name, object).filter(|spelled| !members.contains_key(*spelled)) {
                    Some(spelled) => (spelled, self.mended_value(value, object.member(spelled).1)),
                    None if self.keeps_unknown(known) => (name.as_str(), self.mended_value(value, place)),
                    None => continue,
                },
            };
            canonical.insert(name.to_owned(), value);
        }
        canonical
    }

    fn mended_value(self, value: &Value, place: Place) -> Value {
        under_secret(value, |plain| match (plain, place.shape(plain)) {
            (Value::Object(members), Shape::Declared(object)) => {
                Value::Object(self.mended(members, object, Known::below(place)))
            }
            (Value::Object(members), Shape::Entries(entries)) => {
                let kept = members.iter().filter(|(_, member)| self.keeps_entry(member, place));
                kept.map(|(key, member)| (key.clone(), self.mended_value(member, entries.entry(key)))).collect()
            }
            (Value::Array(items), Shape::Items(element)) => {
                let kept = items.iter().filter(|item| !is_gap(item, value, place));
                kept.map(|item| self.mended_value(item, element)).collect()
            }
            _ => {
                let typed = leaf::as_declared(plain, place.ty).filter(|_| self == Self::Inputs);
                typed.unwrap_or_else(|| plain.clone())
            }
        })
    }

    fn keeps(self, value: &Value) -> bool {
        self == Self::Outputs || !value.is_null()
    }

    /// Whether an entry stays: a null in free-form JSON says something.
    fn keeps_entry(self, value: &Value, place: Place) -> bool {
        self.keeps(value) || !matches!(place.ty, Type::Map(_))
    }

    fn keeps_unknown(self, known: Known) -> bool {
        self == Self::Outputs || known == Known::Some
    }
}

/// How many of an object's members the schema knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    All,
    /// The others may be those of another arm of a union.
    Some,
}

impl Known {
    fn below(place: Place) -> Self {
        if matches!(place.ty, Type::Union(_)) { Self::Some } else { Self::All }
    }
}

/// Whether an element of `list` stands for none: a null, or what the Go provider's refresh left of a tag of AWS's.
fn is_gap(item: &Value, list: &Value, place: Place) -> bool {
    let is_emptied = || place.tags.is_some() && item.as_object().is_some_and(Map::is_empty);
    !list.is_secret() && matches!(place.ty, Type::Array(_)) && (item.is_null() || is_emptied())
}

fn under_secret(value: &Value, mend: impl FnOnce(&Value) -> Value) -> Value {
    match value.is_secret() {
        true => Value::secret(mend(value.unsecret())),
        false => mend(value),
    }
}

/// The declared member that a name means if its case does not count; none if it may be several.
fn spelled(name: &str, object: Object) -> Option<&'static str> {
    let means = |other: &str| other.eq_ignore_ascii_case(name);
    let mut found = object.properties.iter().filter(|property| means(property.name()) || means(property.cfn_name()));
    let first = found.next()?;
    found.next().is_none().then_some(first.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c88_every_form_of_the_checkpoint_heals() {
        let plain = Value::object([("n", "a".into())]);
        check(plain.clone(), true);
        check(Value::secret(plain.clone()), true);
        check(Value::Secret(Box::new(Value::secret(plain))), true);
        check(Value::Null, false);
        check(Value::secret(Value::Null), false);
        check("text".into(), false);

        #[track_caller]
        fn check(form: Value, found: bool) {
            let state = Map::from([(INPUTS.to_owned(), form)]);
            assert_eq!(inputs(&state).is_some(), found);
        }
    }

    #[test]
    fn c02_what_the_engine_sends_heals() {
        use protocol::codec::{DecodeOptions, EncodeOptions, decode_value, encode_value};
        // Written as the plain objects that they are on the wire, since the codec itself writes no layer twice.
        let layer = |value: Value| {
            Value::object([
                ("4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270".into()),
                ("value", value),
            ])
        };
        let deep = (0..400).fold(Value::object([("TOKEN", "t".into())]), |value, _| layer(value));
        let bytes = encode_value(&deep, EncodeOptions::KEEP);
        let mut state = decode_value(&bytes, DecodeOptions::KEEP).expect("fewer layers than the codec refuses");
        heal(&mut state);
        assert_eq!(state, Value::secret(Value::object([("TOKEN", "t".into())])));
    }

    #[test]
    fn c02_repeated_layers_of_secrecy_become_one() {
        let deep = (0..4).fold(Value::from("t"), |value, _| Value::Secret(Box::new(value)));
        let mut state = Value::object([("env", Value::Secret(Box::new(Value::object([("TOKEN", deep)]))))]);
        heal(&mut state);
        assert_eq!(state, Value::object([("env", Value::secret(Value::object([("TOKEN", Value::secret("t"))])))]));
    }
}
