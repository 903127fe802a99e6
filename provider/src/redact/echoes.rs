//! Secret texts that are looked for inside others, all of them in one pass.

use std::collections::HashMap;

use super::spellings::spellings;

/// No text is shorter: replacing `on` or `42` everywhere would make texts unreadable and say where it stood.
pub(crate) const SHORTEST: usize = 4;

/// A text that is looked for, and what it becomes.
struct Echo {
    text: String,
    becomes: String,
}

/// What is looked for.
#[derive(Default)]
pub(crate) struct Echoes {
    /// By their first bytes; longest first.
    by_start: HashMap<[u8; SHORTEST], Vec<Echo>>,
    /// A bit for any two bytes with which one begins: most places in a text are passed by with this alone. Empty at first.
    begins: Vec<u64>,
}

impl Echoes {
    /// Looks for `text` in every spelling from now on, if it is long enough.
    pub(crate) fn learn(&mut self, text: &str, becomes: &str) {
        if text.len() >= SHORTEST {
            for spelling in spellings(text) {
                self.add(spelling, becomes);
            }
        }
    }

    /// Looks for `text` from now on, if it is long enough. A text that is looked for already stays what it becomes.
    fn add(&mut self, text: String, becomes: &str) {
        let Some(start) = text.as_bytes().first_chunk::<SHORTEST>() else { return };
        let echoes = self.by_start.entry(*start).or_default();
        let place = echoes.partition_point(|other| other.text.len() > text.len());
        let mut as_long = echoes[place..].iter().take_while(|other| other.text.len() == text.len());
        if as_long.any(|other| other.text == text) {
            return;
        }
        let (word, bit) = pair(start);
        self.begins.resize(PAIRS / 64, 0);
        self.begins[word] |= bit;
        echoes.insert(place, Echo { text, becomes: becomes.to_owned() });
    }

    /// `text` with its echoes of at least `shortest` bytes replaced from the left, at each place the longest; none when
    /// there is no echo. Echoes that overlap go together, since a part of a secret says much of it.
    pub(crate) fn replaced(&self, text: &str, shortest: usize) -> Option<String> {
        let mut replaced: Option<String> = None;
        let (mut at, mut kept) = (0, 0);
        while at < text.len() {
            let Some(echo) = self.longest(&text.as_bytes()[at..], shortest) else {
                at += 1;
                continue;
            };
            let replaced = replaced.get_or_insert_default();
            replaced.push_str(&text[kept..at]);
            replaced.push_str(&echo.becomes);
            let mut end = at + echo.text.len();
            at += 1;
            while at < end {
                let other = self.longest(&text.as_bytes()[at..], shortest);
                end = end.max(other.map_or(0, |other| at + other.text.len()));
                at += 1;
            }
            kept = end;
        }
        replaced.map(|replaced| replaced + &text[kept..])
    }

    /// The longest echo with which `rest` begins.
    fn longest(&self, rest: &[u8], shortest: usize) -> Option<&Echo> {
        let mut candidates = self.candidates(rest).iter().take_while(|echo| echo.text.len() >= shortest);
        candidates.find(|echo| rest.starts_with(echo.text.as_bytes()))
    }

    fn may_begin(&self, start: &[u8; SHORTEST]) -> bool {
        let (word, bit) = pair(start);
        self.begins.get(word).is_some_and(|word| word & bit != 0)
    }

    /// What may begin here. A text begins and ends between characters, since no character's bytes begin like another's
    /// middle.
    fn candidates(&self, rest: &[u8]) -> &[Echo] {
        match rest.first_chunk::<SHORTEST>() {
            Some(start) if self.may_begin(start) => self.by_start.get(start).map_or(&[], Vec::as_slice),
            Some(_) | None => &[],
        }
    }
}

/// How many pairs of bytes there are.
const PAIRS: usize = 1 << 16;

/// The word and the bit of the first two bytes.
fn pair(start: &[u8; SHORTEST]) -> (usize, u64) {
    let pair = usize::from(start[0]) << 8 | usize::from(start[1]);
    (pair / 64, 1 << (pair % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echoes(texts: &[&str]) -> Echoes {
        let mut echoes = Echoes::default();
        for (index, text) in texts.iter().enumerate() {
            echoes.add((*text).to_owned(), &format!("<{index}>"));
        }
        echoes
    }

    #[test]
    fn the_leftmost_and_then_the_longest_is_replaced_with_what_overlaps_it() {
        let echoes = echoes(&["abcd", "abcdef", "cdefgh", "wörter", "abcd", "abc"]);
        for (text, shortest, expected) in [
            ("abcdefgh", 4, Some("<1>")),
            ("xabcdefghx", 4, Some("x<1>x")),
            ("abcdefg", 4, Some("<1>g")),
            ("xabcd", 4, Some("x<0>")),
            ("abcdabcdef", 4, Some("<0><1>")),
            ("abcdefgh", 6, Some("<1>")),
            ("abcdx", 6, None),
            ("zwei wörter, öw", 4, Some("zwei <3>, öw")),
            ("abc", 4, None),
            ("", 4, None),
        ] {
            assert_eq!(echoes.replaced(text, shortest).as_deref(), expected, "{text} {shortest}");
        }
        assert_eq!(Echoes::default().replaced("abcdef", 4), None);
    }

    #[test]
    fn a_place_is_compared_with_what_begins_like_it() {
        let texts: Vec<String> = (0..300).map(|n| format!("{n:04}-canary")).collect();
        let echoes = echoes(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let text = texts.join(" ").repeat(40);
        assert_eq!(echoes.replaced(&text, 4).map(|text| text.matches('<').count()), Some(300 * 40));
        let compared: usize = (0..text.len()).map(|at| echoes.candidates(&text.as_bytes()[at..]).len()).sum();
        // One for each echo, instead of 300 searches for each.
        assert!(compared <= 2 * 300 * 40, "{compared}");
    }
}
