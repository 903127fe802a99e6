//! When rules are asked, and which actions can do something then.

use super::action::Action;

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
    pub(super) const ALL: [Stage; 6] =
        [Stage::Wire, Stage::Front, Stage::Handler, Stage::Plan, Stage::Reading, Stage::Readback];

    /// Whether an operation comes to the stage.
    pub(super) fn is_of(self, operation: &str) -> bool {
        match self {
            Stage::Wire | Stage::Front => true,
            Stage::Handler | Stage::Reading => matches!(operation, "GetResource" | "ListResources"),
            Stage::Plan => matches!(operation, "CreateResource" | "UpdateResource" | "DeleteResource"),
            Stage::Readback => operation == "UpdateResource",
        }
    }

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
