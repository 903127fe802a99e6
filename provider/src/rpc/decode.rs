//! How each field of a request is read.
//!
//! | field | unknowns | secrets | nulls | assets |
//! |---|---|---|---|---|
//! | CheckConfig news, DiffConfig olds | keep | unwrap | keep | allow |
//! | Configure args | keep | keep | keep | allow |
//! | DiffConfig news | keep | unwrap | keep | reject |
//! | Check news; Diff; Create; Update | keep | keep | keep | reject |
//! | Check olds; Read properties and inputs | keep | keep | skip | allow |

use std::time::Duration;

use protocol::codec::{Assets, DecodeOptions, decode};
use tonic::Status;
use value::{Map, Urn};

use super::Field;

/// CheckConfig news, DiffConfig olds.
pub(super) const CONFIGURATION: DecodeOptions = DecodeOptions::UNWRAP_SECRETS;
/// Configure args: default tags that are secret go into inputs.
pub(super) const ARGUMENTS: DecodeOptions = DecodeOptions::KEEP;
/// DiffConfig news.
pub(super) const NEW_CONFIGURATION: DecodeOptions =
    DecodeOptions { assets: Assets::Reject, ..DecodeOptions::UNWRAP_SECRETS };
/// Check news, and everything in Diff, Create and Update.
pub(super) const INPUTS: DecodeOptions = DecodeOptions::KEEP_REJECT_ASSETS;
/// Check olds, Read properties and inputs.
pub(super) const RECORDED: DecodeOptions = DecodeOptions::SKIP_NULLS;

/// Reads a field; an absent one is empty. `what` begins the text of the error.
pub(super) fn field(bytes: &Field, options: DecodeOptions, what: &str) -> Result<Map, Status> {
    optional(bytes, options, what).map(Option::unwrap_or_default)
}

/// Reads a field whose absence means something.
pub(super) fn optional(bytes: &Field, options: DecodeOptions, what: &str) -> Result<Option<Map>, Status> {
    let decode = |bytes: &bytes::Bytes| decode(bytes, options);
    bytes.as_ref().map(decode).transpose().map_err(|error| Status::invalid_argument(format!("{what}: {error}")))
}

/// Reads the URN of a request.
pub(super) fn urn(text: &str) -> Result<Urn, Status> {
    Urn::parse(text).map_err(|error| Status::invalid_argument(error.to_string()))
}

/// Reads a timeout in seconds; none, zero and nonsense leave it to the provider.
pub(super) fn timeout(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().filter(|timeout| !timeout.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts() {
        for (seconds, expected) in [
            (0.0, None),
            (-1.0, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
            (1e300, None),
            (1.5, Some(Duration::from_millis(1500))),
        ] {
            assert_eq!(timeout(seconds), expected, "{seconds}");
        }
    }

    #[test]
    fn malformed_urns_are_the_callers_fault() {
        for text in ["", "urn", "urn:pulumi:", "urn:pulumi:s::p"] {
            let code = urn(text).err().map(|status| status.code());
            assert_eq!(code, Some(tonic::Code::InvalidArgument), "{text:?}");
        }
    }
}
