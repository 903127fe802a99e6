//! What the service makes of what it is given: transformations, defaults that nobody sent, forms of identifiers and values.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use emulator::{Emulator, Options, Size, Switches};
use serde_json::{Value, json};
use support::Client;

fn switched(switches: &[(&str, &str)]) -> Options {
    let mut options = Options { switches: Switches::default(), ..Options::default() };
    for (name, value) in switches {
        options.switches.set(name, value).unwrap();
    }
    options
}

/// An emulator with the schemas that this build carries.
fn start(switches: &[(&str, &str)]) -> Client {
    let emulator = Emulator::builder().options(switched(switches)).start_blocking();
    Client { emulator: emulator.unwrap(), account: "123456789012", region: "eu-west-1" }
}

fn created(client: &Client, type_name: &str, desired: &Value) -> (String, Value) {
    let event = client.create(type_name, desired);
    assert_eq!(event["OperationStatus"], "SUCCESS", "{event}");
    let identifier = event["Identifier"].as_str().unwrap().to_owned();
    let read = client.read(type_name, &identifier);
    (identifier, read)
}

#[test]
fn transformed_values_are_what_reads_show() {
    let client = start(&[]);
    let group = json!({
        "GroupDescription": "d",
        "SecurityGroupIngress": [{"IpProtocol": "6", "FromPort": 80, "ToPort": 80, "CidrIp": "0.0.0.0/0"}],
    });
    let (identifier, read) = created(&client, "AWS::EC2::SecurityGroup", &group);
    assert_eq!(read["SecurityGroupIngress"][0]["IpProtocol"], "tcp");
    // An update that leaves the value as it is read leaves it as it is held; a new value is transformed.
    let patch = json!([{"op": "add", "path": "/SecurityGroupIngress/-", "value": {"IpProtocol": "UDP", "FromPort": 53, "ToPort": 53, "CidrIp": "10.0.0.0/8"}}]);
    client.finish(&client.update("AWS::EC2::SecurityGroup", &identifier, &patch));
    let read = client.read("AWS::EC2::SecurityGroup", &identifier);
    let protocols: Vec<&Value> =
        read["SecurityGroupIngress"].as_array().unwrap().iter().map(|rule| &rule["IpProtocol"]).collect();
    assert_eq!(protocols, ["tcp", "udp"]);
    let (_, read) = created(&client, "AWS::EC2::EIP", &json!({"Domain": "standard"}));
    assert_eq!(read["Domain"], "vpc");
    let subnet = json!({"VpcId": "vpc-0123456789abcdef0", "CidrBlock": "10.0.1.17/24"});
    let (_, read) = created(&client, "AWS::EC2::Subnet", &subnet);
    assert_eq!(read["CidrBlock"], "10.0.1.0/24");
    let off = start(&[("transforms", "off")]);
    let (_, read) = created(&off, "AWS::EC2::Subnet", &subnet);
    assert_eq!(read["CidrBlock"], "10.0.1.17/24");
}

#[test]
fn identifiers_are_kept_in_their_form_and_asked_for_as_they_are() {
    let client = start(&[]);
    let desired = json!({"DBSubnetGroupName": "My-Group", "DBSubnetGroupDescription": "d", "SubnetIds": ["subnet-1", "subnet-2"]});
    let (identifier, read) = created(&client, "AWS::RDS::DBSubnetGroup", &desired);
    assert_eq!((identifier.as_str(), &read["DBSubnetGroupName"]), ("my-group", &json!("my-group")));
    let refusal =
        client.refused("GetResource", &json!({"TypeName": "AWS::RDS::DBSubnetGroup", "Identifier": "My-Group"}));
    assert!(refusal.starts_with("ResourceNotFoundException: "), "{refusal}");
    let event = client.create("AWS::RDS::DBSubnetGroup", &desired);
    assert_eq!((&event["ErrorCode"], &event["Identifier"]), (&json!("AlreadyExists"), &json!("my-group")));
}

#[test]
fn values_have_their_alternative_forms_with_transformations() {
    let document = json!({"Content": "{\"schemaVersion\":\"2.2\",\"mainSteps\":[]}", "Name": "Document-1", "DocumentType": "Command"});
    let volume = json!({"AvailabilityZone": "eu-west-1a", "Size": 8, "Encrypted": true, "KmsKeyId": "alias/mine"});
    let client = start(&[]);
    let (_, read) = created(&client, "AWS::SSM::Document", &document);
    assert_eq!(read["Content"], json!({"schemaVersion": "2.2", "mainSteps": []}));
    let (_, read) = created(&client, "AWS::EC2::Volume", &volume);
    let key = read["KmsKeyId"].as_str().unwrap();
    assert!(key.starts_with("arn:aws:kms:eu-west-1:123456789012:key/"), "{key}");
    let (_, again) = created(&client, "AWS::EC2::Volume", &volume);
    assert_eq!(again["KmsKeyId"], key, "the same alias is the same key");
    let client = start(&[("transforms", "off")]);
    let (_, read) = created(&client, "AWS::SSM::Document", &document);
    assert_eq!(read["Content"], document["Content"]);
}

#[test]
fn defaults_that_nobody_sent_are_shown() {
    let queue = json!({"QueueName": "q", "VisibilityTimeout": 5});
    let client = start(&[]);
    let (identifier, read) = created(&client, "AWS::SQS::Queue", &queue);
    assert_eq!((&read["VisibilityTimeout"], &read["MessageRetentionPeriod"]), (&json!(5), &json!(345_600)));
    assert_eq!(read["SqsManagedSseEnabled"], true);
    // What is taken away comes back as the default.
    let patch = json!([{"op": "remove", "path": "/VisibilityTimeout"}]);
    client.finish(&client.update("AWS::SQS::Queue", &identifier, &patch));
    assert_eq!(client.read("AWS::SQS::Queue", &identifier)["VisibilityTimeout"], 30);
    let encrypted = json!({"QueueName": "k", "KmsMasterKeyId": "alias/aws/sqs"});
    assert_eq!(created(&client, "AWS::SQS::Queue", &encrypted).1.get("SqsManagedSseEnabled"), None);
    // One that only a sentence of the documentation states.
    let hook = json!({"AutoScalingGroupName": "g", "LifecycleTransition": "autoscaling:EC2_INSTANCE_LAUNCHING"});
    assert_eq!(created(&client, "AWS::AutoScaling::LifecycleHook", &hook).1["DefaultResult"], "ABANDON");
    let plain = start(&[("defaults", "schema")]);
    assert_eq!(created(&plain, "AWS::SQS::Queue", &queue).1.get("MessageRetentionPeriod"), None);
    assert_eq!(created(&plain, "AWS::Logs::LogGroup", &json!({"LogGroupName": "g"})).1["LogGroupClass"], "STANDARD");
    let off = start(&[("defaults", "off")]);
    assert_eq!(created(&off, "AWS::Logs::LogGroup", &json!({"LogGroupName": "g"})).1.get("LogGroupClass"), None);
}

/// Every type for which something is known about forms: what it holds is accepted when it is sent back, and stays.
#[test]
fn what_is_held_is_accepted_and_stays() {
    let client = start(&[("reorder", "on")]);
    let admin = client.emulator.admin();
    let types: Vec<String> =
        serde_json::from_value(client.send("GET", "/_emu/schemas", "", "").json()["types"].clone()).unwrap();
    let known: String = ["services", "forms"].iter().map(|folder| known(folder)).collect();
    let mut seen = 0;
    for type_name in types {
        let kind = type_name.rsplit("::").next().unwrap();
        let is_known =
            admin.type_report(&type_name).unwrap().transforms > 0 || known.contains(&format!("\n  {kind}:\n"));
        let handlers = admin.handlers(&type_name);
        if !is_known || !["CREATE", "READ", "UPDATE"].iter().all(|handler| handlers.contains(handler)) {
            continue;
        }
        let desired = admin.generate(&type_name, Size::Maximal).unwrap();
        let (identifier, read) = created(&client, &type_name, &desired);
        let answer = client.update(&type_name, &identifier, &json!([]));
        // Write-only values that are required make a patch fail that does not send them again.
        if answer.status != 200 {
            assert!(
                ["required key", "subschema"].iter().any(|text| answer.text.contains(text)),
                "{type_name}: {}",
                answer.text
            );
            continue;
        }
        assert_eq!(client.finish(&answer)["OperationStatus"], "SUCCESS", "{type_name}");
        let mut after = client.read(&type_name, &identifier);
        let mut read = read;
        // What the service makes may move.
        let schema = admin.schema(&type_name).unwrap();
        for pointer in schema["readOnlyProperties"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let name = pointer.split('/').nth(2).unwrap();
            for model in [&mut after, &mut read] {
                model.as_object_mut().unwrap().remove(name);
            }
        }
        assert_eq!(after, read, "{type_name}");
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

fn known(folder: &str) -> String {
    let folder = format!("{}/data/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}
