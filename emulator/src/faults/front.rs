//! Calls that are refused: before anything of them is looked at, or by the handler of a read.

use super::action::Action;
use super::rules::ask;
use super::stage::Stage;
use super::{Front, Subject};
use crate::api_error::{ApiError, Code};
use crate::handler_error::HandlerErrorCode;
use crate::store::Txn;

/// Asked for every call once its shape is right.
pub(crate) fn front(txn: &mut Txn<'_>, subject: &Subject<'_>) -> Front {
    let Some(fired) = ask(txn, Stage::Front, subject).pop() else { return Front::Pass };
    let (code, status, message) = match fired.then {
        Action::Throttle(throttling) => (Code::Throttling, None, Some(throttling.message)),
        Action::Error(error) => (error.code, error.status, error.message),
        Action::PollError(error) => (error.code, error.status, error.message),
        _ => return Front::Pass,
    };
    let message = message.unwrap_or_else(|| text(code, subject));
    Front::Error(ApiError::new(code, message), status.unwrap_or_else(|| code.status()))
}

/// Asked by a read or a list once it has found its handler: what that fails with.
pub(crate) fn handler(txn: &mut Txn<'_>, subject: &Subject<'_>) -> Option<ApiError> {
    let mut fired = ask(txn, Stage::Handler, subject).pop()?;
    let Action::Fail(failure) = fired.then else { return None };
    let uuid = fired.entropy.within("token").uuid();
    let text = failure.message.unwrap_or_else(|| failure.code.text(&subject.matter(), INJECTED));
    let trailer =
        if failure.service { trailer(subject.type_name, failure.code, &mut fired.entropy) } else { String::new() };
    Some(ApiError::of_handler(failure.code, subject.type_name, &format!("{text}{trailer}"), &uuid))
}

/// The reason in default texts that have a place for one.
pub(super) const INJECTED: &str = "injected by a rule";

/// What services add to the messages that they fail with.
pub(super) fn trailer(type_name: &str, code: HandlerErrorCode, entropy: &mut crate::entropy::Entropy) -> String {
    let service = type_name.split("::").nth(1).unwrap_or_default();
    format!(" (Service: {service}, Status Code: {}, Request ID: {})", code.exception().status(), entropy.uuid())
}

/// The text of an error that a rule does not give: that of the service where it is known.
fn text(code: Code, subject: &Subject<'_>) -> String {
    let handler = HandlerErrorCode::ALL.iter().find(|handler| handler.exception() == code);
    match (code, handler) {
        (Code::Throttling, _) => "Rate exceeded".to_owned(),
        (Code::TypeNotFound, _) => format!("The type '{}' cannot be found.", subject.type_name),
        (Code::UnsupportedAction, _) => {
            ApiError::unsupported_action(subject.type_name, subject.matter().action).message
        }
        (_, Some(handler)) => handler.text(&subject.matter(), INJECTED),
        (_, None) => format!("{} was injected by a rule", code.name()),
    }
}
