//! One connection, one call at a time.

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection to an emulator.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    ///
    /// When nobody listens.
    pub async fn connect(address: SocketAddr) -> Result<Client> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("connecting to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Client { stream, buffer: Vec::new() })
    }

    /// Calls an operation of Cloud Control and gives its answer.
    ///
    /// # Errors
    ///
    /// When the connection breaks or the answer is an error.
    pub async fn call(&mut self, operation: &str, body: &Json) -> Result<Json> {
        let body = body.to_string();
        let request = format!(
            "POST / HTTP/1.1\r\nhost: emulator\r\ncontent-type: application/x-amz-json-1.0\r\n\
             x-amz-target: CloudApiService.{operation}\r\nauthorization: AWS4-HMAC-SHA256 Credential=AKIDLOAD/20260101/\
             us-east-1/cloudcontrolapi/aws4_request, SignedHeaders=host, Signature=0\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let (status, text) = self.answer().await?;
        ensure!(status == 200, "{operation} was answered with {status}: {text}");
        serde_json::from_str(&text).with_context(|| format!("{operation} was answered with {text}"))
    }

    async fn answer(&mut self) -> Result<(u16, String)> {
        self.buffer.clear();
        let end = loop {
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            let read = self.stream.read_buf(&mut self.buffer).await?;
            ensure!(read > 0, "the emulator closed the connection");
        };
        let head = String::from_utf8_lossy(self.buffer.get(..end).unwrap_or_default()).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("no status")?;
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        let whole = end + 4 + length.context("an answer without a length")?;
        while self.buffer.len() < whole {
            let read = self.stream.read_buf(&mut self.buffer).await?;
            ensure!(read > 0, "the emulator closed the connection");
        }
        Ok((status, String::from_utf8_lossy(self.buffer.get(end + 4..whole).unwrap_or_default()).into_owned()))
    }
}
