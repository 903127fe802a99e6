//! GetSchema: the embedded package schema, decompressed while it is sent.

use std::io::Read as _;

use protocol::pulumirpc::GetSchemaRequest;
use protocol::schema::SchemaText;
use tonic::Status;

/// Opens the package schema in `frame` (one zstd frame with the size of its content) for the request.
///
/// # Errors
///
/// `InvalidArgument` for a schema version other than 0, `Internal` when the embedded frame is damaged.
pub fn open(frame: &'static [u8], request: &GetSchemaRequest) -> Result<SchemaText, Status> {
    let (length, decoder) = decoder(frame, request)?;
    Ok(SchemaText::new(length, decoder))
}

/// The whole text at once, for callers without a connection.
pub(super) fn read(frame: &'static [u8], request: &GetSchemaRequest) -> Result<bytes::Bytes, Status> {
    let (length, mut decoder) = decoder(frame, request)?;
    let mut text = Vec::with_capacity(length);
    decoder.read_to_end(&mut text).map_err(|_| Status::internal(DAMAGED))?;
    Ok(text.into())
}

const DAMAGED: &str = "failure loading schema: the schema inside the plugin is damaged; install the plugin again";

type Decoder = zstd::stream::read::Decoder<'static, &'static [u8]>;

fn decoder(frame: &'static [u8], request: &GetSchemaRequest) -> Result<(usize, Decoder), Status> {
    if request.version != 0 {
        return Err(Status::invalid_argument(format!("unsupported schema version {}", request.version)));
    }
    let length = zstd::zstd_safe::get_frame_content_size(frame).ok().flatten();
    let length = length.and_then(|length| usize::try_from(length).ok()).ok_or_else(|| Status::internal(DAMAGED))?;
    let decoder = Decoder::with_buffer(frame).map_err(|_| Status::internal(DAMAGED))?;
    Ok((length, decoder))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a failed unwrap is the test's failure
    use super::*;

    fn request(version: i32) -> GetSchemaRequest {
        GetSchemaRequest { version, ..GetSchemaRequest::default() }
    }

    #[test]
    fn the_text_comes_whole_or_not_at_all() {
        let text = "{\"name\":\"aws-native\"}".repeat(1000);
        let frame: &'static [u8] = zstd::bulk::compress(text.as_bytes(), 3).unwrap().leak();
        assert_eq!(read(frame, &request(0)).unwrap(), text.as_bytes());
        assert_eq!(read(frame, &request(1)).unwrap_err().message(), "unsupported schema version 1");
        for damaged in [&b""[..], b"no frame", &frame[..frame.len() / 2]] {
            assert_eq!(read(damaged, &request(0)).unwrap_err().message(), DAMAGED);
        }
    }

    /// The bytes lie ready in the plugin and are the same for everybody who asks; nothing is bound or written again.
    #[cfg(feature = "embedded")]
    #[test]
    fn c79_the_schema_is_ready_and_always_the_same() {
        let frame = generated::PACKAGE_SCHEMA_ZST;
        let text = read(frame, &request(0)).unwrap();
        assert_eq!(zstd::zstd_safe::get_frame_content_size(frame).unwrap(), Some(text.len() as u64));
        assert_eq!(read(frame, &request(0)).unwrap(), text);
        let is_compact = !text.iter().any(|byte| matches!(byte, b'\n' | b'\t'));
        assert!(is_compact && text.starts_with(b"{") && text.ends_with(b"}"));
    }
}
