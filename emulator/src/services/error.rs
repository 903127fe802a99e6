//! Errors of companion services, in the forms of their protocols.

use crate::api_error::Code;
use crate::http::signature::Refusal;
use crate::http::{Answer, xml};
use serde_json::json;
use std::borrow::Cow;

/// Why a call of a service failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServiceError {
    pub(crate) status: u16,
    pub(crate) code: Cow<'static, str>,
    pub(crate) message: String,
}

impl ServiceError {
    pub(crate) fn new(status: u16, code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> ServiceError {
        ServiceError { status, code: code.into(), message: message.into() }
    }

    pub(crate) fn validation(message: impl Into<String>) -> ServiceError {
        ServiceError::new(400, "ValidationException", message)
    }
}

/// How a service writes errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// AWS Query: XML in the namespace of the service; the version of its interface.
    Query { namespace: &'static str, version: &'static str },
    /// EC2's own form of Query.
    Ec2,
    /// AWS JSON, `__type` and `message`.
    Json,
    /// REST with XML, as S3 does it.
    S3,
    /// REST with JSON, as Lambda does it: the code in a header.
    Rest,
}

impl Form {
    /// The version of a Query interface.
    pub(crate) fn version(self) -> Option<&'static str> {
        match self {
            Form::Query { version, .. } => Some(version),
            Form::Ec2 => Some("2016-11-15"),
            Form::Json | Form::S3 | Form::Rest => None,
        }
    }

    /// What the services of the form call an error of Cloud Control.
    pub(crate) fn code(self, code: Code) -> &'static str {
        let name = code.name();
        match (self, code) {
            (Form::Json | Form::Rest, _) => name,
            (Form::Ec2, Code::Throttling) => "RequestLimitExceeded",
            (Form::S3, Code::Throttling) => "SlowDown",
            (Form::Query { .. } | Form::Ec2 | Form::S3, _) => name.strip_suffix("Exception").unwrap_or(name),
        }
    }

    /// An error as callers of the service expect it.
    pub(crate) fn error(self, error: &ServiceError, id: &str) -> Answer {
        let ServiceError { status, code, message } = error;
        let text = xml::escape(message);
        match self {
            Form::Query { namespace, .. } => xml::error(*status, namespace, code, message, id),
            Form::Ec2 => xml::document(
                *status,
                format!(
                    "<Response><Errors><Error><Code>{code}</Code><Message>{text}</Message></Error></Errors>\
                     <RequestID>{id}</RequestID></Response>"
                ),
            ),
            Form::S3 => xml::document(
                *status,
                format!("<Error><Code>{code}</Code><Message>{text}</Message><RequestId>{id}</RequestId></Error>"),
            )
            .with_header("x-amz-request-id", id),
            Form::Json => {
                let body = json!({"__type": code, "message": message});
                Answer::new(*status, "application/x-amz-json-1.1", body.to_string())
                    .with_header("x-amzn-errortype", code)
            }
            Form::Rest => Answer::json(*status, &json!({"Message": message, "Type": side(*status)}))
                .with_header("x-amzn-errortype", code),
        }
    }

    /// The error of a call whose signature is refused.
    pub(crate) fn refusal(self, refusal: &Refusal) -> ServiceError {
        match self {
            Form::Json | Form::Rest => of_json(refusal),
            Form::Query { .. } => of_query(refusal),
            Form::Ec2 => match refusal {
                Refusal::Unrecognized | Refusal::Mismatch => {
                    let text = "AWS was not able to validate the provided access credentials";
                    ServiceError::new(401, "AuthFailure", text)
                }
                Refusal::Skewed(text) => ServiceError::new(400, "RequestExpired", text.clone()),
                other => of_query(other),
            },
            Form::S3 => of_s3(refusal),
        }
    }
}

fn side(status: u16) -> &'static str {
    if status < 500 { "User" } else { "Service" }
}

const MISMATCH: &str = "The request signature we calculated does not match the signature you provided. Check your AWS \
                        Secret Access Key and signing method. Consult the service documentation for details.";
const UNRECOGNIZED: &str = "The security token included in the request is invalid.";
const OBSOLETE: &str = "The authorization mechanism you have provided is not supported: the URL is signed with version 2. \
                        Please use AWS4-HMAC-SHA256, version 4: Config(signature_version=\"s3v4\") in boto3.";
const MISSING: &str = "Missing Authentication Token";

/// As AWS JSON services call them, Cloud Control among them.
pub(crate) fn of_json(refusal: &Refusal) -> ServiceError {
    let (status, code, text) = match refusal {
        Refusal::Missing => (403, "MissingAuthenticationToken", MISSING),
        Refusal::Incomplete(text) => (400, "IncompleteSignature", text.as_str()),
        Refusal::Unrecognized => (403, "UnrecognizedClientException", UNRECOGNIZED),
        Refusal::Expired(text) => (403, "ExpiredTokenException", text.as_str()),
        Refusal::Skewed(text) => (403, "InvalidSignatureException", text.as_str()),
        Refusal::Mismatch => (403, "InvalidSignatureException", MISMATCH),
        Refusal::Obsolete => (400, "IncompleteSignature", OBSOLETE),
    };
    ServiceError::new(status, code, text)
}

fn of_query(refusal: &Refusal) -> ServiceError {
    let of_json = of_json(refusal);
    let code = match refusal {
        Refusal::Missing => "MissingAuthenticationToken",
        Refusal::Incomplete(_) | Refusal::Obsolete => "IncompleteSignature",
        Refusal::Unrecognized => "InvalidClientTokenId",
        Refusal::Expired(_) => "ExpiredToken",
        Refusal::Skewed(_) | Refusal::Mismatch => "SignatureDoesNotMatch",
    };
    ServiceError { code: code.into(), ..of_json }
}

fn of_s3(refusal: &Refusal) -> ServiceError {
    let (status, code, text) = match refusal {
        Refusal::Missing => (403, "AccessDenied", "Access Denied"),
        Refusal::Incomplete(text) => (400, "AuthorizationHeaderMalformed", text.as_str()),
        Refusal::Unrecognized => {
            (403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.")
        }
        Refusal::Expired(text) if text == "Request has expired" => (403, "AccessDenied", text.as_str()),
        Refusal::Expired(_) => (400, "ExpiredToken", "The provided token has expired."),
        Refusal::Skewed(_) => {
            (403, "RequestTimeTooSkewed", "The difference between the request time and the current time is too large.")
        }
        Refusal::Mismatch => (403, "SignatureDoesNotMatch", MISMATCH),
        Refusal::Obsolete => (400, "InvalidRequest", OBSOLETE),
    };
    ServiceError::new(status, code, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_have_the_codes_of_each_protocol() {
        let query = Form::Query { namespace: "https://n/", version: "1" };
        let all = [
            Refusal::Missing,
            Refusal::Incomplete("why".to_owned()),
            Refusal::Unrecognized,
            Refusal::Expired("when".to_owned()),
            Refusal::Skewed("when".to_owned()),
            Refusal::Mismatch,
        ];
        let codes = |form: Form| all.iter().map(|refusal| form.refusal(refusal).code.into_owned()).collect::<Vec<_>>();
        let json = [
            "MissingAuthenticationToken",
            "IncompleteSignature",
            "UnrecognizedClientException",
            "ExpiredTokenException",
            "InvalidSignatureException",
            "InvalidSignatureException",
        ];
        assert_eq!(codes(Form::Json), json);
        assert_eq!(codes(query)[2..4], ["InvalidClientTokenId", "ExpiredToken"]);
        assert_eq!(codes(Form::Ec2)[2], "AuthFailure");
        assert_eq!(codes(Form::S3)[5], "SignatureDoesNotMatch");
    }

    #[test]
    fn errors_have_the_name_of_the_protocol() {
        let query = Form::Query { namespace: "https://n/", version: "1" };
        for (form, code, expected) in [
            (Form::Json, Code::Throttling, "ThrottlingException"),
            (query, Code::Throttling, "Throttling"),
            (Form::Ec2, Code::Throttling, "RequestLimitExceeded"),
            (Form::S3, Code::Throttling, "SlowDown"),
            (query, Code::AccessDenied, "AccessDenied"),
            (Form::S3, Code::ServiceUnavailable, "ServiceUnavailable"),
        ] {
            assert_eq!(form.code(code), expected, "{form:?}");
        }
    }

    #[test]
    fn errors_take_the_form_of_the_protocol() {
        let error = ServiceError::new(404, "NoSuchKey", "a <key>");
        for (form, expected) in [
            (Form::Ec2, "<Response><Errors><Error><Code>NoSuchKey</Code><Message>a &lt;key&gt;</Message>"),
            (
                Form::S3,
                "<Error><Code>NoSuchKey</Code><Message>a &lt;key&gt;</Message><RequestId>id</RequestId></Error>",
            ),
            (Form::Json, r#"{"__type":"NoSuchKey","message":"a <key>"}"#),
            (Form::Rest, r#"{"Message":"a <key>","Type":"User"}"#),
            (
                Form::Query { namespace: "https://n/", version: "1" },
                "<ErrorResponse xmlns=\"https://n/\"><Error><Type>Sender",
            ),
        ] {
            let answer = form.error(&error, "id");
            assert!(String::from_utf8_lossy(&answer.body).starts_with(expected), "{form:?}");
            assert_eq!(answer.status, 404);
        }
    }
}
