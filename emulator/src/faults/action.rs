//! What rules do, as people write it: every action, with its settings in a file for each kind of misbehavior.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the actions |
//! | [`refusal`] | calls and polls that are refused |
//! | [`failure`] | requests that fail, and what they leave |
//! | [`course`] | requests that get stuck or take longer |
//! | [`hook`] | hooks before a handler |
//! | [`view`] | resources that look different from what they are |
//! | [`connection`] | connections that are late or break |
//!
//! When an action acts is in `stage`.

mod connection;
mod course;
mod failure;
mod hook;
mod refusal;
mod view;

pub use connection::{Hang, Moment, Reset, Truncate, Wait};
pub use course::{Slow, Stuck, StuckIn};
pub use failure::{Failure, Lie, Named, Part, Remnant};
pub use hook::{FailureMode, Hook, HookStatus};
pub use refusal::{CallError, PollError, Throttling};
pub use view::{Case, Discarded, Lag, Readback, Recase, Stale};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens when a rule fires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Action {
    /// The call is refused with ThrottlingException, always or when a bucket is empty.
    Throttle(Throttling),
    /// The call is refused with any error.
    Error(CallError),
    /// A create, update or delete is accepted and ends FAILED; a read or list fails in its handler.
    Fail(Failure),
    /// A create makes its resource and ends FAILED with AlreadyExists.
    AlreadyExistsLie(Lie),
    /// A create succeeds, and reads do not find its resource for a while.
    NotFoundAfterCreate(Lag),
    /// An update succeeds, and reads show the model before it for a while.
    StaleRead(Stale),
    /// A request stays as it is until it is released.
    Stuck(Stuck),
    /// A create or update reports SUCCESS and does not take over some values.
    Drop(Discarded),
    /// An update is refused for a value that reads show.
    RejectReadback(Readback),
    /// Reads, lists and events show the identifier only.
    Sparse,
    /// Reads show arrays without order in another order.
    Reorder,
    /// Reads show texts in another case.
    Recase(Recase),
    /// A hook runs before the handler, and may fail the request.
    Hook(Hook),
    /// A poll is refused while its request goes on.
    PollError(PollError),
    /// The answer comes late.
    Delay(Wait),
    /// The call takes effect and is not answered; the connection ends after a while.
    Hang(Hang),
    /// The connection is reset.
    Reset(Reset),
    /// The answer breaks off.
    Truncate(Truncate),
    /// The call is executed twice, as after a duplicated delivery, and the second answer sent.
    Twice,
    /// An operation takes longer.
    Slow(Slow),
}
