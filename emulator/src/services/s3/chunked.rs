//! Bodies that are sent in chunks: `aws-chunked`, with signatures of the chunks or without, with trailers or without.
//! Signatures and checksums of chunks are not looked at.

/// The content of a chunked body; none when it is not of that form.
pub(super) fn decode(body: &[u8]) -> Option<Vec<u8>> {
    let mut content = Vec::with_capacity(body.len());
    let mut rest = body;
    loop {
        let end = rest.windows(2).position(|pair| pair == b"\r\n")?;
        let (line, after) = rest.split_at_checked(end)?;
        let line = std::str::from_utf8(line).ok()?;
        let digits = line.split(';').next().unwrap_or_default();
        let length = usize::from_str_radix(digits, 16).ok()?;
        let after = after.strip_prefix(b"\r\n")?;
        if length == 0 {
            // What follows are trailers.
            return Some(content);
        }
        let (chunk, after) = after.split_at_checked(length)?;
        content.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together() {
        for (body, expected) in [
            ("5\r\nhello\r\n0\r\n\r\n", Some("hello")),
            (
                "5;chunk-signature=ab\r\nhello\r\n6;chunk-signature=cd\r\n world\r\n0;chunk-signature=ef\r\n\r\n",
                Some("hello world"),
            ),
            ("2\r\nhi\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n", Some("hi")),
            ("0\r\n\r\n", Some("")),
            ("5\r\nhell", None),
            ("x\r\nhello\r\n", None),
            ("ffffffffffffffff\r\nx\r\n0\r\n\r\n", None),
            ("", None),
        ] {
            assert_eq!(decode(body.as_bytes()).as_deref(), expected.map(str::as_bytes), "{body:?}");
        }
    }
}
