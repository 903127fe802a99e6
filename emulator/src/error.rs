//! Why an emulator could not be started. What a running one answers to a bad call is in `api_error`.

use std::path::PathBuf;

/// Why an emulator could not be started.
#[derive(Debug, thiserror::Error)]
pub enum EmulatorError {
    /// This build carries no schemas and none were named.
    #[error("this build carries no resource schemas: run `make generate` and build again, or give --schemas DIR|ZIP")]
    NoSchemas,
    /// A schema folder, archive or bundle could not be read.
    #[error("--schemas {path}: {reason}", path = path.display())]
    SchemaSource {
        /// The folder, archive or file.
        path: PathBuf,
        /// What went wrong with it.
        reason: String,
    },
    /// Two files of one root describe the same type.
    #[error("{type_name} is described twice in {path}: {} and {}", files[0], files[1], path = path.display())]
    DuplicateType {
        /// The CloudFormation type.
        type_name: String,
        /// The root that holds both.
        path: PathBuf,
        /// The two files.
        files: [String; 2],
    },
    /// Schemas give warnings, and none are to be let pass.
    #[error("the schemas are not as they should be, and --strict-schemas is on: {report}")]
    Strict {
        /// What was found.
        report: crate::SchemaReport,
    },
    /// A data file of the emulator itself is wrong. This is a defect of the emulator.
    #[error("emulator data file {file}: {reason}; please report this")]
    Data {
        /// The name of the file under `data/`.
        file: &'static str,
        /// What the reader found.
        reason: String,
    },
    /// Something that was chosen does not exist or does not go together.
    #[error("{reason}")]
    Options {
        /// What, and what would be right.
        reason: String,
    },
    /// The state that was kept could not be read.
    #[error("the state cannot be read: {reason}")]
    State {
        /// What the reader found.
        reason: String,
    },
    /// The state folder could not be written while the emulator served; what could not be kept was answered with an error.
    #[error("the state could not be kept: {reason}")]
    Unkept {
        /// What the storage said.
        reason: String,
    },
    /// The port could not be taken.
    #[error("cannot listen on {address}: {source}; give another --port, or 0 for a free one")]
    Bind {
        /// The address asked for.
        address: std::net::SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The server threads could not be started.
    #[error("cannot start the server: {source}")]
    Runtime {
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

impl EmulatorError {
    /// The exit code of the command: 2 for options, 3 for the state, 4 for the port, 5 for schemas and data, 1 for anything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            EmulatorError::Options { .. } => 2,
            EmulatorError::State { .. } | EmulatorError::Unkept { .. } => 3,
            EmulatorError::Bind { .. } => 4,
            EmulatorError::NoSchemas
            | EmulatorError::SchemaSource { .. }
            | EmulatorError::DuplicateType { .. }
            | EmulatorError::Strict { .. }
            | EmulatorError::Data { .. } => 5,
            EmulatorError::Runtime { .. } => 1,
        }
    }
}
