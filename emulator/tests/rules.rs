//! When rules fire: turns, chance, time, and doing it again from a log.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Change, Clock, Options, Rule, WhichCalls};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Rule::Thing";

fn client(options: Options) -> Client {
    let schema = json!({
        "typeName": THING,
        "properties": {"Name": {"type": "string"}},
        "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    Client::start(&[schema], options)
}

fn with_rules(text: &str) -> (Client, Clock) {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    (client(Options { clock: clock.clone(), rules: Rule::read(text).unwrap(), ..Options::default() }), clock)
}

/// Whether a read of this name is refused by a rule; that there is nothing of the name does not count.
fn fires(client: &Client, name: &str) -> bool {
    client.refused("GetResource", &json!({"TypeName": THING, "Identifier": name})).starts_with("ServiceUnavailable")
}

#[test]
fn rules_fire_when_it_is_their_turn() {
    for (when, names, expected) in [
        ("{ nth: 2 }", "aaaa", [false, true, false, false]),
        ("{ every: 2 }", "aaaa", [false, true, false, true]),
        ("{ after: 1 }", "aaaa", [false, true, true, true]),
        ("{ times: 2 }", "aaaa", [true, true, false, false]),
        ("{ after: 1, times: 1 }", "aaaa", [false, true, false, false]),
        ("{ nth: 2, per: subject }", "abab", [false, false, true, true]),
        ("{ times: 1, per: subject }", "abab", [true, true, false, false]),
        ("{ nth: 2 }", "abab", [false, true, false, false]),
        ("{ identifier: b }", "abab", [false, true, false, true]),
        ("{ type: 'Test::*' }", "abab", [true, true, true, true]),
        ("{ type: 'AWS::*' }", "abab", [false; 4]),
        ("{ region: eu-*, account: '1234*' }", "abab", [true; 4]),
        ("{ region: us-* }", "abab", [false; 4]),
        ("{ operation: [create, list] }", "abab", [false; 4]),
        ("{ probability: 0 }", "abab", [false; 4]),
    ] {
        let (client, _) = with_rules(&format!("when: {when}\nthen: {{ error: {{ code: ServiceUnavailable }} }}"));
        let fired: Vec<bool> = names.chars().map(|name| fires(&client, &name.to_string())).collect();
        assert_eq!(fired, expected, "{when}");
    }
}

#[test]
fn rules_that_cannot_be_followed_are_refused() {
    let client = client(Options::default());
    let rules = "[{ id: fine, then: twice }, { id: never, when: { every: 0 }, then: twice }]";
    let answer = client.send("POST", "/_emu/rules", "", rules);
    assert_eq!(answer.status, 400, "{}", answer.text);
    assert!(answer.text.contains("rule never: every: a number from 1 is wanted"), "{}", answer.text);
    assert_eq!(client.send("GET", "/_emu/rules", "", "").json(), json!([]), "all or none");
    let options = Options { rules: Rule::read("then: { throttle: { rate: 0 } }").unwrap(), ..Options::default() };
    let error = emulator::Emulator::builder().options(options).start_blocking().unwrap_err();
    assert!(error.to_string().starts_with("rule option-1: throttle: rate: "), "{error}");
}

#[test]
fn rules_have_their_time() {
    let (client, clock) = with_rules("when: { from: 10s, until: 20s }\nthen: { error: { code: ServiceUnavailable } }");
    for (seconds, expected) in [(0, false), (9, false), (1, true), (9, true), (1, false)] {
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(fires(&client, "a"), expected);
    }
}

#[test]
fn the_first_rule_that_fires_decides_a_call() {
    let (client, _) = with_rules(
        "[{ id: a, when: { nth: 2 }, then: { error: { code: ServiceUnavailable } } }, { id: b, then: { throttle: {} } }]",
    );
    assert!(!fires(&client, "x") && fires(&client, "x") && !fires(&client, "x"));
    let counts: Vec<(u64, u64)> =
        client.emulator.admin().rules().iter().map(|rule| (rule.matched, rule.fired)).collect();
    assert_eq!(counts, [(3, 1), (2, 2)]);
}

/// Which of some calls fire a rule of probability one half, by name.
fn drawn(seed: u64, names: impl Iterator<Item = usize>) -> Vec<(usize, bool)> {
    let rules =
        Rule::read("id: half\nwhen: { probability: 0.5 }\nthen: { error: { code: ServiceUnavailable } }").unwrap();
    let client = client(Options { seed, rules, ..Options::default() });
    let mut drawn: Vec<(usize, bool)> = names.map(|name| (name, fires(&client, &name.to_string()))).collect();
    drawn.sort_unstable();
    drawn
}

#[test]
fn chance_depends_on_seed_and_content_and_not_on_the_order_of_calls() {
    let forward = drawn(1, 0..64);
    assert_eq!(drawn(1, (0..64).rev()), forward);
    assert_ne!(drawn(2, 0..64), forward);
    let count = forward.iter().filter(|(_, fired)| *fired).count();
    assert!((16..=48).contains(&count), "{count} of 64 at one half");
    // The same content again is drawn again.
    let again = drawn(1, [7; 64].into_iter());
    assert!(again.iter().any(|(_, fired)| *fired) && again.iter().any(|(_, fired)| !*fired));
}

/// The decisions of a log without the names of rules, in order of content.
fn decisions(client: &Client) -> Vec<String> {
    let mut all = Vec::new();
    for call in client.emulator.admin().log(&WhichCalls::default()) {
        for decision in call.entry["decisions"].as_array().into_iter().flatten() {
            let parts = [&call.entry["operation"], &decision["subject"], &decision["occurrence"], &decision["then"]];
            all.push(parts.map(Value::to_string).join(" "));
        }
    }
    all.sort();
    all
}

#[test]
fn a_log_can_be_replayed() {
    let program = |client: &Client| {
        for index in 0..40 {
            let body =
                json!({"TypeName": THING, "DesiredState": json!({"Name": format!("n{}", index % 20)}).to_string()});
            let answer = client.call("CreateResource", &body);
            if answer.status == 200 {
                client.finish(&answer);
            }
        }
    };
    let rules = "[{ when: { probability: 0.3 }, then: { throttle: {} } }, { when: { probability: 0.3 }, then: { fail: { code: InternalFailure } } }, { when: { operation: poll, probability: 0.2 }, then: { delay: { for: 1ms } } }]";
    let first = client(Options { rules: Rule::read(rules).unwrap(), seed: 5, ..Options::default() });
    program(&first);
    let log: Vec<Value> = first.send("GET", "/_emu/log", "", "").json().as_array().unwrap().clone();
    let expected = decisions(&first);
    assert!(expected.len() > 20, "{expected:?}");

    let second = client(Options { seed: 5, ..Options::default() });
    let ids = second.emulator.admin().replay(&log).unwrap();
    assert_eq!(ids.len(), expected.len());
    program(&second);
    assert_eq!(decisions(&second), expected);
    assert!(second.emulator.admin().replay(&[json!({"operation": "x", "decisions": [{"rule": 1}]})]).is_err());
}

#[test]
fn rules_are_put_in_force_and_looked_at_while_the_emulator_runs() {
    let client = client(Options::default());
    let admin = client.emulator.admin();
    let mut changes = admin.subscribe();
    let rule = "{\"when\": {\"operation\": \"read\"}, \"then\": {\"error\": {\"code\": \"ServiceUnavailable\"}}}";
    let answer = client.send("POST", "/_emu/rules", "", rule);
    assert_eq!((answer.status, answer.json()), (201, json!({"ids": ["rule-1"]})));
    assert!(fires(&client, "a"));
    let told: Vec<Change> = std::iter::from_fn(|| changes.next(Duration::ZERO)).collect();
    let about = told.iter().find_map(|change| match change {
        Change::Rule { id, subject } => Some((id.to_string(), subject.clone())),
        _ => None,
    });
    assert_eq!(about, Some(("rule-1".to_owned(), format!("GetResource {THING} a"))));
    // A list, as YAML, in the form of profiles.
    let answer = client.send("POST", "/_emu/rules", "", "- { id: x, then: twice }\n- { id: y, then: sparse }\n");
    assert_eq!(answer.json(), json!({"ids": ["x", "y"]}));
    let shown = client.send("GET", "/_emu/rules", "", "").json();
    let expected = json!({"id": "rule-1", "when": {"operation": "read"}, "then": {"error": {"code": "ServiceUnavailable"}}, "ofProfile": false, "matched": 1, "fired": 1});
    assert_eq!((&shown[0], shown.as_array().unwrap().len()), (&expected, 3));
    for (method, path, body, status, text) in [
        ("POST", "/_emu/rules", "{\"id\": \"x\", \"then\": \"twice\"}", 409, "there is a rule x already"),
        ("POST", "/_emu/rules", "{\"then\": \"explode\"}", 400, "rule:1:"),
        ("POST", "/_emu/rules/replay", "{}", 400, "a list of entries"),
        ("DELETE", "/_emu/rules/none", "", 404, "there is no rule none"),
        ("DELETE", "/_emu/rules/x", "", 200, "1"),
        ("DELETE", "/_emu/rules", "", 200, "2"),
    ] {
        let answer = client.send(method, path, "", body);
        assert_eq!(answer.status, status, "{method} {path} {body}: {}", answer.text);
        assert!(answer.text.contains(text), "{}", answer.text);
    }
    assert!(!fires(&client, "a"));
}

#[test]
fn rules_and_their_counters_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let start = |rules: &str| {
        let rules = Rule::read(rules).unwrap();
        client(Options { state: Some(folder.path().to_owned()), rules, ..Options::default() })
    };
    let own = "{ id: own, when: { nth: 3 }, then: { error: { code: ServiceUnavailable } } }";
    let first = start(own);
    first
        .emulator
        .admin()
        .add_rules(
            Rule::read("{ id: added, when: { times: 1, per: subject }, then: { delay: { for: 0ms } } }").unwrap(),
        )
        .unwrap();
    assert!(!fires(&first, "a") && !fires(&first, "a"));
    drop(first);
    let second = start(own);
    let counts = |client: &Client| -> Vec<(String, u64, u64)> {
        client.emulator.admin().rules().iter().map(|rule| (rule.id.to_string(), rule.matched, rule.fired)).collect()
    };
    assert_eq!(counts(&second), [("own".to_owned(), 2, 0), ("added".to_owned(), 2, 1)]);
    assert!(fires(&second, "a"), "the third of all");
    assert_eq!(counts(&second), [("own".to_owned(), 3, 1), ("added".to_owned(), 3, 1)]);
    second.emulator.admin().reset(None);
    assert_eq!(counts(&second), [("own".to_owned(), 0, 0), ("added".to_owned(), 0, 0)]);
    drop(second);
    // A rule that was changed begins anew; one that is gone is gone, unless it was added by hand.
    let third = start("{ id: other, when: { nth: 3 }, then: { error: { code: ServiceUnavailable } } }");
    assert_eq!(counts(&third), [("other".to_owned(), 0, 0), ("added".to_owned(), 0, 0)]);
    assert!(!fires(&third, "a"));
    assert_eq!(third.emulator.admin().remove_rules(Some(&emulator::RuleId::new("added"))), 1);
    drop(third);
    // A rule of a name that was used before counts from nothing.
    let fourth = start("{ id: added, then: { delay: { for: 0ms } } }");
    assert_eq!(counts(&fourth), [("added".to_owned(), 0, 0)]);
}

/// An emulator as a process with its state in a folder, and its address.
fn process(schemas: &std::path::Path, state: &std::path::Path) -> (std::process::Child, String) {
    use std::io::BufRead;
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cloudcontrol-emulator"));
    command.arg("--schemas").arg(schemas).arg("--state").arg(state).args([
        "--profile",
        "chaos",
        "--seed",
        "3",
        "--json",
    ]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    (child, ready["url"].as_str().unwrap().strip_prefix("http://").unwrap().to_owned())
}

fn ask(address: &str, method: &str, path: &str, headers: &str, body: &str) -> (u16, Value) {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), serde_json::from_str(body).unwrap())
}

#[test]
fn counters_and_decisions_of_chaos_survive_sigkill() {
    let (schemas, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let schema = json!({
        "typeName": THING, "properties": {"Name": {"type": "string"}}, "primaryIdentifier": ["/properties/Name"],
        "handlers": {"create": {}, "read": {}, "update": {}, "delete": {}},
    });
    std::fs::write(schemas.path().join("thing.json"), schema.to_string()).unwrap();
    let call = |address: &str, number: usize| {
        let body = json!({"TypeName": THING, "Identifier": format!("n{}", number % 10)}).to_string();
        ask(address, "POST", "/", "x-amz-target: CloudApiService.GetResource\r\n", &body).1["__type"].clone()
    };
    // The same calls without an end in between.
    let undisturbed = tempfile::tempdir().unwrap();
    let (mut child, address) = process(schemas.path(), undisturbed.path());
    let expected: Vec<Value> = (0..120).map(|number| call(&address, number)).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let is_throttled = |error: &&Value| error.as_str().is_some_and(|name| name.ends_with("#ThrottlingException"));
    let throttled = expected.iter().filter(is_throttled).count() as u64;
    assert!(throttled > 0, "chaos throttles one call in fifty");
    let mut met = Vec::new();
    for round in 0..4 {
        let (mut child, address) = process(schemas.path(), state.path());
        met.extend((round * 30..round * 30 + 30).map(|number| call(&address, number)));
        let rules = ask(&address, "GET", "/_emu/rules", "", "").1;
        let rule = rules.as_array().unwrap().iter().find(|rule| rule["id"] == "chaos-throttle").unwrap();
        let fired = met.iter().filter(is_throttled).count() as u64;
        assert_eq!((&rule["matched"], &rule["fired"]), (&json!(met.len()), &json!(fired)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(met, expected, "what is met does not depend on how often the process ended");
}
