//! What each page can be asked: its query keys, and whether it reads a body. What a page does not know it refuses, so that
//! a slip of the pen never widens what a request means.

use super::{form, invalid};
use crate::admin::AdminError;
use crate::operations::NAMES;
use crate::store::Status;

/// Method, page, query keys, and whether the page reads a body; a page that ends with `/` stands for those below it.
type Page = (&'static str, &'static str, &'static [&'static str], bool);

const SCOPE: &[&str] = &["account", "region"];
const RESOURCE: &[&str] = &["account", "region", "type", "identifier"];

/// Every page.
const PAGES: &[Page] = &[
    ("GET", "health", &[], false),
    ("GET", "ready", &[], false),
    ("GET", "info", &[], false),
    ("GET", "schemas", &["details"], false),
    ("POST", "schemas/reload", &[], false),
    ("GET", "schemas/", &[], false),
    ("POST", "generate", &[], true),
    ("GET", "log", &["operation", "type", "since"], false),
    ("DELETE", "log", &[], false),
    ("GET", "requests", &["status", "type"], false),
    ("POST", "requests/", &[], true),
    ("GET", "resources", RESOURCE, false),
    ("DELETE", "resources", RESOURCE, false),
    ("POST", "resources", &[], true),
    ("GET", "resources/", &[], false),
    ("POST", "resources/", &[], true),
    ("PATCH", "resources/", &["check"], true),
    ("DELETE", "resources/", &[], false),
    ("POST", "drift", &["check"], true),
    ("POST", "drift/random", &[], true),
    ("GET", "rules", &[], false),
    ("POST", "rules", &[], true),
    ("POST", "rules/replay", &[], true),
    ("DELETE", "rules", &[], false),
    ("DELETE", "rules/", &[], false),
    ("GET", "functions", &[], false),
    ("PUT", "functions", &[], true),
    ("POST", "clock/advance", &[], true),
    ("GET", "snapshot", SCOPE, false),
    ("PUT", "snapshot", SCOPE, true),
    ("POST", "reset", SCOPE, false),
    ("PUT", "type-configuration/", &[], true),
    ("DELETE", "type-configuration/", &[], false),
];

/// Refuses query keys that a page does not know, and a body that it would not read.
///
/// # Errors
///
/// Also for a page that there is not.
pub(super) fn check(method: &str, page: &str, query: &str, body: &[u8]) -> Result<(), AdminError> {
    let is_meant = |name: &str| name == page || (name.ends_with('/') && page.starts_with(name));
    let known = PAGES.iter().find(|(of, name, ..)| *of == method && is_meant(name));
    let unknown = || AdminError::NotFound { what: format!("{method} /_emu/{page}") };
    let (_, _, keys, reads_body) = known.ok_or_else(unknown)?;
    if let Some((key, _)) = form::pairs(query).find(|(key, _)| !keys.contains(&key.as_str())) {
        let takes = if keys.is_empty() { "takes none".to_owned() } else { format!("takes {}", keys.join(", ")) };
        return Err(invalid(&format!("{method} /_emu/{page} has no query key {key}; it {takes}")));
    }
    let is_nothing = matches!(body.trim_ascii(), b"" | b"{}");
    if *reads_body || is_nothing {
        return Ok(());
    }
    let instead = match keys {
        [] => String::new(),
        keys => format!("; {} belong in the query", keys.join(" and ")),
    };
    Err(invalid(&format!("{method} /_emu/{page} takes no body{instead}")))
}

/// The API name of an operation that is named in full or by its short name, as in rules.
pub(super) fn operation(text: &str) -> Result<String, AdminError> {
    let full = crate::faults::full_name(text);
    if NAMES.contains(&full) {
        return Ok(full.to_owned());
    }
    let short: Vec<&str> = NAMES.into_iter().filter_map(crate::faults::short_name).collect();
    Err(invalid(&format!("operation={text}: one of {}, {} is wanted", short.join(", "), NAMES.join(", "))))
}

/// The number of the call that the log is wanted from.
pub(super) fn since(text: &str) -> Result<u64, AdminError> {
    text.parse().map_err(|_| invalid(&format!("since={text}: the number of a call is wanted")))
}

/// The name of a status.
pub(super) fn status(text: &str) -> Result<String, AdminError> {
    let names = Status::ALL.map(Status::name);
    if names.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(invalid(&format!("status={text}: one of {} is wanted", names.join(", "))))
}

/// Whether something is switched on.
pub(super) fn is_on(name: &str, text: Option<&str>) -> Result<bool, AdminError> {
    match text {
        None | Some("off") => Ok(false),
        Some("on") => Ok(true),
        Some(other) => Err(invalid(&format!("{name}={other}: on or off is wanted"))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn what_a_page_does_not_know_is_refused() {
        for (method, page, query, body, expected) in [
            ("POST", "reset", "account=1&region=2", "{}", ""),
            ("POST", "reset", "", " {} \n", ""),
            ("GET", "resources/1/-/T/i", "", "", ""),
            ("POST", "reset", "acount=1", "", "POST /_emu/reset has no query key acount; it takes account, region"),
            (
                "POST",
                "reset",
                "",
                r#"{"account":"x"}"#,
                "POST /_emu/reset takes no body; account and region belong in the query",
            ),
            ("GET", "info", "x=1", "", "GET /_emu/info has no query key x; it takes none"),
            ("DELETE", "log", "", "[]", "DELETE /_emu/log takes no body"),
            ("GET", "reset", "", "", "there is no GET /_emu/reset"),
        ] {
            let said =
                check(method, page, query, body.as_bytes()).map_or_else(|error| error.to_string(), |()| String::new());
            assert_eq!(said, expected, "{method} {page}?{query} {body}");
        }
    }

    #[test]
    fn values_are_those_that_there_are() {
        assert_eq!(operation("CREATE").unwrap(), "CreateResource");
        assert_eq!(operation("create").unwrap(), "CreateResource");
        assert_eq!(operation("ListResources").unwrap(), "ListResources");
        assert!(operation("any").unwrap_err().to_string().starts_with("operation=any: one of create, "));
        assert_eq!(since("abc").unwrap_err().to_string(), "since=abc: the number of a call is wanted");
        assert!(status("BOGUS").unwrap_err().to_string().contains("one of PENDING, IN_PROGRESS"));
        assert_eq!(is_on("check", Some("yes")).unwrap_err().to_string(), "check=yes: on or off is wanted");
    }
}
