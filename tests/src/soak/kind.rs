//! The kinds of resources that clients handle.

use serde_json::{Value as Json, json};

/// A kind of resource that clients handle: the type, the property that names it and the one that they change.
pub(super) struct Kind {
    pub(super) type_name: &'static str,
    pub(super) name: &'static str,
    pub(super) property: &'static str,
    /// Everything else that a create needs.
    pub(super) rest: fn() -> Json,
    pub(super) value: fn(u64) -> Json,
}

pub(super) const KINDS: [Kind; 3] = [
    Kind {
        type_name: "AWS::SSM::Parameter",
        name: "Name",
        property: "Value",
        rest: || json!({"Type": "String"}),
        value: |draw| json!(format!("value {draw}")),
    },
    Kind {
        type_name: "AWS::Logs::LogGroup",
        name: "LogGroupName",
        property: "RetentionInDays",
        rest: || json!({}),
        value: |draw| json!([1, 3, 5, 7, 14, 30].get(draw as usize % 6)),
    },
    Kind {
        type_name: "AWS::SQS::Queue",
        name: "QueueName",
        property: "DelaySeconds",
        rest: || json!({}),
        value: |draw| json!(draw % 900),
    },
];
