//! Regular expressions inside of expressions: JavaScript's dialect, with places and groups, and with a limit on steps.
//!
//! `cfn::java_pattern` tells whether a schema's pattern is found, and never where; replacing needs the places.

/// Steps that one search may take.
const STEPS: usize = 200_000;

/// Repetitions are written out, so this bounds them.
const LONGEST_PROGRAM: usize = 4_096;

/// How deep groups may nest.
const DEEPEST: usize = 32;

/// A regular expression, ready to be searched for.
#[derive(Debug)]
pub(super) struct Regex {
    program: Vec<Step>,
    groups: usize,
}

/// Where something was found, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Start and end of every group that took part.
    pub(super) groups: Vec<Option<(usize, usize)>>,
}

#[derive(Debug, Clone)]
enum Step {
    One(Set),
    Start,
    End,
    /// The first is tried before the second.
    Either(usize, usize),
    Jump(usize),
    /// Remembers the place, under an even number a group's start, under an odd one its end.
    Save(usize),
    Ahead {
        program: Vec<Step>,
        is_wanted: bool,
    },
    Done,
}

#[derive(Debug, Clone, Default)]
struct Set {
    ranges: Vec<(char, char)>,
    is_negated: bool,
}

impl Set {
    fn has(&self, letter: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != self.is_negated
    }
}

impl Regex {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// What is wrong with it, or what is not served: back-references, look-behind, names, boundaries of words.
    pub(super) fn parse(pattern: &str) -> Result<Regex, String> {
        let mut reader = Reader { letters: pattern.chars().collect(), at: 0, groups: 0, depth: 0, pattern };
        let mut program = reader.alternatives()?;
        if reader.at < reader.letters.len() {
            return Err(reader.fault("closes a group that is not open"));
        }
        program.push(Step::Done);
        Ok(Regex { program, groups: reader.groups })
    }

    /// The first place at or after `from`.
    ///
    /// # Errors
    ///
    /// When the search takes too long.
    pub(super) fn find(&self, text: &[char], from: usize) -> Result<Option<Found>, String> {
        let mut steps = STEPS;
        for start in from..=text.len() {
            let mut saved = vec![None; self.groups * 2];
            if let Some(end) = run(&self.program, text, start, &mut saved, &mut steps)? {
                let groups = saved.chunks(2).map(|pair| Some((*pair.first()?.as_ref()?, *pair.get(1)?.as_ref()?)));
                return Ok(Some(Found { start, end, groups: groups.collect() }));
            }
        }
        Ok(None)
    }
}

/// Where a program that begins at a place ends.
fn run(
    program: &[Step],
    text: &[char],
    start: usize,
    saved: &mut Vec<Option<usize>>,
    steps: &mut usize,
) -> Result<Option<usize>, String> {
    let mut waiting = vec![(0, start, saved.clone())];
    while let Some((mut at, mut place, mut groups)) = waiting.pop() {
        loop {
            *steps = steps.checked_sub(1).ok_or("a regular expression takes too long")?;
            match program.get(at) {
                None => break,
                Some(Step::Done) => {
                    *saved = groups;
                    return Ok(Some(place));
                }
                Some(Step::One(set)) if text.get(place).is_some_and(|letter| set.has(*letter)) => place += 1,
                Some(Step::Start) if place == 0 => {}
                Some(Step::End) if place == text.len() => {}
                Some(Step::One(_) | Step::Start | Step::End) => break,
                Some(Step::Either(first, second)) => {
                    waiting.push((*second, place, groups.clone()));
                    at = *first;
                    continue;
                }
                Some(Step::Jump(to)) => {
                    at = *to;
                    continue;
                }
                Some(Step::Save(slot)) => {
                    if let Some(saved) = groups.get_mut(*slot) {
                        *saved = Some(place);
                    }
                }
                Some(Step::Ahead { program, is_wanted }) => {
                    let is_there = run(program, text, place, &mut groups.clone(), steps)?.is_some();
                    if is_there != *is_wanted {
                        break;
                    }
                }
            }
            at += 1;
        }
    }
    Ok(None)
}

struct Reader<'p> {
    letters: Vec<char>,
    at: usize,
    groups: usize,
    depth: usize,
    pattern: &'p str,
}

impl Reader<'_> {
    fn fault(&self, what: &str) -> String {
        format!("the regular expression /{}/ {what}", self.pattern)
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn is_next(&mut self, text: &str) -> bool {
        let is_next = self.letters.iter().skip(self.at).take(text.len()).copied().eq(text.chars());
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    fn alternatives(&mut self) -> Result<Vec<Step>, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.fault("is nested too deep"));
        }
        let mut program = self.sequence()?;
        while self.is_next("|") {
            let other = self.sequence()?;
            let mut both = vec![Step::Either(1, program.len() + 2)];
            append(&mut both, &program);
            both.push(Step::Jump(both.len() + 1 + other.len()));
            append(&mut both, &other);
            program = both;
        }
        self.depth -= 1;
        Ok(program)
    }

    fn sequence(&mut self) -> Result<Vec<Step>, String> {
        let mut program = Vec::new();
        while let Some(letter) = self.peek().filter(|letter| !matches!(letter, '|' | ')')) {
            let part = self.part(letter)?;
            let part = self.repeated(part)?;
            append(&mut program, &part);
            if program.len() > LONGEST_PROGRAM {
                return Err(self.fault("repeats too much"));
            }
        }
        Ok(program)
    }

    fn part(&mut self, letter: char) -> Result<Vec<Step>, String> {
        self.at += 1;
        Ok(match letter {
            '^' => vec![Step::Start],
            '$' => vec![Step::End],
            '.' => vec![Step::One(Set {
                ranges: vec![('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')],
                is_negated: true,
            })],
            '[' => vec![Step::One(self.class()?)],
            '(' => self.group()?,
            '*' | '+' | '?' => return Err(self.fault("repeats nothing")),
            '\\' => vec![Step::One(Set { ranges: self.escape()?, is_negated: false })],
            _ => vec![Step::One(Set { ranges: vec![(letter, letter)], is_negated: false })],
        })
    }

    fn group(&mut self) -> Result<Vec<Step>, String> {
        let ahead = if self.is_next("?=") {
            Some(true)
        } else if self.is_next("?!") {
            Some(false)
        } else {
            None
        };
        let program = if let Some(is_wanted) = ahead {
            let mut program = self.alternatives()?;
            program.push(Step::Done);
            vec![Step::Ahead { program, is_wanted }]
        } else if self.is_next("?:") {
            self.alternatives()?
        } else if self.peek() == Some('?') {
            return Err(self.fault("has a kind of group that is not served"));
        } else {
            let slot = self.groups * 2;
            self.groups += 1;
            let inner = self.alternatives()?;
            let mut program = vec![Step::Save(slot)];
            append(&mut program, &inner);
            program.push(Step::Save(slot + 1));
            program
        };
        if self.is_next(")") { Ok(program) } else { Err(self.fault("has a group that is not closed")) }
    }

    fn repeated(&mut self, part: Vec<Step>) -> Result<Vec<Step>, String> {
        let bounds = match self.peek() {
            _ if self.is_next("*") => Some((0, None)),
            _ if self.is_next("+") => Some((1, None)),
            _ if self.is_next("?") => Some((0, Some(1))),
            Some('{') => self.bounds(),
            _ => None,
        };
        let Some((least, most)) = bounds else { return Ok(part) };
        let is_lazy = self.is_next("?");
        let copies = most.unwrap_or(least.saturating_add(1)).max(1);
        if most.is_some_and(|most| most < least) || copies.saturating_mul(part.len() + 2) > LONGEST_PROGRAM {
            return Err(self.fault("repeats too much"));
        }
        let either = |go: usize, stop: usize| if is_lazy { Step::Either(stop, go) } else { Step::Either(go, stop) };
        let mut program = Vec::new();
        (0..least).for_each(|_| append(&mut program, &part));
        match most {
            None => {
                let begin = program.len();
                program.push(either(begin + 1, begin + part.len() + 2));
                append(&mut program, &part);
                program.push(Step::Jump(begin));
            }
            Some(most) => {
                let end = program.len() + (most - least) * (part.len() + 1);
                for _ in least..most {
                    program.push(either(program.len() + 1, end));
                    append(&mut program, &part);
                }
            }
        }
        Ok(program)
    }

    /// The numbers in braces, taken with them; `None` for braces that stand for themselves.
    fn bounds(&mut self) -> Option<(usize, Option<usize>)> {
        let inside: String = self.letters.iter().skip(self.at + 1).take_while(|letter| **letter != '}').collect();
        let number = |text: &str| text.parse::<usize>().ok();
        let bounds = match inside.split_once(',') {
            None => number(&inside).map(|count| (count, Some(count))),
            Some((least, "")) => number(least).map(|least| (least, None)),
            Some((least, most)) => number(least).zip(number(most)).map(|(least, most)| (least, Some(most))),
        }?;
        self.at += inside.chars().count() + 2;
        Some(bounds)
    }

    fn class(&mut self) -> Result<Set, String> {
        let is_negated = self.is_next("^");
        let mut ranges = Vec::new();
        while !self.is_next("]") {
            let first = self.of_class()?;
            let is_range = self.peek() == Some('-') && self.letters.get(self.at + 1).is_some_and(|next| *next != ']');
            match (first.as_slice(), is_range) {
                ([(low, high)], true) if low == high => {
                    self.at += 1;
                    let last = self.of_class()?;
                    let [(last, _)] = last.as_slice() else { return Err(self.fault("has a range that is none")) };
                    if last < low {
                        return Err(self.fault("has a range that is none"));
                    }
                    ranges.push((*low, *last));
                }
                _ => ranges.extend(first),
            }
        }
        Ok(Set { ranges, is_negated })
    }

    fn of_class(&mut self) -> Result<Vec<(char, char)>, String> {
        let letter = self.peek().ok_or_else(|| self.fault("has a class that is not closed"))?;
        self.at += 1;
        if letter == '\\' { self.escape() } else { Ok(vec![(letter, letter)]) }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<Vec<(char, char)>, String> {
        let letter = self.peek().ok_or_else(|| self.fault("ends with a backslash"))?;
        self.at += 1;
        let one = |letter: char| vec![(letter, letter)];
        let digits = vec![('0', '9')];
        let words = vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
        let spaces = vec![
            ('\t', '\r'),
            (' ', ' '),
            ('\u{a0}', '\u{a0}'),
            ('\u{2000}', '\u{200a}'),
            ('\u{2028}', '\u{2029}'),
            ('\u{3000}', '\u{3000}'),
            ('\u{feff}', '\u{feff}'),
        ];
        Ok(match letter {
            'd' => digits,
            'w' => words,
            's' => spaces,
            'D' => outside(&digits),
            'W' => outside(&words),
            'S' => outside(&spaces),
            'n' => one('\n'),
            'r' => one('\r'),
            't' => one('\t'),
            'f' => one('\u{c}'),
            'v' => one('\u{b}'),
            letter if letter.is_alphanumeric() => {
                return Err(self.fault(&format!("has \\{letter}, which is not served")));
            }
            letter => one(letter),
        })
    }
}

/// Everything that is in none of the ranges, which ascend.
fn outside(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut gaps = Vec::new();
    let mut from = '\0';
    for (first, last) in ranges {
        if let Some(before) = char::from_u32(u32::from(*first).wrapping_sub(1)).filter(|before| *before >= from) {
            gaps.push((from, before));
        }
        from = char::from_u32(u32::from(*last) + 1).unwrap_or(char::MAX);
    }
    gaps.push((from, char::MAX));
    gaps
}

/// Adds a program behind another, with its jumps moved along.
fn append(program: &mut Vec<Step>, part: &[Step]) {
    let by = program.len();
    program.extend(part.iter().cloned().map(|step| match step {
        Step::Either(first, second) => Step::Either(first + by, second + by),
        Step::Jump(to) => Step::Jump(to + by),
        step => step,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<String> {
        let letters: Vec<char> = text.chars().collect();
        let regex = Regex::parse(pattern).unwrap();
        let found = regex.find(&letters, 0).unwrap()?;
        let part = |(start, end): (usize, usize)| letters[start..end].iter().collect::<String>();
        let groups: Vec<String> = found.groups.iter().map(|group| group.map_or_else(|| "-".to_owned(), part)).collect();
        Some(format!("{}:{}", part((found.start, found.end)), groups.join(",")))
    }

    #[test]
    fn places_and_groups_are_those_of_javascript() {
        for (pattern, text, expected) in [
            ("b+", "abbc", Some("bb:")),
            ("b+?", "abbc", Some("b:")),
            ("^b", "ab", None),
            ("(a)|(b)", "b", Some("b:-,b")),
            ("(a|ab)(c|bcd)(d*)", "abcd", Some("abcd:a,bcd,")),
            ("(?:a)(b)?", "a", Some("a:-")),
            ("a(?!b)", "abac", Some("a:")),
            ("a(?=c)", "abac", Some("a:")),
            ("^0{1,3}", "0000", Some("000:")),
            ("x{2}", "xxx", Some("xx:")),
            ("x{2,}", "axxxx", Some("xxxx:")),
            ("a{b}", "a{b}", Some("a{b}:")),
            ("(:0)+$", "1:0:0", Some(":0:0::0")),
            ("\\s+$", "a \n\t", Some(" \n\t:")),
            ("[^\\d]", "12a", Some("a:")),
            ("[0-9a-zA-Z-_]+", "!a-_9", Some("a-_9:")),
            ("\\S\\W", "a b", Some("a :")),
            (".", "\n", None),
            ("(.*)\\.$", "a.b.", Some("a.b.:a.b")),
            ("[.]", "a.b", Some(".:")),
            ("", "a", Some(":")),
            ("é", "né", Some("é:")),
            ("(a{2})?b", "aab", Some("aab:aa")),
        ] {
            assert_eq!(found(pattern, text).as_deref(), expected, "/{pattern}/ in {text:?}");
        }
    }

    #[test]
    fn what_is_not_served_is_refused_and_no_search_is_without_end() {
        for (pattern, expected) in [
            ("(", "has a group that is not closed"),
            (")", "closes a group that is not open"),
            ("[a", "has a class that is not closed"),
            ("*", "repeats nothing"),
            ("a{9999}", "repeats too much"),
            ("(a{1000}){1000}", "repeats too much"),
            ("a{3,2}", "repeats too much"),
            ("(?<n>a)", "has a kind of group that is not served"),
            ("\\1", "has \\1, which is not served"),
            ("a\\", "ends with a backslash"),
            ("[z-a]", "has a range that is none"),
            (&"(".repeat(99), "is nested too deep"),
        ] {
            let error = Regex::parse(pattern).map(|_| ()).unwrap_err();
            assert!(error.ends_with(expected), "/{pattern}/: {error}");
        }
        let letters: Vec<char> = "a".repeat(200).chars().collect();
        for pattern in ["(a*)*b", "(a|a)*b", "(a*)*"] {
            let outcome = Regex::parse(pattern).unwrap().find(&letters, 0);
            assert_eq!(outcome, Err("a regular expression takes too long".to_owned()), "{pattern}");
        }
    }
}
