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
//! | `http` | the wire: connections, signatures, AWS JSON 1.0, the pages for tests under `/_emu` |
//! | `services` | companion services: STS, SSM, EC2, S3, Lambda, as far as providers call them |
//! | `operations` | the operations of Cloud Control |
//! | `life` | what requests do over time |
//! | `store` | what exists: resources, requests, client tokens, behind transactions |
//! | `persist` | where state goes so that it outlives the process |
//! | [`faults`] | rules of misbehavior |
//! | `admin` | what tests ask and do, without HTTP |
//! | `log`, `metrics` | every call in order; counters |
//! | `bus` | subscriptions to every change |
//! | `options` | switches and profiles |
//! | [`fuzz`] | what fuzzing runs |
//! | `model` | identifiers, reads, patches, property classes |
//! | `overrides` | what is known about single services and types |
//! | `synthesize` | the values that the service makes |
//! | `transform` | how services keep values in another form |
//! | `validate` | instances against schemas, with the service's texts |
//! | `schema` | resource types, read on first use |
//!
//! Everything that is known about single types is data, in `data/` with the reason beside it; no code asks for a
//! type by name. State is in memory, and in a folder when one is named. What a companion service does not serve it
//! answers with an error that says so.

mod admin;
mod api_error;
mod bus;
mod clock;
mod core;
mod date;
mod entropy;
mod error;
pub mod faults;
pub mod fuzz;
mod handler_error;
mod hex;
mod http;
mod json;
mod json_schemas;
mod life;
mod log;
mod mask;
mod metrics;
mod model;
mod name;
mod operations;
mod options;
mod overrides;
mod persist;
mod schema;
mod scope;
mod server;
mod services;
mod store;
mod synthesize;
mod transform;
mod validate;
mod yaml;

pub use admin::{
    Admin, AdminError, CallView, Check, Drifted, Drive, Imported, Place, RequestView, ResourceView, RuleView, Size,
    Which, WhichCalls, WhichRequests,
};
pub use api_error::{ApiError, Code};
pub use bus::{Change, Subscription, What};
pub use clock::Clock;
pub use error::EmulatorError;
pub use faults::{Action, Glob, Operations, Per, Rule, RuleId, Selector, Span};
pub use handler_error::HandlerErrorCode;
pub use json_schemas::json_schemas;
pub use options::{
    AdminAccess, Auth, Coerce, Conditional, Credential, Credentials, Defaults, Denial, Detail, Durability, FirstStatus,
    LogLimit, Nulls, OnReadOnly, Options, Profile, ProfileError, References, RetryAfter, SWITCHES, Switch, Switches,
    Throttle, TlsFiles, Told, Unprovisionable,
};
pub use overrides::file::{Class, Latencies};
pub use schema::library::SchemaSource;
pub use schema::report::{SchemaReport, TypeReport, check_schemas};
pub use server::{Emulator, EmulatorBuilder};
pub use services::lambda::rule::{CfnResponse, CfnStatus, FunctionAction, FunctionError, FunctionRule};
pub use store::Cause;
pub use store::token::Token;
