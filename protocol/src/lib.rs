//! The Pulumi wire protocol.
//!
//! | module | what is in it |
//! |---|---|
//! | [`pulumirpc`] | the messages and services of a resource provider, generated from `proto/` |
//! | [`codec`] | property values to and from their wire form |
//! | [`plugin`] | what every plugin process does: arguments, listening, signals, the end |
//! | [`engine`] | messages to the user by way of the engine |
//! | [`schema`] | serving a package schema of many megabytes |
//! | [`status`] | gRPC statuses with details that the engine understands |
//!
//! What a provider answers is not decided here.

pub mod codec;
pub mod engine;
pub mod plugin;
pub mod schema;
pub mod status;

/// The largest message that a plugin and the engine accept from each other, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 400 * 1024 * 1024;

/// The messages and services of Pulumi plugins.
///
/// Fields that the protocol defines as `google.protobuf.Struct` or `Value` are bytes, to be read and written with
/// [`codec`]. `None` is an absent struct, `Some` of no bytes an empty one.
#[allow(missing_docs, clippy::all, reason = "generated code; the comments are in the proto files")]
pub mod pulumirpc {
    tonic::include_proto!("pulumirpc");
}

#[allow(missing_docs, clippy::all, reason = "generated code; the comments are in the proto files")]
pub(crate) mod google_rpc {
    tonic::include_proto!("google.rpc");
}

#[allow(missing_docs, clippy::all, reason = "generated code; the comments are in the proto files")]
pub(crate) mod health {
    tonic::include_proto!("grpc.health.v1");
}
