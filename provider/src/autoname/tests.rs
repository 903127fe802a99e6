#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use metadata::model::{NameForm, Separator};

use super::*;
use crate::requests::EngineNaming;

const ZERO_SEED: [u8; 32] = [0; 32];

fn spec(min_length: u32, max_length: u32) -> AutoName {
    AutoName { property: "name", min_length, max_length, suffix_rule: None, form: NameForm::default() }
}

fn naming(spec: AutoName, logical_name: &str, settings: Option<AutoNamingSettings>) -> Naming<'_> {
    Naming { spec, logical_name, engine: None, settings, seed: &ZERO_SEED, characters: None }
}

fn trim(random_suffix_min_length: usize) -> Option<AutoNamingSettings> {
    Some(AutoNamingSettings { auto_trim: true, random_suffix_min_length })
}

fn apply(naming: Naming<'_>, olds: &Map, news: &[(&str, Value)]) -> Result<Option<Value>, NamingError> {
    let mut news: Map = news.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    naming.apply(olds, &mut news)?;
    Ok(news.get(naming.spec.property).cloned())
}

#[test]
fn generated_names_fit_their_limits() {
    check(0, 0, "myName", None, "myName-dd5306f");
    check(0, 12, "myName", None, "myName-dd530");
    check(15, 0, "myName", None, "myName-dd5306f8");
    check(0, 12, "myReallyLongName", trim(0), "myReagName-d");
    check(0, 13, "myReallyLongName", trim(2), "myReagName-dd");
    // A setting of more characters than the limit leaves is not to be had.
    check(0, 13, "myName", trim(14), "myName-dd5306");
    check(
        0,
        0,
        "myName",
        Some(AutoNamingSettings { auto_trim: false, random_suffix_min_length: 9 }),
        "myName-dd5306f8e",
    );

    #[track_caller]
    fn check(min: u32, max: u32, name: &str, settings: Option<AutoNamingSettings>, expected: &str) {
        let made = apply(naming(spec(min, max), name, settings), &Map::new(), &[]).unwrap();
        assert_eq!(made, Some(expected.into()), "min {min} max {max} {name}");
    }
}

#[test]
fn no_setting_makes_a_name_endless() {
    let settings = |auto_trim| Some(AutoNamingSettings { auto_trim, random_suffix_min_length: usize::MAX });
    let made = apply(naming(spec(0, 0), "n", settings(false)), &Map::new(), &[]).unwrap().unwrap();
    assert_eq!(made.as_str().unwrap().len(), "n-".len() + 256);
    let error = apply(naming(spec(0, 2), "n", settings(true)), &Map::new(), &[]).unwrap_err();
    assert!(error.to_string().contains("with required suffix length 256"), "{error}");
}

#[test]
fn names_without_room_are_refused() {
    check(
        6,
        "myName",
        None,
        "failed to auto-generate value for \"name\". Prefix: \"myName-\" is too large to fix max length constraint of 6. \
         Please provide a value for \"name\"",
    );
    check(
        13,
        "myReallyLongName",
        trim(14),
        "failed to auto-generate value for \"name\". Prefix: \"myReallyLongName-\" is too large to fix max length \
         constraint of 13 with required suffix length 14. Please provide a value for \"name\"",
    );

    #[track_caller]
    fn check(max: u32, name: &str, settings: Option<AutoNamingSettings>, expected: &str) {
        let error = apply(naming(spec(0, max), name, settings), &Map::new(), &[]).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn fifo_queues_get_their_suffix_within_the_limit() {
    let rule = SuffixRule { field: "fifoQueue", equals: true, suffix: ".fifo" };
    let spec = AutoName { suffix_rule: Some(rule), ..spec(0, 80) };
    check(spec, true.into(), "q-dd5306f.fifo");
    check(spec, Value::secret(true), "q-dd5306f.fifo");
    check(spec, value::Unknown::Bool.into(), "q-dd5306f.fifo");
    check(spec, false.into(), "q-dd5306f");
    check(AutoName { max_length: 12, ..spec }, true.into(), "q-dd530.fifo");

    #[track_caller]
    fn check(spec: AutoName, flag: Value, expected: &str) {
        let made = apply(naming(spec, "q", None), &Map::new(), &[("fifoQueue", flag)]).unwrap();
        assert_eq!(made, Some(expected.into()));
    }
}

#[test]
fn own_and_old_names_stay() {
    let olds = Map::from([("name".to_owned(), Value::from("old"))]);
    let naming = naming(spec(0, 0), "n", None);
    assert_eq!(apply(naming, &olds, &[]).unwrap(), Some("old".into()));
    assert_eq!(apply(naming, &olds, &[("name", "own".into())]).unwrap(), Some("own".into()));
    let unknown = Value::Unknown(value::Unknown::String);
    assert_eq!(apply(naming, &olds, &[("name", unknown.clone())]).unwrap(), Some(unknown));
}

#[test]
fn the_engine_may_name() {
    use EngineNamingMode::{Disable, Enforce, Propose};
    check(Propose, "proposed", None, Ok(Some("proposed".into())));
    check(Enforce, "far-too-long-a-name", None, Ok(Some("far-too-long-a-name".into())));
    check(Disable, "", None, Ok(None));
    let too_long = NamingError::ProposalTooLong { name: "far-too-long-a-name".into(), max: 10 };
    check(Propose, "far-too-long-a-name", None, Err(too_long));
    check(Propose, "x", None, Err(NamingError::ProposalTooShort { name: "x".into(), min: 2 }));
    check(Enforce, "x", trim(0), Err(NamingError::Conflict));

    #[track_caller]
    fn check(
        mode: EngineNamingMode,
        proposed: &str,
        settings: Option<AutoNamingSettings>,
        expected: Result<Option<Value>, NamingError>,
    ) {
        let engine = EngineNaming { proposed: proposed.to_owned(), mode };
        let naming = Naming { engine: Some(&engine), ..naming(spec(2, 10), "n", settings) };
        assert_eq!(apply(naming, &Map::new(), &[]), expected, "{mode:?} {proposed}");
    }
}

#[test]
fn multi_byte_names_are_never_cut_inside_a_character() {
    let made = apply(naming(spec(0, 9), "äöüäöüäöü", trim(2)), &Map::new(), &[]).unwrap().unwrap();
    assert!(made.as_str().unwrap().len() <= 9, "{made:?}");
}

#[test]
fn generated_names_are_recognized() {
    check("bucket", "bucket-dd5306f", true);
    check("bucket", "bucket-1234567", true);
    check("q", "q-dd5306f.fifo", true);
    check("myReallyLongName", "myReagName-dd5306f", true);
    check("bucket", "bucket", false);
    check("bucket", "bucket-", false);
    check("bucket", "bucket-prod", false);
    check("bucket", "other-dd5306f", false);
    // Fewer characters are never drawn without need.
    check("web", "web-1", false);
    check("web", "web-2024", false);
    check("web", "web-cafe", false);
    // A setting may ask for more.
    check("web", "web-dd5306f8e", true);
    check("web", "web-20240131", false);
    check("web", "web-123456789012", false);
    check("web", "web-deadbeef", false);
    // Patterns of the engine that a user may just as well write.
    check("bucket", "bucket-backup", false);
    check("bucket", "bucket-x7k2p9", false);

    #[track_caller]
    fn check(logical_name: &str, name: &str, expected: bool) {
        assert_eq!(looks_generated(logical_name, name), expected, "{name}");
    }
}

#[test]
fn names_at_a_limit_are_recognized() {
    let queue = SuffixRule { field: "fifoQueue", equals: true, suffix: ".fifo" };
    let queue = |max_length| AutoName { suffix_rule: Some(queue), ..spec(0, max_length) };
    check(spec(0, 0), "bucket", "bucket-dd5306f", true);
    check(spec(0, 12), "bucket", "bucket-dd530", true);
    check(spec(0, 63), "bucket", "bucket-dd530", false);
    check(spec(0, 0), "bucket", "bucket-dd530", false);
    check(spec(0, 12), "myReallyLongName", "myReagName-d", true);
    check(queue(80), "q", "q-dd5306f.fifo", true);
    check(queue(12), "q", "q-dd530.fifo", true);
    check(spec(15, 0), "myName", "myName-12345678", true);
    check(spec(16, 0), "myName", "myName-12345678", false);
    check(spec(5, 0), "web", "web-1", false);

    #[track_caller]
    fn check(spec: AutoName, logical_name: &str, name: &str, expected: bool) {
        assert_eq!(looks_generated_by(spec, logical_name, name), expected, "{name}");
    }
}

/// A name of 70 characters where 64 are allowed and the schema does not say so.
#[test]
fn c38_real_limits_count() {
    let logical_name = "a".repeat(70);
    let role = real("aws-native:iam:Role");
    let made = apply(naming(role, &logical_name, trim(8)), &Map::new(), &[]).unwrap().unwrap();
    let made = made.as_str().unwrap();
    assert_eq!((made.len(), &made[56..]), (64, "dd5306f8"));
    assert!(looks_generated_by(role, &logical_name, made));
    // Without leave to trim, the error names the limit, the stem, and what to set.
    let error = apply(naming(role, &logical_name, None), &Map::new(), &[]).unwrap_err().to_string();
    for part in ["64", &logical_name, "\"roleName\""] {
        assert!(error.contains(part), "{error}");
    }
    // A name that a resource has stays, however long.
    let olds = Map::from([("roleName".to_owned(), Value::from(logical_name.as_str()))]);
    assert_eq!(apply(naming(role, &logical_name, None), &olds, &[]).unwrap(), Some(logical_name.as_str().into()));
}

/// The suffix that a FIFO queue demands counts towards the 80 characters.
#[test]
fn c38_fifo_counts_towards_the_limit() {
    let queue = real("aws-native:sqs:Queue");
    let made = apply(naming(queue, &"q".repeat(90), trim(8)), &Map::new(), &[("fifoQueue", true.into())]);
    let made = made.unwrap().unwrap();
    let made = made.as_str().unwrap();
    assert!(made.len() == 80 && made.ends_with("dd5306f8.fifo"), "{made}");
}

/// Services that refuse capitals or dashes get names without; where they take them, names stay as they were.
#[test]
fn c38_names_have_the_form_that_the_service_takes() {
    let form = |lower_case, separator| AutoName { form: NameForm { lower_case, separator }, ..spec(0, 0) };
    check(form(false, Separator::Dash), "My-Name-dd5306f");
    check(form(true, Separator::Dash), "my-name-dd5306f");
    check(form(false, Separator::Underscore), "My_Name_dd5306f");
    check(form(true, Separator::Nothing), "mynamedd5306f");
    let bucket = real("aws-native:s3:Bucket");
    let made = apply(naming(bucket, "My-Bucket", None), &Map::new(), &[]).unwrap();
    assert_eq!(made, Some("my-bucket-dd5306f".into()));

    #[track_caller]
    fn check(spec: AutoName, expected: &str) {
        let made = apply(naming(spec, "My-Name", None), &Map::new(), &[]).unwrap();
        assert_eq!(made, Some(expected.into()));
        assert!(looks_generated_by(spec, "My-Name", expected), "{expected}");
        assert!(!looks_generated_by(spec, "Other", expected), "{expected}");
    }
}

/// How names of a real type are made.
fn real(token: &str) -> AutoName {
    generated::resource(token).unwrap().auto_name().unwrap()
}

#[test]
fn a_name_that_was_secret_stays_secret() {
    let old = |value: Value| apply(naming(spec(0, 0), "n", None), &Map::from([("name".to_owned(), value)]), &[]);
    assert_eq!(old("old".into()).unwrap(), Some("old".into()));
    assert_eq!(old(Value::secret("old")).unwrap(), Some(Value::secret("old")));
    assert_eq!(old(Value::Secret(Box::new(Value::secret("old")))).unwrap(), Some(Value::secret("old")));
    // What is no name is none.
    for nothing in [Value::Null, value::Unknown::String.into(), Value::secret(value::Unknown::String), 1.into()] {
        assert_eq!(old(nothing).unwrap(), Some("n-dd5306f".into()));
    }
}

/// `autoTrim` cuts for the random characters that are asked for, not only where none would fit.
#[test]
fn c38_a_trimmed_name_has_all_its_random_characters() {
    check(64, 60, 8, "", "dd5306f8");
    check(64, 63, 8, "", "dd5306f8");
    check(64, 64, 8, "", "dd5306f8");
    check(32, 30, 4, "", "dd53");
    check(80, 75, 8, ".fifo", "dd5306f8.fifo");
    // What fits is not cut.
    check(64, 55, 8, "", "-dd5306f8");
    check(64, 20, 8, "", "-dd5306f8");

    #[track_caller]
    fn check(max: u32, length: usize, fewest: usize, suffix: &'static str, end: &str) {
        let rule = SuffixRule { field: "fifo", equals: true, suffix };
        let spec = AutoName { suffix_rule: (!suffix.is_empty()).then_some(rule), ..spec(0, max) };
        let logical_name = "n".repeat(length);
        let made = apply(naming(spec, &logical_name, trim(fewest)), &Map::new(), &[("fifo", true.into())]);
        let made = made.unwrap().unwrap();
        let made = made.as_str().unwrap();
        let room = max as usize;
        assert!(
            made.len() == room.min(length + 1 + fewest + suffix.len()) && made.ends_with(end),
            "{max} {length}: {made}"
        );
        assert!(looks_generated_by(spec, &logical_name, made), "{made}");
    }
}

/// A name that the schema's pattern refuses is made of another spelling of the logical name, if one fits.
#[test]
fn c38_characters_that_a_service_refuses_are_left_out() {
    let dns = "^[a-z0-9]+(-[a-z0-9]+)*$";
    for (pattern, logical_name, expected) in [
        ("^[a-z0-9.-]+$", "my_bucket", "my-bucket-dd5306f"),
        ("^[a-z0-9.-]+$", "my.bucket", "my.bucket-dd5306f"),
        ("^[a-z0-9.-]+$", "My Bücket", "my-b-cket-dd5306f"),
        ("^[a-zA-Z0-9-]+$", "a.b_c:d/e", "a-b-c-d-e-dd5306f"),
        ("^[\\w+=,.@-]+$", "a role", "a-role-dd5306f"),
        ("^[\\w+=,.@-]+$", "a+role@x", "a+role@x-dd5306f"),
        (dns, "my__queue", "my-queue-dd5306f"),
        (dns, "_queue_", "queue-dd5306f"),
        // What is taken stays, and what no spelling helps, too.
        (".+", "a b_ü", "a b_ü-dd5306f"),
        ("^custom-.*$", "a_b", "a_b-dd5306f"),
        ("(", "a_b", "a_b-dd5306f"),
    ] {
        let schema = serde_json::json!({ "properties": { "Name": { "$ref": "#/definitions/Name" } },
            "definitions": { "Name": { "type": "string", "pattern": pattern } } });
        let schema = crate::validate::Schema::parse(&schema.to_string()).unwrap();
        let naming = Naming { characters: schema.characters("Name"), ..naming(spec(0, 0), logical_name, None) };
        assert_eq!(apply(naming, &Map::new(), &[]).unwrap(), Some(expected.into()), "{pattern} {logical_name}");
        assert!(looks_generated_by(spec(0, 0), logical_name, expected), "{expected}");
        // The same of what the engine proposes, but not of what it demands.
        let proposed = format!("{logical_name}-dd5306f");
        for (mode, expected) in [(EngineNamingMode::Propose, expected), (EngineNamingMode::Enforce, &proposed)] {
            let engine = EngineNaming { proposed: proposed.clone(), mode };
            let naming = Naming { engine: Some(&engine), ..naming };
            assert_eq!(apply(naming, &Map::new(), &[]).unwrap(), Some(expected.into()), "{mode:?} {pattern}");
        }
    }
}
