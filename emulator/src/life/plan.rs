//! Everything about a request that is decided when it is accepted, and kept with it, so that a restart changes nothing.

use super::latency;
use crate::core::Core;
use crate::entropy::{Digest, Entropy};
use crate::faults::RuleId;
use crate::handler_error::HandlerErrorCode;
use crate::operations::claim::Claim;
use crate::options::FirstStatus;
use crate::schema::ResourceType;
use crate::scope::Scope;
use crate::store::{Haunt, Kind, NewResource, ShelfKey, Status, Token};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A request that is about to be accepted.
pub(crate) struct Submission<'s> {
    pub(crate) scope: &'s Scope,
    pub(crate) shelf: ShelfKey,
    pub(crate) resource: &'s ResourceType,
    pub(crate) operation: Kind,
    pub(crate) identifier: Box<str>,
    pub(crate) is_named_by_caller: bool,
    pub(crate) effect: Effect,
    /// The model that the last event shows, as JSON text.
    pub(crate) shown: Option<Box<str>>,
    pub(crate) claim: Claim,
    /// The content: operation, type, identifier, document.
    pub(crate) digest: Digest,
    /// How many requests of this content were accepted before in the scope.
    pub(crate) occurrence: u64,
    /// Why the handler will refuse what it is given, if it will.
    pub(crate) refusal: Option<HandlerRefusal>,
}

/// What a handler answers to a request that it cannot serve.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HandlerRefusal {
    pub(crate) code: HandlerErrorCode,
    /// The default text of the code when it is absent.
    pub(crate) message: Option<String>,
}

/// The source of everything that is drawn for a request.
fn entropy(seed: u64, scope: &Scope, digest: Digest, occurrence: u64) -> Entropy {
    Entropy::new(&[
        "request",
        &seed.to_string(),
        &scope.account,
        &scope.region,
        &digest.to_string(),
        &occurrence.to_string(),
    ])
}

/// The token of a request of this content, the given number of which were accepted before.
pub(crate) fn token(seed: u64, scope: &Scope, digest: Digest, occurrence: u64) -> Token {
    Token::drawn(&mut entropy(seed, scope, digest, occurrence))
}

impl Submission<'_> {
    /// The source of everything that is drawn for the request.
    fn entropy(&self, seed: u64) -> Entropy {
        entropy(seed, self.scope, self.digest, self.occurrence)
    }

    /// The token of the request.
    pub(crate) fn token(&self, seed: u64) -> Token {
        token(seed, self.scope, self.digest, self.occurrence)
    }
}

/// What a request changes once it ends well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Effect {
    /// The resource begins to exist; `everywhere` when no other account or region may have its identifier.
    Create { resource: NewResource, everywhere: bool },
    /// The resource gets this model instead of `before`.
    Update { resource: NewResource, before: Box<str> },
    /// The resource ceases to exist.
    Delete,
}

/// What will happen to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// IN_PROGRESS, or PENDING while it waits for its handler to begin.
    pub(crate) first: Status,
    /// How long the work takes once it has begun, scaled.
    pub(crate) duration: Duration,
    /// How often it must be looked at before it may end.
    pub(crate) looks: u32,
    /// When an identifier that the service chose is known.
    pub(crate) identifier_at: Duration,
    /// The longest that a client is asked to wait between two looks, scaled.
    pub(crate) interval: Duration,
    pub(crate) outcome: Outcome,
    /// It stays as it is until somebody releases it.
    pub(crate) stuck: bool,
    pub(crate) hooks: Vec<HookRun>,
    /// What reads see once it has ended well.
    pub(crate) haunt: Option<Haunt>,
    /// Its events show the identifier only.
    #[serde(default)]
    pub(crate) is_sparse: bool,
    /// The rules that shaped it.
    pub(crate) rules: Vec<RuleId>,
}

/// How a request ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Success,
    /// SUCCESS, but the values at these pointers were not taken over.
    Dropped {
        paths: Vec<String>,
    },
    Failed {
        code: HandlerErrorCode,
        /// The default text of the code when it is absent.
        message: Option<String>,
        /// The share of the duration after which it fails, from 0 to 1.
        at: f64,
        left: Left,
        identifier: Shown,
    },
}

/// What a failed request leaves behind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Left {
    Nothing,
    /// The whole effect.
    Everything,
    /// This share of the top-level properties; `status` is what the resource shows as its state.
    Part {
        fraction: f64,
        status: Option<String>,
    },
}

/// The identifier in a FAILED event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shown {
    /// As it would be without the failure.
    AsReal,
    /// Always, whether anything exists or not.
    Ghost,
    Nobody,
}

/// One hook that ran before the handler, as HookProgressEvent shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct HookRun {
    pub(crate) type_name: String,
    pub(crate) point: String,
    pub(crate) status: String,
    pub(crate) failure_mode: String,
    pub(crate) message: Option<String>,
}

/// Plans a request; it goes well unless its handler refuses it.
pub(crate) fn plan(core: &Core, submission: &Submission<'_>) -> Plan {
    let entropy = submission.entropy(core.options.seed);
    let pace = latency::pace(core, submission, entropy.within("duration"));
    let is_pending = match core.options.switches.first_status {
        FirstStatus::InProgress => false,
        FirstStatus::Pending => true,
        FirstStatus::Mixed => entropy.within("first").chance(0.5),
    };
    let outcome = match &submission.refusal {
        None => Outcome::Success,
        Some(HandlerRefusal { code, message }) => Outcome::Failed {
            code: *code,
            message: message.clone(),
            at: 1.0,
            left: Left::Nothing,
            // What the service would have named does not exist.
            identifier: if submission.is_named_by_caller { Shown::AsReal } else { Shown::Nobody },
        },
    };
    Plan {
        first: if is_pending { Status::Pending } else { Status::InProgress },
        duration: pace.duration,
        looks: core.options.profile.looks,
        identifier_at: pace.duration.mul_f64(0.3),
        interval: pace.interval,
        outcome,
        stuck: false,
        hooks: Vec::new(),
        haunt: None,
        is_sparse: false,
        rules: Vec::new(),
    }
}

/// Ends work that takes longer than its handler may: a create did not stabilize, anything else timed out.
pub(crate) fn bound(plan: &mut Plan, operation: Kind, limit: Duration) {
    let share = match &plan.outcome {
        Outcome::Failed { at, .. } => at.clamp(0.0, 1.0),
        Outcome::Success | Outcome::Dropped { .. } => 1.0,
    };
    if plan.duration.mul_f64(share) <= limit {
        return;
    }
    let code = match operation {
        Kind::Create => HandlerErrorCode::NotStabilized,
        Kind::Update | Kind::Delete => HandlerErrorCode::ServiceTimeout,
    };
    plan.outcome = Outcome::Failed { code, message: None, at: 1.0, left: Left::Nothing, identifier: Shown::AsReal };
    plan.duration = limit;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_takes_too_long_ends_at_the_limit() {
        let failed = |at| Outcome::Failed {
            code: HandlerErrorCode::InvalidRequest,
            message: None,
            at,
            left: Left::Nothing,
            identifier: Shown::AsReal,
        };
        let limit = Duration::from_secs(120);
        for (seconds, operation, outcome, expected) in [
            (120, Kind::Create, Outcome::Success, None),
            (121, Kind::Create, Outcome::Success, Some(HandlerErrorCode::NotStabilized)),
            (121, Kind::Update, Outcome::Success, Some(HandlerErrorCode::ServiceTimeout)),
            (121, Kind::Delete, Outcome::Success, Some(HandlerErrorCode::ServiceTimeout)),
            (200, Kind::Create, failed(0.5), Some(HandlerErrorCode::InvalidRequest)),
            (200, Kind::Delete, failed(1.0), Some(HandlerErrorCode::ServiceTimeout)),
        ] {
            let mut plan = Plan {
                first: Status::InProgress,
                duration: Duration::from_secs(seconds),
                looks: 0,
                identifier_at: Duration::ZERO,
                interval: Duration::ZERO,
                outcome,
                stuck: false,
                hooks: Vec::new(),
                haunt: None,
                is_sparse: false,
                rules: Vec::new(),
            };
            bound(&mut plan, operation, limit);
            let code = match plan.outcome {
                Outcome::Failed { code, .. } => Some(code),
                Outcome::Success | Outcome::Dropped { .. } => None,
            };
            assert_eq!(code, expected, "{seconds} {operation:?}");
        }
    }
}
