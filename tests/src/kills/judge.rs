//! What the cloud holds, what the state says, and what was told about the rest.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use super::point::Step;
use crate::cloud::Cloud;
use crate::sandbox::Sandbox;

/// Cloud and state at one moment.
pub struct Sight {
    /// Type and identifier of what exists.
    pub cloud: BTreeSet<(String, String)>,
    /// Type and identifier of what the state has.
    pub state: BTreeSet<(String, String)>,
    /// How many resources the state has; more than [`Sight::state`] when one is there twice.
    pub entries: usize,
    /// What was asked of the cloud.
    requests: Vec<Request>,
}

/// A request that the cloud accepted.
#[derive(Debug, Clone)]
struct Request {
    operation: String,
    type_name: String,
    token: String,
    identifier: String,
    failed: bool,
}

impl Sight {
    /// Looks. Requests that are on their way are let finish first, as they would.
    ///
    /// # Errors
    ///
    /// When cloud or state cannot be read.
    pub fn of(cloud: &Cloud, sandbox: &Sandbox) -> Result<Self> {
        for request in cloud.accepted()? {
            let status = request["event"]["OperationStatus"].as_str().unwrap_or_default();
            if matches!(status, "PENDING" | "IN_PROGRESS" | "CANCEL_IN_PROGRESS") {
                cloud.complete(request["token"].as_str().context("a request without a token")?)?;
            }
        }
        let state = sandbox.state()?;
        let entries = state.len();
        let known =
            |resource: &Json| Some((cloud_type(resource["type"].as_str()?)?, resource["id"].as_str()?.to_owned()));
        Ok(Self {
            cloud: cloud.everything()?.into_iter().map(|(name, identifier, _)| (name, identifier)).collect(),
            state: state.iter().filter_map(known).collect(),
            entries,
            requests: cloud.accepted()?.iter().map(Request::from_json).collect(),
        })
    }

    /// The tokens of the requests of `step` whose outcome `sandbox`'s state does not know: creations of what it does not
    /// have, updates of what it has as it was first, deletions of what it still has.
    ///
    /// # Errors
    ///
    /// As [`Sight::of`].
    pub fn cut_off(cloud: &Cloud, sandbox: &Sandbox, step: Step) -> Result<BTreeSet<String>> {
        let state = sandbox.state()?;
        let is_unknown = |request: &Request| {
            let known = state.iter().find(|resource| resource["id"] == request.identifier.as_str());
            match step {
                Step::Create => known.is_none(),
                Step::Update => known.is_some_and(|resource| resource["inputs"].to_string().contains("\"first\"")),
                Step::Delete => known.is_some(),
            }
        };
        let requests = cloud.accepted()?;
        let begun = requests.iter().filter(|request| request["event"]["OperationStatus"] != "FAILED");
        let begun =
            begun.map(Request::from_json).filter(|request| request.operation.eq_ignore_ascii_case(&step.to_string()));
        Ok(begun.filter(is_unknown).map(|request| request.token).collect())
    }

    /// How many of these requests made something that the state knows.
    #[must_use]
    pub fn picked_up(&self, tokens: &BTreeSet<String>) -> usize {
        let made = self.requests.iter().filter(|request| tokens.contains(&request.token));
        made.filter(|request| self.state.contains(&(request.type_name.clone(), request.identifier.clone()))).count()
    }

    /// What exists and is not in the state.
    pub fn strays(&self) -> impl Iterator<Item = &(String, String)> {
        self.cloud.difference(&self.state)
    }

    /// What the state has and does not exist.
    pub fn ghosts(&self) -> impl Iterator<Item = &(String, String)> {
        self.state.difference(&self.cloud)
    }

    /// True when `printed` names the request that made a resource by its token.
    #[must_use]
    pub fn is_named(&self, stray: &(String, String), printed: &str) -> bool {
        let made = self.requests.iter().filter(|request| {
            let is_create = request.operation == "CREATE" && !request.failed;
            is_create && request.type_name == stray.0 && request.identifier == stray.1
        });
        made.into_iter().any(|request| !request.token.is_empty() && printed.contains(&request.token))
    }
}

impl Request {
    fn from_json(request: &Json) -> Self {
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let event = &request["event"];
        Self {
            operation: text(&event["Operation"]),
            type_name: text(&event["TypeName"]),
            token: text(&request["token"]),
            identifier: text(&event["Identifier"]),
            failed: event["OperationStatus"] == "FAILED",
        }
    }
}

/// Types of the program of the kills, by token.
const TYPES: [(&str, &str); 8] = [
    ("aws-native:s3:Bucket", "AWS::S3::Bucket"),
    ("aws-native:sqs:Queue", "AWS::SQS::Queue"),
    ("aws-native:dynamodb:Table", "AWS::DynamoDB::Table"),
    ("aws-native:iam:Role", "AWS::IAM::Role"),
    ("aws-native:ec2:Vpc", "AWS::EC2::VPC"),
    ("aws-native:apigateway:RestApi", "AWS::ApiGateway::RestApi"),
    ("aws-native:apigateway:Resource", "AWS::ApiGateway::Resource"),
    ("aws-native:ssm:Parameter", "AWS::SSM::Parameter"),
];

/// Types whose resource in the program has a name that is given, so that there can be no second one.
pub const GIVEN: [&str; 3] = ["AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::SSM::Parameter"];

/// How many resources the program has.
pub const RESOURCES: usize = TYPES.len();

fn cloud_type(token: &str) -> Option<String> {
    TYPES.iter().find(|(known, _)| *known == token).map(|(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Request, Sight};

    #[test]
    fn only_the_token_of_a_creation_that_made_it_names_a_resource() {
        let stray = || ("AWS::SQS::Queue".to_owned(), "q-1".to_owned());
        let is_named = |token: &str, operation: &str, identifier: &str, status: &str, printed: &str| {
            let event = json!({"Operation": operation, "TypeName": "AWS::SQS::Queue", "Identifier": identifier,
                "OperationStatus": status});
            let requests = vec![Request::from_json(&json!({"token": token, "event": event}))];
            let sight = Sight { cloud: [stray()].into(), state: [].into(), entries: 0, requests };
            sight.is_named(&stray(), printed)
        };
        let printed = "request token r-1; look for it at AWS";
        assert!(is_named("r-1", "CREATE", "q-1", "SUCCESS", printed));
        for (token, operation, identifier, status, printed) in [
            // Every text holds an empty token.
            ("", "CREATE", "q-1", "SUCCESS", printed),
            ("r-2", "CREATE", "q-1", "SUCCESS", printed),
            ("r-1", "UPDATE", "q-1", "SUCCESS", printed),
            ("r-1", "CREATE", "q-2", "SUCCESS", printed),
            ("r-1", "CREATE", "q-1", "FAILED", printed),
            ("r-1", "CREATE", "q-1", "SUCCESS", ""),
        ] {
            assert!(
                !is_named(token, operation, identifier, status, printed),
                "{token} {operation} {identifier} {status}"
            );
        }
    }
}
