//! Expressions as steps, and walking through them.
//!
//! A step that failed at a place of the text fails there again, so that it is never taken a second time: the work is
//! bounded by steps times places.

use super::class::{self, Set};
use super::parse::Node;
use std::collections::HashSet;
use std::sync::Arc;

/// The most steps of an expression.
const MOST_STEPS: usize = 1 << 18;
/// The most steps that one search takes.
const LONGEST_WALK: usize = 8_000_000;
/// The most places to remember.
const MOST_PLACES: usize = 1 << 26;
/// Repetitions of one character up to this are written out.
const WRITTEN_OUT: usize = 4;

#[derive(Debug)]
enum Step {
    /// One character.
    One(Single),
    /// So many of one character, at most `most`; the most first unless it is lazy.
    Many {
        one: Single,
        least: usize,
        most: usize,
        is_lazy: bool,
    },
    /// The first way, else the second.
    Either(usize, usize),
    Go(usize),
    Start,
    End,
    AbsoluteEnd,
    WordBoundary(bool),
    /// What is found from `begin` on is kept; goes on at the given step.
    Atomic {
        begin: usize,
        next: usize,
    },
    Look {
        begin: usize,
        next: usize,
        is_ahead: bool,
        is_negated: bool,
    },
    Found,
}

/// What one character may be.
#[derive(Debug, Clone)]
enum Single {
    Of(Arc<Set>),
    OfAnyCase(Arc<Set>),
    Any,
    AnyInLine,
}

impl Single {
    fn of(node: &Node) -> Option<Single> {
        match node {
            Node::One(set, false) => Some(Single::Of(Arc::clone(set))),
            Node::One(set, true) => Some(Single::OfAnyCase(Arc::clone(set))),
            Node::Any(true) => Some(Single::Any),
            Node::Any(false) => Some(Single::AnyInLine),
            _ => None,
        }
    }

    fn has(&self, point: u32) -> bool {
        match self {
            Single::Of(set) => set.has(point),
            Single::OfAnyCase(set) => set.has_any_case(point),
            Single::Any => true,
            Single::AnyInLine => !class::ends_line(point),
        }
    }
}

/// An expression, ready to be searched for.
#[derive(Debug)]
pub(super) struct Program {
    steps: Vec<Step>,
    begin: usize,
}

impl Program {
    pub(super) fn of(tree: &Node) -> Option<Program> {
        let mut program = Program { steps: vec![Step::Found], begin: 0 };
        program.begin = program.add(tree, 0)?;
        Some(program)
    }

    fn push(&mut self, step: Step) -> Option<usize> {
        (self.steps.len() < MOST_STEPS).then(|| {
            self.steps.push(step);
            self.steps.len() - 1
        })
    }

    /// Adds the steps of a node that go on at `next`; where they begin.
    fn add(&mut self, node: &Node, next: usize) -> Option<usize> {
        let mark = |program: &mut Program, step: Step| {
            // What asserts something goes on at the step that was added before it.
            let go = program.push(Step::Go(next))?;
            let at = program.push(step)?;
            debug_assert_eq!(at, go + 1);
            Some(at)
        };
        match node {
            Node::Sequence(nodes) => nodes.iter().rev().try_fold(next, |next, node| self.add(node, next)),
            Node::Choice(nodes) => {
                let mut ways = Vec::with_capacity(nodes.len());
                for node in nodes {
                    ways.push(self.add(node, next)?);
                }
                let last = ways.pop()?;
                ways.into_iter().rev().try_fold(last, |second, first| self.push(Step::Either(first, second)))
            }
            Node::Repeat { node, least, most, is_lazy } => self.repeat(node, *least, *most, *is_lazy, next),
            Node::Atomic(node) => {
                let begin = self.add(node, 0)?;
                self.push(Step::Atomic { begin, next })
            }
            Node::Look { node, is_ahead, is_negated } => {
                let begin = self.add(node, 0)?;
                self.push(Step::Look { begin, next, is_ahead: *is_ahead, is_negated: *is_negated })
            }
            Node::Start => mark(self, Step::Start),
            Node::End => mark(self, Step::End),
            Node::AbsoluteEnd => mark(self, Step::AbsoluteEnd),
            Node::WordBoundary(is_wanted) => mark(self, Step::WordBoundary(*is_wanted)),
            Node::One(..) | Node::Any(_) => {
                let one = Single::of(node)?;
                mark(self, Step::One(one))
            }
        }
    }

    fn repeat(&mut self, node: &Node, least: usize, most: Option<usize>, is_lazy: bool, next: usize) -> Option<usize> {
        let either = |once: usize, end: usize| if is_lazy { Step::Either(end, once) } else { Step::Either(once, end) };
        if let (Some(one), Some(most)) = (Single::of(node), most.filter(|most| *most > WRITTEN_OUT)) {
            self.push(Step::Go(next))?;
            return self.push(Step::Many { one, least, most, is_lazy });
        }
        let mut begin = next;
        match most {
            None => {
                let turn = self.push(Step::Go(next))?;
                let once = self.add(node, turn)?;
                *self.steps.get_mut(turn)? = either(once, next);
                begin = turn;
            }
            Some(most) => {
                for _ in least..most {
                    let once = self.add(node, begin)?;
                    begin = self.push(either(once, next))?;
                }
            }
        }
        match (Single::of(node), least > WRITTEN_OUT) {
            (Some(one), true) => {
                self.push(Step::Go(begin))?;
                self.push(Step::Many { one, least, most: least, is_lazy })
            }
            _ => (0..least).try_fold(begin, |begin, _| self.add(node, begin)),
        }
    }

    /// Whether the expression is found; `None` when that takes too long to tell.
    pub(super) fn is_found(&self, text: &[u32]) -> Option<bool> {
        let places = self.steps.len().checked_mul(text.len() + 1).filter(|places| *places <= MOST_PLACES)?;
        let mut walk = Walk { steps: &self.steps, text, taken: 0 };
        let mut seen = Seen::Bits(vec![0; places / 64 + 1]);
        for start in 0..=text.len() {
            if walk.from(self.begin, start, &mut seen, None)?.is_some() {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Steps that were taken at places of the text.
enum Seen {
    Bits(Vec<u64>),
    Few(HashSet<usize>),
}

impl Seen {
    /// Whether this is the first time.
    fn add(&mut self, place: usize) -> bool {
        match self {
            Seen::Bits(bits) => bits.get_mut(place / 64).is_some_and(|word| {
                let is_new = *word & (1 << (place % 64)) == 0;
                *word |= 1 << (place % 64);
                is_new
            }),
            Seen::Few(places) => places.insert(place),
        }
    }
}

struct Walk<'w> {
    steps: &'w [Step],
    text: &'w [u32],
    taken: usize,
}

impl Walk<'_> {
    /// Walks from a step and a place to the end of the expression: where that was, `Some(None)` when it is not reached,
    /// `None` when it takes too long. With `end`, only an end there counts.
    fn from(&mut self, begin: usize, start: usize, seen: &mut Seen, end: Option<usize>) -> Option<Option<usize>> {
        let mut ways = vec![(begin, start)];
        while let Some((step, at)) = ways.pop() {
            self.taken += 1;
            if self.taken > LONGEST_WALK {
                return None;
            }
            if !seen.add(step * (self.text.len() + 1) + at) {
                continue;
            }
            let one = |one: &Single| self.text.get(at).is_some_and(|point| one.has(*point));
            match self.steps.get(step)? {
                Step::Found if end.is_none_or(|end| end == at) => return Some(Some(at)),
                Step::Found => {}
                Step::Go(next) => ways.push((*next, at)),
                Step::Either(first, second) => ways.extend([(*second, at), (*first, at)]),
                Step::One(single) if one(single) => ways.push((step - 1, at + 1)),
                Step::One(_) => {}
                Step::Many { one, least, most, is_lazy } => {
                    let rest = self.text.get(at..).unwrap_or_default().iter().take(*most);
                    let count = rest.take_while(|point| one.has(**point)).count();
                    self.taken += count;
                    let reached = (*least..=count).map(|count| (step - 1, at + count));
                    if *is_lazy { ways.extend(reached.rev()) } else { ways.extend(reached) }
                }
                Step::Start if at == 0 => ways.push((step - 1, at)),
                Step::End if self.is_end(at) => ways.push((step - 1, at)),
                Step::AbsoluteEnd if at == self.text.len() => ways.push((step - 1, at)),
                Step::WordBoundary(is_wanted) if self.is_boundary(at) == *is_wanted => ways.push((step - 1, at)),
                Step::Start | Step::End | Step::AbsoluteEnd | Step::WordBoundary(_) => {}
                Step::Atomic { begin, next } => {
                    let found = self.from(*begin, at, &mut Seen::Few(HashSet::new()), None)?;
                    ways.extend(found.map(|end| (*next, end)));
                }
                Step::Look { begin, next, is_ahead, is_negated } => {
                    let is_found = if *is_ahead {
                        self.from(*begin, at, &mut Seen::Few(HashSet::new()), None)?.is_some()
                    } else {
                        self.is_before(*begin, at)?
                    };
                    if is_found != *is_negated {
                        ways.push((*next, at));
                    }
                }
            }
        }
        Some(None)
    }

    /// Whether something stands right before a place.
    fn is_before(&mut self, begin: usize, at: usize) -> Option<bool> {
        let mut seen = Seen::Few(HashSet::new());
        for start in (0..=at).rev() {
            if self.from(begin, start, &mut seen, Some(at))?.is_some() {
                return Some(true);
            }
        }
        Some(false)
    }

    fn is_end(&self, at: usize) -> bool {
        match self.text.get(at..) {
            Some([]) => true,
            Some([0x0D, 0x0A]) => true,
            Some([last]) => {
                class::ends_line(*last) && !(*last == 0x0A && at > 0 && self.text.get(at - 1) == Some(&0x0D))
            }
            _ => false,
        }
    }

    fn is_boundary(&self, at: usize) -> bool {
        let is_word =
            |at: Option<usize>| at.and_then(|at| self.text.get(at)).is_some_and(|point| class::is_word(*point));
        is_word(at.checked_sub(1)) != is_word(Some(at))
    }
}
