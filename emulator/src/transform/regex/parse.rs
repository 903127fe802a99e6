//! Reading a regular expression into the program that searches for it.

use super::{Regex, Set, Step};

/// Repetitions are written out, so this bounds them.
const LONGEST_PROGRAM: usize = 4_096;

/// How deep groups may nest.
const DEEPEST: usize = 32;

impl Regex {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// What is wrong with it, or what is not served: back-references, look-behind, names, boundaries of words.
    pub(in crate::transform) fn parse(pattern: &str) -> Result<Regex, String> {
        let mut reader = Reader { letters: pattern.chars().collect(), at: 0, groups: 0, depth: 0, pattern };
        let mut program = reader.alternatives()?;
        if reader.at < reader.letters.len() {
            return Err(reader.fault("closes a group that is not open"));
        }
        program.push(Step::Done);
        Ok(Regex { program, groups: reader.groups })
    }
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
