//! An HTTP endpoint that answers every request in the same way, as no AWS service would.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};

/// What the endpoint says.
#[derive(Debug, Clone)]
pub enum Manner {
    /// Status, content type and body.
    Says(u16, &'static str, String),
    /// Takes the request and keeps quiet.
    Silent,
}

/// A listening endpoint. Its thread ends with the process that tests run in.
pub struct Endpoint {
    url: String,
    requests: Arc<AtomicUsize>,
}

impl Endpoint {
    /// Listens on a free port.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn start(manner: Manner) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("listening")?;
        let url = format!("http://{}", listener.local_addr()?);
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&requests);
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for mut stream in listener.incoming().filter_map(Result::ok) {
                // A client that goes away in the middle is no concern of the endpoint's.
                let Ok(()) = take_request(&stream) else { continue };
                counter.fetch_add(1, Ordering::SeqCst);
                match &manner {
                    Manner::Silent => silent.push(stream),
                    Manner::Says(status, kind, body) => {
                        let head = format!(
                            "HTTP/1.1 {status} Answer\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                            body.len()
                        );
                        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
                    }
                }
            }
        });
        Ok(Self { url, requests })
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many requests came.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Reads one request with its body.
fn take_request(stream: &TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    std::io::copy(&mut reader.take(length), &mut std::io::sink()).map(|_| ())
}
