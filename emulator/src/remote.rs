//! Verbs that speak with a running emulator: drift and rules. How they reach it is in [`send`].

mod send;
mod trust;

use axum::http::Method;
use clap::{Args, Subcommand};
use send::{Asked, Remote, ask};
use serde_json::{Value, json};
use std::path::Path;

/// A place in the cloud.
#[derive(Debug, Args)]
pub(crate) struct Scope {
    /// The account; any without it.
    #[arg(long)]
    account: Option<String>,
    /// The region; any without it. Global types are in every region.
    #[arg(long)]
    region: Option<String>,
}

/// Changes behind the owners' backs.
#[derive(Debug, Subcommand)]
pub(crate) enum Drift {
    /// Changes properties of a resource, write-only and create-only ones too.
    Set {
        #[command(flatten)]
        remote: Remote,
        #[command(flatten)]
        scope: Scope,
        /// The CloudFormation type.
        type_name: String,
        /// The text of the primary identifier.
        identifier: String,
        /// Adds or replaces a property: a JSON pointer and a value, JSON or text.
        #[arg(long, value_name = "/PATH=VALUE")]
        set: Vec<String>,
        /// Removes a property.
        #[arg(long, value_name = "/PATH")]
        remove: Vec<String>,
        /// Refuses what the schema of the type does not accept.
        #[arg(long)]
        check: bool,
    },
    /// Removes a resource.
    Remove {
        #[command(flatten)]
        remote: Remote,
        #[command(flatten)]
        scope: Scope,
        /// The CloudFormation type.
        type_name: String,
        /// The text of the primary identifier.
        identifier: String,
    },
    /// Makes a resource that no request asked for.
    Create {
        #[command(flatten)]
        remote: Remote,
        /// The account.
        #[arg(long, default_value = "123456789012")]
        account: String,
        /// The region.
        #[arg(long, default_value = "us-east-1")]
        region: String,
        /// The CloudFormation type.
        type_name: String,
        /// Its model as JSON; a generated one without it.
        #[arg(long, value_name = "JSON")]
        model: Option<String>,
    },
    /// Changes properties at random, as an owner could.
    Random {
        #[command(flatten)]
        remote: Remote,
        #[command(flatten)]
        scope: Scope,
        /// Only resources of this type.
        #[arg(long = "type", value_name = "TYPE")]
        type_name: Option<String>,
        /// How many properties.
        #[arg(long, default_value_t = 1)]
        count: u64,
        /// Chooses them.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

/// Rules of misbehavior.
#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// Shows the rules in force with their counters.
    List {
        #[command(flatten)]
        remote: Remote,
    },
    /// Puts rules in force: a rule or a list of them, as in a profile.
    Add {
        #[command(flatten)]
        remote: Remote,
        /// A file, or the rule itself.
        rule: String,
    },
    /// Takes a rule away; all without a name.
    Remove {
        #[command(flatten)]
        remote: Remote,
        /// Its name.
        id: Option<String>,
    },
}

/// Does what a verb says, and gives the answer as lines of JSON.
///
/// # Errors
///
/// What is wrong with what was said, or what the emulator said.
pub(crate) fn drift(verb: Drift) -> Result<String, String> {
    let (remote, asked): (Remote, Asked) = match verb {
        Drift::Set { remote, scope, type_name, identifier, set, remove, check } => {
            let patch = patch(&set, &remove)?;
            let page = if check { "drift?check=on" } else { "drift" };
            let body = named(&scope, &type_name, &identifier, json!({"patch": patch}));
            (remote, (Method::POST, page.to_owned(), body))
        }
        Drift::Remove { remote, scope, type_name, identifier } => {
            let pairs = [
                ("account", scope.account),
                ("region", scope.region),
                ("type", Some(type_name)),
                ("identifier", Some(identifier)),
            ];
            let given = pairs.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", encoded(&value?))));
            let query = given.collect::<Vec<_>>().join("&");
            (remote, (Method::DELETE, format!("resources?{query}"), String::new()))
        }
        Drift::Create { remote, account, region, type_name, model } => {
            let mut body = json!({"account": account, "region": region, "type": type_name});
            if let (Some(model), Some(members)) = (model, body.as_object_mut()) {
                let model: Value =
                    serde_json::from_str(&model).map_err(|error| format!("--model is no JSON: {error}"))?;
                members.insert("model".to_owned(), model);
            }
            (remote, (Method::POST, "resources".to_owned(), body.to_string()))
        }
        Drift::Random { remote, scope, type_name, count, seed } => {
            let body = json!({"account": scope.account, "region": scope.region, "type": type_name, "count": count, "seed": seed});
            (remote, (Method::POST, "drift/random".to_owned(), body.to_string()))
        }
    };
    ask(&remote, asked)
}

/// As [`drift`].
pub(crate) fn rules(verb: Rules) -> Result<String, String> {
    let (remote, asked) = match verb {
        Rules::List { remote } => (remote, (Method::GET, "rules".to_owned(), String::new())),
        Rules::Add { remote, rule } => {
            let text = match Path::new(&rule).is_file() {
                true => std::fs::read_to_string(&rule).map_err(|error| format!("{rule}: {error}"))?,
                // Every rule has a member, and so a colon.
                false if !rule.contains(':') => {
                    return Err(format!(
                        "{rule}: there is no such file, and it is no rule; a rule is like 'then: twice'"
                    ));
                }
                false => rule,
            };
            (remote, (Method::POST, "rules".to_owned(), text))
        }
        Rules::Remove { remote, id } => {
            let page = id.map_or_else(|| "rules".to_owned(), |id| format!("rules/{}", encoded(&id)));
            (remote, (Method::DELETE, page, String::new()))
        }
    };
    ask(&remote, asked)
}

/// The operations that flags ask for.
fn patch(set: &[String], remove: &[String]) -> Result<Vec<Value>, String> {
    let mut operations = Vec::new();
    for text in set {
        let (path, value) = text.split_once('=').ok_or_else(|| format!("--set {text}: /PATH=VALUE is wanted"))?;
        let value = match serde_json::from_str(value) {
            Ok(value) => value,
            Err(error) if value.trim_start().starts_with(['{', '[', '"']) => {
                return Err(format!("--set {text}: the value begins like JSON and is none: {error}"));
            }
            Err(_) => Value::from(value),
        };
        operations.push(json!({"op": "add", "path": path, "value": value}));
    }
    operations.extend(remove.iter().map(|path| json!({"op": "remove", "path": path})));
    if operations.is_empty() { Err("nothing to change: give --set or --remove".to_owned()) } else { Ok(operations) }
}

/// A body that names a resource.
fn named(scope: &Scope, type_name: &str, identifier: &str, mut body: Value) -> String {
    if let Some(members) = body.as_object_mut() {
        let given = [
            ("account", scope.account.as_deref()),
            ("region", scope.region.as_deref()),
            ("type", Some(type_name)),
            ("identifier", Some(identifier)),
        ];
        members.extend(given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))));
    }
    body.to_string()
}

/// A text as a step of a path or a value of a query.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
