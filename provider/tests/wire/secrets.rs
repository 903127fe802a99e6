//! Invariant 6 over everything that leaves the process: what it writes to stderr at the highest `-v` (the operations of
//! patches among it), what it tells the engine, its answers, the log of RPCs and the journal. Resource types and values
//! are made up from seeds; their schemas forbid every value, and the cloud quotes all secrets wherever words go.

use std::collections::BTreeMap;

use protocol::codec::{EncodeOptions, encode};
use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use tonic::Request;
use value::{Map, Value};

use crate::random::Case;
use stage::{CANCELED, Stage};
use values::{CANARY, PINS, PLAIN, cases, inputs};

mod stage;
mod values;

/// How many values each type gets.
const VALUES: u64 = 2;

fn structure(map: &Map) -> Option<bytes::Bytes> {
    Some(encode(map, EncodeOptions::KEEP))
}

/// One resource's life.
async fn live(stage: &mut Stage, case: &Case, number: u64, count: &mut u32) {
    let (old, new) = (inputs(case, number, count), inputs(case, number + VALUES, count));
    let resource = case.resource;
    let urn = || format!("urn:pulumi:dev::p::{}::q{number}", resource.token());
    // Waiting takes real time, so that it is seldom.
    let seed = number + u64::from(*count);
    let mood = |step: u64| if (seed + step) % 36 == 3 { 3 } else { [0, 1, 2, 4][((seed + step) % 4) as usize] };
    stage.plays(0, resource, &[&old]);
    let check = pb::CheckRequest { urn: urn(), news: structure(&old), ..Default::default() };
    let answer = stage.provider.check(Request::new(check)).await;
    if let Ok(answer) = &answer {
        let failures = answer.get_ref().failures.iter().map(|failure| failure.reason.as_str());
        stage.answers.extend(failures);
    }
    stage.heard("Check", answer, |answer| vec![answer.inputs]);
    stage.plays(mood(0), resource, &[&old]);
    let create = pb::CreateRequest { urn: urn(), properties: structure(&old), ..Default::default() };
    let answer = stage.provider.create(Request::new(create)).await;
    let state = stage.heard("Create", answer, |answer| vec![answer.properties]);
    let checkpoint = || [("__inputs".to_owned(), Value::secret(Value::Object(old.clone())))].into();
    let state: Map = state.filter(|state| state.contains_key("__inputs")).unwrap_or_else(checkpoint);
    let diff = pb::DiffRequest {
        urn: urn(),
        id: "n".to_owned(),
        olds: structure(&state),
        news: structure(&new),
        ..Default::default()
    };
    let answer = stage.provider.diff(Request::new(diff)).await;
    if let Ok(answer) = &answer {
        stage.answers.push_str(&format!("{:?}", answer.get_ref()));
    }
    stage.heard("Diff", answer, |_| Vec::new());
    stage.plays(mood(1), resource, &[&old]);
    let read = pb::ReadRequest {
        urn: urn(),
        id: "n".to_owned(),
        properties: structure(&state),
        inputs: structure(&old),
        ..Default::default()
    };
    let answer = stage.provider.read(Request::new(read)).await;
    stage.heard("Read", answer, |answer| vec![answer.properties, answer.inputs]);
    for (step, preview) in [(2, true), (2, false), (3, false)] {
        stage.plays(mood(step), resource, &[&old, &new]);
        let update = pb::UpdateRequest {
            urn: urn(),
            id: "n".to_owned(),
            olds: structure(&state),
            news: structure(&new),
            preview,
            ..Default::default()
        };
        let answer = stage.provider.update(Request::new(update)).await;
        stage.heard("Update", answer, |answer| vec![answer.properties]);
    }
    stage.plays(mood(4), resource, &[&new]);
    let delete = pb::DeleteRequest {
        urn: urn(),
        id: "n".to_owned(),
        properties: structure(&state),
        old_inputs: structure(&new),
        ..Default::default()
    };
    let answer = stage.provider.delete(Request::new(delete)).await;
    stage.heard("Delete", answer, |()| Vec::new());
}

/// A creation that is interrupted and cannot be stopped.
async fn interrupt(stage: &mut Stage, case: &Case, count: &mut u32) {
    let mut inputs = inputs(case, 0, count);
    inputs.insert("alpha".to_owned(), Value::secret(format!("last-{CANARY}")));
    // The engine that listens, and the service, answer on this thread too, so that the wait below yields to them.
    stage.plays(CANCELED, case.resource, &[&inputs]);
    let urn = format!("urn:pulumi:dev::p::{}::last", case.resource.token());
    let create = pb::CreateRequest { urn, properties: structure(&inputs), ..Default::default() };
    let asked = stage.server.count("getresourcerequeststatus");
    let cancel = async {
        while stage.server.count("getresourcerequeststatus") == asked {
            tokio::task::yield_now().await;
        }
        stage.provider.cancel(Request::new(())).await.unwrap();
    };
    let (answer, ()) = tokio::join!(stage.provider.create(Request::new(create)), cancel);
    stage.heard("interrupted Create", answer, |answer| vec![answer.properties]);
    assert!(stage.server.count("cancelresourcerequest") > 0);
}

/// The lines in which a secret stands.
fn leaks(said: &BTreeMap<String, String>) -> Vec<String> {
    let place = |line: &str| line.find(CANARY).or_else(|| line.find(PINS));
    let leaks = said.iter().flat_map(|(name, text)| {
        text.lines().filter_map(move |line| {
            let at = place(line)?;
            let from = line.floor_char_boundary(at.saturating_sub(200));
            let to = line.ceil_char_boundary((at + 100).min(line.len()));
            Some(format!("{name}: {}", &line[from..to]))
        })
    });
    leaks.collect()
}

#[tokio::test]
async fn invariant_6_no_secret_is_told_by_anything_that_the_process_says() {
    let (mut count, mut found, mut everything) = (0, Vec::new(), BTreeMap::<String, String>::new());
    for case in cases().values() {
        let mut stage = Stage::new().await;
        for number in 0..VALUES {
            live(&mut stage, case, number, &mut count).await;
        }
        if case.resource.cfn_type() == PLAIN {
            interrupt(&mut stage, case, &mut count).await;
        }
        let said = stage.said();
        found.extend(leaks(&said).into_iter().map(|leak| format!("{}: {leak}", case.resource.token())));
        said.into_iter().for_each(|(name, text)| everything.entry(name).or_default().push_str(&text));
    }
    assert!(found.is_empty(), "{} times:\n{}", found.len(), found[..found.len().min(8)].join("\n"));
    // And everything was said: patches and their operations, warnings of the schema, words of the service.
    for (place, part, least) in [
        ("stderr", "updating", 50),
        ("stderr", "operations=", 50),
        ("stderr", "[secret]", 50),
        ("stderr", "could not be stopped", 1),
        ("engine", "its value", 30),
        ("answers", "[secret]", 50),
        ("answers", "Acme::Guard", 2),
        ("rpc.jsonl", "[secret ", 300),
    ] {
        let count = everything.get(place).map_or(0, |text| text.matches(part).count());
        assert!(count >= least, "{place} has {part:?} {count} times");
    }
    let is_journal = |name: &String| !["stderr", "engine", "answers", "rpc.jsonl"].contains(&name.as_str());
    assert!(everything.keys().any(is_journal), "no journal in {:?}", everything.keys());
}
