//! Token buckets: so many calls a second on average, so many at once.

use crate::entropy::Digest;
use std::collections::HashMap;

/// Buckets by what they are for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Buckets(HashMap<Digest, Bucket>);

#[derive(Debug, Clone, Copy, PartialEq)]
struct Bucket {
    tokens: f64,
    /// When the tokens were counted, in milliseconds.
    at: u64,
}

impl Buckets {
    /// Takes a token out of a bucket of this rate and burst, if there is one.
    pub(super) fn take(&mut self, place: Digest, (rate, burst): (f64, f64), now: u64) -> bool {
        let bucket = self.0.entry(place).or_insert(Bucket { tokens: burst, at: now });
        let passed = now.saturating_sub(bucket.at) as f64 / 1000.0;
        bucket.tokens = (bucket.tokens + passed * rate).min(burst);
        bucket.at = now.max(bucket.at);
        let has_token = bucket.tokens >= 1.0;
        if has_token {
            bucket.tokens -= 1.0;
        }
        has_token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_fill_with_time_and_never_over_their_edge() {
        let mut buckets = Buckets::default();
        let (one, other) = (Digest(1), Digest(2));
        for (now, expected) in [
            (0, [true, true, false]),
            (250, [false, false, false]),
            (500, [true, false, false]),
            (100_000, [true, true, false]),
            (0, [false, false, false]),
        ] {
            assert_eq!([(); 3].map(|()| buckets.take(one, (2.0, 2.0), now)), expected, "{now}");
        }
        assert!(buckets.take(other, (2.0, 2.0), 0), "buckets are apart");
    }
}
