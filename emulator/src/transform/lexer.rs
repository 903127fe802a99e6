//! Words of an expression.

/// One word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Text(String),
    /// The text between the slashes.
    Regex(String),
    Name(String),
    /// `$name`; empty for `$` alone.
    Variable(String),
    /// An operator or bracket.
    Sign(&'static str),
}

/// Longer ones come before what they begin with.
const SIGNS: [&str; 31] = [
    ":=", "!=", "<=", ">=", "~>", "..", "(", ")", "[", "]", "{", "}", ",", ";", ":", "?", "=", "<", ">", "+", "-", "*",
    "/", "%", "&", "|", ".", "$", "!", "^", "@",
];

/// The words of a text.
///
/// # Errors
///
/// What cannot be read, and where.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut lexer = Lexer { rest: text, whole: text.len() };
    let mut tokens: Vec<Token> = Vec::new();
    while let Some(token) = lexer.next(tokens.last())? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'t> {
    rest: &'t str,
    whole: usize,
}

impl Lexer<'_> {
    fn next(&mut self, before: Option<&Token>) -> Result<Option<Token>, String> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let token = match first {
            '"' | '\'' => self.text(first)?,
            '/' if begins_operand(before) => self.regex()?,
            '`' => {
                let (_, after) = self.rest.split_at(1);
                let (name, rest) = after.split_once('`').ok_or_else(|| self.fault("a name is not closed"))?;
                self.rest = rest;
                Token::Name(name.to_owned())
            }
            '$' => {
                self.take("$");
                Token::Variable(self.word().to_owned())
            }
            '0'..='9' => self.number()?,
            _ if is_word(first) => Token::Name(self.word().to_owned()),
            _ => {
                let sign = SIGNS.iter().find(|sign| self.rest.starts_with(**sign));
                let sign = sign.ok_or_else(|| self.fault("there is no such sign"))?;
                self.take(sign);
                Token::Sign(sign)
            }
        };
        Ok(Some(token))
    }

    fn fault(&self, what: &str) -> String {
        format!("{what}, at byte {}", self.whole - self.rest.len())
    }

    fn take(&mut self, start: &str) {
        self.rest = self.rest.strip_prefix(start).unwrap_or(self.rest);
    }

    fn word(&mut self) -> &str {
        let end = self.rest.find(|letter| !is_word(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn number(&mut self) -> Result<Token, String> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits(0);
        // Two dots are a range.
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            end += 1 + digits(end + 1);
        }
        let (number, rest) = self.rest.split_at(end);
        let value = number.parse().map_err(|_| self.fault("this is no number"))?;
        self.rest = rest;
        Ok(Token::Number(value))
    }

    fn text(&mut self, quote: char) -> Result<Token, String> {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if letter == quote => {
                    let (_, rest) = self.rest.split_at(at + 1);
                    self.rest = rest;
                    return Ok(Token::Text(text));
                }
                '\\' => {
                    let (_, escaped) = letters.next().ok_or_else(|| self.fault("a text is not closed"))?;
                    text.push(match escaped {
                        '"' | '\\' | '/' | '\'' => escaped,
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'u' => {
                            let digits: String = letters.by_ref().take(4).map(|(_, letter)| letter).collect();
                            let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                            code.ok_or_else(|| self.fault("\\u wants the four digits of a character"))?
                        }
                        _ => return Err(self.fault(&format!("there is no escape \\{escaped}"))),
                    });
                }
                _ => text.push(letter),
            }
        }
        Err(self.fault("a text is not closed"))
    }

    /// Up to the first slash that is neither escaped nor within brackets.
    fn regex(&mut self) -> Result<Token, String> {
        let (mut depth, mut is_escaped) = (0_i32, false);
        for (at, letter) in self.rest.char_indices().skip(1) {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '/' if depth == 0 => {
                    let pattern = self.rest.get(1..at).unwrap_or_default().to_owned();
                    let (_, rest) = self.rest.split_at(at + 1);
                    self.rest = rest;
                    return Ok(Token::Regex(pattern));
                }
                _ => {}
            }
        }
        Err(self.fault("a regular expression is not closed"))
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether what follows a word is an operand, so that a slash begins a regular expression.
fn begins_operand(before: Option<&Token>) -> bool {
    match before {
        None => true,
        Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]" | "}"),
        Some(Token::Name(name)) => matches!(name.as_str(), "and" | "or" | "in"),
        Some(Token::Number(_) | Token::Text(_) | Token::Regex(_) | Token::Variable(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_into_words() {
        let name = |text: &str| Token::Name(text.to_owned());
        for (text, expected) in [
            ("a.b", vec![name("a"), Token::Sign("."), name("b")]),
            ("a / 2", vec![name("a"), Token::Sign("/"), Token::Number(2.0)]),
            ("(/[/]\\//", vec![Token::Sign("("), Token::Regex("[/]\\/".to_owned())]),
            (
                "[0..3]",
                vec![Token::Sign("["), Token::Number(0.0), Token::Sign(".."), Token::Number(3.0), Token::Sign("]")],
            ),
            ("1.5", vec![Token::Number(1.5)]),
            (
                "$ $x:=1",
                vec![
                    Token::Variable(String::new()),
                    Token::Variable("x".to_owned()),
                    Token::Sign(":="),
                    Token::Number(1.0),
                ],
            ),
            (r#"'it\'s' "\u0041\n""#, vec![Token::Text("it's".to_owned()), Token::Text("A\n".to_owned())]),
            ("`a b`", vec![name("a b")]),
        ] {
            assert_eq!(tokens(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_word_is_named_with_its_place() {
        for (text, expected) in [
            ("a 'b", "a text is not closed, at byte 2"),
            ("#", "there is no such sign, at byte 0"),
            ("'\\x'", "there is no escape \\x, at byte 0"),
            ("(/a", "a regular expression is not closed, at byte 1"),
            ("'\\uD800'", "\\u wants the four digits of a character, at byte 0"),
        ] {
            assert_eq!(tokens(text), Err(expected.to_owned()), "{text}");
        }
    }
}
