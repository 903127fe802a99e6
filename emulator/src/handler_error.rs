//! Why an accepted operation failed: the codes of FAILED events, their classes and default texts.
//!
//! The texts are those of the public handler contract; `tests/vectors/handler-codes.tsv` holds them independently.

use crate::api_error::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a failure is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matter<'m> {
    pub(crate) type_name: &'m str,
    pub(crate) identifier: &'m str,
    /// CREATE, READ, UPDATE, DELETE or LIST.
    pub(crate) action: &'m str,
}

macro_rules! handler_codes {
    ($(($code:ident, $name:literal, $class:ident, $exception:ident, $text:literal)),* $(,)?) => {
        /// The code in a FAILED event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum HandlerErrorCode {
            $(
                #[doc = concat!("`", $name, "`: ", $text)]
                $code,
            )*
        }

        impl HandlerErrorCode {
            /// Every code.
            pub const ALL: &[HandlerErrorCode] = &[$(HandlerErrorCode::$code),*];

            /// The name in an event.
            pub fn name(self) -> &'static str {
                match self {
                    $(HandlerErrorCode::$code => $name,)*
                }
            }

            /// Whether the same operation may succeed later.
            pub fn is_retriable(self) -> bool {
                match self {
                    $(HandlerErrorCode::$code => matches!(Class::$class, Class::Retriable),)*
                }
            }

            /// What a call is answered with when its handler fails before it returns.
            pub fn exception(self) -> Code {
                match self {
                    $(HandlerErrorCode::$code => Code::$exception,)*
                }
            }

            fn template(self) -> &'static str {
                match self {
                    $(HandlerErrorCode::$code => $text,)*
                }
            }
        }
    };
}

/// Whether trying again may help.
enum Class {
    Terminal,
    Retriable,
}

handler_codes![
    (
        AlreadyExists,
        "AlreadyExists",
        Terminal,
        AlreadyExists,
        "Resource of type '{type}' with identifier '{identifier}' already exists."
    ),
    (
        NotFound,
        "NotFound",
        Terminal,
        ResourceNotFound,
        "Resource of type '{type}' with identifier '{identifier}' was not found."
    ),
    (
        NotStabilized,
        "NotStabilized",
        Terminal,
        NotStabilized,
        "Resource of type '{type}' with identifier '{identifier}' did not stabilize."
    ),
    (
        NotUpdatable,
        "NotUpdatable",
        Terminal,
        NotUpdatable,
        "Resource of type '{type}' with identifier '{identifier}' is not updatable with parameters provided."
    ),
    (
        ResourceConflict,
        "ResourceConflict",
        Retriable,
        ResourceConflict,
        "Resource of type '{type}' with identifier '{identifier}' has a conflict. Reason: {detail}."
    ),
    (AccessDenied, "AccessDenied", Terminal, AccessDenied, "Access denied for operation '{action}'."),
    (
        UnauthorizedTaggingOperation,
        "UnauthorizedTaggingOperation",
        Terminal,
        AccessDenied,
        "Access denied for operation '{action}'."
    ),
    (
        GeneralServiceException,
        "GeneralServiceException",
        Terminal,
        GeneralService,
        "Error occurred during operation '{action}'."
    ),
    (InvalidRequest, "InvalidRequest", Terminal, InvalidRequest, "Invalid request provided: {detail}"),
    (InvalidCredentials, "InvalidCredentials", Terminal, InvalidCredentials, "Invalid credentials provided."),
    (Throttling, "Throttling", Retriable, Throttling, "Rate exceeded for operation '{action}'."),
    (
        ServiceLimitExceeded,
        "ServiceLimitExceeded",
        Terminal,
        ServiceLimitExceeded,
        "Limit exceeded for resource of type '{type}'. Reason: {detail}"
    ),
    (
        ServiceInternalError,
        "ServiceInternalError",
        Retriable,
        ServiceInternalError,
        "Internal error reported from downstream service during operation '{action}'."
    ),
    (ServiceTimeout, "ServiceTimeout", Retriable, HandlerFailure, "Operation '{action}' timed out."),
    (
        NetworkFailure,
        "NetworkFailure",
        Retriable,
        NetworkFailure,
        "Network failure occurred during operation '{action}'."
    ),
    (InternalFailure, "InternalFailure", Terminal, HandlerInternalFailure, "Internal error occurred."),
];

impl HandlerErrorCode {
    /// The code of this name.
    pub fn parse(name: &str) -> Option<HandlerErrorCode> {
        HandlerErrorCode::ALL.iter().copied().find(|code| code.name() == name)
    }

    /// The default text; `detail` is the reason, where the text has a place for one.
    pub(crate) fn text(self, matter: &Matter<'_>, detail: &str) -> String {
        let mut text = String::new();
        let mut rest = self.template();
        while let Some((before, after)) = rest.split_once('{') {
            let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(match placeholder {
                "type" => matter.type_name,
                "identifier" => matter.identifier,
                "action" => matter.action,
                _ => detail,
            });
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn codes_are_those_of_the_vectors() {
        let table = include_str!("../../tests/vectors/handler-codes.tsv");
        let mut count = 0;
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, class, exception, message] = fields.as_slice() else { panic!("four fields: {line}") };
            let code = HandlerErrorCode::parse(name).unwrap_or_else(|| panic!("no code {name}"));
            assert_eq!((code.is_retriable(), code.exception().name()), (*class == "retriable", *exception), "{line}");
            let expected = message
                .replace("{type}", "A::B::{action}")
                .replace("{identifier}", "i")
                .replace("Reason: {detail}", "Reason: why")
                .replace("provided: {detail}", "provided: why")
                .replace("operation '{action}'", "operation 'CREATE'")
                .replace("Operation '{action}'", "Operation 'CREATE'");
            let matter = Matter { type_name: "A::B::{action}", identifier: "i", action: "CREATE" };
            assert_eq!(code.text(&matter, "why"), expected);
            count += 1;
        }
        assert_eq!(count, HandlerErrorCode::ALL.len());
    }
}
