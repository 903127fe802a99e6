//! Lists that come in pages, and the tokens that continue them.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Clock, Options, Switches};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};
use support::Client;

const THING: &str = "Test::Page::Thing";

fn client(switches: Switches) -> (Client, Clock) {
    let clock = Clock::by_hand(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    let schema = |name: &str| {
        json!({
            "typeName": name,
            "properties": {"Name": {"type": "string"}},
            "primaryIdentifier": ["/properties/Name"],
            "handlers": {"create": {}, "read": {}, "delete": {}, "list": {}},
        })
    };
    let options = Options { clock: clock.clone(), switches, ..Options::default() };
    (Client::start(&[schema(THING), schema("Test::Page::Other")], options), clock)
}

fn create_all(client: &Client, count: usize) {
    for number in 0..count {
        client.create(THING, &json!({"Name": format!("n{number}")}));
    }
}

fn page(client: &Client, body: Value) -> (usize, Value) {
    let answer = client.call("ListResources", &body).json();
    (answer["ResourceDescriptions"].as_array().unwrap().len(), answer["NextToken"].clone())
}

#[test]
fn tokens_hold_for_one_list_of_one_caller_for_a_day() {
    let (client, clock) = client(Switches::default());
    create_all(&client, 3);
    let (count, token) = page(&client, json!({"TypeName": THING, "MaxResults": 2}));
    assert_eq!(count, 2);
    let text = token.as_str().unwrap();
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)), "{text}");
    let refused = "InvalidRequestException: NextToken is not valid for this list or has expired";
    assert_eq!(client.refused("ListResources", &json!({"TypeName": "Test::Page::Other", "NextToken": token})), refused);
    let filtered = json!({"TypeName": THING, "NextToken": token, "ResourceModel": "{\"Name\":\"n1\"}"});
    assert_eq!(client.refused("ListResources", &filtered), refused);
    assert_eq!(client.refused("ListResourceRequests", &json!({"NextToken": token})), refused);
    assert_eq!(client.refused("ListResources", &json!({"TypeName": THING, "NextToken": "AAAA"})), refused);
    let forged = text.replacen(&text[6..7], if &text[6..7] == "A" { "B" } else { "A" }, 1);
    assert_eq!(client.refused("ListResources", &json!({"TypeName": THING, "NextToken": forged})), refused);
    let elsewhere = Client { region: "us-east-1", ..client };
    assert_eq!(elsewhere.refused("ListResources", &json!({"TypeName": THING, "NextToken": token})), refused);
    let other = Client { region: "eu-west-1", account: "999999999999", ..elsewhere };
    assert_eq!(other.refused("ListResources", &json!({"TypeName": THING, "NextToken": token})), refused);
    let client = Client { account: "123456789012", ..other };
    clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(page(&client, json!({"TypeName": THING, "NextToken": token})), (1, Value::Null));
    clock.advance(Duration::from_millis(1));
    assert_eq!(client.refused("ListResources", &json!({"TypeName": THING, "NextToken": token})), refused);
}

#[test]
fn page_sizes_are_switched() {
    for (switches, asked, expected) in [
        (Switches::default(), Value::Null, 50),
        (Switches::default(), json!(7), 7),
        (Switches { page_size: 5, ..Switches::default() }, Value::Null, 5),
        (Switches { page_size: 5, honour_max_results: false, ..Switches::default() }, json!(7), 5),
    ] {
        let (client, _) = client(switches);
        create_all(&client, 52);
        assert_eq!(page(&client, json!({"TypeName": THING, "MaxResults": asked})).0, expected);
    }
}

#[test]
fn requests_come_newest_first_and_new_ones_repeat_nothing() {
    let (client, _) = client(Switches::default());
    create_all(&client, 25);
    let names = |answer: &Value| -> Vec<String> {
        let events = answer["ResourceRequestStatusSummaries"].as_array().unwrap();
        events.iter().map(|event| event["Identifier"].as_str().unwrap().to_owned()).collect()
    };
    let first = client.call("ListResourceRequests", &json!({})).json();
    client.create(THING, &json!({"Name": "late"}));
    let second = client.call("ListResourceRequests", &json!({"NextToken": first["NextToken"]})).json();
    let expected: Vec<String> = (0..25).rev().map(|number| format!("n{number}")).collect();
    assert_eq!([names(&first), names(&second)].concat(), expected);
    assert_eq!((names(&first).len(), second.get("NextToken")), (20, None));
    let filter = |operations: &[&str], statuses: &[&str]| {
        let filter = json!({"Operations": operations, "OperationStatuses": statuses});
        names(
            &client
                .call("ListResourceRequests", &json!({"ResourceRequestStatusFilter": filter, "MaxResults": 100}))
                .json(),
        )
        .len()
    };
    client.delete(THING, "late");
    for (operations, statuses, expected) in [
        (&["DELETE"][..], &[][..], 1),
        (&["CREATE", "DELETE"], &["SUCCESS", "FAILED"], 27),
        (&["UPDATE"], &["SUCCESS"], 0),
        (&["CREATE"], &["PENDING"], 0),
    ] {
        assert_eq!(filter(operations, statuses), expected, "{operations:?} {statuses:?}");
    }
}
