//! STS, as far as a provider asks it who it is: the AWS Query protocol with XML answers.

use super::{Answer, form, scope};
use crate::core::Core;
use axum::http::request::Parts;

const NAMESPACE: &str = "https://sts.amazonaws.com/doc/2011-06-15/";

/// Answers a Query request.
pub(super) fn answer(core: &Core, parts: &Parts, service: Option<&str>, form: &str, id: &str) -> Answer {
    let action = form::get(form, "Action").unwrap_or_default();
    let scope = scope::of(core, parts);
    let is_sts = service.is_none_or(|service| service == "sts");
    if is_sts && action == "GetCallerIdentity" {
        let (partition, account) = (scope.partition(), &scope.account);
        return xml(
            200,
            format!(
                "<GetCallerIdentityResponse xmlns=\"{NAMESPACE}\"><GetCallerIdentityResult>\
                 <Arn>arn:{partition}:iam::{account}:user/emulator</Arn><UserId>AIDAEMULATOR00000000</UserId>\
                 <Account>{account}</Account></GetCallerIdentityResult>\
                 <ResponseMetadata><RequestId>{id}</RequestId></ResponseMetadata></GetCallerIdentityResponse>"
            ),
        );
    }
    let (action, service) = (escape(&action), escape(service.unwrap_or("sts")));
    xml(
        501,
        format!(
            "<ErrorResponse xmlns=\"{NAMESPACE}\"><Error><Type>Receiver</Type><Code>NotImplemented</Code>\
             <Message>the emulator does not serve {action} of {service}; it serves Cloud Control and sts:GetCallerIdentity</Message>\
             </Error><RequestId>{id}</RequestId></ErrorResponse>"
        ),
    )
}

fn xml(status: u16, body: String) -> Answer {
    Answer::new(status, "text/xml", body)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").chars().filter(|c| !c.is_control()).collect()
}
