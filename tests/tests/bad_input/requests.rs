//! Types that are not there, malformed URNs, ids of the wrong arity, values that no property can have.

use protocol::codec::{EncodeOptions, encode};
use protocol::pulumirpc as rpc;
use serde_json::json;
use tests::cloud::Cloud;
use tests::provider::structure;
use tonic::Code;
use value::Value;

use crate::asked::{Asked, BUCKET, STAGE, assert_alive, assert_refused, configured, secret};

/// Nested deeper than any request may be.
const DEPTH: usize = 100_000;

#[tokio::test]
async fn unknown_types() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    for token in ["aws-native:s3:Bukket", "aws-native:s3", "aws:s3/bucket:Bucket"] {
        for (call, status) in Asked::of(token, "x").everywhere(&mut provider.client).await {
            let parts = [token, "not found", "check the spelling"];
            assert_refused(&format!("{call} {token}"), status, Code::NotFound, &parts);
        }
    }
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn malformed_urns() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    let endless = format!("urn:pulumi:{}", "x".repeat(1 << 20));
    for text in
        ["", "urn", "urn:pulumi:", "::::", "urn:pulumi:dev::p::aws-native:s3:Bucket", "URN:x", "\u{202e}\0\n", &endless]
    {
        let asked = Asked { urn: text.to_owned(), ..Asked::of(BUCKET, "x") };
        for (call, status) in asked.everywhere(&mut provider.client).await {
            let what = format!("{call} {:.30}", text);
            let said = status.as_ref().map(|status| status.message().matches("malformed URN").count());
            assert_refused(&what, status, Code::InvalidArgument, &["urn:pulumi:STACK::PROJECT::TYPE::NAME"]);
            assert_eq!(said, Some(1), "{what}: says it once");
        }
    }
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn ids_with_the_wrong_number_of_parts() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    let recorded = json!({"restApiId": "a", "stageName": "b"});
    for id in ["", "x", "a|b|c"] {
        let imported = Asked::of(STAGE, id);
        let mut asked = Asked { inputs: structure(&recorded), ..imported.clone() };
        let mut changed = recorded.clone();
        changed["description"] = json!("new");
        asked.news = structure(&changed);
        let mut state = recorded.clone();
        state["__inputs"] = secret(&recorded);
        asked.state = structure(&state);
        let client = &mut provider.client;
        for (call, status) in [
            ("import", imported.read(client).await.err()),
            ("refresh", asked.read(client).await.err()),
            ("Update", asked.update(client).await.err()),
            ("Delete", asked.delete(client).await.err()),
        ] {
            let what = format!("{call} {id:?}");
            // More parts than expected are for the service to refuse, since one of them may hold the separator; so are
            // recorded ids, since a type's identifier may have grown a part after they were made.
            assert_refused(&what, status, Code::InvalidArgument, &["AWS::ApiGateway::Stage", "RestApiId|StageName"]);
        }
    }
    assert_alive(&mut provider).await;
}

/// `{"tags": {"a": {"a": …}}}` in its wire form, from the inside out.
fn nested(depth: usize) -> bytes::Bytes {
    fn tagged(tag: u8, length: usize, out: &mut Vec<u8>) {
        out.push(tag);
        let mut rest = length;
        while rest >= 0x80 {
            out.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }
    // A value is written behind all of its heads, so only those are made here, innermost first.
    let leaf = [0x1a, 1, b'x'];
    let mut length = leaf.len();
    let mut heads: Vec<Vec<u8>> = Vec::new();
    for level in 0..=depth {
        let key: &[u8] = if level == depth { b"tags" } else { b"a" };
        let mut entry = Vec::new();
        tagged(0x0a, key.len(), &mut entry);
        entry.extend_from_slice(key);
        tagged(0x12, length, &mut entry);
        length += entry.len();
        let mut field = Vec::new();
        tagged(0x0a, length, &mut field);
        length += field.len();
        field.extend_from_slice(&entry);
        if level < depth {
            let mut head = Vec::new();
            tagged(0x2a, length, &mut head);
            length += head.len();
            head.extend_from_slice(&field);
            field = head;
        }
        heads.push(field);
    }
    let mut wire: Vec<u8> = heads.into_iter().rev().flatten().collect();
    wire.extend_from_slice(&leaf);
    wire.into()
}

#[tokio::test]
async fn values_nested_too_deep() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    let deep = nested(DEPTH);
    let asked = Asked::of(BUCKET, "x");
    for (field, asked) in [
        ("state", Asked { state: deep.clone(), ..asked.clone() }),
        ("inputs", Asked { inputs: deep.clone(), ..asked.clone() }),
        ("news", Asked { news: deep.clone(), ..asked.clone() }),
    ] {
        let client = &mut provider.client;
        let reads = |call: &str| match field {
            "state" => ["Diff", "Read", "Update"].contains(&call),
            "inputs" => ["Check", "Diff", "Read", "Update"].contains(&call),
            _ => ["Check", "Diff", "Create", "Update"].contains(&call),
        };
        for (call, status) in asked.everywhere(client).await {
            if reads(call) {
                let parts = ["tags.a.a", "nested deeper than 512 levels", "JSON text"];
                assert_refused(&format!("{call} {field}"), status, Code::InvalidArgument, &parts);
            }
        }
    }
    let news = Some(deep.clone());
    let check = rpc::CheckRequest { news: news.clone(), ..Default::default() };
    let diff = rpc::DiffRequest { news, olds: Some(deep.clone()), ..Default::default() };
    let configure = rpc::ConfigureRequest { args: Some(deep.clone()), ..Default::default() };
    let invoke = rpc::InvokeRequest { args: Some(deep), ..Default::default() };
    let client = &mut provider.client;
    for (call, status) in [
        ("CheckConfig", client.check_config(check).await.err()),
        ("DiffConfig", client.diff_config(diff).await.err()),
        ("Configure", client.configure(configure).await.err()),
    ] {
        assert_refused(call, status, Code::InvalidArgument, &["nested deeper than 512 levels"]);
    }
    // Not read at all, but not fatal either.
    assert!(client.invoke(invoke).await.is_err());
    assert_alive(&mut provider).await;
}

#[tokio::test]
async fn numbers_that_no_integer_holds() {
    let cloud = Cloud::start().unwrap();
    let mut provider = configured(cloud.url()).await;
    for number in [f64::NAN, f64::INFINITY, 1.5, 1e308, 9_007_199_254_740_994.0] {
        let members = [("visibilityTimeout".to_owned(), Value::Number(number))].into_iter().collect();
        let news = encode(&members, EncodeOptions::KEEP);
        let asked = Asked { news, ..Asked::of("aws-native:sqs:Queue", "q") };
        let answer = asked.check(&mut provider.client).await.unwrap();
        let named = answer.failures.iter().any(|failure| failure.property == "visibilityTimeout");
        assert!(named, "{number:e}: {:?}", answer.failures);
    }
    assert_alive(&mut provider).await;
}
