//! Reading an expression.

use super::class::{self, Set};
use std::sync::Arc;

/// The deepest nesting of groups and classes that is read.
const DEPTH: usize = 64;

/// A part of an expression.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// One character of a set; whether case matters not.
    One(Arc<Set>, bool),
    /// Any character; whether line ends too.
    Any(bool),
    Start,
    /// The end, or before a final line break.
    End,
    AbsoluteEnd,
    WordBoundary(bool),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Repeat {
        node: Box<Node>,
        least: usize,
        most: Option<usize>,
        is_lazy: bool,
    },
    /// What is found first is kept.
    Atomic(Box<Node>),
    Look {
        node: Box<Node>,
        is_ahead: bool,
        is_negated: bool,
    },
}

/// Reads a whole expression; `None` when it is none, or beyond what schemas use.
pub(super) fn parse(pattern: &str, nests_classes: bool) -> Option<Node> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut reader = Reader { characters: &characters, at: 0, nests_classes, flags: Flags::default() };
    let node = reader.choice(0)?;
    (reader.at == characters.len()).then_some(node)
}

#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    ignores_case: bool,
    dot_is_all: bool,
}

struct Reader<'p> {
    characters: &'p [char],
    at: usize,
    nests_classes: bool,
    flags: Flags,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let length = text.chars().count();
        let is_next =
            self.characters.get(self.at..self.at + length).is_some_and(|next| text.chars().eq(next.iter().copied()));
        self.at += if is_next { length } else { 0 };
        is_next
    }

    /// Everything up to a text, which is passed over.
    fn until(&mut self, end: char) -> Option<String> {
        let length = self.characters.get(self.at..)?.iter().position(|next| *next == end)?;
        let text = self.characters.get(self.at..self.at + length)?.iter().collect();
        self.at += length + 1;
        Some(text)
    }

    fn choice(&mut self, depth: usize) -> Option<Node> {
        if depth > DEPTH {
            return None;
        }
        let flags = self.flags;
        let mut branches = vec![self.sequence(depth)?];
        while self.eat("|") {
            branches.push(self.sequence(depth)?);
        }
        self.flags = flags;
        Some(if branches.len() == 1 { branches.remove(0) } else { Node::Choice(branches) })
    }

    fn sequence(&mut self, depth: usize) -> Option<Node> {
        let mut nodes = Vec::new();
        while let Some(next) = self.peek() {
            if next == '|' || next == ')' {
                break;
            }
            self.at += 1;
            let node = match next {
                '^' => Node::Start,
                '$' => Node::End,
                '.' => Node::Any(self.flags.dot_is_all),
                '(' => match self.group(depth)? {
                    Some(node) => node,
                    None => continue,
                },
                '[' => Node::One(Arc::new(self.set(depth)?), self.flags.ignores_case),
                '\\' if self.eat("Q") => {
                    nodes.extend(self.quoted());
                    continue;
                }
                '\\' => self.escaped()?,
                '*' | '+' | '?' => return None,
                literal => self.literal(literal.into()),
            };
            nodes.push(self.repeated(node)?);
        }
        Some(if nodes.len() == 1 { nodes.remove(0) } else { Node::Sequence(nodes) })
    }

    fn literal(&self, point: u32) -> Node {
        Node::One(Arc::new(Set::of(&[(point, point)], false)), self.flags.ignores_case)
    }

    fn quoted(&mut self) -> Vec<Node> {
        let mut nodes = Vec::new();
        while !self.eat("\\E") {
            let Some(next) = self.next() else { break };
            nodes.push(self.literal(next.into()));
        }
        nodes
    }

    /// A group, `None` for one that only sets flags.
    fn group(&mut self, depth: usize) -> Option<Option<Node>> {
        let flags = self.flags;
        let look = |is_ahead, is_negated| move |node| Node::Look { node: Box::new(node), is_ahead, is_negated };
        let node = if !self.eat("?") || self.eat(":") {
            self.choice(depth + 1)?
        } else if self.eat("=") {
            look(true, false)(self.choice(depth + 1)?)
        } else if self.eat("!") {
            look(true, true)(self.choice(depth + 1)?)
        } else if self.eat("<=") {
            look(false, false)(self.choice(depth + 1)?)
        } else if self.eat("<!") {
            look(false, true)(self.choice(depth + 1)?)
        } else if self.eat(">") {
            Node::Atomic(Box::new(self.choice(depth + 1)?))
        } else if self.eat("<") {
            self.until('>')?;
            self.choice(depth + 1)?
        } else {
            match self.flags_of_group()? {
                ')' => return Some(None),
                _ => self.choice(depth + 1)?,
            }
        };
        self.flags = flags;
        self.eat(")").then_some(Some(node))
    }

    /// Sets flags; the character that ends them.
    fn flags_of_group(&mut self) -> Option<char> {
        let mut is_on = true;
        loop {
            match self.next()? {
                'i' => self.flags.ignores_case = is_on,
                's' => self.flags.dot_is_all = is_on,
                'u' => {}
                '-' => is_on = false,
                end @ (')' | ':') => return Some(end),
                _ => return None,
            }
        }
    }

    /// A node with the repetitions that follow it.
    fn repeated(&mut self, node: Node) -> Option<Node> {
        let mut node = node;
        while let Some((least, most)) = self.counts() {
            if most.is_some_and(|most| most < least) {
                return None;
            }
            let is_lazy = self.eat("?");
            let is_possessive = !is_lazy && self.eat("+");
            node = Node::Repeat { node: Box::new(node), least, most, is_lazy };
            if is_possessive {
                node = Node::Atomic(Box::new(node));
            }
        }
        Some(node)
    }

    /// How often what stands before may stand; a brace that counts nothing is a literal.
    fn counts(&mut self) -> Option<(usize, Option<usize>)> {
        let counts = match self.peek()? {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            '{' => return self.braces(),
            _ => return None,
        };
        self.at += 1;
        Some(counts)
    }

    fn braces(&mut self) -> Option<(usize, Option<usize>)> {
        let begin = self.at;
        self.at += 1;
        let counts = self.until('}').and_then(|text| match text.split_once(',') {
            None => text.parse().ok().map(|times| (times, Some(times))),
            Some((least, "")) => Some((least.parse().ok()?, None)),
            Some((least, most)) => Some((least.parse().ok()?, Some(most.parse().ok()?))),
        });
        if counts.is_none() {
            self.at = begin;
        }
        counts
    }

    fn escaped(&mut self) -> Option<Node> {
        let next = self.next()?;
        Some(match next {
            'A' => Node::Start,
            'Z' => Node::End,
            'z' => Node::AbsoluteEnd,
            'b' => Node::WordBoundary(true),
            'B' => Node::WordBoundary(false),
            // Back-references, and what only Java has and no schema uses.
            '1'..='9' | 'k' | 'R' | 'X' | 'G' => return None,
            _ => match self.class_or_point(next)? {
                Escape::Class(set) => Node::One(Arc::new(set), self.flags.ignores_case),
                Escape::Point(point) => self.literal(point),
            },
        })
    }

    /// What an escape stands for that may stand within brackets too.
    fn class_or_point(&mut self, letter: char) -> Option<Escape> {
        if matches!(letter, 'p' | 'P') {
            let name = if self.eat("{") { self.until('}')? } else { self.next()?.to_string() };
            return class::of_name(&name, letter == 'P').map(Escape::Class);
        }
        if let Some(set) = class::of_letter(letter) {
            return Some(Escape::Class(set));
        }
        Some(Escape::Point(match letter {
            't' => 0x09,
            'n' => 0x0A,
            'r' => 0x0D,
            'f' => 0x0C,
            'a' => 0x07,
            'e' => 0x1B,
            '0' => 0,
            'x' if self.eat("{") => u32::from_str_radix(&self.until('}')?, 16).ok()?,
            'x' => self.hex(2)?,
            'u' => self.utf16()?,
            literal => literal.into(),
        }))
    }

    fn hex(&mut self, length: usize) -> Option<u32> {
        let digits: String = self.characters.get(self.at..self.at + length)?.iter().collect();
        self.at += length;
        u32::from_str_radix(&digits, 16).ok()
    }

    /// A code point in UTF-16; half of one stays alone, as in Java.
    fn utf16(&mut self) -> Option<u32> {
        let high = self.hex(4)?;
        let after = self.at;
        if (0xD800..0xDC00).contains(&high)
            && self.eat("\\u")
            && let Some(low @ 0xDC00..0xE000) = self.hex(4)
        {
            return Some(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
        }
        self.at = after;
        Some(high)
    }

    /// The set whose opening bracket was read.
    fn set(&mut self, depth: usize) -> Option<Set> {
        if depth > DEPTH {
            return None;
        }
        let mut whole = Set { is_negated: self.eat("^"), ..Set::default() };
        let begin = self.at;
        loop {
            match self.peek()? {
                ']' if self.at > begin => {
                    self.at += 1;
                    return Some(whole);
                }
                '[' if self.nests_classes => {
                    self.at += 1;
                    whole.nested.push(self.set(depth + 1)?);
                }
                '&' if self.nests_classes && self.eat("&&") => {
                    // What follows up to the end of this set is intersected with it.
                    let rest = self.set_without_negation(depth + 1)?;
                    whole.and.push(rest);
                    return Some(whole);
                }
                _ => self.range(&mut whole)?,
            }
        }
    }

    fn set_without_negation(&mut self, depth: usize) -> Option<Set> {
        let is_negated = self.peek() == Some('^');
        let set = self.set(depth)?;
        (!is_negated).then_some(set)
    }

    /// One character, class or range of characters.
    fn range(&mut self, whole: &mut Set) -> Option<()> {
        let first = match self.member()? {
            Escape::Class(set) => {
                whole.nested.push(set);
                return Some(());
            }
            Escape::Point(first) => first,
        };
        let is_range = self.peek() == Some('-')
            && self
                .characters
                .get(self.at + 1)
                .is_some_and(|next| *next != ']' && !(*next == '[' && self.nests_classes));
        if !is_range {
            whole.ranges.push((first, first));
            return Some(());
        }
        self.at += 1;
        match self.member()? {
            // A class ends no range, so that the hyphen stands for itself.
            Escape::Class(set) => {
                whole.ranges.extend([(first, first), (0x2D, 0x2D)]);
                whole.nested.push(set);
            }
            Escape::Point(last) if last >= first => whole.ranges.push((first, last)),
            Escape::Point(_) => return None,
        }
        Some(())
    }

    fn member(&mut self) -> Option<Escape> {
        match self.next()? {
            '\\' => {
                let letter = self.next()?;
                self.class_or_point(letter)
            }
            literal => Some(Escape::Point(literal.into())),
        }
    }
}

/// What an escape stands for.
enum Escape {
    Class(Set),
    Point(u32),
}
