//! A local AWS Cloud Control, driven by the resource schemas.
//!
//! ```no_run
//! # async fn example() -> Result<(), emulator::EmulatorError> {
//! let emulator = emulator::Emulator::builder().seed(7).start().await?;
//! // AWS_ENDPOINT_URL, any credentials:
//! let endpoint = emulator.url();
//! # Ok(())
//! # }
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | `server` | how an emulator is built, started and stopped |
//! | `http` | the wire: AWS JSON 1.0, STS, the pages for tests under `/_emu` |
//! | `operations` | the operations of Cloud Control |
//! | `store` | what exists: resources, requests, client tokens |
//! | `model` | identifiers, reads, patches, property classes |
//! | `synthesize` | the values that the service makes |
//! | `validate` | instances against schemas, with the service's texts |
//! | `schema` | resource types, read on first use |
//!
//! Everything that is known about single types is data, in `data/*.json` with the reason beside it; no code asks for a
//! type by name. State is in memory; other services than STS GetCallerIdentity answer with an error that says so.

#![allow(dead_code, reason = "the seams of persistence, faults and companion services stand before what uses them")]

mod api_error;
mod clock;
mod core;
mod entropy;
mod error;
mod handler_error;
mod http;
mod journal;
mod json;
mod model;
mod name;
mod operations;
mod options;
mod schema;
mod scope;
mod server;
mod store;
mod synthesize;
mod validate;

pub use api_error::{ApiError, Code};
pub use clock::Clock;
pub use error::EmulatorError;
pub use handler_error::HandlerErrorCode;
pub use options::{Detail, Options, Profile};
pub use schema::library::SchemaSource;
pub use schema::report::{SchemaReport, check_schemas};
pub use server::{Emulator, EmulatorBuilder};
