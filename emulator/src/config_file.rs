//! The configuration file: flags written down in YAML. An entry takes the place of a default, so that flags and variables win.

use clap::{Arg, ArgAction};
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::{Spanned, UserMessageFormatter};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The flag that names the file; it cannot stand in one.
const OWN: &str = "config";

/// What is written behind a key, as it would follow its flag; several values for flags that take several.
#[derive(Debug)]
enum Values {
    Number,
    One(String),
    Several(Vec<String>),
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = Values;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value as after the flag, or a list of such values")
            }

            fn visit_str<E>(self, text: &str) -> Result<Values, E> {
                Ok(Values::One(text.to_owned()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Values, E> {
                Ok(Values::One(value.to_string()))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Values, E> {
                Ok(Values::Number)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Values, E> {
                Ok(Values::Number)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Values, E> {
                Ok(Values::Number)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Values, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = elements.next_element::<String>()? {
                    texts.push(text);
                }
                Ok(Values::Several(texts))
            }

            fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Values, A::Error> {
                Err(A::Error::custom("a value as after the flag is wanted, like throttle: 30/60, not a mapping"))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

/// The command with the entries of a file as defaults.
///
/// # Errors
///
/// What cannot be read or is no flag's value, with file, line and column.
pub(crate) fn with_defaults(mut command: clap::Command, file: &Path) -> Result<clap::Command, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("--config {}: {error}", file.display()))?;
    for (name, values, place) in entries(&text).map_err(|problem| format!("{}:{problem}", file.display()))? {
        let wrong = |reason: &str| format!("{}:{place}: {name}: {reason}", file.display());
        let known = command.get_arguments().find(|argument| argument.get_long() == Some(&name) && name != OWN);
        let argument = known.ok_or_else(|| wrong("there is no such flag; --help names all"))?;
        // A flag whose value is a list with commas takes a list as well.
        let value_names = argument.get_value_names().unwrap_or_default();
        let has_commas = value_names.iter().any(|name| name.contains(','));
        let values = match argument.get_action() {
            ArgAction::Append => values,
            _ if has_commas => vec![values.join(",")],
            _ if values.len() > 1 => return Err(wrong("one value is wanted, not a list")),
            _ => values,
        };
        // clap wants texts that live as long as the process, and the command is made once.
        let values: Vec<&'static str> = values.into_iter().map(|value| &*value.leak()).collect();
        try_alone(argument, name.clone().leak(), &values).map_err(|reason| wrong(&reason))?;
        let id = argument.get_id().clone();
        command = command.mut_arg(id, |argument| argument.default_values(values));
    }
    Ok(command)
}

/// Every flag with its values and where it stands, as LINE:COLUMN.
fn entries(text: &str) -> Result<Vec<(String, Vec<String>, String)>, String> {
    let options = serde_saphyr::options! { with_snippet: false, strict_booleans: true };
    // An empty file says nothing.
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Vec::new());
    }
    let read = serde_saphyr::from_str_with_options::<BTreeMap<String, Spanned<Values>>>(text, options);
    let entries = read.map_err(|error| {
        let (line, column) = error.location().map_or((1, 1), |location| (location.line(), location.column()));
        let message = error.render_with_formatter(&UserMessageFormatter);
        let message = message.strip_suffix(&format!(" at line {line}, column {column}")).unwrap_or(&message);
        format!("{line}:{column}: {message}")
    })?;
    let entry = |(name, spanned): (String, Spanned<Values>)| {
        let (line, column) = (spanned.referenced.line(), spanned.referenced.column());
        let values = match spanned.value {
            // An account may begin with zeros, and a seed may be larger than what YAML readers take for a number.
            Values::Number => vec![as_written(text, line, column)],
            Values::One(value) => vec![value],
            Values::Several(values) => values,
        };
        (name, values, format!("{line}:{column}"))
    };
    Ok(entries.into_iter().map(entry).collect())
}

/// The word at a place of a text.
fn as_written(text: &str, line: u64, column: u64) -> String {
    let before = |place: u64| usize::try_from(place.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = text.lines().nth(before(line)).unwrap_or_default();
    let word: String = line.chars().skip(before(column)).take_while(|character| !character.is_whitespace()).collect();
    word.trim_end_matches([',', '}']).to_owned()
}

/// Holds values against their flag as if nothing else were given.
fn try_alone(argument: &Arg, name: &'static str, values: &[&'static str]) -> Result<(), String> {
    let action = if matches!(argument.get_action(), ArgAction::Append) { ArgAction::Append } else { ArgAction::Set };
    let parser = match argument.get_action() {
        ArgAction::SetTrue => clap::value_parser!(bool),
        _ => argument.get_value_parser().clone(),
    };
    let alone = Arg::new(name).long(name).value_parser(parser).action(action);
    let command = clap::Command::new(name).no_binary_name(true).disable_help_flag(true).arg(alone);
    let given = values.iter().map(|value| format!("--{name}={value}"));
    command.try_get_matches_from(given).map(drop).map_err(|error| {
        let text = error.to_string();
        // What clap adds after an empty line speaks of the command line.
        let reason = text.strip_prefix("error: ").unwrap_or(&text).split("\n\n").next().unwrap_or_default();
        reason.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    fn command() -> clap::Command {
        clap::Command::new("test")
            .arg(Arg::new("port").long("port").value_parser(clap::value_parser!(u16)).default_value("0"))
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue))
            .arg(Arg::new("schemas").long("schemas").action(ArgAction::Append))
            .arg(Arg::new("regions").long("regions").value_name("A,B"))
            .arg(Arg::new("config").long("config"))
    }

    fn read(text: &str, arguments: &[&str]) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("emulator.yaml");
        std::fs::write(&file, text).unwrap();
        let command = with_defaults(command(), &file)
            .map_err(|problem| problem.replace(&format!("{}/", folder.path().display()), ""))?;
        let found = command.try_get_matches_from([&["test"], arguments].concat()).unwrap();
        let schemas: Vec<&String> = found.get_many("schemas").into_iter().flatten().collect();
        Ok(format!("{} {} {schemas:?}", found.get_one::<u16>("port").unwrap(), found.get_flag("json")))
    }

    #[test]
    fn entries_are_defaults_that_flags_win_over() {
        assert_eq!(read("", &[]).unwrap(), "0 false []");
        assert_eq!(read("# nothing\n", &[]).unwrap(), "0 false []");
        assert_eq!(read("port: 80\njson: true\nschemas: [a, b]\n", &[]).unwrap(), "80 true [\"a\", \"b\"]");
        assert_eq!(read("{ port: 80, schemas: 007 } # why not\n", &[]).unwrap(), "80 false [\"007\"]");
        assert_eq!(read("port: 80\nschemas: a\n", &["--port", "81", "--schemas", "c"]).unwrap(), "81 false [\"c\"]");
    }

    #[test]
    fn values_with_commas_may_be_lists() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("emulator.yaml");
        for text in ["regions: [a, b]\n", "regions: a,b\n"] {
            std::fs::write(&file, text).unwrap();
            let found = with_defaults(command(), &file).unwrap().try_get_matches_from(["test"]).unwrap();
            assert_eq!(found.get_one::<String>("regions").map(String::as_str), Some("a,b"), "{text}");
        }
    }

    #[test]
    fn faults_are_told_with_their_places() {
        for (text, expected) in [
            ("ports: 80\n", "emulator.yaml:1:8: ports: there is no such flag; --help names all"),
            ("config: other.yaml\n", "emulator.yaml:1:9: config: there is no such flag; --help names all"),
            (
                "\nport: many\n",
                "emulator.yaml:2:7: port: invalid value 'many' for '--port <port>': invalid digit found in string",
            ),
            (
                "json: maybe\n",
                "emulator.yaml:1:7: json: invalid value 'maybe' for '--json <json>' [possible values: true, false]",
            ),
            ("port: [1, 2]\n", "emulator.yaml:1:7: port: one value is wanted, not a list"),
            ("port: { a: 1 }\n", "emulator.yaml:1:7: "),
            ("- port\n", "emulator.yaml:1:1: "),
            ("port: 1\nport: 2\n", "emulator.yaml:2:1: "),
        ] {
            let problem = read(text, &[]).unwrap_err();
            assert!(problem.starts_with(expected), "{text:?}: {problem}");
        }
        let missing = with_defaults(command(), Path::new("/no/such/file")).map(drop).unwrap_err();
        assert!(missing.starts_with("--config /no/such/file: "), "{missing}");
    }
}
