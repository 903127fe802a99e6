//! HTTP by hand on a connection that is kept, so that its end is seen.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A connection that is kept.
pub(crate) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(crate) fn open(port: u16) -> io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        Ok(Connection(BufReader::new(stream)))
    }

    /// Calls an operation that must not be refused, and gives its event.
    pub(crate) fn event(&mut self, operation: &str, body: &Value) -> io::Result<Value> {
        let headers =
            format!("content-type: application/x-amz-json-1.0\r\nx-amz-target: CloudApiService.{operation}\r\n");
        let (status, answer) = self.send("POST", "/", &headers, &body.to_string())?;
        assert_eq!(status, 200, "{operation} {body}: {answer}");
        Ok(answer["ProgressEvent"].clone())
    }

    pub(crate) fn page(&mut self, path: &str) -> io::Result<Value> {
        Ok(self.send("GET", path, "", "")?.1)
    }

    fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> io::Result<(u16, Value)> {
        let length = body.len();
        let request =
            format!("{method} {path} HTTP/1.1\r\nhost: emulator\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
        self.0.get_mut().write_all(request.as_bytes())?;
        let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let mut line = String::new();
        self.0.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(cut)?;
        let mut length = 0;
        loop {
            line.clear();
            if self.0.read_line(&mut line)? == 0 {
                return Err(cut());
            }
            let header = line.trim_end().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(text) = header.strip_prefix("content-length:") {
                length = text.trim().parse().map_err(|_| cut())?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status, serde_json::from_slice(&body)?))
    }
}
