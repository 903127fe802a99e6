//! The life cycle of a resource as functions over values; `rpc` converts wire messages to these requests and back.
//!
//! Requests and answers are in [`crate::requests`]; each function is in the module of its name. What the functions decide
//! by is in the modules beside this one, as pure rules.

mod call;
mod check;
mod converge;
mod create;
mod delete;
mod diff;
mod read;
mod update;

pub use crate::requests::{
    AutoNamingSettings, ChangeKind, CheckAnswer, CheckFailure, CheckRequest, Code, CreateAnswer, CreateRequest,
    DeleteRequest, DiffAnswer, DiffRequest, EngineNaming, EngineNamingMode, Failure, ReadAnswer, ReadFound,
    ReadRequest, Settings, UpdateAnswer, UpdateRequest,
};
pub use call::DEFAULT_DEADLINE;
use call::{operation, unconvertible};
pub use check::{Absence, Facts, check, check_with};
pub use create::create;
pub use delete::delete;
pub use diff::diff;
pub use read::read;
pub use update::update;
