//! A hook that runs before a handler.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

impl Hook {
    /// Whether the request fails because of the hook.
    pub(in crate::faults) fn fails(&self) -> bool {
        let failed = matches!(self.status, HookStatus::HookCompleteFailed | HookStatus::HookFailed);
        failed && self.failure_mode == FailureMode::Fail
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
