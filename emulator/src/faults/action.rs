//! What rules do, as people write it.

use super::rule::share;
use super::span::Span;
use crate::api_error::Code;
use crate::handler_error::HandlerErrorCode;
use crate::life::plan::{Left, Shown};
use crate::overrides::file::Class;
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

/// A refusal for too many calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Throttling {
    /// The message, which the service leaves empty at times. Default `Rate exceeded`.
    pub message: String,
    /// Calls a second, on average, that each operation of an account and region serves; without it every call is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Calls at once. Default the rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<f64>,
}

impl Default for Throttling {
    fn default() -> Throttling {
        Throttling { message: "Rate exceeded".to_owned(), rate: None, burst: None }
    }
}

/// A refusal of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallError {
    /// The error.
    pub code: Code,
    /// The HTTP status; that of the error without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 400, max = 599))]
    pub status: Option<u16>,
    /// The message; without it the one that the service has for the error, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A failure of a handler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The code.
    pub code: HandlerErrorCode,
    /// The share of the duration after which it fails, 0 to 1.
    #[serde(default = "half", deserialize_with = "share")]
    pub at: f64,
    /// The message; the default text of the code without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the message ends with service, status code and request id.
    #[serde(default)]
    pub service: bool,
    /// What is left of the operation.
    #[serde(default)]
    pub left: Remnant,
    /// The identifier in the event.
    #[serde(default)]
    pub identifier: Named,
}

impl Failure {
    /// A failure in the middle that leaves nothing.
    pub fn new(code: HandlerErrorCode) -> Failure {
        let (left, identifier) = (Remnant::Nothing, Named::AsReal);
        Failure { code, at: half(), message: None, service: false, left, identifier }
    }
}

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

/// What is left of an operation that failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Remnant {
    /// Everything is as before.
    #[default]
    Nothing,
    /// Everything that was asked for.
    Everything,
    /// Some of the top-level properties.
    Part(Part),
}

/// A part of a resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Part {
    /// The share of the top-level properties that was applied.
    #[serde(deserialize_with = "share")]
    pub fraction: f64,
    /// What the resource shows as its state, where its type has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

impl Default for Part {
    fn default() -> Part {
        Part { fraction: half(), status: None }
    }
}

/// The identifier in the event of a failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// As without the failure.
    #[default]
    AsReal,
    /// Always, whether anything exists or not.
    Ghost,
    /// Never.
    Nobody,
}

impl From<Remnant> for Left {
    fn from(remnant: Remnant) -> Left {
        match remnant {
            Remnant::Nothing => Left::Nothing,
            Remnant::Everything => Left::Everything,
            Remnant::Part(Part { fraction, status }) => Left::Part { fraction, status },
        }
    }
}

impl From<Named> for Shown {
    fn from(named: Named) -> Shown {
        match named {
            Named::AsReal => Shown::AsReal,
            Named::Ghost => Shown::Ghost,
            Named::Nobody => Shown::Nobody,
        }
    }
}

/// A failure that is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lie {
    /// The share of the duration after which it is told.
    #[serde(default = "one", deserialize_with = "share")]
    pub at: f64,
}

/// For how long a new resource is not found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Lag {
    /// By reads, in the emulator's time after SUCCESS.
    #[serde(rename = "for")]
    pub lasting: Span,
    /// By so many reads, whatever the time.
    pub reads: u32,
    /// By lists.
    pub list_for: Span,
}

impl Default for Lag {
    fn default() -> Lag {
        Lag { lasting: Span::seconds(2), reads: 0, list_for: Span::default() }
    }
}

/// For how long reads show what was there before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stale {
    /// In the emulator's time after SUCCESS.
    #[serde(rename = "for")]
    pub lasting: Span,
}

impl Default for Stale {
    fn default() -> Stale {
        Stale { lasting: Span::seconds(2) }
    }
}

/// How a request gets stuck.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stuck {
    /// The status in which it stays.
    #[serde(rename = "in")]
    pub status: StuckIn,
    /// Whether the time that its handler allows itself ends it nevertheless.
    pub timeout: bool,
}

/// A status that a request can stay in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StuckIn {
    /// Its handler does not come to an end.
    #[default]
    InProgress,
    /// Its handler does not begin.
    Pending,
}

/// Values that are not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discarded {
    /// Where they are: `/properties/Tags`.
    pub paths: Vec<String>,
}

/// A value that the service returns and does not take back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Readback {
    /// Where it is: `/properties/Name`. Updates are refused as long as the patched model has it.
    pub path: String,
}

/// Texts in another case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recase {
    /// Where they are: `/properties/Name`, `/properties/Rules/*/Protocol`.
    pub paths: Vec<String>,
    /// The case.
    pub to: Case,
}

/// A case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// A to Z.
    Upper,
    /// a to z.
    Lower,
}

/// A hook that runs before a handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Hook {
    /// The type of the hook.
    pub type_name: String,
    /// How it ends.
    pub status: HookStatus,
    /// Whether its failure fails the request.
    pub failure_mode: FailureMode,
    /// When it runs; `CREATE_PRE_PROVISION` for creates without it, and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<String>,
    /// What it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Default for Hook {
    fn default() -> Hook {
        Hook {
            type_name: "Emulator::Example::Hook".to_owned(),
            status: HookStatus::HookCompleteFailed,
            failure_mode: FailureMode::Fail,
            point: None,
            message: None,
        }
    }
}

/// How a hook ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HookStatus {
    /// It has not begun.
    HookPending,
    /// It runs.
    HookInProgress,
    /// It has nothing against the operation.
    HookCompleteSucceeded,
    /// It is against the operation.
    HookCompleteFailed,
    /// It could not decide.
    HookFailed,
}

impl HookStatus {
    pub(crate) fn name(self) -> &'static str {
        match self {
            HookStatus::HookPending => "HOOK_PENDING",
            HookStatus::HookInProgress => "HOOK_IN_PROGRESS",
            HookStatus::HookCompleteSucceeded => "HOOK_COMPLETE_SUCCEEDED",
            HookStatus::HookCompleteFailed => "HOOK_COMPLETE_FAILED",
            HookStatus::HookFailed => "HOOK_FAILED",
        }
    }
}

/// What the failure of a hook does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureMode {
    /// The request fails.
    Fail,
    /// It goes on.
    Warn,
}

impl FailureMode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            FailureMode::Fail => "FAIL",
            FailureMode::Warn => "WARN",
        }
    }
}

/// A refusal of a poll.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PollError {
    /// The error. Default ThrottlingException.
    pub code: Code,
    /// The HTTP status; that of the error without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 400, max = 599))]
    pub status: Option<u16>,
    /// The message; as for `error` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Default for PollError {
    fn default() -> PollError {
        PollError { code: Code::Throttling, status: None, message: None }
    }
}

/// A time to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Real time, whatever the emulator's clock does.
    #[serde(rename = "for")]
    pub lasting: Span,
}

/// A silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Hang {
    /// Real time after which the connection ends; it ends with the emulator too.
    #[serde(rename = "for")]
    pub lasting: Span,
}

impl Default for Hang {
    fn default() -> Hang {
        Hang { lasting: Span::seconds(3_600) }
    }
}

/// A broken connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Reset {
    /// Whether the call has taken effect by then.
    pub when: Moment,
}

/// When a connection breaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// Before the call takes effect.
    #[default]
    Before,
    /// After it: only the answer is lost.
    After,
}

/// An answer that breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Truncate {
    /// So many bytes of the body come.
    pub bytes: usize,
}

impl Default for Truncate {
    fn default() -> Truncate {
        Truncate { bytes: 20 }
    }
}

/// How much longer an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Slow {
    /// Multiplies the duration.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub factor: f64,
    /// A class instead of that of the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
}

impl Default for Slow {
    fn default() -> Slow {
        Slow { factor: 1.0, class: None }
    }
}

/// When rules are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// What becomes of the connection.
    Wire,
    /// Before anything of a call is looked at.
    Front,
    /// In the handler of a read or a list.
    Handler,
    /// When a request is accepted.
    Plan,
    /// For a resource that is read or listed.
    Reading,
    /// For a model that an update has patched.
    Readback,
}

impl Stage {
    pub(super) fn name(self) -> &'static str {
        match self {
            Stage::Wire => "wire",
            Stage::Front => "front",
            Stage::Handler => "handler",
            Stage::Plan => "plan",
            Stage::Reading => "reading",
            Stage::Readback => "readback",
        }
    }

    /// Whether several rules can act together; otherwise the first decides.
    pub(super) fn takes_many(self) -> bool {
        match self {
            Stage::Plan | Stage::Reading => true,
            Stage::Wire | Stage::Front | Stage::Handler | Stage::Readback => false,
        }
    }
}

impl Action {
    /// Whether the action can do something at a stage of an operation.
    pub(super) fn acts_at(&self, stage: Stage, operation: &str) -> bool {
        let creates = operation == "CreateResource";
        let writes = creates || operation == "UpdateResource";
        let reads = matches!(operation, "GetResource" | "ListResources");
        match self {
            Action::Throttle(_) | Action::Error(_) => stage == Stage::Front,
            Action::PollError(_) => stage == Stage::Front && operation == "GetResourceRequestStatus",
            Action::Fail(_) => stage == if reads { Stage::Handler } else { Stage::Plan },
            Action::AlreadyExistsLie(_) | Action::NotFoundAfterCreate(_) => stage == Stage::Plan && creates,
            Action::StaleRead(_) => stage == Stage::Plan && operation == "UpdateResource",
            Action::Drop(_) => stage == Stage::Plan && writes,
            Action::Stuck(_) | Action::Hook(_) | Action::Slow(_) => stage == Stage::Plan,
            Action::RejectReadback(_) => stage == Stage::Readback,
            Action::Sparse => stage == Stage::Reading || (stage == Stage::Plan && writes),
            Action::Reorder | Action::Recase(_) => stage == Stage::Reading,
            Action::Delay(_) | Action::Hang(_) | Action::Reset(_) | Action::Truncate(_) | Action::Twice => {
                stage == Stage::Wire
            }
        }
    }

    /// Whether the action decides how a request ends; only one can.
    pub(super) fn ends_request(&self) -> bool {
        match self {
            Action::Fail(_) | Action::AlreadyExistsLie(_) | Action::Drop(_) => true,
            Action::Hook(hook) => hook.fails(),
            Action::Throttle(_)
            | Action::Error(_)
            | Action::NotFoundAfterCreate(_)
            | Action::StaleRead(_)
            | Action::Stuck(_)
            | Action::RejectReadback(_)
            | Action::Sparse
            | Action::Reorder
            | Action::Recase(_)
            | Action::PollError(_)
            | Action::Delay(_)
            | Action::Hang(_)
            | Action::Reset(_)
            | Action::Truncate(_)
            | Action::Twice
            | Action::Slow(_) => false,
        }
    }
}

impl Hook {
    /// Whether the request fails because of the hook.
    pub(super) fn fails(&self) -> bool {
        let failed = matches!(self.status, HookStatus::HookCompleteFailed | HookStatus::HookFailed);
        failed && self.failure_mode == FailureMode::Fail
    }
}
