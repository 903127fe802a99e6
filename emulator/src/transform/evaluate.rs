//! Evaluating expressions, as JSONata has it, with limits on depth, steps and size.
//!
//! A list of results is what JSONata calls a sequence: none is nothing, one is itself, more are an array. Operators are in
//! [`operators`], calls of functions in [`calls`].

mod calls;
mod operators;

use super::expression::Expression;
use super::functions;
use super::held::{Evaluated, Function, Held, flat, number, of_number, weight};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How deep an evaluation may go.
const DEEPEST: usize = 160;

/// How many expressions may be evaluated.
const STEPS: usize = 50_000;

/// How many values and characters may be made.
const SIZE: usize = 2 << 20;

/// What an expression came to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    /// `None` when there is nothing.
    pub(super) value: Option<Value>,
    /// Whether a text or list was put together from parts of which one was not there.
    pub(super) is_partial: bool,
}

struct Frame<'e> {
    outer: Option<usize>,
    names: Vec<(&'e str, Held<'e>)>,
}

/// One evaluation.
pub(super) struct Evaluation<'e> {
    frames: RefCell<Vec<Frame<'e>>>,
    depth: Cell<usize>,
    steps: Cell<usize>,
    size: Cell<usize>,
    is_partial: Cell<bool>,
}

/// Evaluates an expression on a value.
///
/// # Errors
///
/// What an operation cannot do with its operands, or which limit was met.
pub(super) fn evaluate(expression: &Expression, input: &Value) -> Result<Outcome, String> {
    let evaluation = Evaluation {
        frames: RefCell::new(vec![Frame { outer: None, names: Vec::new() }]),
        depth: Cell::new(0),
        steps: Cell::new(STEPS),
        size: Cell::new(SIZE),
        is_partial: Cell::new(false),
    };
    let input = Held::from(input.clone());
    let value = match evaluation.run(expression, &input, 0)? {
        Held::Nothing => None,
        Held::Data(value) => Some(Rc::unwrap_or_clone(value)),
        Held::Function(_) => return Err("the expression comes to a function".to_owned()),
    };
    Ok(Outcome { value, is_partial: evaluation.is_partial.get() })
}

impl<'e> Evaluation<'e> {
    /// Counts what is made against what may be made.
    pub(super) fn charge(&self, size: usize) -> Result<(), String> {
        let left = self.size.get().checked_sub(size).ok_or("the expression makes too much")?;
        self.size.set(left);
        Ok(())
    }

    fn made(&self, value: Value) -> Evaluated<'e> {
        self.charge(weight(&value))?;
        Ok(value.into())
    }

    fn open(&self, outer: usize, names: Vec<(&'e str, Held<'e>)>) -> usize {
        let mut frames = self.frames.borrow_mut();
        frames.push(Frame { outer: Some(outer), names });
        frames.len() - 1
    }

    fn lookup(&self, name: &str, frame: usize) -> Held<'e> {
        let frames = self.frames.borrow();
        let mut at = Some(frame);
        while let Some(frame) = at.and_then(|at| frames.get(at)) {
            if let Some((_, value)) = frame.names.iter().rev().find(|(known, _)| *known == name) {
                return value.clone();
            }
            at = frame.outer;
        }
        Held::Nothing
    }

    pub(super) fn run(&self, expression: &'e Expression, input: &Held<'e>, frame: usize) -> Evaluated<'e> {
        let steps = self.steps.get().checked_sub(1).ok_or("the expression takes too long")?;
        self.steps.set(steps);
        if self.depth.get() >= DEEPEST {
            return Err("the expression goes too deep".to_owned());
        }
        self.depth.set(self.depth.get() + 1);
        let result = self.step(expression, input, frame);
        self.depth.set(self.depth.get() - 1);
        result
    }

    fn step(&self, expression: &'e Expression, input: &Held<'e>, frame: usize) -> Evaluated<'e> {
        match expression {
            Expression::Null => Ok(Value::Null.into()),
            Expression::Boolean(flag) => Ok(Value::Bool(*flag).into()),
            Expression::Number(number) => of_number(*number),
            Expression::Text(text) => self.made(Value::from(text.as_str())),
            Expression::Regex(_) => Err("a regular expression can only be given to a function".to_owned()),
            Expression::Name(name) => self.member(name, input),
            Expression::Variable(name) if name.is_empty() => Ok(input.clone()),
            Expression::Variable(name) => Ok(match self.lookup(name, frame) {
                Held::Nothing if functions::is_known(name) => Held::Function(Rc::new(Function::BuiltIn(name))),
                value => value,
            }),
            Expression::Path(steps) => self.path(steps, input, frame),
            Expression::Filter(value, condition) => {
                let value = self.run(value, input, frame)?;
                self.filter(&value, condition, frame)
            }
            Expression::Array(parts) => self.array(parts, input, frame),
            Expression::Range(..) => Err("a range can only stand in an array".to_owned()),
            Expression::Object(members) => self.object(members, input, frame),
            Expression::Negative(inner) => match number(&self.run(inner, input, frame)?)? {
                Some(number) => of_number(-number),
                None => Ok(Held::Nothing),
            },
            Expression::Binary(operator, left, right) => self.binary(*operator, (left, right), input, frame),
            Expression::Condition(condition, then, otherwise) => {
                if self.run(condition, input, frame)?.is_true() {
                    self.run(then, input, frame)
                } else {
                    otherwise.as_ref().map_or(Ok(Held::Nothing), |otherwise| self.run(otherwise, input, frame))
                }
            }
            Expression::Block(parts) => {
                let frame = self.open(frame, Vec::new());
                parts.iter().try_fold(Held::Nothing, |_, part| self.run(part, input, frame))
            }
            Expression::Bind(name, value) => {
                let value = self.run(value, input, frame)?;
                if let Some(frame) = self.frames.borrow_mut().get_mut(frame) {
                    frame.names.push((name, value.clone()));
                }
                Ok(value)
            }
            Expression::Lambda(lambda) => Ok(Held::Function(Rc::new(Function::Lambda(lambda, frame, input.clone())))),
            Expression::Change(what, how) => Ok(Held::Function(Rc::new(Function::Change(what, how, frame)))),
            Expression::Call(function, arguments) => self.call(function, arguments, None, input, frame),
            Expression::Apply(value, function) => {
                let value = self.run(value, input, frame)?;
                match &**function {
                    Expression::Call(function, arguments) => self.call(function, arguments, Some(value), input, frame),
                    function => {
                        let function = self.run(function, input, frame)?;
                        self.apply(&function, &[value], input)
                    }
                }
            }
        }
    }

    /// A member of an object, or of every object of an array.
    pub(super) fn member(&self, name: &str, input: &Held<'e>) -> Evaluated<'e> {
        match input.data() {
            Some(Value::Object(members)) => match members.get(name) {
                Some(member) => self.made(member.clone()),
                None => Ok(Held::Nothing),
            },
            Some(Value::Array(_)) => {
                let found: Result<Vec<Held<'e>>, String> =
                    input.items().iter().map(|item| self.member(name, item)).collect();
                self.sequence(flat(found?))
            }
            _ => Ok(Held::Nothing),
        }
    }

    fn path(&self, steps: &'e [Expression], input: &Held<'e>, frame: usize) -> Evaluated<'e> {
        let mut values = match steps.first() {
            Some(Expression::Variable(_)) => vec![input.clone()],
            _ => input.items(),
        };
        for (index, step) in steps.iter().enumerate() {
            let results: Result<Vec<Held<'e>>, String> =
                values.iter().map(|value| self.run(step, value, frame)).collect();
            let mut results = results?;
            results.retain(|result| !matches!(result, Held::Nothing));
            if index + 1 == steps.len()
                && let [only] = results.as_slice()
                && only.is_array()
            {
                return Ok(only.clone());
            }
            values = flat(results);
        }
        self.sequence(values)
    }

    fn filter(&self, value: &Held<'e>, condition: &'e Expression, frame: usize) -> Evaluated<'e> {
        let items = value.items();
        let mut kept = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let outcome = self.run(condition, item, frame)?;
            let is_kept = match outcome.data().and_then(Value::as_f64) {
                Some(position) => {
                    let position = position.floor();
                    let position = if position < 0.0 { items.len() as f64 + position } else { position };
                    position == index as f64
                }
                None => outcome.is_true(),
            };
            if is_kept {
                kept.push(item.clone());
            }
        }
        match kept.as_slice() {
            [only] => Ok(only.clone()),
            _ => self.sequence(kept),
        }
    }

    /// None is nothing, one is itself, more are an array.
    pub(super) fn sequence(&self, mut values: Vec<Held<'e>>) -> Evaluated<'e> {
        values.retain(|value| !matches!(value, Held::Nothing));
        if values.len() <= 1 {
            return Ok(values.pop().unwrap_or(Held::Nothing));
        }
        self.list(values)
    }

    fn list(&self, values: Vec<Held<'e>>) -> Evaluated<'e> {
        let data: Option<Vec<Value>> = values.iter().map(|value| value.data().cloned()).collect();
        self.made(Value::Array(data.ok_or("a function cannot be an element")?))
    }

    fn array(&self, parts: &'e [Expression], input: &Held<'e>, frame: usize) -> Evaluated<'e> {
        let mut items = Vec::new();
        for part in parts {
            if let Expression::Range(first, last) = part {
                let first = number(&self.run(first, input, frame)?)?;
                let last = number(&self.run(last, input, frame)?)?;
                let (Some(first), Some(last)) = (first, last) else { continue };
                if first.fract() != 0.0 || last.fract() != 0.0 {
                    return Err("a range goes from one whole number to another".to_owned());
                }
                let mut next = first;
                while next <= last {
                    self.charge(1)?;
                    items.push(of_number(next)?);
                    next += 1.0;
                }
                continue;
            }
            let value = self.run(part, input, frame)?;
            match value {
                Held::Nothing => self.is_partial.set(true),
                value if matches!(part, Expression::Array(_)) => items.push(value),
                value => items.extend(value.items()),
            }
        }
        self.list(items)
    }

    fn object(&self, members: &'e [(Expression, Expression)], input: &Held<'e>, frame: usize) -> Evaluated<'e> {
        let mut object = Map::new();
        for (name, value) in members {
            let name = self.run(name, input, frame)?;
            let name = name.data().and_then(Value::as_str).ok_or("the name of a member must be a text")?.to_owned();
            if let Held::Data(value) = self.run(value, input, frame)? {
                object.insert(name, Rc::unwrap_or_clone(value));
            }
        }
        self.made(Value::Object(object))
    }
}
