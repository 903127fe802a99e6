//! Texts that a regular expression finds.
//!
//! Understands literals, classes, groups, alternation and repetition. Look-around and back-references are passed over;
//! callers check every text against the schema, so a text that such a part would refuse is simply not used.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone)]
enum Piece {
    Literal(char),
    Class(Vec<char>),
    Sequence(Vec<Piece>),
    Choice(Vec<Piece>),
    Repeat { piece: Box<Piece>, least: usize, most: usize },
}

/// Repetitions beyond this are not written out.
const LONGEST_REPEAT: usize = 512;
/// A text has no more characters. Repetitions of repetitions end here.
const LONGEST_TEXT: usize = 4096;
/// A text takes no more steps to write, also where they write nothing.
const MOST_STEPS: usize = 16 * LONGEST_TEXT;
/// The deepest nesting of groups that is read.
const DEPTH: usize = 32;
/// What a negated class or `.` may become.
const POOL: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_/.: ";

/// Some texts for a pattern, shortest first; empty when the pattern is beyond this reader.
///
/// `least` is a length that would be welcome. `draw` starts the draws of an attempt, which is given by its number; a draw
/// is given a number of characters to choose from and returns the index of one.
pub fn texts<D: FnMut(usize) -> usize>(pattern: &str, least: usize, draw: impl Fn(usize) -> D) -> Vec<String> {
    let mut reader = Reader { rest: pattern.chars().peekable() };
    let Some(piece) = reader.choice(0) else { return Vec::new() };
    if reader.rest.next().is_some() {
        return Vec::new();
    }
    // Several lengths for minLength, several alternatives for patterns that overlap with what is refused elsewhere.
    let attempts = [
        (0, 0),
        (1, 0),
        (0, 1),
        (3, 0),
        (8, 0),
        (8, 1),
        (12, 2),
        (20, 0),
        (36, 0),
        (least, 0),
        (least.saturating_sub(1), 0),
    ];
    let write = |(index, (extra, turn)): (usize, (usize, usize))| {
        let mut writer = Writer { text: String::new(), characters: 0, steps: 0, turn, draw: draw(index) };
        writer.write(&piece, extra);
        writer.text
    };
    attempts.into_iter().enumerate().map(write).collect()
}

/// Writes one text.
struct Writer<D> {
    text: String,
    characters: usize,
    steps: usize,
    /// Which alternative is taken.
    turn: usize,
    draw: D,
}

impl<D: FnMut(usize) -> usize> Writer<D> {
    fn is_full(&self) -> bool {
        self.characters >= LONGEST_TEXT || self.steps >= MOST_STEPS
    }

    fn push(&mut self, character: char) {
        self.text.push(character);
        self.characters += 1;
    }

    /// Writes what a piece stands for. A full text gets no more; callers see that it does not fit.
    fn write(&mut self, piece: &Piece, extra: usize) {
        if self.is_full() {
            return;
        }
        self.steps += 1;
        match piece {
            Piece::Literal(literal) => self.push(*literal),
            Piece::Class(members) => {
                if let Some(member) = members.get((self.draw)(members.len())) {
                    self.push(*member);
                }
            }
            Piece::Sequence(pieces) => pieces.iter().for_each(|piece| self.write(piece, extra)),
            Piece::Choice(pieces) => {
                if let Some(piece) = pieces.get(self.turn.checked_rem(pieces.len()).unwrap_or_default()) {
                    self.write(piece, extra);
                }
            }
            Piece::Repeat { piece, least, most } => {
                let times = least.saturating_add(extra).min(*most).min(LONGEST_REPEAT);
                for _ in 0..times {
                    if self.is_full() {
                        break;
                    }
                    self.write(piece, 0);
                }
            }
        }
    }
}

struct Reader<'p> {
    rest: Peekable<Chars<'p>>,
}

impl Reader<'_> {
    fn choice(&mut self, depth: usize) -> Option<Piece> {
        if depth > DEPTH {
            return None;
        }
        let mut branches = vec![self.sequence(depth)?];
        while self.rest.next_if_eq(&'|').is_some() {
            branches.push(self.sequence(depth)?);
        }
        Some(if branches.len() == 1 { branches.remove(0) } else { Piece::Choice(branches) })
    }

    fn sequence(&mut self, depth: usize) -> Option<Piece> {
        let mut pieces = Vec::new();
        while let Some(&next) = self.rest.peek() {
            if next == '|' || next == ')' {
                break;
            }
            self.rest.next();
            let piece = match next {
                '^' | '$' => continue,
                '(' => match self.group(depth)? {
                    Some(piece) => piece,
                    None => continue,
                },
                '[' => Piece::Class(self.class()?),
                '.' => Piece::Class(POOL.chars().take(36).collect()),
                '\\' => match self.escape()? {
                    members if members.is_empty() => continue,
                    members => Piece::Class(members),
                },
                literal => Piece::Literal(literal),
            };
            pieces.push(self.repeated(piece)?);
        }
        Some(Piece::Sequence(pieces))
    }

    /// A group after its parenthesis; `Some(None)` for look-around.
    fn group(&mut self, depth: usize) -> Option<Option<Piece>> {
        let mut is_look_around = false;
        if self.rest.next_if_eq(&'?').is_some() {
            match self.rest.next()? {
                ':' => {}
                '=' | '!' => is_look_around = true,
                // A flag concerns how texts are compared, not what they look like.
                'i' | 's' | 'm' => return self.rest.next_if_eq(&')').map(|_| None),
                '<' => match self.rest.next()? {
                    '=' | '!' => is_look_around = true,
                    _ => while self.rest.next()? != '>' {},
                },
                _ => return None,
            }
        }
        let piece = self.choice(depth + 1)?;
        self.rest.next_if_eq(&')')?;
        Some((!is_look_around).then_some(piece))
    }

    fn repeated(&mut self, piece: Piece) -> Option<Piece> {
        let (least, most) = match self.rest.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => {
                let mut text = String::new();
                self.rest.next();
                loop {
                    match self.rest.next()? {
                        '}' => break,
                        other => text.push(other),
                    }
                }
                let (least, most) = text.split_once(',').unwrap_or((&text, &text));
                let least = least.trim().parse().unwrap_or(0);
                self.skip_mode();
                let most = most.trim().parse().unwrap_or(usize::MAX);
                return Some(Piece::Repeat { piece: Box::new(piece), least, most });
            }
            _ => return Some(piece),
        };
        self.rest.next();
        self.skip_mode();
        Some(Piece::Repeat { piece: Box::new(piece), least, most })
    }

    /// Lazy and possessive marks change what is matched first, not what can be matched.
    fn skip_mode(&mut self) {
        while self.rest.next_if(|c| *c == '?' || *c == '+').is_some() {}
    }

    /// The characters of an escape, none for one that matches a place.
    fn escape(&mut self) -> Option<Vec<char>> {
        Some(match self.rest.next()? {
            'd' => ('0'..='9').collect(),
            'w' => ('a'..='z').chain('0'..='9').collect(),
            's' => vec![' '],
            'S' | 'D' | 'W' => ('a'..='z').collect(),
            'n' => vec!['\n'],
            't' => vec!['\t'],
            'r' => vec!['\r'],
            'b' | 'B' | 'A' | 'z' | 'Z' => Vec::new(),
            'p' => {
                self.rest.next_if_eq(&'{')?;
                while self.rest.next()? != '}' {}
                ('a'..='z').collect()
            }
            'u' => vec![self.code_point(4)?],
            'x' => vec![self.code_point(2)?],
            digit if digit.is_ascii_digit() => return None,
            literal => vec![literal],
        })
    }

    fn code_point(&mut self, digits: usize) -> Option<char> {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + self.rest.next()?.to_digit(16)?;
        }
        char::from_u32(code)
    }

    fn class(&mut self) -> Option<Vec<char>> {
        let is_negated = self.rest.next_if_eq(&'^').is_some();
        let mut members = Vec::new();
        let mut is_first = true;
        loop {
            let next = self.rest.next()?;
            let start = match next {
                ']' if !is_first => break,
                '\\' => {
                    let mut escaped = self.escape()?;
                    if escaped.len() != 1 {
                        members.append(&mut escaped);
                        is_first = false;
                        continue;
                    }
                    escaped.pop()?
                }
                other => other,
            };
            is_first = false;
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('-') && ahead.peek().is_some_and(|end| *end != ']') {
                self.rest.next();
                let end = match self.rest.next()? {
                    '\\' => self.escape()?.pop()?,
                    other => other,
                };
                members.extend((start..=end).take(256));
            } else {
                members.push(start);
            }
        }
        let printable = |c: &char| c.is_ascii_graphic();
        let pool: Vec<char> = if is_negated {
            POOL.chars().filter(|c| !members.contains(c)).collect()
        } else if members.iter().any(|c| c.is_ascii_alphanumeric()) {
            members.retain(|c| c.is_ascii_alphanumeric());
            members
        } else if members.iter().any(printable) {
            members.retain(printable);
            members
        } else {
            members
        };
        (!pool.is_empty()).then_some(pool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(attempt: usize) -> impl FnMut(usize) -> usize {
        let mut turn = attempt;
        move |limit| {
            turn += 1;
            turn.checked_rem(limit).unwrap_or_default()
        }
    }

    #[test]
    fn texts_are_found_by_their_pattern() {
        for pattern in [
            "^[a-z]{3}-[0-9]{12}$",
            "^arn:(aws|aws-cn):s3:[a-z0-9-]*:[0-9]{12}:bucket/.+$",
            "^(?!sts-)[\\w+=,.@-]{1,64}$",
            "^\\d{4}(-\\d{2}){2}$",
            "[^\\s]+",
            "^(?:a|b|)$",
            "^[\\p{L}\\p{N} _-]+$",
            "^[\\u0020-\\u007e]+$",
            "^fs-[0-9a-f]{8,17}$",
        ] {
            let compiled = crate::java_pattern::compile(pattern);
            let texts = texts(pattern, 0, draw);
            let fitting = texts
                .iter()
                .filter(|text| compiled.as_ref().and_then(|found| found.is_found(text)) == Some(true))
                .count();
            assert!(fitting >= texts.len().min(6), "{pattern}: {texts:?}");
            assert!(!texts.is_empty(), "{pattern}");
        }
    }

    #[test]
    fn repetitions_of_repetitions_come_to_an_end() {
        let nested = |inner: &str, depth: usize| format!("{}{inner}{}", "(".repeat(depth), "{512})".repeat(depth));
        for pattern in [nested("a", 3), nested("a", 30), nested("()", 30), nested("(a?)", 30), nested("(ü|b)", 4)] {
            let texts = texts(&pattern, 500_000, draw);
            assert!(texts.iter().all(|text| text.chars().count() <= LONGEST_TEXT), "{pattern}");
            assert_eq!(texts.len(), 11, "{pattern}");
        }
        assert_eq!(texts("(a{64}){64}", 0, draw).first().map(String::len), Some(LONGEST_TEXT));
    }

    #[test]
    fn broken_and_hostile_patterns_give_nothing() {
        for pattern in ["(", "[a", "a{2", "\\", "(a)\\1", &"(".repeat(10_000), "a)"] {
            assert!(texts(pattern, 0, draw).is_empty(), "{pattern}");
        }
    }
}
