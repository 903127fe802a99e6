//! Every failure at the cloud tells one next step, in words that fit the resource.

use metadata::model::Handler;
use metadata::model::Type::{Integer, String as Text};
use metadata::view::Resource;
use provider::advice;
use provider::cloud::answer::{Answer, Blame};
use provider::cloud::api::Mutation;
use provider::cloud::retry::{self, Retry};
use provider::cloud::{CloudError, CloudErrorKind, CreateFailure};
use provider::lifecycle::{Code, CreateRequest, Failure, create};
use provider::plan::Plan;
use serde_json::{Value as Json, json};

use crate::fake_cloud::{FakeCloud, service_error};
use crate::models::*;
use crate::types;
use crate::values::{members, urn};

fn thing() -> Resource {
    let handler = |actions: &[&str]| Some(Handler { timeout_minutes: None, permissions: paths(actions) });
    resource(|model| {
        model.properties = vec![prop("name", Text), prop("n", Integer)];
        model.primary_identifier = paths(&["name", "n"]);
        model.handlers.create = handler(&["test:CreateThing", "test:TagThing"]);
        model.handlers.read = handler(&["test:GetThing", "test:TagThing"]);
        model.handlers.delete = handler(&["test:DeleteThing"]);
    })
}

/// What follows the service's facts, `m`.
#[track_caller]
fn next_step(text: &str) -> Option<String> {
    let next = text.strip_prefix("m\n  next step: ").unwrap_or_else(|| panic!("{text}"));
    assert_eq!(text.matches("next step").count(), 1, "{text}");
    Some(next.to_owned())
}

#[test]
fn creates() {
    let import = |id: &str| format!("`pulumi import aws-native:test:Thing thing '{id}'`");
    let existing =
        |code: &str, existing: &str| CloudError { existing: Some(existing.into()), ..service_error(code, "m") };
    let taken = |id: &str| {
        format!(
            "the existing resource is not part of this stack: run {} to manage it, or choose another name",
            import(id)
        )
    };
    let named = || json!({ "name": "a", "n": 7 });
    for (error, inputs, expected) in [
        (service_error("AlreadyExists", "m"), named(), Some(taken("a|7"))),
        (service_error("AlreadyExistsException", "m"), named(), Some(taken("a|7"))),
        // c94: a number of any size is spelled without exponent.
        (
            service_error("AlreadyExists", "m"),
            json!({ "name": "a", "n": 30_000_000_000_u64 }),
            Some(taken("a|30000000000")),
        ),
        // The inputs spell an id of the right form, the service may not.
        (existing("AlreadyExists", "{\"/properties/Name\":\"a\"}"), named(), Some(taken("a|7"))),
        (existing("AlreadyExists", "a|8"), json!({ "name": "a" }), Some(taken("a|8"))),
        (service_error("AlreadyExists", "m"), json!({ "name": { "$secret": "a" }, "n": 7 }), Some(taken("Name|N"))),
        (
            existing("GeneralServiceException", "a|7"),
            named(),
            Some(format!(
                "if the existing resource is yours, run {} to manage it, else choose another name",
                import("a|7")
            )),
        ),
        (
            service_error("ClientTokenConflictException", "m"),
            named(),
            Some(format!(
                "AWS had this request before in another form, and may have carried it out: look for the resource; if it is \
                 there, run {}, else run the command again",
                import("a|7")
            )),
        ),
        (
            service_error("AccessDeniedException", "m"),
            json!({}),
            Some(
                "allow the caller these IAM actions: cloudformation:CreateResource, \
                 cloudformation:GetResourceRequestStatus, cloudformation:GetResource, test:CreateThing, test:TagThing, \
                 test:GetThing (other operations need cloudformation:UpdateResource, cloudformation:DeleteResource, \
                 cloudformation:ListResources too)"
                    .to_owned(),
            ),
        ),
        (
            service_error("NotStabilized", "m"),
            named(),
            Some(
                "look at AWS for what keeps the resource from getting ready (the service's console and its events tell), \
                 mend that, then run the command again"
                    .to_owned(),
            ),
        ),
        (
            service_error("RequestTokenNotFoundException", "m"),
            named(),
            Some(format!(
                "look what became of it, with `aws cloudcontrol list-resource-requests`; if it is there, run {}",
                import("a|7")
            )),
        ),
        (
            CloudError::new(CloudErrorKind::NotStarted, "m"),
            named(),
            Some("run the command again".to_owned()),
        ),
    ] {
        let text = advice::create(thing(), &urn("thing"), &members(inputs), &error);
        assert_eq!(next_step(&text), expected, "{error:?}");
    }
}

/// After an interruption, by who knows of the resource: the state, the journal, or nobody.
#[test]
fn interrupted_creates() {
    let longer = "set a longer `customTimeouts` for the resource if this type needs it, then ";
    let read_first = "run the command again: the state has the resource, and it is read before it is changed";
    let picked_up = "run the command again: the provider picks the request up";
    let look = "look what became of it, with `aws cloudcontrol list-resource-requests`; if it is there, run `pulumi import \
                aws-native:test:Thing thing 'a|7'`";
    for (kind, before) in [(CloudErrorKind::TimedOut, longer), (CloudErrorKind::Canceled, "")] {
        let inputs = members(json!({ "name": "a", "n": 7 }));
        let error = |kept| CloudError { kept, ..CloudError::new(kind.clone(), "m") };
        let create = |kept| next_step(&advice::create(thing(), &urn("thing"), &inputs, &error(kept)));
        assert_eq!(create(true), Some(format!("{before}{picked_up}")));
        assert_eq!(create(false), Some(format!("{before}{look}")));
        let partly = advice::partly_created(thing(), &urn("thing"), &inputs, &error(false));
        assert_eq!(next_step(&partly), Some(format!("{before}{read_first}")));
    }
    // Nobody knows whether the answer of an update or a deletion arrives before the provider ends.
    for operation in ["Update", "Delete"] {
        let error = CloudError::new(CloudErrorKind::Canceled, "m");
        let text = match operation {
            "Update" => advice::unsettled_update(thing(), &Plan::default(), &urn("thing"), &error),
            _ => advice::delete(thing(), "a|7", &error),
        };
        let last_words = advice::interrupted::way_on(operation, urn("thing").as_str(), false, Some("r-1"), Some("a|7"));
        assert_eq!(next_step(&text), Some(last_words), "{operation}");
    }
}

#[test]
fn other_operations() {
    let service = |code: &str| service_error(code, "m");
    let read = |id: &str, code: &str| advice::read(thing(), id, &service(code));
    let delete = |error: &CloudError| advice::delete(thing(), "a", error);
    let kind = |kind| CloudError::new(kind, "m");
    for (text, expected) in [
        (read("a", "ValidationException"), Some("give the id in the form `Name|N`")),
        (
            read("a|7", "ValidationException"),
            Some(
                "check the id letter by letter: it is Cloud Control's identifier, in the form `Name|N`, which is not always \
                 the name or the ARN",
            ),
        ),
        (
            read("a|7", "AccessDeniedException"),
            Some(
                "allow the caller these IAM actions: cloudformation:GetResource, test:GetThing, test:TagThing (other \
                 operations need cloudformation:CreateResource, cloudformation:UpdateResource, \
                 cloudformation:DeleteResource, cloudformation:ListResources too)",
            ),
        ),
        // What one policy forbids no other can allow.
        (
            advice::read(
                thing(),
                "a|7",
                &service_error("AccessDenied", "with an explicit deny in a service control policy"),
            )
            .replace("with an explicit deny in a service control policy", "m"),
            Some(
                "a policy denies it explicitly, which no other can allow: change the policy that the service's words name; \
                 needed are these IAM actions: cloudformation:GetResource, test:GetThing, test:TagThing (other operations need \
                 cloudformation:CreateResource, cloudformation:UpdateResource, cloudformation:DeleteResource, \
                 cloudformation:ListResources too)",
            ),
        ),
        (
            delete(&service("UnauthorizedTaggingOperation")),
            Some(
                "allow the caller these IAM actions: cloudformation:DeleteResource, \
                 cloudformation:GetResourceRequestStatus, test:DeleteThing (other operations need \
                 cloudformation:CreateResource, cloudformation:GetResource, cloudformation:UpdateResource, \
                 cloudformation:ListResources too)",
            ),
        ),
        (
            delete(&service("TypeNotFoundException")),
            Some(
                "AWS::Test::Thing is not offered in this region, or is a third-party type that is not activated there: use \
                 another region, or activate the type",
            ),
        ),
        (
            delete(&service("UnsupportedActionException")),
            Some(
                "Cloud Control does not delete AWS::Test::Thing: leave this to a provider that uses the service's own API",
            ),
        ),
        (
            delete(&service("ServiceLimitExceeded")),
            Some("ask for a higher quota in Service Quotas, or remove what is not needed"),
        ),
        (
            delete(&service("ClientTokenConflictException")),
            Some(
                "AWS had this request before in another form, and may have carried it out: run `pulumi refresh`, then the \
                 command again",
            ),
        ),
        (
            delete(&service("Throttling")),
            Some("run the command again later, or with fewer operations at once (`--parallel`)"),
        ),
        (
            delete(&service("ConcurrentOperationException")),
            Some("wait until the other operation on the resource has ended, then run the command again"),
        ),
        (
            delete(&service("InvalidCredentialsException")),
            Some(
                "the service refused the credentials that its handler was given: check the role of `aws-native:roleArn`, or \
                 renew the caller's credentials, then run the command again",
            ),
        ),
        (
            advice::update(thing(), &Plan::default(), &urn("thing"), &service("NotFound")),
            Some(
                "if the resource itself does not exist any more, run `pulumi refresh`; else something that it refers to is \
                 missing: check the names, ids and ARNs in its properties",
            ),
        ),
        (
            delete(&kind(CloudErrorKind::Credentials { next: "run `aws sso login --profile p`".to_owned() })),
            Some("run `aws sso login --profile p`"),
        ),
        (
            delete(&kind(CloudErrorKind::Unreachable)),
            Some(
                "check the network, the region's name and the configured endpoints (`aws-native:endpoints`, \
                 `AWS_ENDPOINT_URL`)",
            ),
        ),
        (
            delete(&kind(CloudErrorKind::TimedOut)),
            Some(
                "set a longer `customTimeouts` for the resource if this type needs it, then run `pulumi refresh`, then the \
                 command again: the provider waits for the request if it still runs",
            ),
        ),
        (advice::read(thing(), "a|7", &kind(CloudErrorKind::Canceled)), Some("run the command again")),
        (
            delete(&kind(CloudErrorKind::Malformed)),
            Some("check that the endpoint is AWS Cloud Control and no proxy changes its answers"),
        ),
    ] {
        assert_eq!(next_step(&text).as_deref(), expected);
    }
}

/// The words of a refusal name properties as CloudFormation does, or members of the request.
#[test]
fn what_is_refused_is_named_as_the_program_has_it() {
    let correct = |name: &str| format!("correct {name} in the program, then run the command again");
    let member = |name: &str| format!("1 validation error detected: Value at '{name}' failed to satisfy constraint: x");
    for (words, expected) in [
        ("Model validation failed (#/Name: failed validation constraint for keyword [pattern])", correct("`name`")),
        ("Model validation failed (#: required key [N] not found\n#/Name: too long)", correct("`name`, `n`")),
        ("Invalid patch update: createOnlyProperties [/properties/Name] cannot be updated", correct("`name`")),
        (
            "bad",
            "correct in the program what the service's words name, then run the command again; a property that they write \
             `BucketName` is `bucketName` there"
                .to_owned(),
        ),
        (
            &member("roleArn"),
            "correct `aws-native:roleArn`: it takes the ARN of an IAM role, like arn:aws:iam::123456789012:role/NAME"
                .to_owned(),
        ),
        (
            &member("desiredState"),
            "the properties are more than Cloud Control takes at once, 262,144 characters: shorten the longest, or keep it in \
             a file at S3 where the service reads one from there"
                .to_owned(),
        ),
        (
            &member("clientToken"),
            "report it as a bug of the aws-native provider, with this message".to_owned(),
        ),
        (
            "blocked. Hook failures: HookName: Acme::Guard",
            "a CloudFormation hook of the account objects: change what its words ask for, or have whoever runs the hook let \
             it pass"
                .to_owned(),
        ),
    ] {
        for code in ["ValidationException", "ValidationError"] {
            let error = service_error(code, &format!("{words}\n  type: AWS::Test::Thing, identifier: #/N"));
            let text = advice::create(thing(), &urn("thing"), &members(json!({})), &error);
            assert_eq!(text.split_once("\n  next step: ").map(|(_, next)| next), Some(expected.as_str()), "{words}");
        }
    }
}

/// The rows of docs/errors.md whose first cell names codes, as the rules have them.
#[test]
fn every_answer_of_the_service_is_on_the_page_with_its_next_step() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md")).unwrap();
    let mut groups: Vec<(Answer, &str, Vec<&str>)> = Vec::new();
    for (code, answer) in Answer::known() {
        let repeated = repeated(if code == "GeneralService" { "GeneralServiceException" } else { code });
        match groups.iter_mut().find(|group| (group.0, group.1) == (answer, repeated)) {
            Some((_, _, codes)) => codes.push(code),
            None => groups.push((answer, repeated, vec![code])),
        }
    }
    groups.push((Answer::Other, repeated("Other"), vec!["any other"]));
    let mut missing = Vec::new();
    for (answer, repeated, codes) in groups {
        let blame = match answer.blame() {
            Blame::User => "you",
            Blame::Service => "AWS",
            Blame::Provider => "provider",
        };
        let grpc = format!("{:?}", advice::code_of(answer));
        let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
        let start = format!("| {} | {blame} | {} | {repeated} | ", codes.join(", "), screaming(&grpc));
        let Some(row) = page.lines().find_map(|line| line.strip_prefix(&start)) else {
            missing.push(start);
            continue;
        };
        // The rows that it points to have what is said, whatever the operation is.
        let rows: String = row
            .trim_end_matches(" |")
            .split(", ")
            .map(|number| page.lines().find(|line| line.starts_with(&format!("| {number} |"))).unwrap_or_default())
            .collect();
        let code = codes[0].trim_matches('`');
        for text in told(code) {
            let next = next_step(&text).unwrap();
            let parts = rows.split('`').flat_map(|cell| cell.split("{…}")).filter(|part| part.len() > 20);
            assert!(parts.into_iter().any(|part| next.contains(part.trim())), "{row} does not have: {next}");
        }
    }
    assert!(missing.is_empty(), "not in docs/errors.md:\n{}", missing.join("\n"));
}

/// What is told of an answer in every operation.
fn told(code: &str) -> [String; 4] {
    let error = service_error(code, "m");
    [
        advice::create(thing(), &urn("thing"), &members(json!({ "name": "a", "n": 7 })), &error),
        advice::read(thing(), "a|7", &error),
        advice::update(types::role(), &Plan::default(), &urn("thing"), &error),
        advice::delete(thing(), "a|7", &error),
    ]
}

/// Whether an operation that a handler failed with this code is asked for again.
fn repeated(code: &str) -> &'static str {
    let create = Mutation::Create { desired: "{}" };
    let again = |words: &str, named| retry::verdict(create, code, words, named) != Retry::No;
    let by_words = ["rate exceeded", "role cannot be assumed"].into_iter().any(|words| again(words, false));
    match (again("", true), again("", false), by_words) {
        (true, _, _) => "yes",
        (false, true, _) => "unless it named a new resource",
        (false, false, true) => "by its words",
        (false, false, false) => "no",
    }
}

/// `InvalidArgument` as gRPC writes it.
fn screaming(code: &str) -> String {
    let mut name = String::new();
    for letter in code.chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

#[test]
fn a_refused_update_has_one_way_out() {
    let replace = "`pulumi up --replace 'urn:pulumi:dev::test::aws-native:test:Thing::thing'`";
    let plan = |conditional: &[&str]| Plan { conditional: paths(conditional).into_iter().collect(), ..Plan::default() };
    for (plan, expected) in [
        (plan(&[]), format!("run {replace} to replace the resource")),
        (
            plan(&["engine", "tenancy"]),
            format!(
                "engine, tenancy can be changed in place only under conditions that the service decides, and this change \
                 needs a replacement: run {replace}"
            ),
        ),
    ] {
        let text = advice::update(types::role(), &plan, &urn("thing"), &service_error("NotUpdatable", "m"));
        assert_eq!(next_step(&text), Some(expected));
    }
}

#[tokio::test]
async fn the_code_says_what_the_caller_should_do() {
    for (kind, code) in [
        (CloudErrorKind::Service { code: "InvalidRequest".to_owned() }, Code::InvalidArgument),
        (CloudErrorKind::Service { code: "AlreadyExists".to_owned() }, Code::AlreadyExists),
        (CloudErrorKind::Service { code: "NotStabilized".to_owned() }, Code::Unknown),
        (CloudErrorKind::Unreachable, Code::Unavailable),
        (CloudErrorKind::Credentials { next: "n".to_owned() }, Code::Unauthenticated),
        (CloudErrorKind::TimedOut, Code::DeadlineExceeded),
        (CloudErrorKind::Canceled, Code::Canceled),
        (CloudErrorKind::Malformed, Code::Unknown),
    ] {
        let cloud = FakeCloud::default();
        let error = CloudError::new(kind.clone(), "m");
        cloud.with(|script| script.create_failure = Some(CreateFailure::Nothing(error)));
        let request: Json = json!({ "name": "a", "n": 7 });
        let request = CreateRequest {
            urn: urn("thing"),
            properties: members(request),
            timeout: None,
            reads_first: false,
            preview: false,
        };
        match create(thing(), request, &cloud).await {
            Err(Failure::Refused { code: found, message }) => {
                assert_eq!(found, code, "{kind:?}");
                assert!(message.starts_with("creating resource: m"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
