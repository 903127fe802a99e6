//! The command line of a plugin: `NAME [flags] [engine-address]`.
//!
//! The flags are those of Go plugins, because that is what the engine passes on when logging is turned up. They are
//! written with one dash or two, and a value follows after `=` or as the next argument.

use std::fmt::Write as _;

/// What a plugin was started with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arguments {
    /// `host:port` of the engine; without one, an engine will attach later.
    pub engine: Option<String>,
    /// Whether logs go to stderr (`-logtostderr` or `-alsologtostderr`).
    pub log_to_stderr: bool,
    /// How much is logged (`-v`), from 0; the engine passes on what the user asked for.
    pub verbosity: u8,
    /// Where traces go (`-tracing`).
    pub tracing: Option<String>,
}

/// Why a plugin does not start with the arguments that it was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// The usage was asked for.
    #[error("usage requested")]
    Help,
    /// The flag does not exist.
    #[error("flag provided but not defined: -{0}")]
    UnknownFlag(String),
    /// The flag needs a value.
    #[error("flag needs an argument: -{0}")]
    MissingValue(String),
    /// The flag cannot have this value.
    #[error("invalid value {value:?} for flag -{flag}: expected {expected}")]
    InvalidValue {
        /// The flag.
        flag: String,
        /// What was given.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// More than one address.
    #[error("expected at most one argument, the address of the engine; found {0}")]
    TooManyArguments(usize),
}

impl ArgumentError {
    /// The exit status of the process: 2 for a wrong flag, as with Go's `flag` package.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Help => 0,
            Self::UnknownFlag(_) | Self::MissingValue(_) | Self::InvalidValue { .. } => 2,
            Self::TooManyArguments(_) => 1,
        }
    }

    /// Whether the usage explains what is wrong.
    pub fn shows_usage(&self) -> bool {
        !matches!(self, Self::TooManyArguments(_))
    }
}

/// What a flag takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `true` or `false`, only after `=`; nothing means true.
    Switch,
    /// A whole number.
    Number,
    /// Text.
    Text,
}

/// Name, value and meaning of every flag.
const FLAGS: [(&str, Takes, &str); 10] = [
    ("alsologtostderr", Takes::Switch, "log to standard error as well as files"),
    ("log_backtrace_at", Takes::Text, "accepted and ignored"),
    ("log_dir", Takes::Text, "accepted and ignored"),
    ("log_link", Takes::Text, "accepted and ignored"),
    ("logbuflevel", Takes::Number, "accepted and ignored"),
    ("logtostderr", Takes::Switch, "log to standard error instead of files"),
    ("stderrthreshold", Takes::Text, "accepted and ignored"),
    ("tracing", Takes::Text, "emit tracing to a Zipkin-compatible endpoint"),
    ("v", Takes::Number, "log level"),
    ("vmodule", Takes::Text, "accepted and ignored"),
];

impl Arguments {
    /// Reads the arguments after the name of the program.
    ///
    /// # Errors
    ///
    /// Any [`ArgumentError`].
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, ArgumentError> {
        let mut parsed = Self::default();
        let mut addresses = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let flag = argument.strip_prefix("--").or_else(|| argument.strip_prefix('-'));
            match flag {
                // A dash alone is an address, though hardly a good one.
                None => addresses.push(argument),
                Some("") if argument == "-" => addresses.push(argument),
                Some("") => addresses.extend(arguments.by_ref()),
                Some(flag) => parsed.read_flag(flag, &mut arguments)?,
            }
        }
        match addresses.len() {
            0 | 1 => parsed.engine = addresses.pop(),
            count => return Err(ArgumentError::TooManyArguments(count)),
        }
        Ok(parsed)
    }

    fn read_flag(&mut self, text: &str, rest: &mut impl Iterator<Item = String>) -> Result<(), ArgumentError> {
        let (name, value) = match text.split_once('=') {
            None => (text, None),
            Some((name, value)) => (name, Some(value.to_owned())),
        };
        if matches!(name, "h" | "help") {
            return Err(ArgumentError::Help);
        }
        let takes = FLAGS.iter().find(|(flag, ..)| *flag == name).map(|(_, takes, _)| *takes);
        let value = match takes.ok_or_else(|| ArgumentError::UnknownFlag(name.to_owned()))? {
            Takes::Switch => value.unwrap_or_else(|| "true".to_owned()),
            Takes::Number | Takes::Text => {
                value.or_else(|| rest.next()).ok_or_else(|| ArgumentError::MissingValue(name.to_owned()))?
            }
        };
        match name {
            "logtostderr" | "alsologtostderr" => self.log_to_stderr = parse_switch(name, value)?,
            "v" => self.verbosity = u8::try_from(parse_number(name, value)?.clamp(0, 255)).unwrap_or(u8::MAX),
            "logbuflevel" => drop(parse_number(name, value)?),
            "tracing" => self.tracing = Some(value).filter(|endpoint| !endpoint.is_empty()),
            _ => {}
        }
        Ok(())
    }
}

fn parse_switch(flag: &str, value: String) -> Result<bool, ArgumentError> {
    match value.as_str() {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(ArgumentError::InvalidValue { flag: flag.to_owned(), value, expected: "true or false" }),
    }
}

fn parse_number(flag: &str, value: String) -> Result<i64, ArgumentError> {
    value.parse().map_err(|_| ArgumentError::InvalidValue { flag: flag.to_owned(), value, expected: "a whole number" })
}

/// The usage text of the plugin `program`.
pub fn usage(program: &str) -> String {
    let mut text = format!("Usage: {program} [flags] [engine-address]\n");
    for (name, takes, meaning) in FLAGS {
        let value = match takes {
            Takes::Switch => "",
            Takes::Number => " int",
            Takes::Text => " string",
        };
        let _ = writeln!(text, "  -{name}{value}\n    \t{meaning}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted() {
        let with = |change: fn(&mut Arguments)| {
            let mut arguments = Arguments::default();
            change(&mut arguments);
            arguments
        };
        check("", Ok(Arguments::default()));
        check("127.0.0.1:5", Ok(with(|a| a.engine = Some("127.0.0.1:5".into()))));
        check("-logtostderr", Ok(with(|a| a.log_to_stderr = true)));
        check("--logtostderr=false", Ok(Arguments::default()));
        // A switch does not take the next argument.
        let logging = with(|a| (a.log_to_stderr, a.engine) = (true, Some("h:1".into())));
        check("-alsologtostderr h:1", Ok(logging));
        check("-v=9", Ok(with(|a| a.verbosity = 9)));
        check("--v 9", Ok(with(|a| a.verbosity = 9)));
        check("-v -1", Ok(Arguments::default()));
        check("-v 1000", Ok(with(|a| a.verbosity = 255)));
        check("--tracing http://x/y?a=b", Ok(with(|a| a.tracing = Some("http://x/y?a=b".into()))));
        check("-tracing=", Ok(Arguments::default()));
        check(
            "-stderrthreshold 2 --log_dir=/tmp -vmodule a=1 -log_backtrace_at f:1 -logbuflevel=-1 -log_link x",
            Ok(Arguments::default()),
        );
        check("-- -v", Ok(with(|a| a.engine = Some("-v".into()))));
        check("h:1 -v=3", Ok(with(|a| (a.engine, a.verbosity) = (Some("h:1".into()), 3))));
    }

    #[test]
    fn refused() {
        check("-wat", Err((2, "flag provided but not defined: -wat")));
        check("--wat=1", Err((2, "flag provided but not defined: -wat")));
        check("---v=1", Err((2, "flag provided but not defined: --v")));
        check("-v", Err((2, "flag needs an argument: -v")));
        check("-v=x", Err((2, "invalid value \"x\" for flag -v: expected a whole number")));
        check("-logtostderr=maybe", Err((2, "invalid value \"maybe\" for flag -logtostderr: expected true or false")));
        check("a:1 b:2", Err((1, "expected at most one argument, the address of the engine; found 2")));
        check("-help", Err((0, "usage requested")));
    }

    #[track_caller]
    fn check(line: &str, expected: Result<Arguments, (u8, &str)>) {
        let parsed = Arguments::parse(line.split_whitespace().map(str::to_owned));
        let expected = expected.map_err(|(status, text)| (status, text.to_owned()));
        assert_eq!(parsed.map_err(|error| (error.exit_status(), error.to_string())), expected, "{line}");
    }

    #[test]
    fn the_usage_names_every_flag() {
        let usage = usage("plugin");
        for (name, ..) in FLAGS {
            assert!(usage.contains(&format!("  -{name}")), "{usage}");
        }
    }
}
