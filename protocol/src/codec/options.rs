//! What a field may hold and what becomes of the rest.

/// What becomes of unknowns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknowns {
    /// They stay.
    #[default]
    Keep,
    /// Members are left out; items of arrays become null, so that later items keep their places. A secret of an unknown
    /// is dropped with it.
    Drop,
}

/// What becomes of marks of secrecy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They stay.
    #[default]
    Keep,
    /// The contents take their place.
    Unwrap,
}

/// What becomes of nulls in objects. Nulls in arrays always stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nulls {
    /// They stay.
    #[default]
    Keep,
    /// The members are left out.
    Skip,
}

/// Whether assets and archives may occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Assets {
    /// They are read like any other value.
    #[default]
    Allow,
    /// They are errors.
    Reject,
}

/// How to read a field; by default everything is kept and allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecodeOptions {
    /// What becomes of unknowns.
    pub unknowns: Unknowns,
    /// What becomes of marks of secrecy.
    pub secrets: Secrets,
    /// What becomes of nulls.
    pub nulls: Nulls,
    /// Whether assets and archives may occur.
    pub assets: Assets,
}

impl DecodeOptions {
    /// Keeps and allows everything.
    pub const KEEP: Self =
        Self { unknowns: Unknowns::Keep, secrets: Secrets::Keep, nulls: Nulls::Keep, assets: Assets::Allow };

    /// Keeps everything and rejects assets: new inputs, and what is compared with them.
    pub const KEEP_REJECT_ASSETS: Self = Self { assets: Assets::Reject, ..Self::KEEP };

    /// Keeps everything but nulls: recorded outputs that are read back.
    pub const SKIP_NULLS: Self = Self { nulls: Nulls::Skip, ..Self::KEEP };

    /// Keeps what is plainly known: the old inputs of a check.
    pub const PLAIN: Self =
        Self { unknowns: Unknowns::Drop, secrets: Secrets::Unwrap, nulls: Nulls::Skip, assets: Assets::Allow };

    /// Takes marks of secrecy off and keeps the rest: provider configuration.
    pub const UNWRAP_SECRETS: Self = Self { secrets: Secrets::Unwrap, ..Self::KEEP };
}

/// How to write a field; by default everything is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncodeOptions {
    /// What becomes of unknowns.
    pub unknowns: Unknowns,
    /// What becomes of marks of secrecy.
    pub secrets: Secrets,
    /// What becomes of nulls.
    pub nulls: Nulls,
}

impl EncodeOptions {
    /// Keeps everything: checked inputs and the results of functions.
    pub const KEEP: Self = Self { unknowns: Unknowns::Keep, secrets: Secrets::Keep, nulls: Nulls::Keep };

    /// Keeps everything but nulls: what create, read and update answer.
    pub const SKIP_NULLS: Self = Self { nulls: Nulls::Skip, ..Self::KEEP };
}
