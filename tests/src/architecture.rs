//! Which crate of this workspace may depend on which, and which crates must stay free of I/O and protobuf.
//!
//! The table is the one in ARCHITECTURE.md; `tests/architecture.rs` holds `cargo metadata` against it.

/// Crate and the workspace crates that its ordinary dependencies may name.
pub const ALLOWED: &[(&str, &[&str])] = &[
    ("cfn", &[]),
    ("codegen", &["cfn", "metadata"]),
    ("emulator", &["cfn"]),
    ("generated", &["metadata"]),
    ("metadata", &[]),
    ("protocol", &["value"]),
    ("provider", &["cfn", "generated", "metadata", "protocol", "value"]),
    ("tests", &["cfn", "codegen", "emulator", "generated", "metadata", "protocol", "provider", "value"]),
    ("value", &[]),
];

/// Crates that take values and give values: no runtime, no sockets, no protobuf.
pub const PURE: &[&str] = &["cfn", "metadata", "value"];

/// Third-party crates that do I/O or carry wire types, so no pure crate may name them.
pub const IMPURE_DEPENDENCIES: &[&str] =
    &["axum", "prost", "prost-types", "reqwest", "tokio", "tonic", "tonic-prost", "ureq"];

/// The only folders whose sources may name protobuf types.
pub const WIRE_FOLDERS: &[&str] = &["protocol/", "provider/src/rpc/", "tests/"];
