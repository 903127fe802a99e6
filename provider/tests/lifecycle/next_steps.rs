//! Every failure at the cloud tells one next step, or none, in words that fit the resource.

use metadata::model::Handler;
use metadata::model::Type::{Integer, String as Text};
use metadata::view::Resource;
use provider::advice;
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
    let rest = text.strip_prefix('m').unwrap_or_else(|| panic!("{text}"));
    let next = rest.strip_prefix("\n  next step: ").map(str::to_owned);
    assert!(next.is_some() || rest.is_empty(), "{text}");
    assert_eq!(text.matches("next step").count(), usize::from(next.is_some()), "{text}");
    next
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
                 test:GetThing"
                    .to_owned(),
            ),
        ),
        (service_error("NotStabilized", "m"), named(), None),
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
    let partly =
        advice::partly_created(thing(), &urn("thing"), &members(json!({})), &service_error("NotStabilized", "m"));
    assert_eq!(next_step(&partly), None);
}

#[test]
fn other_operations() {
    let service = |code: &str| service_error(code, "m");
    let read = |id: &str, code: &str| advice::read(thing(), id, &service(code));
    let delete = |error: &CloudError| advice::delete(thing(), "a", error);
    let kind = |kind| CloudError::new(kind, "m");
    for (text, expected) in [
        (read("a", "ValidationException"), Some("give the id in the form `Name|N`")),
        (read("a|7", "ValidationException"), None),
        (
            read("a|7", "AccessDeniedException"),
            Some("allow the caller these IAM actions: cloudformation:GetResource, test:GetThing, test:TagThing"),
        ),
        (
            delete(&service("UnauthorizedTaggingOperation")),
            Some(
                "allow the caller these IAM actions: cloudformation:DeleteResource, \
                 cloudformation:GetResourceRequestStatus, test:DeleteThing",
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
            Some("if the resource itself does not exist any more, run `pulumi refresh`"),
        ),
        (
            delete(&kind(CloudErrorKind::Credentials)),
            Some("renew the credentials (for example `aws sso login`, or new keys), then run the command again"),
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
            Some("set a longer `customTimeouts` for the resource if this type needs it, then run `pulumi refresh`"),
        ),
        (delete(&kind(CloudErrorKind::Canceled)), Some("run `pulumi refresh` before the next update")),
        (
            delete(&kind(CloudErrorKind::Malformed)),
            Some("check that the endpoint is AWS Cloud Control and no proxy changes its answers"),
        ),
    ] {
        assert_eq!(next_step(&text).as_deref(), expected);
    }
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
        (CloudErrorKind::Credentials, Code::Unauthenticated),
        (CloudErrorKind::TimedOut, Code::DeadlineExceeded),
        (CloudErrorKind::Canceled, Code::Canceled),
        (CloudErrorKind::Malformed, Code::Unknown),
    ] {
        let cloud = FakeCloud::default();
        let error = CloudError::new(kind.clone(), "m");
        cloud.with(|script| script.create_failure = Some(CreateFailure::Nothing(error)));
        let request: Json = json!({ "name": "a", "n": 7 });
        let request = CreateRequest { urn: urn("thing"), properties: members(request), timeout: None, preview: false };
        match create(thing(), request, &cloud).await {
            Err(Failure::Refused { code: found, message }) => {
                assert_eq!(found, code, "{kind:?}");
                assert!(message.starts_with("creating resource: m"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
