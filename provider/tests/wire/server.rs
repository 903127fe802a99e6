//! A small HTTP server that answers from a table and remembers what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One request as it arrived.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub target: String,
    pub head: String,
    pub body: String,
}

/// One answer; status 0 is none.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
    /// The announced length, when it is to differ from the real one.
    pub length: Option<usize>,
}

#[allow(dead_code, reason = "not every test needs every kind")]
impl Answer {
    /// No answer ever.
    pub fn silence() -> Self {
        Self::json(0, "")
    }

    pub fn json(status: u16, body: impl Into<String>) -> Self {
        Self { status, content_type: "application/x-amz-json-1.0", body: body.into(), length: None }
    }
}

/// Decides by the operation (the part of X-Amz-Target behind the dot, or the Action of a query).
type Rule = Arc<dyn Fn(&str, usize) -> Answer + Send + Sync>;

pub struct Server {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Starts a server whose answers depend on the operation and on how often it was asked before.
    pub async fn start(rule: impl Fn(&str, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (rule, log): (Rule, _) = (Arc::new(rule), seen.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // Head and body are written one after the other; without this the second waits for an acknowledgment.
                stream.set_nodelay(true).unwrap();
                tokio::spawn(serve(stream, rule.clone(), log.clone()));
            }
        });
        Self { url, seen }
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn count(&self, target: &str) -> usize {
        self.seen().iter().filter(|seen| seen.target == target).count()
    }
}

async fn serve(mut stream: TcpStream, rule: Rule, log: Arc<Mutex<Vec<Seen>>>) {
    while let Some(seen) = read(&mut stream).await {
        let answer = {
            let mut log = log.lock().unwrap();
            let before = log.iter().filter(|other| other.target == seen.target).count();
            let answer = rule(&seen.target, before);
            log.push(seen);
            answer
        };
        if answer.status == 0 {
            std::future::pending::<()>().await;
        }
        let head = format!(
            "HTTP/1.1 {} X\r\ncontent-type: {}\r\ncontent-length: {}\r\nx-amzn-requestid: id-1\r\n\r\n",
            answer.status,
            answer.content_type,
            answer.length.unwrap_or(answer.body.len())
        );
        let sent = async {
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(answer.body.as_bytes()).await
        };
        if sent.await.is_err() || answer.length.is_some() {
            return;
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let header = |name: &str| {
                head.lines()
                    .find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(|value| value.trim().to_owned()))
            };
            let length: usize = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            while bytes.len() < end + 4 + length {
                let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
                bytes.extend_from_slice(&chunk[..count]);
            }
            let body = String::from_utf8_lossy(&bytes[end + 4..]).into_owned();
            let action = body.split('&').find_map(|pair| pair.strip_prefix("Action="));
            let target = header("x-amz-target").and_then(|target| target.rsplit('.').next().map(str::to_owned));
            let target = target.or_else(|| action.map(str::to_lowercase)).unwrap_or_default();
            return Some(Seen { target, head, body });
        }
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&chunk[..count]);
    }
}
