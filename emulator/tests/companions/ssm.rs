//! SSM: parameters from calls, from Cloud Control and from the public.

use super::support::Client;
use super::{start, start_in};
use emulator::{Options, Switches};
use serde_json::{Value, json};

fn call(client: &Client, operation: &str, body: &Value) -> Result<Value, String> {
    let answer = client.json_call("ssm", &format!("AmazonSSM.{operation}"), body);
    let value = answer.json();
    match answer.status {
        200 => Ok(value),
        _ => Err(format!("{} {}", answer.status, value["__type"].as_str().unwrap())),
    }
}

fn value(client: &Client, name: &str) -> Result<Value, String> {
    call(client, "GetParameter", &json!({"Name": name})).map(|answer| answer["Parameter"]["Value"].clone())
}

#[test]
fn parameters_are_put_read_and_deleted_and_outlive_the_emulator() {
    let folder = tempfile::tempdir().unwrap();
    let client = start_in(folder.path(), Switches::default());
    let put = |client: &Client, body: Value| call(client, "PutParameter", &body);
    let first = put(&client, json!({"Name": "/app/key", "Value": "one", "Type": "String"})).unwrap();
    assert_eq!(first, json!({"Version": 1, "Tier": "Standard"}));
    let again = put(&client, json!({"Name": "/app/key", "Value": "two"}));
    assert_eq!(again, Err("400 ParameterAlreadyExists".to_owned()));
    let second = put(&client, json!({"Name": "/app/key", "Value": "two", "Overwrite": true})).unwrap();
    assert_eq!(second["Version"], 2);
    put(&client, json!({"Name": "/app/secret", "Value": "hidden", "Type": "SecureString"})).unwrap();
    put(&client, json!({"Name": "bare", "Value": "b", "Type": "StringList"})).unwrap();
    client.emulator.stop();

    let client = start_in(folder.path(), Switches::default());
    let found = call(&client, "GetParameter", &json!({"Name": "/app/key"})).unwrap()["Parameter"].clone();
    assert_eq!((&found["Value"], &found["Type"], &found["Version"]), (&json!("two"), &json!("String"), &json!(2)));
    let arn = "arn:aws:ssm:eu-west-1:123456789012:parameter/app/key";
    assert_eq!(found["ARN"], arn);
    for name in [arn, "/app/key:2", "arn:aws:ssm:eu-west-1:123456789012:parameter/app/key:2"] {
        assert_eq!(value(&client, name), Ok(json!("two")), "{name}");
    }
    assert_eq!(value(&client, "arn:aws:ssm:eu-west-1:123456789012:parameter/bare"), Ok(json!("b")));
    assert_eq!(value(&client, "/app/key:1"), Err("400 ParameterVersionNotFound".to_owned()));
    let sealed = value(&client, "/app/secret").unwrap();
    assert!(sealed != "hidden" && sealed != "", "{sealed}");
    let opened = call(&client, "GetParameter", &json!({"Name": "/app/secret", "WithDecryption": true})).unwrap();
    assert_eq!(opened["Parameter"]["Value"], "hidden");
    let elsewhere = Client { region: "us-east-1", ..client };
    assert_eq!(value(&elsewhere, "/app/key"), Err("400 ParameterNotFound".to_owned()));
    let client = Client { region: "eu-west-1", ..elsewhere };
    assert_eq!(call(&client, "DeleteParameter", &json!({"Name": "/app/key"})), Ok(json!({})));
    assert_eq!(value(&client, "/app/key"), Err("400 ParameterNotFound".to_owned()));
    assert_eq!(call(&client, "DeleteParameter", &json!({"Name": "/app/key"})), Err("400 ParameterNotFound".to_owned()));
}

#[test]
fn parameters_of_cloud_control_and_public_ones_are_read_too() {
    let client = start(Options::default());
    let made = client.create("AWS::SSM::Parameter", &json!({"Name": "/made", "Type": "String", "Value": "one"}));
    assert_eq!(made["OperationStatus"], "SUCCESS", "{made}");
    assert_eq!(value(&client, "/made"), Ok(json!("one")));
    let patch = json!([{"op": "replace", "path": "/Value", "value": "two"}]);
    client.finish(&client.update("AWS::SSM::Parameter", "/made", &patch));
    assert_eq!(value(&client, "/made"), Ok(json!("two")));
    let public = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64";
    let names = json!({"Names": ["/made", "/none", public]});
    let many = call(&client, "GetParameters", &names).unwrap();
    assert_eq!(many["InvalidParameters"], json!(["/none"]));
    assert_eq!(many["Parameters"].as_array().unwrap().len(), 2);
    assert!(many["Parameters"][1]["Value"].as_str().unwrap().starts_with("ami-"));
    assert_eq!(many["Parameters"][1]["ARN"], format!("arn:aws:ssm:eu-west-1::parameter{public}"));
    call(&client, "DeleteParameter", &json!({"Name": "/made"})).unwrap();
    let gone = client.refused("GetResource", &json!({"TypeName": "AWS::SSM::Parameter", "Identifier": "/made"}));
    assert!(gone.starts_with("ResourceNotFoundException"), "{gone}");
}

#[test]
fn parameters_are_listed_by_path_in_pages() {
    let client = start(Options::default());
    for number in 0..12 {
        let name = format!("/list/{number:02}");
        call(&client, "PutParameter", &json!({"Name": name, "Value": "v", "Type": "String"})).unwrap();
    }
    call(&client, "PutParameter", &json!({"Name": "/list/sub/a", "Value": "v", "Type": "String"})).unwrap();
    client.create("AWS::SSM::Parameter", &json!({"Name": "/list/made", "Type": "String", "Value": "v"}));
    let names = |is_recursive: bool| {
        let mut names = Vec::new();
        let mut body = json!({"Path": "/list", "Recursive": is_recursive, "MaxResults": 5});
        loop {
            let page = call(&client, "GetParametersByPath", &body).unwrap();
            names.extend(
                page["Parameters"].as_array().unwrap().iter().map(|one| one["Name"].as_str().unwrap().to_owned()),
            );
            let Some(token) = page.get("NextToken") else { return names };
            body["NextToken"] = token.clone();
        }
    };
    assert_eq!(names(false).len(), 13);
    let all = names(true);
    assert_eq!(
        (all.len(), all.first().map(String::as_str), all.last().map(String::as_str)),
        (14, Some("/list/00"), Some("/list/sub/a"))
    );
    for (body, expected) in [
        (json!({"Path": "list"}), "400 ValidationException"),
        (json!({"Path": "/list", "NextToken": "!"}), "400 InvalidNextToken"),
        (json!({"Path": "/list", "ParameterFilters": [{"Key": "Type"}]}), "501 NotImplemented"),
    ] {
        assert_eq!(call(&client, "GetParametersByPath", &body), Err(expected.to_owned()));
    }
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let client = start(Options::default());
    for (operation, body, expected) in [
        ("PutParameter", json!({"Name": "/aws/x", "Value": "v", "Type": "String"}), "400 ValidationException"),
        ("PutParameter", json!({"Name": "a b", "Value": "v", "Type": "String"}), "400 ValidationException"),
        ("PutParameter", json!({"Name": "a", "Value": "v"}), "400 ValidationException"),
        ("PutParameter", json!({"Name": "a", "Value": "v", "Type": "Text"}), "400 UnsupportedParameterType"),
        ("PutParameter", json!({"Name": "a", "Value": "x".repeat(4_097), "Type": "String"}), "400 ValidationException"),
        ("GetParameter", json!({}), "400 ValidationException"),
        ("GetParameters", json!({"Names": []}), "400 ValidationException"),
    ] {
        assert_eq!(call(&client, operation, &body), Err(expected.to_owned()), "{operation} {body}");
    }
}

#[test]
fn a_reset_forgets_the_data_of_its_scope() {
    let client = start(Options::default());
    let put = |client: &Client| call(client, "PutParameter", &json!({"Name": "/a", "Value": "v", "Type": "String"}));
    put(&client).unwrap();
    let other = Client { region: "us-east-1", ..client };
    put(&other).unwrap();
    other.emulator.admin().reset(Some(("123456789012", "eu-west-1")));
    assert_eq!(value(&other, "/a"), Ok(json!("v")), "another region keeps its own");
    let client = Client { region: "eu-west-1", ..other };
    assert_eq!(value(&client, "/a"), Err("400 ParameterNotFound".to_owned()));
    client.emulator.admin().reset(None);
    let other = Client { region: "us-east-1", ..client };
    assert_eq!(value(&other, "/a"), Err("400 ParameterNotFound".to_owned()));
}
