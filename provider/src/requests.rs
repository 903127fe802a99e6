//! What the life cycle is asked and what it answers, as values: the vocabulary of `rpc`, of [`crate::lifecycle`], and of the
//! rules that decide parts of an answer.

use std::time::Duration;

use value::{Map, Urn};

/// Answers that are no plain success.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Failure {
    /// The request is refused or failed; state stays as it is.
    #[error("{message}")]
    Refused {
        /// The gRPC code that fits what the caller should do next.
        code: Code,
        /// The text for people.
        message: String,
    },
    /// The resource exists but is not complete: the engine must record `id` and `properties`.
    #[error("{message}")]
    InitFailed {
        /// The identifier, never empty.
        id: String,
        /// Outputs to persist, `__inputs` included.
        properties: Map,
        /// Inputs to record: the ones that a Create was given, the old ones when an Update failed.
        inputs: Map,
        /// The text for people; also the only reason.
        message: String,
    },
}

/// The gRPC codes that this provider answers with, by what the caller should do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Something failed and the outcome is not known to be "nothing happened".
    Unknown,
    /// The request itself is wrong.
    InvalidArgument,
    /// The type, the function or the resource does not exist here.
    NotFound,
    /// Somebody has it already: import it, or choose another name.
    AlreadyExists,
    /// Get the permission first.
    PermissionDenied,
    /// Too much at once, or a quota is used up: later, or with a higher quota.
    ResourceExhausted,
    /// Another operation is in the way: wait for it, then try again.
    Aborted,
    /// Configure first.
    FailedPrecondition,
    /// Not there (yet).
    Unimplemented,
    /// Canceled by the caller or a signal.
    Canceled,
    /// The deadline passed.
    DeadlineExceeded,
    /// Credentials are missing or refused.
    Unauthenticated,
    /// The endpoint does not answer.
    Unavailable,
}

/// Settings of a configured provider that rules read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// `autoNaming.autoTrim` and `autoNaming.randomSuffixMinLength`; `None` when the provider has no such setting.
    pub auto_naming: Option<AutoNamingSettings>,
    /// `defaultTags`: what every resource gets that can be tagged and has no tag with the same key.
    pub default_tags: crate::tags::DefaultTags,
    /// `ignoreTags`, which tags are left to others.
    pub ignore_tags: crate::tags::TagRules,
    /// `strictValidation`: what the schema forbids fails in Check instead of being warned about.
    pub strict: bool,
    /// `verifyDeletes`: a deletion that succeeded is looked after once.
    pub verify_deletes: bool,
}

/// The provider's own naming options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AutoNamingSettings {
    /// Shorten the logical name when the generated name would be too long.
    pub auto_trim: bool,
    /// Fewest random characters; 0 counts as 1.
    pub random_suffix_min_length: usize,
}

/// The engine's naming options for one resource (`CheckRequest.autonaming`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineNaming {
    /// The proposed name; empty when disabled.
    pub proposed: String,
    /// What to do with it.
    pub mode: EngineNamingMode,
}

/// Modes of [`EngineNaming`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineNamingMode {
    /// A proposal: a suffix may be added, lengths are checked.
    Propose,
    /// The name as it is.
    Enforce,
    /// No generated name.
    Disable,
}

/// Check: validates and completes inputs.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// The resource.
    pub urn: Urn,
    /// Previous checked inputs; empty on creation and replacement.
    pub olds: Map,
    /// Proposed inputs; secrets and unknowns kept.
    pub news: Map,
    /// 32 bytes from the engine that determine a generated name; empty = [`crate::lifecycle::check`] draws them from the system.
    pub random_seed: Vec<u8>,
    /// The engine's naming options.
    pub naming: Option<EngineNaming>,
}

/// Answer to [`CheckRequest`]: inputs, or at least one failure.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckAnswer {
    /// Checked inputs (present also beside failures; `rpc` leaves them out then).
    pub inputs: Map,
    /// What is wrong, sorted by property.
    pub failures: Vec<CheckFailure>,
    /// Things worth a warning in the engine's display.
    pub warnings: Vec<String>,
}

/// One thing that is wrong with the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFailure {
    /// Property path.
    pub property: String,
    /// Reason, with the path in it.
    pub reason: String,
}

/// Diff: what would change.
#[derive(Debug, Clone)]
pub struct DiffRequest {
    /// The Cloud Control identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Recorded outputs.
    pub olds: Map,
    /// New checked inputs.
    pub news: Map,
    /// Recorded inputs, when the engine sends them.
    pub old_inputs: Option<Map>,
    /// Property paths that the user excluded.
    pub ignore_changes: Vec<String>,
}

/// Answer to [`DiffRequest`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DiffAnswer {
    /// Changed property paths in Pulumi's syntax, with their kinds; empty = nothing changed.
    pub detailed: std::collections::BTreeMap<String, ChangeKind>,
    /// Something is to be recorded although no path above shows it (a secret mark, a value that cannot be read).
    pub record_only: bool,
    /// Top-level names of changed create-only properties.
    pub replaces: Vec<String>,
    /// If the resource is replaced, because of `replaces` or because the user asks for it, the old one must go before the
    /// new one comes.
    pub delete_before_replace: bool,
    /// Top-level names of recorded outputs that the change leaves as they are; none when the resource is replaced.
    pub stables: Vec<String>,
    /// Things worth a warning in the engine's display.
    pub warnings: Vec<String>,
    /// Things worth a warning once in the life of a process, since they are about the type.
    pub warnings_once: Vec<String>,
}

/// Kind of one change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Comes in.
    Add,
    /// Comes in and forces a replacement.
    AddReplace,
    /// Goes.
    Delete,
    /// Goes and forces a replacement.
    DeleteReplace,
    /// Changes.
    Update,
    /// Changes and forces a replacement.
    UpdateReplace,
}

/// Create, in preview or for real.
#[derive(Debug, Clone)]
pub struct CreateRequest {
    /// The resource.
    pub urn: Urn,
    /// Checked inputs.
    pub properties: Map,
    /// `customTimeouts.create`.
    pub timeout: Option<Duration>,
    /// The engine reads a resource before it compares anything, if it is told to.
    pub reads_first: bool,
    /// Without side effects.
    pub preview: bool,
}

/// Answer to [`CreateRequest`].
#[derive(Debug, Clone, PartialEq)]
pub struct CreateAnswer {
    /// The Cloud Control identifier; empty in preview.
    pub id: String,
    /// Outputs; `__inputs` included unless in preview.
    pub properties: Map,
}

/// Read: refresh, import or get.
#[derive(Debug, Clone)]
pub struct ReadRequest {
    /// The Cloud Control identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Recorded outputs; absent on import.
    pub properties: Option<Map>,
    /// Recorded inputs; absent on import.
    pub inputs: Option<Map>,
    /// `customTimeouts.read`.
    pub timeout: Option<Duration>,
}

/// Answer to [`ReadRequest`]; `None` = the resource is gone.
pub type ReadAnswer = Option<ReadFound>;

/// A resource that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadFound {
    /// The identifier, unchanged.
    pub id: String,
    /// Outputs with `__inputs`.
    pub properties: Map,
    /// Inputs to record.
    pub inputs: Map,
}

/// Update, in preview or for real.
#[derive(Debug, Clone)]
pub struct UpdateRequest {
    /// The Cloud Control identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// Recorded outputs.
    pub olds: Map,
    /// New checked inputs.
    pub news: Map,
    /// Recorded inputs, when the engine sends them.
    pub old_inputs: Option<Map>,
    /// Property paths that the user excluded.
    pub ignore_changes: Vec<String>,
    /// `customTimeouts.update`.
    pub timeout: Option<Duration>,
    /// The engine reads a resource before it compares anything, if it is told to.
    pub reads_first: bool,
    /// Without side effects.
    pub preview: bool,
}

/// Answer to [`UpdateRequest`]: the new outputs.
pub type UpdateAnswer = Map;

/// Delete.
#[derive(Debug, Clone)]
pub struct DeleteRequest {
    /// The Cloud Control identifier.
    pub id: String,
    /// The resource.
    pub urn: Urn,
    /// `customTimeouts.delete`.
    pub timeout: Option<Duration>,
    /// What is secret in the state; `None` when the state cannot be read, so that the service is not quoted.
    pub secrets: Option<crate::redact::Secrets>,
}
