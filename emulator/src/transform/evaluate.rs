//! Evaluating expressions, as JSONata has it, with limits on depth, steps and size.
//!
//! A list of results is what JSONata calls a sequence: none is nothing, one is itself, more are an array.

use super::expression::{Expression, Operator};
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

    fn binary(
        &self,
        operator: Operator,
        (left, right): (&'e Expression, &'e Expression),
        input: &Held<'e>,
        frame: usize,
    ) -> Evaluated<'e> {
        let left = self.run(left, input, frame)?;
        // The second operand is not looked at when the first decides.
        match operator {
            Operator::And if !left.is_true() => return Ok(Value::Bool(false).into()),
            Operator::Or if left.is_true() => return Ok(Value::Bool(true).into()),
            _ => {}
        }
        let right = self.run(right, input, frame)?;
        let flag = |flag: bool| Ok(Value::Bool(flag).into());
        match operator {
            Operator::And | Operator::Or => flag(right.is_true()),
            Operator::Join => {
                if matches!(left, Held::Nothing) || matches!(right, Held::Nothing) {
                    self.is_partial.set(true);
                }
                self.made(Value::String(functions::text_of(&left) + &functions::text_of(&right)))
            }
            Operator::Equal | Operator::Unequal => match (left.data(), right.data()) {
                (Some(left), Some(right)) => flag(crate::json::equal(left, right) == (operator == Operator::Equal)),
                _ => flag(false),
            },
            Operator::In => {
                let Some(wanted) = left.data() else { return flag(false) };
                let is_there = |item: &Held<'_>| item.data().is_some_and(|item| crate::json::equal(item, wanted));
                flag(right.items().iter().any(is_there))
            }
            Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
                let order = match (left.data(), right.data()) {
                    (None, _) | (_, None) => return Ok(Held::Nothing),
                    (Some(Value::String(left)), Some(Value::String(right))) => Some(left.cmp(right)),
                    (Some(left), Some(right)) => {
                        let numbers = left.as_f64().zip(right.as_f64());
                        let (left, right) = numbers.ok_or("only two numbers or two texts can be compared")?;
                        left.partial_cmp(&right)
                    }
                };
                flag(order.is_some_and(|order| match operator {
                    Operator::Less => order.is_lt(),
                    Operator::LessOrEqual => order.is_le(),
                    Operator::Greater => order.is_gt(),
                    _ => order.is_ge(),
                }))
            }
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
                let (Some(left), Some(right)) = (number(&left)?, number(&right)?) else { return Ok(Held::Nothing) };
                of_number(match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide => left / right,
                    _ => left % right,
                })
            }
        }
    }

    /// Calls a function, with `first` before the arguments that are written.
    fn call(
        &self,
        function: &'e Expression,
        arguments: &'e [Expression],
        first: Option<Held<'e>>,
        input: &Held<'e>,
        frame: usize,
    ) -> Evaluated<'e> {
        let callee = self.run(function, input, frame)?;
        let mut given: Vec<Held<'e>> = first.into_iter().collect();
        if let Held::Function(built_in) = &callee
            && let Function::BuiltIn(name) = **built_in
        {
            // A regular expression is no value of its own, so it goes to the functions as it is written.
            let mut pattern = None;
            for argument in arguments {
                match argument {
                    Expression::Regex(regex) => {
                        pattern = Some((given.len(), regex));
                        given.push(Held::Nothing);
                    }
                    argument => given.push(self.run(argument, input, frame)?),
                }
            }
            return functions::call(self, name, given, pattern, input);
        }
        for argument in arguments {
            given.push(self.run(argument, input, frame)?);
        }
        if matches!(callee, Held::Nothing)
            && let Expression::Variable(name) = function
        {
            return Err(format!("there is no function ${name}"));
        }
        self.apply(&callee, &given, input)
    }

    /// Applies a function; what it does not ask for is left out.
    pub(super) fn apply(&self, function: &Held<'e>, given: &[Held<'e>], input: &Held<'e>) -> Evaluated<'e> {
        let Held::Function(function) = function else { return Err("only functions can be applied".to_owned()) };
        match &**function {
            Function::BuiltIn(name) => {
                functions::call(self, name, given.iter().take(1).cloned().collect(), None, input)
            }
            Function::Lambda(lambda, frame, input) => {
                let values = given.iter().cloned().chain(std::iter::repeat(Held::Nothing));
                let names = lambda.parameters.iter().map(String::as_str).zip(values).collect();
                let frame = self.open(*frame, names);
                self.run(&lambda.body, input, frame)
            }
            Function::Change(what, how, frame) => {
                let Some(Held::Data(value)) = given.first() else { return Ok(Held::Nothing) };
                let mut changed = Value::clone(value);
                self.charge(weight(&changed))?;
                let steps = match what {
                    Expression::Path(steps) => steps.as_slice(),
                    single => std::slice::from_ref(*single),
                };
                self.change(&mut changed, steps, how, *frame)?;
                Ok(changed.into())
            }
        }
    }

    /// Gives every object at the end of the steps the members that `how` comes to.
    fn change(
        &self,
        value: &mut Value,
        steps: &'e [Expression],
        how: &'e Expression,
        frame: usize,
    ) -> Result<(), String> {
        if let Value::Array(items) = value {
            return items.iter_mut().try_for_each(|item| self.change(item, steps, how, frame));
        }
        match steps.split_first() {
            None => {
                let Value::Object(members) = value else { return Ok(()) };
                let context = self.made(Value::Object(members.clone()))?;
                match self.run(how, &context, frame)? {
                    Held::Nothing => Ok(()),
                    Held::Data(new) => match Rc::unwrap_or_clone(new) {
                        Value::Object(new) => {
                            members.extend(new);
                            Ok(())
                        }
                        _ => Err("a change must come to an object".to_owned()),
                    },
                    Held::Function(_) => Err("a change must come to an object".to_owned()),
                }
            }
            Some((Expression::Variable(name), rest)) if name.is_empty() => self.change(value, rest, how, frame),
            Some((Expression::Name(name), rest)) => {
                value.get_mut(name).map_or(Ok(()), |member| self.change(member, rest, how, frame))
            }
            Some(_) => Err("what is changed must be named by members".to_owned()),
        }
    }
}
