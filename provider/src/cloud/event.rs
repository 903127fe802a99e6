//! What Cloud Control says about an operation, in our own types.

use std::time::Duration;

/// The state of an asynchronous operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Accepted, handler not started.
    Pending,
    /// Handler running.
    InProgress,
    /// Done.
    Success,
    /// Failed; nothing was rolled back.
    Failed,
    /// Asked to stop, not stopped yet.
    CancelInProgress,
    /// Stopped; side effects may remain.
    CancelComplete,
    /// A status that this version does not know.
    Other(String),
}

impl Status {
    /// Reads the wire name.
    pub fn parse(text: &str) -> Self {
        match text {
            "PENDING" => Self::Pending,
            "IN_PROGRESS" => Self::InProgress,
            "SUCCESS" => Self::Success,
            "FAILED" => Self::Failed,
            "CANCEL_IN_PROGRESS" => Self::CancelInProgress,
            "CANCEL_COMPLETE" => Self::CancelComplete,
            other => Self::Other(other.to_owned()),
        }
    }

    /// The wire name.
    pub fn name(&self) -> &str {
        match self {
            Self::Pending => "PENDING",
            Self::InProgress => "IN_PROGRESS",
            Self::Success => "SUCCESS",
            Self::Failed => "FAILED",
            Self::CancelInProgress => "CANCEL_IN_PROGRESS",
            Self::CancelComplete => "CANCEL_COMPLETE",
            Self::Other(text) => text,
        }
    }
}

/// One answer about an operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Where the operation stands.
    pub status: Status,
    /// Names the operation for polls.
    pub request_token: Option<String>,
    /// The resource, as soon as the service knows.
    pub identifier: Option<String>,
    /// `HandlerErrorCode` of a failure.
    pub code: Option<String>,
    /// The service's words.
    pub message: Option<String>,
    /// How long to wait before the next poll, counted from the receipt of this event.
    pub retry_after: Option<Duration>,
    /// Hooks that ran; only status calls report them.
    pub hooks: Vec<Hook>,
    /// CloudFormation type name of the resource.
    pub type_name: Option<String>,
    /// `CREATE`, `UPDATE` or `DELETE`.
    pub operation: Option<String>,
    /// AWS's id of the request whose answer this is, for support cases.
    pub request_id: Option<String>,
}

impl Event {
    /// An event that tells its status and nothing else.
    pub fn new(status: Status) -> Self {
        Self {
            status,
            request_token: None,
            identifier: None,
            code: None,
            message: None,
            retry_after: None,
            hooks: Vec::new(),
            type_name: None,
            operation: None,
            request_id: None,
        }
    }

    /// The event of an operation of which only its token is known.
    pub fn under_way(request_token: &str) -> Self {
        Self { request_token: Some(request_token.to_owned()), ..Self::new(Status::InProgress) }
    }
}

/// One hook of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hook {
    /// `HookTypeName`.
    pub name: String,
    /// `HookTypeArn`.
    pub arn: String,
    /// `HookTypeVersionId`.
    pub version: String,
    /// `InvocationPoint`, for example `CREATE_PRE_PROVISION`.
    pub invocation_point: String,
    /// `HookStatus`.
    pub status: String,
    /// `HookEventTime` in RFC 3339, if given.
    pub time: Option<String>,
    /// `HookStatusMessage`.
    pub message: String,
    /// `FailureMode`: `FAIL` or `WARN`.
    pub failure_mode: String,
}

impl Hook {
    /// Whether this hook objected.
    pub fn failed(&self) -> bool {
        matches!(self.status.as_str(), "HOOK_COMPLETE_FAILED" | "HOOK_FAILED")
    }
}
