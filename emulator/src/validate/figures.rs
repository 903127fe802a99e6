//! How long reading and validating takes, and how much memory. Nothing is asserted about time; with `EMULATOR_FIGURES` in the
//! environment the figures are printed (`make emulator-types`).

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise; whoever starts it says whether it prints figures"
)]

use super::Validator;
use crate::admin::Size;
use crate::overrides::Knowledge;
use crate::schema::library::SchemaSource;
use crate::schema::patterns::Patterns;
use crate::schema::{Handler, Library};
use crate::scope::Scope;
use crate::synthesize::context::Context;
use crate::synthesize::sample::sample;
use serde_json::Value;
use std::time::{Duration, Instant, SystemTime};

/// How often a state is validated for one figure.
const REPEATS: u32 = 5;

#[test]
fn small_states_of_every_type_are_accepted() {
    let start = Instant::now();
    let library = Library::load(&SchemaSource::Embedded).expect("`make generate` comes first");
    let loaded = start.elapsed();
    let (knowledge, scope, patterns) =
        (Knowledge::load().unwrap(), Scope::new("123456789012", "us-east-1"), Patterns::default());
    let made = |type_name: &str| {
        let resource = library.get(type_name).unwrap();
        let context = Context::new(&knowledge, &scope, type_name, (0, &Value::Null, 0), SystemTime::UNIX_EPOCH);
        let state = resource.has(Handler::Create).then(|| sample(&resource, &patterns, &context, Size::Minimal));
        (resource.clone(), state)
    };
    let first_use = Instant::now();
    made("AWS::QuickSight::Dashboard");
    let largest = first_use.elapsed();
    let mut times = Vec::new();
    for type_name in library.type_names() {
        let (resource, Some(state)) = made(type_name) else { continue };
        let state = state.unwrap_or_else(|| panic!("{type_name}: no state was found that the schema accepts"));
        let validator = Validator::new(&resource, &patterns);
        assert_eq!(validator.model(&state), Ok(()), "{type_name}");
        let start = Instant::now();
        for _ in 0..REPEATS {
            assert!(validator.model(&state).is_ok());
        }
        times.push(start.elapsed() / REPEATS);
    }
    times.sort();
    if std::env::var_os("EMULATOR_FIGURES").is_some() {
        let millis = |time: Duration| time.as_secs_f64() * 1_000.0;
        eprintln!("loading the bundle: {:.1} ms", millis(loaded));
        eprintln!("first use of AWS::QuickSight::Dashboard, with a state made for it: {:.1} ms", millis(largest));
        let at = |share: f64| millis(times[((times.len() - 1) as f64 * share) as usize]);
        eprintln!(
            "validating the smallest state of {} types: median {:.4} ms, 99 of 100 {:.4} ms, longest {:.3} ms",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        status.lines().filter(|line| line.starts_with("VmRSS")).for_each(|line| {
            eprintln!(
                "memory with every schema read and every pattern compiled: {}",
                line.trim_start_matches("VmRSS:").trim()
            );
        });
    }
}
