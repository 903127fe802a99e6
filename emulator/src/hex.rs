//! Bytes as hexadecimal digits.

/// Two lower-case digits for each byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')).collect()
}

/// The bytes of digits, upper or lower case; none for anything else and for half a byte.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    text.as_bytes().chunks(2).map(byte).collect()
}

/// The byte of two digits.
pub(crate) fn byte(digits: &[u8]) -> Option<u8> {
    let [high, low] = digits else { return None };
    let digit = |digit: &u8| char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_and_read() {
        for (bytes, text) in [(&[][..], ""), (&[0, 9, 0xa0, 0xff], "0009a0ff")] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
            assert_eq!(decode(&text.to_uppercase()).as_deref(), Some(bytes));
        }
        for text in ["0", "0g", "+1", "é"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
