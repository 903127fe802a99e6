//! Verbs that speak with a running emulator: drift and rules.

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use clap::{Args, Subcommand};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::path::Path;

/// Which emulator is meant.
#[derive(Debug, Args)]
pub(crate) struct Remote {
    /// Where the emulator is, as its ready line says.
    #[arg(long, env = "CLOUDCONTROL_EMULATOR_URL")]
    url: String,
    /// The token of its pages, if it wants one.
    #[arg(long, value_name = "TOKEN", env = "CLOUDCONTROL_EMULATOR_ADMIN_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// A place in the cloud.
#[derive(Debug, Args)]
pub(crate) struct Scope {
    /// The account; any without it.
    #[arg(long)]
    account: Option<String>,
    /// The region; any without it.
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

/// A request for a page: method, page, body.
type Asked = (Method, String, String);

/// Does what a verb says, and gives the answer as lines of JSON.
///
/// # Errors
///
/// What is wrong with what was said, or what the emulator said.
pub(crate) fn drift(verb: Drift) -> Result<String, String> {
    let (remote, asked) = match verb {
        Drift::Set { remote, scope, type_name, identifier, set, remove } => {
            let patch = patch(&set, &remove)?;
            (
                remote,
                (Method::POST, "drift".to_owned(), named(&scope, &type_name, &identifier, json!({"patch": patch}))),
            )
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
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
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

/// Asks for a page; the elements of a list come on lines of their own.
fn ask(remote: &Remote, asked: Asked) -> Result<String, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let (status, text) = runtime.block_on(send(remote, asked))?;
    let answer: Value = serde_json::from_str(&text).map_err(|_| format!("{} is no emulator: {status}", remote.url))?;
    if status >= 400 {
        return Err(answer.get("error").and_then(Value::as_str).unwrap_or(&text).to_owned());
    }
    Ok(match &answer {
        Value::Array(lines) => lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    })
}

async fn send(remote: &Remote, (method, page, body): Asked) -> Result<(u16, String), String> {
    let fails = |error: &dyn std::fmt::Display| format!("{} cannot be reached: {error}", remote.url);
    let authority = remote.url.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
    let authority = authority.ok_or_else(|| format!("{}: http://HOST:PORT is wanted", remote.url))?;
    let stream = tokio::net::TcpStream::connect(authority).await.map_err(|error| fails(&error))?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|error| fails(&error))?;
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(format!("/_emu/{page}")).header("host", authority);
    if let Some(token) = &remote.token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Body::from(body)).map_err(|error| error.to_string())?;
    let answer = sender.send_request(request).await.map_err(|error| fails(&error))?;
    let status = answer.status().as_u16();
    let bytes = to_bytes(Body::new(answer.into_body()), usize::MAX).await.map_err(|error| fails(&error))?;
    Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
}
