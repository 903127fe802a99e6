//! Where the reader is in a document, kept without allocation and spelled out only when an error needs it.

use crate::error::SchemaError;

/// A chain of JSON pointer tokens from the current value up to the root.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    type_name: &'a str,
    step: Option<(&'a At<'a>, Token<'a>)>,
    /// Number of tokens.
    pub(crate) depth: usize,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    /// The root of the document that describes `type_name`.
    pub(crate) fn root(type_name: &'a str) -> Self {
        At { type_name, step: None, depth: 0 }
    }

    /// The member `key` of the value here.
    pub(crate) fn key(&'a self, key: &'a str) -> At<'a> {
        At { type_name: self.type_name, step: Some((self, Token::Key(key))), depth: self.depth + 1 }
    }

    /// The element `index` of the value here.
    pub(crate) fn index(&'a self, index: usize) -> At<'a> {
        At { type_name: self.type_name, step: Some((self, Token::Index(index))), depth: self.depth + 1 }
    }

    /// An error about the value here.
    pub(crate) fn error(&self, reason: impl Into<String>) -> SchemaError {
        SchemaError::Keyword { type_name: self.type_name.to_owned(), pointer: self.pointer(), reason: reason.into() }
    }

    fn pointer(&self) -> String {
        let mut tokens = Vec::with_capacity(self.depth);
        let mut at = self;
        while let Some((parent, token)) = &at.step {
            tokens.push(match token {
                Token::Key(key) => escape_token(key),
                Token::Index(index) => index.to_string(),
            });
            at = parent;
        }
        let mut text = String::from("#");
        for token in tokens.iter().rev() {
            text.push('/');
            text.push_str(token);
        }
        text
    }
}

/// One JSON pointer token, escaped (RFC 6901: `~` is `~0`, `/` is `~1`).
pub fn escape_token(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// One JSON pointer token, unescaped.
pub fn unescape_token(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_spells_out_the_pointer() {
        let root = At::root("AWS::A::B");
        let definitions = root.key("definitions");
        let odd = definitions.key("a/b~c");
        let last = odd.index(2);
        assert_eq!(last.error("bad").to_string(), "AWS::A::B at #/definitions/a~1b~0c/2: bad");
    }

    #[test]
    fn tokens_round_trip() {
        for token in ["plain", "a/b", "~", "~1", "~0/"] {
            assert_eq!(unescape_token(&escape_token(token)), token);
        }
    }
}
