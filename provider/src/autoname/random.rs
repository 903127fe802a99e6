//! The random characters of generated names.
//!
//! The Go provider draws them from its language's seeded generator, which is published as C2SP `chacha8rand`: the
//! keystream of ChaCha with 8 rounds, with the constants and the counter taken off again, four blocks interleaved word
//! by word. Releases before February 2026 drew from ChaCha with 12 rounds, so that they make other names of the same
//! seed; a name that a resource has already is never drawn again.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

const ALPHABET: &[u8; 16] = b"0123456789abcdef";

/// `length` hexadecimal characters that the seed determines.
///
/// The key is the SHA-256 of the seed. Each character takes one number; of 2^64 numbers the last 16 are drawn again, as
/// the Go provider does.
pub fn hex(seed: &[u8], length: usize) -> String {
    let mut numbers = Numbers::new(Sha256::digest(seed).into());
    let characters = std::iter::from_fn(|| numbers.next()).filter(|number| *number < u64::MAX - u64::MAX % 16);
    characters.take(length).map(|number| ALPHABET[(number % 16) as usize] as char).collect()
}

/// The blocks of keystream that one key is used for.
const BLOCKS: usize = 16;
/// The words of a block.
const WORDS: usize = 16;
/// The blocks that are interleaved.
const LANES: usize = 4;
/// The numbers at the end that become the next key.
const KEY_NUMBERS: usize = 4;

/// The generator.
struct Numbers {
    drawn: Vec<u64>,
    next: usize,
}

impl Numbers {
    fn new(key: [u8; 32]) -> Self {
        Self { drawn: draw(key), next: 0 }
    }
}

impl Iterator for Numbers {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let usable = self.drawn.len() - KEY_NUMBERS;
        if self.next == usable {
            let mut key = [0; 32];
            for (bytes, number) in key.chunks_exact_mut(8).zip(&self.drawn[usable..]) {
                bytes.copy_from_slice(&number.to_le_bytes());
            }
            *self = Self::new(key);
        }
        self.next += 1;
        self.drawn.get(self.next - 1).copied()
    }
}

/// All numbers of one key.
fn draw(key: [u8; 32]) -> Vec<u64> {
    /// "expand 32-byte k".
    const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
    const COUNTER: usize = 12;
    let mut stream = ChaCha8Rng::from_seed(key);
    let mut words = [0_u32; BLOCKS * WORDS];
    for (index, word) in words.iter_mut().enumerate() {
        let (block, place) = (index / WORDS, index % WORDS);
        let added = match place {
            COUNTER => block as u32,
            place => CONSTANTS.get(place).copied().unwrap_or(0),
        };
        *word = stream.next_u32().wrapping_sub(added);
    }
    let mut interleaved = Vec::with_capacity(words.len());
    for group in words.chunks_exact(LANES * WORDS) {
        for place in 0..WORDS {
            interleaved.extend((0..LANES).map(|lane| u64::from(group[lane * WORDS + place])));
        }
    }
    interleaved.chunks_exact(2).map(|pair| pair[0] | pair[1] << 32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_determine_names_as_in_the_go_provider() {
        check(&[0; 32], 20, "dd5306f8e0c1350bd3c8");
        check(b"seed of text", 12, "65851332ecb5");
        check(&[0x5e; 32], 7, "2886cae");
        check(
            &[0x00, 0x0b, 0x16, 0x21, 0x2c, 0x37, 0x42, 0x4d, 0x58, 0x63, 0x6e, 0x79, 0x84, 0x8f, 0x9a, 0xa5],
            12,
            "db635c2d92ad",
        );
        check(
            &[0x25, 0x30, 0x3b, 0x46, 0x51, 0x5c, 0x67, 0x72, 0x7d, 0x88, 0x93, 0x9e, 0xa9, 0xb4, 0xbf, 0xca, 0xd5],
            12,
            "9980a7576140",
        );

        #[track_caller]
        fn check(seed: &[u8], length: usize, expected: &str) {
            assert_eq!(hex(seed, length), expected);
        }
    }

    #[test]
    fn the_generator_goes_on_with_a_new_key() {
        let long = hex(b"x", 400);
        assert_eq!((&long[120..140], &long[380..]), ("8fa76f4278ce8b78081a", "69fa6701fa564885df12"));
    }
}
