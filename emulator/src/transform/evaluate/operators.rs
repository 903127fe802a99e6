//! What operators come to.

use super::Evaluation;
use crate::transform::expression::{Expression, Operator};
use crate::transform::functions;
use crate::transform::held::{Evaluated, Held, number, of_number};
use serde_json::Value;

impl<'e> Evaluation<'e> {
    /// The value of an operator between two operands.
    pub(super) fn binary(
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
}
