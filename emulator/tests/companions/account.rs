//! IAM and CloudFormation: who and what there is.

use super::{element, elements, start};
use emulator::Options;
use serde_json::json;

#[test]
fn users_and_roles_are_found() {
    let client = start(Options::default());
    let asked = |form: &str| client.query("iam", "123456789012", &format!("Version=2010-05-08&Action={form}"));
    let own = asked("GetUser").text;
    assert_eq!(element(&own, "Arn").as_deref(), Some("arn:aws:iam::123456789012:user/emulator"));
    let missing = asked("GetRole&RoleName=deploy");
    assert_eq!((missing.status, element(&missing.text, "Code").as_deref()), (404, Some("NoSuchEntity")));
    client.create("AWS::IAM::Role", &json!({"RoleName": "deploy"}));
    let role = asked("GetRole&RoleName=deploy").text;
    assert_eq!((element(&role, "RoleName").as_deref(), element(&role, "Path").as_deref()), (Some("deploy"), Some("/")));
    assert_eq!(element(&role, "RoleId").as_deref(), client.read("AWS::IAM::Role", "deploy")["RoleId"].as_str());
    assert_eq!(element(&asked("GetRole").text, "Code").as_deref(), Some("ValidationError"));
    let form = "Action=AssumeRole&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fdeploy&RoleSessionName=me";
    let key = element(&client.query("sts", "123456789012", form).text, "AccessKeyId").unwrap();
    let session = client.query("iam", &key, "Action=GetUser");
    assert!(session.status == 400 && session.text.contains("non-User credentials"), "{}", session.text);
}

#[test]
fn types_are_listed_and_described_and_there_are_no_stacks() {
    let client = start(Options::default());
    let asked =
        |form: &str| client.query("cloudformation", "123456789012", &format!("Version=2010-05-15&Action={form}"));
    let first = asked("ListTypes&MaxResults=3").text;
    assert_eq!(elements(&first, "TypeName"), ["AWS::IAM::Role", "AWS::Lambda::Function", "AWS::S3::Bucket"]);
    let token = element(&first, "NextToken").unwrap().replace('=', "%3D");
    let rest = asked(&format!("ListTypes&MaxResults=3&NextToken={token}")).text;
    assert_eq!(
        (elements(&rest, "TypeName"), element(&rest, "NextToken")),
        (vec!["AWS::SSM::Parameter".to_owned()], None)
    );
    assert_eq!(elements(&asked("ListTypes&Filters.TypeNamePrefix=AWS%3A%3AS3").text, "TypeName"), ["AWS::S3::Bucket"]);
    let described = asked("DescribeType&Type=RESOURCE&TypeName=AWS%3A%3AS3%3A%3ABucket").text;
    assert_eq!(
        element(&described, "Arn").as_deref(),
        Some("arn:aws:cloudformation:eu-west-1::type/resource/AWS-S3-Bucket")
    );
    assert!(element(&described, "Schema").unwrap().contains("primaryIdentifier"));
    let unknown = asked("DescribeType&Type=RESOURCE&TypeName=A%3A%3AB%3A%3AC");
    assert_eq!((unknown.status, element(&unknown.text, "Code").as_deref()), (404, Some("TypeNotFoundException")));
    assert!(asked("DescribeStacks").text.contains("<Stacks/>") && asked("ListExports").text.contains("<Exports/>"));
    assert!(asked("DescribeStacks&StackName=s").text.contains("Stack with id s does not exist"));
}
