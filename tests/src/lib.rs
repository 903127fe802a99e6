//! The demo's story and the pieces that end-to-end tests are made of: real processes, the real Pulumi engine on a file
//! backend in a temporary folder, and the local Cloud Control.
//!
//! What the binaries of this workspace do is tested in their own crates; here they only meet.

pub mod architecture;
pub mod bench;
pub mod binaries;
pub mod cloud;
pub mod endpoint;
pub mod engine_child;
pub mod fuzz;
pub mod interop;
pub mod kills;
pub mod literals;
pub mod load;
pub mod ministack;
pub mod plan;
pub mod provider;
pub mod proxy;
pub mod random;
pub mod sandbox;
pub mod scale;
pub mod soak;
pub mod story;
pub mod table;
