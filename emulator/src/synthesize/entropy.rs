//! Values that look random and depend on nothing but what they were made for.

use sha2::{Digest, Sha256};

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
const HEX: &[u8] = b"0123456789abcdef";
const DIGITS: &[u8] = b"0123456789";

impl Entropy {
    /// A source for what the parts together name.
    pub(crate) fn new(parts: &[&str]) -> Entropy {
        Entropy { key: digest(parts), block: [0; 32], used: 32, round: 0 }
    }

    /// A source for something within what this one is for.
    pub(crate) fn within(&self, path: &str) -> Entropy {
        Entropy::new(&[&hex(&self.key), path])
    }

    fn byte(&mut self) -> u8 {
        if self.used >= self.block.len() {
            self.block = digest(&[&hex(&self.key), &self.round.to_string()]);
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

    /// A UUID of version 4.
    pub(crate) fn uuid(&mut self) -> String {
        let (a, b, c, d, e) = (self.hex(8), self.hex(4), self.hex(3), self.hex(3), self.hex(12));
        format!("{a}-{b}-4{c}-a{d}-{e}")
    }
}

/// A digest of parts as 64 hexadecimal digits; the parts are kept apart.
pub(crate) fn digest_text(parts: &[&str]) -> String {
    hex(&digest(parts))
}

fn digest(parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'))
        .collect()
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
}
