//! How to go on after an operation that was interrupted: what its error says and what a provider says last that is stopped are
//! the same, since nobody knows which of them arrives.

use value::Urn;

/// What to do when nothing has been changed.
pub const AGAIN: &str = "run the command again";
/// What becomes of a create that the journal has.
pub const PICKED_UP: &str = "run the command again: the provider picks the request up";
/// What to do about a resource of the state that may have been changed. The engine may not have got the answer that would
/// make it read the resource first.
pub const REFRESH_FIRST: &str =
    "run `pulumi refresh`, then the command again: the provider waits for the request if it still runs";
/// Where to find out about a create that nobody has.
pub const LOOK: &str = "look what became of it, with `aws cloudcontrol list-resource-requests`";

/// How to go on after the RPC `method` on `urn` was interrupted; `resumes`: the next run picks a creation up.
pub fn way_on(method: &str, urn: &str, resumes: bool, request_token: Option<&str>, identifier: Option<&str>) -> String {
    match method {
        "Read" => AGAIN.to_owned(),
        "Create" if resumes => PICKED_UP.to_owned(),
        "Create" => {
            let look = match request_token {
                Some(token) => format!(
                    "look what became of it, with `aws cloudcontrol get-resource-request-status --request-token {token}`"
                ),
                None => LOOK.to_owned(),
            };
            let import = match Urn::parse(urn) {
                Ok(urn) => format!(
                    "`pulumi import {} {} '{}'`",
                    urn.type_token(),
                    urn.name(),
                    identifier.unwrap_or("IDENTIFIER")
                ),
                Err(_) => "`pulumi import`".to_owned(),
            };
            format!("{look}; if it is there and the state does not have it, run {import}")
        }
        _ => REFRESH_FIRST.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_creation_that_nobody_has_is_looked_for_and_imported() {
        const QUEUE: &str = "urn:pulumi:dev::p::aws-native:sqs:Queue::q";
        const IF_THERE: &str = "if it is there and the state does not have it, run";
        for (urn, resumes, token, identifier, expected) in [
            (QUEUE, true, Some("r-1"), Some("a"), PICKED_UP.to_owned()),
            (
                QUEUE,
                false,
                Some("r-1"),
                Some("a"),
                format!(
                    "look what became of it, with `aws cloudcontrol get-resource-request-status --request-token r-1`; \
                     {IF_THERE} `pulumi import aws-native:sqs:Queue q 'a'`"
                ),
            ),
            (
                QUEUE,
                false,
                None,
                None,
                format!("{LOOK}; {IF_THERE} `pulumi import aws-native:sqs:Queue q 'IDENTIFIER'`"),
            ),
            ("no urn", false, None, None, format!("{LOOK}; {IF_THERE} `pulumi import`")),
        ] {
            assert_eq!(way_on("Create", urn, resumes, token, identifier), expected, "{urn} {token:?} {identifier:?}");
        }
    }
}
