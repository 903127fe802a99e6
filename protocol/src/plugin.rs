//! What every plugin process does.
//!
//! A plugin is started with the address of its engine, binds a port, prints it on stdout as the first thing, serves, and
//! ends when it is asked to. [`main`] is all of that; the parts are here for plugins and tests that need less:
//!
//! | module | what is in it |
//! |---|---|
//! | [`arguments`] | the command line |
//! | [`listen`] | the port and the line that announces it |
//! | [`serve()`] | serving until shutdown |
//! | [`shutdown`] | signals, and an engine that is gone |
//!
//! Answering `Cancel` does not end the process: the engine waits for the answer and then interrupts.

pub mod arguments;
mod error;
pub mod listen;
mod process;
mod serve;
pub mod shutdown;

pub use arguments::Arguments;
pub use error::PluginError;
pub use process::{Plugin, main};
pub use serve::{Drained, GRACE, GrpcService, resource_provider, serve};
