//! Expressions as trees.

use super::regex::Regex;

/// One expression.
#[derive(Debug)]
pub(super) enum Expression {
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    Regex(Regex),
    /// A member of what the expression is evaluated on.
    Name(String),
    /// `$name`; empty for `$`, which is what the expression is evaluated on.
    Variable(String),
    /// `a.b.c`: every step on every value of the one before.
    Path(Vec<Expression>),
    /// `a[b]`: by position or by condition.
    Filter(Box<Expression>, Box<Expression>),
    Array(Vec<Expression>),
    /// `a..b`, within an array only.
    Range(Box<Expression>, Box<Expression>),
    Object(Vec<(Expression, Expression)>),
    Negative(Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    Condition(Box<Expression>, Box<Expression>, Option<Box<Expression>>),
    Block(Vec<Expression>),
    Bind(String, Box<Expression>),
    Lambda(Lambda),
    Call(Box<Expression>, Vec<Expression>),
    /// `a ~> f`.
    Apply(Box<Expression>, Box<Expression>),
    /// `| what | how |`: a copy in which every `what` has the members of `how`.
    Change(Box<Expression>, Box<Expression>),
}

/// A function that the expression defines.
#[derive(Debug)]
pub(super) struct Lambda {
    pub(super) parameters: Vec<String>,
    pub(super) body: Box<Expression>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Join,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    And,
    Or,
}

impl Expression {
    /// The names of members that are looked up in what the whole expression is evaluated on.
    pub(super) fn heads<'e>(&'e self, names: &mut Vec<&'e str>) {
        match self {
            Expression::Name(name) => names.push(name),
            // What follows the first step, and conditions on it, are about its value.
            Expression::Path(steps) => steps.first().into_iter().for_each(|step| step.heads(names)),
            Expression::Filter(value, _) => value.heads(names),
            Expression::Array(parts) | Expression::Block(parts) => parts.iter().for_each(|part| part.heads(names)),
            Expression::Object(members) => members.iter().for_each(|(_, value)| value.heads(names)),
            Expression::Range(left, right) | Expression::Binary(_, left, right) | Expression::Apply(left, right) => {
                left.heads(names);
                right.heads(names);
            }
            Expression::Negative(inner) | Expression::Bind(_, inner) => inner.heads(names),
            Expression::Condition(condition, then, otherwise) => {
                condition.heads(names);
                then.heads(names);
                otherwise.iter().for_each(|otherwise| otherwise.heads(names));
            }
            Expression::Lambda(lambda) => lambda.body.heads(names),
            Expression::Call(_, arguments) => arguments.iter().for_each(|argument| argument.heads(names)),
            Expression::Null
            | Expression::Boolean(_)
            | Expression::Number(_)
            | Expression::Text(_)
            | Expression::Regex(_)
            | Expression::Variable(_)
            | Expression::Change(..) => {}
        }
    }

    /// Literal texts that end up in the result.
    pub(super) fn written<'e>(&'e self, texts: &mut Vec<&'e str>) {
        match self {
            Expression::Text(text) => texts.push(text),
            Expression::Array(parts) => parts.iter().for_each(|part| part.written(texts)),
            Expression::Block(parts) => parts.last().into_iter().for_each(|part| part.written(texts)),
            Expression::Binary(Operator::Join, left, right) => {
                left.written(texts);
                right.written(texts);
            }
            Expression::Condition(_, then, otherwise) => {
                then.written(texts);
                otherwise.iter().for_each(|otherwise| otherwise.written(texts));
            }
            Expression::Call(function, arguments) => {
                let Expression::Variable(name) = &**function else { return };
                let positions: &[usize] = match name.as_str() {
                    "join" => &[0, 1],
                    "replace" => &[0, 2],
                    "lowercase" | "uppercase" => &[0],
                    _ => &[],
                };
                positions.iter().filter_map(|at| arguments.get(*at)).for_each(|argument| argument.written(texts));
            }
            _ => {}
        }
    }
}
