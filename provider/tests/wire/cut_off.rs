//! An update of which nobody sees the end, through the gRPC service: the engine is told to read first.

use protocol::pulumirpc as pb;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use protocol::status::Detail;
use serde_json::{Value as Json, json};
use tonic::{Code, Request};

use super::server::{Answer, Server};
use super::service::{URN, configure, plain, provider, structure};

/// A state with its checkpoint.
fn recorded(inputs: &Json) -> Option<bytes::Bytes> {
    let mut state = inputs.clone();
    state["__inputs"] = inputs.clone();
    structure(state)
}

#[tokio::test]
async fn the_engine_is_told_to_read_a_resource_whose_update_nobody_saw_the_end_of() {
    let server = Server::start(|target, _| match target {
        "getresource" => Answer::json(200, r#"{"ResourceDescription":{"Properties":"{\"Name\":\"q\"}"}}"#),
        "updateresource" => Answer::json(
            200,
            r#"{"ProgressEvent":{"OperationStatus":"IN_PROGRESS","Identifier":"q","RequestToken":"t-1"}}"#,
        ),
        _ => Answer::json(400, r#"{"__type":"AccessDeniedException","Message":"no"}"#),
    })
    .await;
    for reads_first in [true, false] {
        let provider = provider();
        let shake = pb::ProviderHandshakeRequest { supports_refresh_before_update: reads_first, ..Default::default() };
        provider.handshake(Request::new(shake)).await.unwrap();
        provider.configure(configure(&server.url, json!({}))).await.unwrap();
        let old = json!({"name": "q"});
        let update = pb::UpdateRequest {
            urn: URN.to_owned(),
            id: "q".to_owned(),
            olds: recorded(&old),
            old_inputs: structure(old.clone()),
            news: structure(json!({"name": "q", "sizes": ["S"]})),
            ..Default::default()
        };
        let status = provider.update(Request::new(update)).await.unwrap_err();
        let Some(Detail::InitFailed(detail)) = protocol::status::detail(&status) else { panic!("{status:?}") };
        assert_eq!((status.code(), detail.id.as_str(), detail.refresh_before_update), (Code::Unknown, "q", true));
        assert!(detail.reasons[0].contains("request token: t-1"), "{:?}", detail.reasons);
        assert_eq!(plain(&detail.inputs), old);
        let checkpoint = plain(&detail.properties)["__inputs"].clone();
        // An engine that does not read it first would take what was sent for what there is.
        let expected = if reads_first { json!({"name": "q", "sizes": ["S"]}) } else { old };
        assert_eq!(checkpoint, expected, "reads first: {reads_first}");
    }
}
