//! Tokens of pages: where the next page begins, for whom, and since when. Opaque to clients and signed with the seed, so
//! that one of another list, account or region is refused.

use super::Call;
use crate::api_error::{ApiError, Code};
use crate::entropy::{Digest, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::time::Duration;

/// How long a page can be continued.
const LIFE: Duration = Duration::from_secs(24 * 3600);
/// The form of tokens.
const VERSION: u8 = 1;
/// Version, sequence, time, signature.
const LENGTH: usize = 1 + 8 + 8 + 16;

/// One list of one caller.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pages<'l> {
    pub(super) operation: &'l str,
    /// Empty for lists of requests.
    pub(super) type_name: &'l str,
    /// What narrows the list, in canonical form.
    pub(super) filter: &'l str,
}

impl Pages<'_> {
    /// The token of the page after the entry of this sequence.
    pub(super) fn token(&self, call: &Call<'_>, sequence: u64, now_ms: u64) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(sequence.to_be_bytes());
        bytes.extend(now_ms.to_be_bytes());
        bytes.extend(self.signature(call, sequence, now_ms).0.to_be_bytes());
        STANDARD.encode(bytes)
    }

    /// The sequence that a token holds.
    ///
    /// # Errors
    ///
    /// InvalidRequestException when the token was not issued for this list and caller, or too long ago.
    pub(super) fn read(&self, call: &Call<'_>, token: &str, now_ms: u64) -> Result<u64, ApiError> {
        let sequence = STANDARD.decode(token).ok().filter(|bytes| bytes.len() == LENGTH).and_then(|bytes| {
            let number = |from: usize| bytes.get(from..from + 8)?.try_into().ok().map(u64::from_be_bytes);
            let (sequence, issued) = (number(1)?, number(9)?);
            let signature = bytes.get(17..)?.try_into().ok().map(u128::from_be_bytes)?;
            let is_fresh = Duration::from_millis(now_ms.saturating_sub(issued)) <= LIFE;
            let is_own = bytes.first() == Some(&VERSION) && self.signature(call, sequence, issued) == Digest(signature);
            (is_fresh && is_own).then_some(sequence)
        });
        sequence
            .ok_or_else(|| ApiError::new(Code::InvalidRequest, "NextToken is not valid for this list or has expired"))
    }

    fn signature(&self, call: &Call<'_>, sequence: u64, issued: u64) -> Digest {
        let numbers = [call.core.options.seed, sequence, issued].map(|number| number.to_string());
        let [seed, sequence, issued] = &numbers;
        let (account, region) = (&call.scope.account, &call.scope.region);
        digest(&["page", seed, self.operation, account, region, self.type_name, self.filter, sequence, issued])
    }
}
