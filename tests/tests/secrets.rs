//! Secrets stay out of logs at the highest verbosity and out of errors, with the real engine in between.
#![allow(clippy::unwrap_used, reason = "a test ends with its first surprise")]

use tests::cloud::Cloud;
use tests::sandbox::{Said, Sandbox};
use tests::story::{API_KEY, DB_PASSWORD};

fn sandbox(endpoint: &str) -> Sandbox {
    let sandbox = Sandbox::new("first-steps", endpoint).unwrap();
    sandbox.configure("apiKey", API_KEY, true).unwrap();
    sandbox.configure("dbPassword", DB_PASSWORD, true).unwrap();
    sandbox
}

#[track_caller]
fn assert_no_canary(said: &Said) {
    for text in [&said.out, &said.err] {
        for canary in [API_KEY, DB_PASSWORD] {
            let line = text.lines().find(|line| line.contains(canary));
            assert!(line.is_none(), "a secret was printed: {line:?}");
        }
    }
}

#[test]
fn not_in_a_log_at_the_highest_verbosity() {
    let cloud = Cloud::start().unwrap();
    let sandbox = sandbox(cloud.url());
    let said = sandbox.run(&["up", "--yes", "--skip-preview", "--logtostderr", "--logflow", "-v=11"]).unwrap();
    assert!(said.ok, "{}", said.out);
    assert!(said.err.len() > 10_000, "the log is not verbose: {}", said.err);
    assert_no_canary(&said);
}

#[test]
fn not_in_the_error_of_a_refused_model() {
    let cloud = Cloud::start().unwrap();
    let sandbox = sandbox(cloud.url());
    // The service refuses the function for its memory; the refused model holds the secret.
    let program = sandbox.program().join("Pulumi.yaml");
    let text = std::fs::read_to_string(&program).unwrap().replace("memorySize: 256", "memorySize: 1");
    std::fs::write(&program, text).unwrap();
    let said = sandbox.run(&["up", "--yes", "--skip-preview"]).unwrap();
    assert!(!said.ok);
    assert!(said.out.contains("AWS::Lambda::Function") && said.out.contains("MemorySize"), "{}", said.out);
    assert_no_canary(&said);
}

#[test]
fn not_in_the_error_of_an_endpoint_that_nobody_listens_on() {
    let sandbox = sandbox("http://127.0.0.1:1");
    let said = sandbox.run(&["up", "--yes", "--skip-preview"]).unwrap();
    assert!(!said.ok);
    assert!(said.out.contains("http://127.0.0.1:1") || said.out.contains("refused"), "{}", said.out);
    assert_no_canary(&said);
}
