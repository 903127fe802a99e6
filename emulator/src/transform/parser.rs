//! Reading expressions: operators by how strongly they bind, as JSONata has it.

use super::expression::{Expression, Lambda, Operator};
use super::lexer::{Token, tokens};
use super::regex::Regex;

/// Deeper expressions are refused, so that nothing that is read can exhaust the stack.
const DEEPEST: usize = 64;

/// Reads a text.
///
/// # Errors
///
/// What is wrong with it.
pub(super) fn parse(text: &str) -> Result<Expression, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let expression = parser.expression(0)?;
    match parser.peek() {
        None => Ok(expression),
        Some(token) => Err(format!("{} was not expected", shown(token))),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self) -> Result<Token, String> {
        let token = self.tokens.get(self.at).cloned().ok_or("the expression ends too early")?;
        self.at += 1;
        Ok(token)
    }

    /// Takes a sign if it is next.
    fn is_next(&mut self, sign: &str) -> bool {
        let is_next = matches!(self.peek(), Some(Token::Sign(next)) if *next == sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn want(&mut self, sign: &str) -> Result<(), String> {
        if self.is_next(sign) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(token) => format!("{sign} was expected, not {}", shown(token)),
            None => format!("{sign} was expected, not the end"),
        })
    }

    /// An expression whose operators all bind more strongly than `floor`.
    fn expression(&mut self, floor: u8) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the expression is nested more than {DEEPEST} deep"));
        }
        let mut left = self.operand()?;
        // Chains of operators make trees as deep as they are long.
        let mut length = 0;
        while let Some(strength) = self.peek().map(strength).filter(|strength| *strength > floor) {
            length += 1;
            if length > DEEPEST {
                return Err(format!("more than {DEEPEST} operators follow each other"));
            }
            let token = self.take()?;
            left = self.operation(left, &token, strength)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expression, String> {
        Ok(match self.take()? {
            Token::Number(number) => Expression::Number(number),
            Token::Text(text) => Expression::Text(text),
            Token::Regex(pattern) => Expression::Regex(Regex::parse(&pattern)?),
            Token::Variable(name) => Expression::Variable(name),
            Token::Name(name) => match name.as_str() {
                "null" => Expression::Null,
                "true" | "false" => Expression::Boolean(name == "true"),
                "function" if self.is_next("(") => self.lambda()?,
                _ => Expression::Name(name),
            },
            Token::Sign("-") => Expression::Negative(Box::new(self.expression(70)?)),
            Token::Sign("(") => Expression::Block(self.list(";", ")")?),
            Token::Sign("[") => Expression::Array(self.array()?),
            Token::Sign("{") => Expression::Object(self.object()?),
            Token::Sign("|") => {
                let what = self.expression(0)?;
                self.want("|")?;
                let how = self.expression(0)?;
                self.want("|")?;
                Expression::Change(Box::new(what), Box::new(how))
            }
            token => return Err(format!("{} was not expected", shown(&token))),
        })
    }

    fn operation(&mut self, left: Expression, token: &Token, strength: u8) -> Result<Expression, String> {
        let sign = match token {
            Token::Sign(sign) => *sign,
            Token::Name(name) => name.as_str(),
            _ => "",
        };
        let left = Box::new(left);
        let operator = match sign {
            "." => {
                let right = self.expression(strength)?;
                let mut steps = match *left {
                    Expression::Path(steps) => steps,
                    single => vec![single],
                };
                steps.push(right);
                return Ok(Expression::Path(steps));
            }
            "[" => {
                let condition = self.expression(0)?;
                self.want("]")?;
                let condition = Box::new(condition);
                return Ok(match *left {
                    // A condition is one on the last step of a path.
                    Expression::Path(mut steps) if !steps.is_empty() => {
                        let last = steps.pop().unwrap_or(Expression::Null);
                        steps.push(Expression::Filter(Box::new(last), condition));
                        Expression::Path(steps)
                    }
                    single => Expression::Filter(Box::new(single), condition),
                });
            }
            "(" => return Ok(Expression::Call(left, self.list(",", ")")?)),
            "?" => {
                let then = Box::new(self.expression(0)?);
                let otherwise = if self.is_next(":") { Some(Box::new(self.expression(0)?)) } else { None };
                return Ok(Expression::Condition(left, then, otherwise));
            }
            ":=" => {
                let Expression::Variable(name) = *left else {
                    return Err("only a variable can be given a value".to_owned());
                };
                return Ok(Expression::Bind(name, Box::new(self.expression(strength - 1)?)));
            }
            "~>" => return Ok(Expression::Apply(left, Box::new(self.expression(strength)?))),
            ".." => return Ok(Expression::Range(left, Box::new(self.expression(strength)?))),
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "%" => Operator::Remainder,
            "&" => Operator::Join,
            "=" => Operator::Equal,
            "!=" => Operator::Unequal,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            "in" => Operator::In,
            "and" => Operator::And,
            "or" => Operator::Or,
            _ => return Err(format!("{} was not expected", shown(token))),
        };
        Ok(Expression::Binary(operator, left, Box::new(self.expression(strength)?)))
    }

    /// Expressions up to the closing sign; one separator may stand at the end.
    fn list(&mut self, separator: &str, end: &str) -> Result<Vec<Expression>, String> {
        let mut parts = Vec::new();
        while !self.is_next(end) {
            parts.push(self.expression(0)?);
            if !self.is_next(separator) {
                self.want(end)?;
                break;
            }
        }
        Ok(parts)
    }

    fn array(&mut self) -> Result<Vec<Expression>, String> {
        self.list(",", "]")
    }

    fn object(&mut self) -> Result<Vec<(Expression, Expression)>, String> {
        let mut members = Vec::new();
        while !self.is_next("}") {
            let name = self.expression(0)?;
            self.want(":")?;
            members.push((name, self.expression(0)?));
            if !self.is_next(",") {
                self.want("}")?;
                break;
            }
        }
        Ok(members)
    }

    /// What follows `function(`.
    fn lambda(&mut self) -> Result<Expression, String> {
        let mut parameters = Vec::new();
        while !self.is_next(")") {
            match self.take()? {
                Token::Variable(name) => parameters.push(name),
                token => return Err(format!("a parameter was expected, not {}", shown(&token))),
            }
            if !self.is_next(",") {
                self.want(")")?;
                break;
            }
        }
        self.want("{")?;
        let body = self.expression(0)?;
        self.want("}")?;
        Ok(Expression::Lambda(Lambda { parameters, body: Box::new(body) }))
    }
}

/// How strongly an operator binds what is left of it; 0 for what is none.
fn strength(token: &Token) -> u8 {
    match token {
        Token::Sign("[" | "(") => 80,
        Token::Sign(".") => 75,
        Token::Sign("*" | "/" | "%") => 60,
        Token::Sign("+" | "-" | "&") => 50,
        Token::Sign("=" | "!=" | "<" | "<=" | ">" | ">=" | "~>") => 40,
        Token::Name(name) if name == "in" => 40,
        Token::Name(name) if name == "and" => 30,
        Token::Name(name) if name == "or" => 25,
        Token::Sign("?" | "..") => 20,
        Token::Sign(":=") => 10,
        _ => 0,
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Number(number) => number.to_string(),
        Token::Text(text) => format!("\"{text}\""),
        Token::Regex(pattern) => format!("/{pattern}/"),
        Token::Name(name) => name.clone(),
        Token::Variable(name) => format!("${name}"),
        Token::Sign(sign) => (*sign).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_expression_says_why() {
        let nested = "(".repeat(100);
        let chained = "a.".repeat(100) + "b";
        for (text, expected) in [
            ("", "the expression ends too early"),
            ("a b", "b was not expected"),
            ("a[1", "] was expected, not the end"),
            ("(a; b", ") was expected, not the end"),
            ("1 := 2", "only a variable can be given a value"),
            ("function(a){a}", "a parameter was expected, not a"),
            ("{'a' 1}", ": was expected, not 1"),
            ("a ? b :", "the expression ends too early"),
            ("*", "* was not expected"),
            (&nested, "the expression is nested more than 64 deep"),
            (&chained, "more than 64 operators follow each other"),
            ("/(/", "a regular expression is not closed, at byte 0"),
            ("/*/", "the regular expression /*/ repeats nothing"),
        ] {
            assert_eq!(parse(text).map(|_| ()), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn operators_bind_as_in_jsonata() {
        for (text, expected) in [
            ("1 + 2 * 3", "1 + (2 * 3)"),
            ("a = b ? c : d = e", "(a = b) ? c : (d = e)"),
            ("a and b or c and d", "(a and b) or (c and d)"),
            ("a & b = c", "(a & b) = c"),
            ("$x := a ? b : c", "$x := (a ? b : c)"),
        ] {
            // A block of one is what it holds.
            let text_of = |text: &str| format!("{:?}", parse(text)).replace("Block([", "").replace("])", "");
            let bare = |text: String| text.replace(['(', ')', '[', ']'], "");
            assert_eq!(bare(text_of(text)), bare(text_of(expected)), "{text}");
        }
    }
}
