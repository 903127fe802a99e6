//! Names and members of a state that the schema does not have.

use metadata::model::Type::{self, Any, String as Text};
use provider::checkpoint::{canonical, canonical_inputs};
use provider::place::Object;
use serde_json::{Value as Json, json};
use value::Value;

use super::{database, inputs};
use crate::models::*;
use crate::values::{members, val};

#[test]
fn names_follow_the_schema_where_only_case_differs() {
    let check = |recorded: Json, expected: Json| {
        let (recorded, expected) = (members(recorded), members(expected));
        assert_eq!(*canonical(&recorded, Object::of(database())), expected);
    };
    check(json!({ "DBInstanceIdentifier": "a" }), json!({ "dbInstanceIdentifier": "a" }));
    // The right name is there.
    check(
        json!({ "dBInstanceIdentifier": "a", "dbInstanceIdentifier": "b" }),
        json!({ "dBInstanceIdentifier": "a", "dbInstanceIdentifier": "b" }),
    );
    // Keys of maps and of free-form values are data, and so are strangers.
    check(json!({ "env": { "a": "1", "A": "2" } }), json!({ "env": { "a": "1", "A": "2" } }));
    check(json!({ "free": { "KMSKeyId": null } }), json!({ "free": { "KMSKeyId": null } }));
    check(json!({ "other": [null] }), json!({ "other": [null] }));
    check(
        json!({ "encryption": { "$secret": { "KmsKeyID": "k" } } }),
        json!({ "encryption": { "$secret": { "kmsKeyId": "k" } } }),
    );
    // What is secret is the user's, gaps included.
    check(json!({ "users": { "$secret": [null] } }), json!({ "users": { "$secret": [null] } }));
    check(json!({ "users": [null] }), json!({ "users": [] }));
    assert!(matches!(canonical(&members(inputs()), Object::of(database())), std::borrow::Cow::Borrowed(_)));
    assert_eq!(val(json!({ "$secret": 1 })), Value::secret(1));
}

#[test]
fn what_the_schema_does_not_know_of_an_input_is_forgotten() {
    let either = resource(|model| {
        let one = object(model, [required("a", Text)]);
        let other = object(model, [required("b", Text)]);
        model.properties =
            vec![prop("either", Type::Union(vec![one, other])), prop("free", Any), prop("env", map(Text))];
    });
    let check = |recorded: Json, expected: Json| {
        let (recorded, expected) = (members(recorded), members(expected));
        assert_eq!(*canonical_inputs(&recorded, Object::of(either)), expected);
    };
    check(
        json!({ "gone": 1, "free": { "gone": null }, "env": { "A": null } }),
        json!({ "free": { "gone": null }, "env": {} }),
    );
    // It may be of another arm.
    check(json!({ "either": { "a": "1", "gone": 1 } }), json!({ "either": { "a": "1", "gone": 1 } }));
    check(json!({ "either": { "a": "1", "B": "1" } }), json!({ "either": { "a": "1", "B": "1" } }));
    // Outputs keep what a service answers besides.
    let outputs = members(json!({ "surprise": 1, "env": { "A": null } }));
    assert_eq!(*canonical(&outputs, Object::of(either)), outputs);
}
