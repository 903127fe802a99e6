//! Somebody interrupts a run whose create takes long: the wait ends, what is still running is named, and the next run
//! brings the stack to its end without a second resource. That waits end within a second is shown on a virtual clock
//! (`provider/tests/wire/waiting.rs`); here calls are counted.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tests::cloud::Cloud;
use tests::engine_child::{Engine, lives, plugin_behind, signal};
use tests::proxy::{Call, Phase, Proxy, Verdict};
use tests::sandbox::Sandbox;

/// As long as nothing at all may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A role that the cloud does not get done, and its service names it at once.
const PROGRAM: &str = "name: signals
runtime: yaml
resources:
  slow:
    type: aws-native:iam:Role
    properties: { roleName: slow, assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } }
";

/// Such a role with a generated name.
const GENERATED: &str = "name: signals
runtime: yaml
resources:
  slow:
    type: aws-native:iam:Role
    properties: { description: one, assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } }
";

struct Scene {
    cloud: Cloud,
    sandbox: Sandbox,
    /// Calls whose answers were handed on.
    delivered: Receiver<Call>,
}

impl Scene {
    fn new() -> Self {
        Self::of(PROGRAM)
    }

    fn of(program: &str) -> Self {
        let cloud = Cloud::start().unwrap();
        let rule = json!({"when": {"operation": "create", "type": "AWS::IAM::Role"}, "then": {"stuck": {}}});
        cloud.rule(&rule).unwrap();
        let (sender, delivered) = channel();
        let sender = Mutex::new(sender);
        let listener = move |call: &Call, phase| {
            if phase == Phase::Delivered {
                // Nobody listens any more once the test is over.
                let _ = sender.lock().map(|sender| sender.send(call.clone()));
            }
            Verdict::Go
        };
        let proxy = Proxy::start(cloud.url(), Arc::new(listener)).unwrap();
        let sandbox = Sandbox::of_text(program, proxy.url()).unwrap();
        Self { cloud, sandbox, delivered }
    }

    /// The engine at the moment in which the provider waits for the role, and the provider's process id.
    fn waiting(&self) -> (Engine, u32) {
        let engine = Engine::start(&self.sandbox, &["up", "--yes", "--skip-preview"]).unwrap();
        loop {
            let call = self.delivered.recv_timeout(PATIENCE).expect("the provider asks for the role's creation");
            // A connection that is gone by now tells nothing; the next question comes over another one.
            let plugin = (call.operation == "GetResourceRequestStatus").then(|| plugin_behind(call.peer)).flatten();
            if let Some(plugin) = plugin {
                return (engine, plugin);
            }
        }
    }

    /// The token of the request that the cloud works on.
    fn token(&self) -> String {
        let accepted = self.cloud.accepted().unwrap();
        let creates: Vec<_> = accepted.iter().filter(|request| request["event"]["Operation"] == "CREATE").collect();
        assert_eq!(creates.len(), 1, "{accepted:?}");
        creates[0]["token"].as_str().unwrap().to_owned()
    }

    /// What runs is named, with the request and the way on; and after the signal nobody asked how far it is: at most the
    /// question that was on its way was answered.
    fn said_in_full(&self, said: &str) {
        for part in [
            "operation CREATE was canceled while it was running; it may still finish",
            "type: AWS::IAM::Role, identifier: slow, request token: ",
            &self.token(),
            "next step: run the command again: the state has the resource, and it is read before it is changed",
        ] {
            assert!(said.contains(part), "{part:?} is not in {said}");
        }
        let calls: Vec<String> = self.delivered.try_iter().map(|call| call.operation).collect();
        let stop = calls.iter().position(|call| call == "CancelResourceRequest").expect("the request is asked to stop");
        let polls = calls[stop..].iter().filter(|call| *call == "GetResourceRequestStatus").count();
        assert!(polls <= 1, "{calls:?}");
    }

    /// Whatever became of the request, which was asked to stop, another run brings the stack to its end with one role.
    fn goes_on(&self) {
        let end = &self.cloud.accepted().unwrap()[0]["event"]["OperationStatus"];
        assert!(end.as_str().unwrap().starts_with("CANCEL_"), "{end}");
        self.cloud.forget_rules().unwrap();
        self.cloud.complete(&self.token()).unwrap();
        self.sandbox.succeed(&["up", "--yes", "--skip-preview", "--refresh"]).unwrap();
        assert!(self.sandbox.preview().unwrap().is_empty());
        let roles = self.cloud.resources("AWS::IAM::Role").unwrap();
        assert_eq!(roles.len(), 1);
        assert_eq!(self.sandbox.state().unwrap()[0]["id"], "slow");
    }
}

/// Waits until a process is gone.
fn ends(pid: u32) {
    let begin = Instant::now();
    while lives(pid) {
        assert!(begin.elapsed() < PATIENCE, "process {pid} lives on");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

#[test]
fn c97_an_interrupted_engine_ends_a_create_and_says_what_runs() {
    let scene = Scene::new();
    let (engine, plugin) = scene.waiting();
    signal("INT", &engine.id().to_string()).unwrap();
    let said = engine.wait().unwrap();
    assert!(!said.ok, "{}", said.all());
    scene.said_in_full(&said.all());
    ends(plugin);
    // The service had named it, so that it is not lost.
    assert_eq!(scene.sandbox.state().unwrap()[0]["id"], "slow");
    scene.goes_on();
}

#[test]
fn c97_a_signal_ends_a_create_and_says_what_runs() {
    for name in ["INT", "TERM"] {
        let scene = Scene::new();
        let (engine, plugin) = scene.waiting();
        signal(name, &plugin.to_string()).unwrap();
        ends(plugin);
        let said = engine.wait().unwrap();
        assert!(!said.ok, "{name}: {}", said.all());
        scene.said_in_full(&said.all());
        assert_eq!(scene.sandbox.state().unwrap()[0]["id"], "slow");
        scene.goes_on();
    }
}

/// The name is given again, so that a new request would collide with what the old one made, in every run.
#[test]
fn what_a_killed_run_made_is_changed_when_the_program_wants_something_else() {
    let scene = Scene::of(GENERATED);
    let (engine, plugin) = scene.waiting();
    for process in [engine.id(), plugin] {
        signal("KILL", &process.to_string()).unwrap();
    }
    assert!(!engine.wait().unwrap().ok);
    ends(plugin);
    scene.cloud.complete(&scene.token()).unwrap();
    scene.cloud.forget_rules().unwrap();
    scene.sandbox.mend_checkpoint().unwrap();
    scene.sandbox.succeed(&["cancel", "--yes"]).unwrap();
    scene.sandbox.edit("one", "two").unwrap();

    let said = scene.sandbox.run(&["up", "--yes", "--skip-preview"]).unwrap();
    for part in [
        "has made this resource with other inputs; the state has it now",
        "next step: run the command again: the state has the resource, and it is read before it is changed",
    ] {
        assert!(!said.ok && said.all().contains(part), "{part:?} is not in {}", said.all());
    }
    scene.sandbox.up().unwrap();
    assert!(scene.sandbox.preview().unwrap().is_empty());
    let roles = scene.cloud.resources("AWS::IAM::Role").unwrap();
    assert_eq!(roles.len(), 1, "{roles:?}");
    assert_eq!(roles[0].1["Description"], "two");
    assert_eq!(scene.sandbox.state().unwrap()[0]["id"], roles[0].0.as_str());
}
