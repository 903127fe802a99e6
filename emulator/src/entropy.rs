//! Values that look random and depend on nothing but what they were made for.

use crate::hex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Sha256;

/// A deterministic source of characters: the same key gives the same sequence.
#[derive(Debug, Clone)]
pub(crate) struct Entropy {
    key: [u8; 32],
    block: [u8; 32],
    used: usize,
    round: u64,
}

const LOWER: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const MIXED: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const DIGITS: &[u8] = b"0123456789";

impl Entropy {
    /// A source for what the parts together name.
    pub(crate) fn new(parts: &[&str]) -> Entropy {
        Entropy { key: sha256(parts), block: [0; 32], used: 32, round: 0 }
    }

    /// A source for something within what this one is for.
    pub(crate) fn within(&self, path: &str) -> Entropy {
        Entropy::new(&[&hex::encode(&self.key), path])
    }

    fn byte(&mut self) -> u8 {
        if self.used >= self.block.len() {
            self.block = sha256(&[&hex::encode(&self.key), &self.round.to_string()]);
            self.round += 1;
            self.used = 0;
        }
        let byte = self.block.get(self.used).copied().unwrap_or_default();
        self.used += 1;
        byte
    }

    /// A number below `limit`, which may be at most 65,536; 0 when `limit` is 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let wide = usize::from(self.byte()) << 8 | usize::from(self.byte());
        wide.checked_rem(limit).unwrap_or_default()
    }

    fn text(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length).map(|_| alphabet.get(self.below(alphabet.len())).copied().map_or('0', char::from)).collect()
    }

    /// Lower-case letters and digits.
    pub(crate) fn lower(&mut self, length: usize) -> String {
        self.text(LOWER, length)
    }

    /// Upper-case letters and digits.
    pub(crate) fn upper(&mut self, length: usize) -> String {
        self.text(UPPER, length)
    }

    /// Letters of both cases and digits.
    pub(crate) fn mixed(&mut self, length: usize) -> String {
        self.text(MIXED, length)
    }

    /// Lower-case hexadecimal digits.
    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.text(HEX, length)
    }

    /// Decimal digits, the first of which is not zero.
    pub(crate) fn digits(&mut self, length: usize) -> String {
        let mut text = self.text(DIGITS, length);
        if text.starts_with('0') {
            text.replace_range(0..1, "7");
        }
        text
    }

    /// Whether something of this probability happens; never at 0 or below, always at 1 or above.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        let drawn = (0..4).fold(0u32, |drawn, _| drawn << 8 | u32::from(self.byte()));
        f64::from(drawn) < probability * 4_294_967_296.0
    }

    /// A number between `least` and `most` (both positive) from a log-normal distribution: the median is their geometric
    /// mean, three standard deviations reach the ends, and what lies beyond is the end itself.
    pub(crate) fn log_normal(&mut self, least: f64, most: f64) -> f64 {
        if least <= 0.0 || most <= least {
            return least.max(0.0);
        }
        // The sum of twelve uniform draws has nearly a normal distribution of variance one around six.
        let normal = (0..12).map(|_| self.below(65_536) as f64 / 65_536.0).sum::<f64>() - 6.0;
        let (low, high) = (least.ln(), most.ln());
        ((low + high) / 2.0 + normal * (high - low) / 6.0).exp().clamp(least, most)
    }

    /// A UUID of version 4.
    pub(crate) fn uuid(&mut self) -> String {
        let (a, b, c, d, e) = (self.hex(8), self.hex(4), self.hex(3), self.hex(3), self.hex(12));
        format!("{a}-{b}-4{c}-a{d}-{e}")
    }
}

/// A digest that stands for content: the key type of all indexes. Written as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Digest(pub(crate) u128);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Digest {
    /// Reads what [`Display`](std::fmt::Display) writes.
    pub(crate) fn parse(text: &str) -> Option<Digest> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u128::from_str_radix(text, 16).ok().filter(|_| is_hex).map(Digest)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = String::deserialize(deserializer)?;
        Digest::parse(&text).ok_or_else(|| D::Error::custom("not a digest of 32 hexadecimal digits"))
    }
}

/// The first half of the SHA-256 of parts; the parts are kept apart.
pub(crate) fn digest(parts: &[&str]) -> Digest {
    Digest(sha256(parts).iter().take(16).fold(0, |first, byte| first << 8 | u128::from(*byte)))
}

/// A digest of parts as 64 hexadecimal digits; the parts are kept apart.
pub(crate) fn digest_text(parts: &[&str]) -> String {
    hex::encode(&sha256(parts))
}

/// The SHA-256 of bytes as 64 hexadecimal digits.
pub(crate) fn digest_bytes(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    hex::encode(&Sha256::digest(bytes))
}

fn sha256(parts: &[&str]) -> [u8; 32] {
    use sha2::Digest as _;
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_give_equal_sequences() {
        let mut first = Entropy::new(&["a", "b"]);
        let mut second = Entropy::new(&["a", "b"]);
        let mut other = Entropy::new(&["ab", ""]);
        let text = first.lower(40);
        assert_eq!(text, second.lower(40));
        assert_ne!(text, other.lower(40));
        assert_eq!(first.uuid().len(), 36);
        assert_ne!(Entropy::new(&["a"]).within("x").hex(8), Entropy::new(&["a"]).within("y").hex(8));
    }

    #[test]
    fn digests_keep_parts_apart_and_can_be_written() {
        assert_ne!(digest(&["a", "b"]), digest(&["ab", ""]));
        let whole = digest(&["a"]);
        assert_eq!(Digest::parse(&whole.to_string()), Some(whole));
        assert_eq!(serde_json::to_string(&Digest(5)).ok().as_deref(), Some("\"00000000000000000000000000000005\""));
        assert_eq!(serde_json::from_str::<Digest>("\"00000000000000000000000000000005\"").ok(), Some(Digest(5)));
        assert!(serde_json::from_str::<Digest>("\"+0000000000000000000000000000005\"").is_err());
    }

    #[test]
    fn draws_have_their_distributions() {
        let mut entropy = Entropy::new(&["draws"]);
        let hits = (0..10_000).filter(|_| entropy.chance(0.02)).count();
        assert!((100..400).contains(&hits), "{hits} of 10,000 at 0.02");
        assert!(!(0..100).any(|_| entropy.chance(0.0)) && (0..100).all(|_| entropy.chance(1.0)));
        let mut drawn: Vec<f64> = (0..1_001).map(|_| entropy.log_normal(1.0, 100.0)).collect();
        drawn.sort_by(f64::total_cmp);
        assert!(drawn.iter().all(|value| (1.0..=100.0).contains(value)));
        let median = drawn.get(500).copied().unwrap_or_default();
        assert!((8.0..12.5).contains(&median), "median {median}, expected about 10");
        assert_eq!(entropy.log_normal(3.0, 3.0), 3.0);
    }
}
