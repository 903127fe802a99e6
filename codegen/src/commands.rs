//! The commands of `pulumi-gen-aws-native`, and the options they share.
//!
//! | module | what is in it |
//! |---|---|
//! | [`workspace`] | where the inputs and outputs of a checkout lie |
//! | [`choice`] | which schemas a command works on |
//! | [`schemas`] | reading, correcting and parsing all schemas |
//! | [`documentation`] | the documentation source, when it can be had |
//! | [`pipeline`] | from those to everything that can be written or shown |
//! | [`generate`], [`check`], [`export`], [`show`] | the commands |
//! | [`describe`] | what `show` prints |
//! | [`changes`] | the command `report`, and the change report that `generate` leaves |
//! | [`explain`] | the command `explain` |
//! | [`json_schemas`] | `docs/schemas/` |
//! | [`manifest`] | the list of features in the `generated` crate's `Cargo.toml` |
//! | [`inventory`] | `cf-schemas/inventory/` |
//! | [`names`] | `cf-schemas/names.lock` |
//! | [`published`] | whether those two are whole |
//! | [`output`] | comparing outputs with files |
//! | [`swap`] | replacing files so that an interruption leaves the old set or the new one |
//! | [`stamp`], [`inputs`] | what a run read and wrote, so that the next one can tell that nothing has changed |
//! | [`timing`] | how long the stages of a run take |
//! | [`ownership`] | which files in an output folder may be replaced and removed; one run at a time |
//! | [`suggest`] | what somebody may have meant by a name that does not exist |
//! | [`console`] | progress and summaries |

mod changes;
mod check;
mod choice;
mod console;
mod describe;
mod documentation;
mod explain;
mod export;
mod generate;
mod inputs;
mod inventory;
mod json_schemas;
mod manifest;
mod names;
mod output;
mod ownership;
mod pipeline;
mod published;
mod schemas;
mod show;
mod stamp;
mod suggest;
mod swap;
mod timing;
mod workspace;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Parser, Subcommand, ValueEnum};

use console::Console;
pub use console::report_error;
use workspace::Workspace;

/// What a script may rely on.
const EXIT_CODES: &str = "Exit codes: 0 when done; 1 when something went wrong, or when `check` finds files out of date; \
                          2 when the arguments are wrong, or when an option such as --fail-on forbids what was found.";

/// From CloudFormation resource type schemas to the Pulumi package schema and the provider's runtime metadata.
#[derive(Debug, Parser)]
#[command(name = "pulumi-gen-aws-native", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// The checkout to work in [default: the nearest folder upwards that has cf-schemas/lock.json]
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Download the pinned schemas and documentation, or AWS's archives, unless they are there
    Fetch {
        #[command(flatten)]
        input: InputArgs,
    },
    /// Write the `generated` crate, cf-schemas/inventory and cf-schemas/names.lock
    Generate {
        #[command(flatten)]
        input: InputArgs,
        /// Fail when a type is left out or, with the pinned schemas, when something published changes in a breaking way
        #[arg(long)]
        strict: bool,
        /// Name every schema that is left out, also of types that Cloud Control does not manage, and every warning
        #[arg(long, short)]
        verbose: bool,
        /// Generate even when nothing has changed since the last run
        #[arg(long)]
        force: bool,
        /// Print how long each stage takes, what it makes, and the memory used by then; implies --force
        #[arg(long)]
        timings: bool,
        /// Take names out of cf-schemas/names.lock, so that they may come to mean something else: a token or TOKEN.NAME, *
        /// for any text; repeated. With the pinned schemas only; implies --force
        #[arg(long, value_name = "PATTERN")]
        forget_names: Vec<String>,
        /// Leave out the typed modules, which nothing but Rust programs needs; only into a folder of its own
        #[arg(long, requires = "out")]
        without_types: bool,
        /// Folder of the `generated` crate [default: generated]; what others wrote there stays
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Fail when what `generate` would write differs from what is there
    Check {
        #[command(flatten)]
        input: InputArgs,
        /// Folder of the `generated` crate [default: generated]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Print plain JSON for other tools, or digests of it
    Export {
        /// What to print
        what: Export,
        #[command(flatten)]
        input: InputArgs,
        /// Write to this file instead
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Print what changes for users between a base and what would be generated; exit code 2 when --fail-on forbids it
    Report {
        /// Folder with an inventory, a package schema (.json or .zst), or a names.lock [default: cf-schemas/inventory]
        #[arg(long, value_name = "PATH")]
        against: Option<PathBuf>,
        #[command(flatten)]
        input: InputArgs,
        /// Print JSON instead of Markdown
        #[arg(long)]
        json: bool,
        /// Write to this file instead
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Fail with exit code 2 on such a change, after the report
        #[arg(long, value_name = "IMPACT")]
        fail_on: Option<changes::FailOn>,
    },
    /// Write docs/schemas: what editors check the files under cf-schemas with
    JsonSchemas,
    /// Print one resource type: its properties, names, paths and handlers
    Show {
        /// CloudFormation type or Pulumi token, for example AWS::S3::Bucket or aws-native:s3:Bucket
        name: String,
        #[command(flatten)]
        input: InputArgs,
        /// Print the metadata as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print why a resource, getter, property, nested type or enum member has its name and its type
    Explain {
        /// Token or CloudFormation type, with a property behind a dot or a JSON pointer: aws-native:s3:Bucket.bucketName,
        /// aws-native:s3:BucketRule, AWS::S3::Bucket/properties/BucketName
        #[arg(value_name = "TOKEN|PROPERTY")]
        name: String,
        #[command(flatten)]
        input: InputArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Which schemas to read.
#[derive(Debug, Default, Args)]
struct InputArgs {
    /// Schemas to use [default: the pinned ones, downloaded when needed]: `aws` for AWS's own archives of today, or a
    /// folder or a zip archive, also as REGION=PATH; repeated, their types are united and the first one wins
    #[arg(long, value_name = "aws|PATH")]
    source: Vec<PathBuf>,
    /// Regions whose archives `--source aws` takes, the winning one first [default: us-east-1]
    #[arg(long, value_name = "REGION", value_delimiter = ',')]
    region: Vec<String>,
    /// Generate exactly the types that this file names, one a line [default: those with create, read and delete handlers]
    #[arg(long, value_name = "FILE")]
    supported: Option<PathBuf>,
    /// Take descriptions from the schemas alone, without the pinned documentation
    #[arg(long)]
    without_docs: bool,
    /// Name everything by the published rule alone, without cf-schemas/names.lock: for comparing with what another
    /// generator makes of the same schemas. Names may then move when a type joins a module
    #[arg(long)]
    without_lock: bool,
}

impl InputArgs {
    /// Whether the user left the choice to us.
    fn is_default(&self) -> bool {
        let has_flag = self.without_docs || self.without_lock;
        self.source.is_empty() && self.region.is_empty() && self.supported.is_none() && !has_flag
    }

    /// The same choice for another command line.
    fn as_arguments(&self) -> String {
        let sources = self.source.iter().map(|source| format!(" --source {}", source.display()));
        let regions = self.region.iter().map(|region| format!(" --region {region}"));
        let supported = self.supported.iter().map(|list| format!(" --supported {}", list.display()));
        let without_docs = self.without_docs.then(|| " --without-docs".to_owned());
        let without_lock = self.without_lock.then(|| " --without-lock".to_owned());
        sources.chain(regions).chain(supported).chain(without_docs).chain(without_lock).collect()
    }
}

/// What `export` prints.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Export {
    /// The Pulumi package schema
    Schema,
    /// The runtime metadata in the JSON layout of the Go provider
    Metadata,
    /// Digests of both, by kind of fact and by module, to compare two runs
    Digests,
    /// A digest per token of the package schema, as codegen/compat/digests.tsv has them
    TokenDigests,
}

/// How a command ended that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Well.
    Done,
    /// With a finding that it was asked to fail on.
    Refused,
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// Whatever went wrong, with what to do about it; nothing is half written then.
    pub fn run(self) -> Result<Outcome> {
        let workspace = Workspace::find(self.root)?;
        let console = Console::new();
        let done = match self.command {
            Command::Fetch { input } => generate::fetch(&workspace, &console, &input),
            Command::Generate { input, strict, verbose, force, timings, forget_names, without_types, out } => {
                let (forget, out) = (forget_names.as_slice(), out.as_deref());
                let options = generate::Options { strict, verbose, force, timings, forget, types: !without_types, out };
                generate::generate(&workspace, &console, &input, options)
            }
            Command::Check { input, out } => check::check(&workspace, &console, &input, out.as_deref()),
            Command::Export { what, input, output } => {
                export::export(&workspace, &console, &input, what, output.as_deref())
            }
            Command::Report { against, input, json, output, fail_on } => {
                let (against, output) = (against.as_deref(), output.as_deref());
                let options = changes::Options { against, json, output, fail_on };
                return changes::report(&workspace, &console, &input, &options);
            }
            Command::JsonSchemas => json_schemas::write(&workspace, &console),
            Command::Explain { name, input, json } => explain::explain(&workspace, &console, &input, &name, json),
            Command::Show { name, input, json } => show::show(&workspace, &console, &input, &name, json),
        };
        done.map(|()| Outcome::Done)
    }
}
