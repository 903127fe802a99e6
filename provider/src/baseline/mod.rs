//! What the user owns: inputs made from what the service holds, and outputs that keep what the user hid.
//!
//! | module | what is in it |
//! |---|---|
//! | [`projection`] | inputs of an import: what the service holds and a program may write |
//! | [`refresh`] | inputs of a refresh: what the user wrote, as the service holds it now |
//! | [`hidden`] | write-only values, carried into outputs from the inputs |
//! | [`secrets`] | marks of secrecy, carried into outputs that echo the inputs |
//! | [`unsure`] | what may be the user's after an update of which nobody knows how it ended |
//! | [`partners`] | which element of a list is which, across a service that reorders |

pub mod hidden;
pub mod partners;
pub mod projection;
pub mod refresh;
pub mod secrets;
pub mod unsure;

use serde_json::Value as Json;
use value::{Map, Value};

use crate::checkpoint;
use crate::convert::{self, ConvertError};
use crate::place::Object;
use crate::subject::Subject;

/// The outputs to record for a model of the service: everything that it returned, the write-only values of `inputs`,
/// what is secret in `inputs` marked, and the checkpoint.
///
/// # Errors
///
/// The model has no form as a value; see [`ConvertError`].
pub fn outputs(subject: impl Into<Subject>, model: &Json, inputs: &Map) -> Result<Map, ConvertError> {
    let subject = subject.into();
    let live = convert::from_cfn(model, subject.properties())?;
    Ok(outputs_of(subject, live, inputs.clone()))
}

/// [`outputs`] for a model that is converted already.
pub fn outputs_of(subject: impl Into<Subject>, mut live: Map, mut inputs: Map) -> Map {
    let object = Object::of(subject);
    checkpoint::heal_members(&mut inputs);
    hidden::carry(&inputs, &mut live, object);
    secrets::mark(&inputs, &mut live, object);
    checkpoint::put(&mut live, inputs);
    live
}

/// Whether a value is one for which services return nothing: an empty list, object or text.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}
