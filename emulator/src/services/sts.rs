//! STS, as far as a provider asks it who it is: the AWS Query protocol with XML answers.

use super::{Asked, SERVED, Service};
use crate::core::Core;
use crate::http::{Reply, form, xml};
use std::sync::Arc;

const NAMESPACE: &str = "https://sts.amazonaws.com/doc/2011-06-15/";

/// The Security Token Service.
pub(super) struct Sts;

impl Service for Sts {
    fn name(&self) -> &'static str {
        "sts"
    }

    fn answer(&self, core: &Arc<Core>, asked: Asked<'_>) -> Reply {
        let body = String::from_utf8_lossy(asked.body);
        let form = if body.is_empty() { asked.parts.uri.query().unwrap_or_default() } else { &body };
        let action = form::get(form, "Action").unwrap_or_default();
        let id = asked.id;
        if action != "GetCallerIdentity" {
            core.metrics.count("emulator_unserved_total", &[("service", "sts"), ("operation", &action)]);
            let message = format!("the emulator does not serve {action} of sts; it serves {SERVED}");
            return Reply::Now(xml::error(501, NAMESPACE, "NotImplemented", &message, id));
        }
        let account = &asked.caller.scope.account;
        let (arn, user) = (&asked.caller.principal.arn, &asked.caller.principal.user_id);
        Reply::Now(xml::document(
            200,
            format!(
                "<GetCallerIdentityResponse xmlns=\"{NAMESPACE}\"><GetCallerIdentityResult>\
                 <Arn>{arn}</Arn><UserId>{user}</UserId><Account>{account}</Account></GetCallerIdentityResult>\
                 <ResponseMetadata><RequestId>{id}</RequestId></ResponseMetadata></GetCallerIdentityResponse>"
            ),
        ))
    }
}
