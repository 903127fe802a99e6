//! Regular expressions inside of expressions: JavaScript's dialect, with places and groups, and with a limit on steps.
//!
//! `cfn::java_pattern` tells whether a schema's pattern is found, and never where; replacing needs the places.
//! Here is what is searched for and how; [`parse`] reads it.

mod parse;

/// Steps that one search may take.
const STEPS: usize = 200_000;

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
