//! The input checkpoint: the inputs of the last operation, kept secret inside the recorded outputs.
//!
//! The key and form are those of the Go provider, so that either provider reads what the other one wrote.

use value::{Map, Value};

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
