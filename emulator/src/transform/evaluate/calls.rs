//! Calling and applying functions: those of the language, those that an expression defines, and changes.

use super::Evaluation;
use crate::transform::expression::Expression;
use crate::transform::functions;
use crate::transform::held::{Evaluated, Function, Held, weight};
use serde_json::Value;
use std::rc::Rc;

impl<'e> Evaluation<'e> {
    /// Calls a function, with `first` before the arguments that are written.
    pub(super) fn call(
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
    pub(in crate::transform) fn apply(
        &self,
        function: &Held<'e>,
        given: &[Held<'e>],
        input: &Held<'e>,
    ) -> Evaluated<'e> {
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
