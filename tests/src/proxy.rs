//! A proxy between a provider and a cloud that tells of every Cloud Control call before it is forwarded, before its answer
//! is handed on, and after that.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use serde_json::Value as Json;

/// One call on its way.
#[derive(Debug, Clone)]
pub struct Call {
    /// Counts calls from 1.
    pub number: usize,
    /// For example `CreateResource`; empty for what is no Cloud Control call.
    pub operation: String,
    /// For example `AWS::S3::Bucket`, where the call names it.
    pub type_name: String,
    /// The provider's end of the connection.
    pub peer: SocketAddr,
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The cloud has not seen it.
    Arrived,
    /// The cloud has answered, the provider does not know.
    Answered,
    /// The answer was handed on.
    Delivered,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As if nobody stood between.
    Go,
    /// The connection ends here.
    Drop,
}

/// Who is told. Called on the thread of the connection, which waits.
pub type Listener = Arc<dyn Fn(&Call, Phase) -> Verdict + Send + Sync>;

/// A listening proxy. Its threads end with the process that tests run in.
pub struct Proxy {
    url: String,
}

impl Proxy {
    /// Listens on a free port and forwards to `cloud` (`http://127.0.0.1:PORT`).
    ///
    /// # Errors
    ///
    /// When there is no port, or `cloud` is no such address.
    pub fn start(cloud: &str, listener: Listener) -> Result<Self> {
        let upstream: SocketAddr =
            cloud.strip_prefix("http://").context("the cloud's address is no http URL")?.parse()?;
        let socket = TcpListener::bind("127.0.0.1:0").context("listening")?;
        let url = format!("http://{}", socket.local_addr()?);
        let count = Arc::new(AtomicUsize::new(0));
        std::thread::spawn(move || {
            for client in socket.incoming().filter_map(Result::ok) {
                let (listener, count) = (Arc::clone(&listener), Arc::clone(&count));
                // A side that goes away ends the connection, which is all there is to do about it.
                std::thread::spawn(move || serve(&client, upstream, &listener, &count).ok());
            }
        });
        Ok(Self { url })
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

fn serve(client: &TcpStream, upstream: SocketAddr, listener: &Listener, count: &AtomicUsize) -> Result<()> {
    client.set_nodelay(true)?;
    let peer = client.peer_addr()?;
    let mut requests = BufReader::new(client.try_clone()?);
    let cloud = TcpStream::connect(upstream)?;
    cloud.set_nodelay(true)?;
    let mut answers = BufReader::new(cloud.try_clone()?);
    while let Some(request) = Message::read(&mut requests)? {
        let operation = request.header("x-amz-target").and_then(|target| target.rsplit('.').next()).unwrap_or_default();
        let body: Json = serde_json::from_slice(&request.body).unwrap_or_default();
        let call = Call {
            number: count.fetch_add(1, Ordering::SeqCst) + 1,
            operation: operation.to_owned(),
            type_name: body["TypeName"].as_str().unwrap_or_default().to_owned(),
            peer,
        };
        if listener(&call, Phase::Arrived) == Verdict::Drop {
            return Ok(());
        }
        (&cloud).write_all(&request.bytes())?;
        let Some(answer) = Message::read(&mut answers)? else { bail!("the cloud went away") };
        if listener(&call, Phase::Answered) == Verdict::Drop {
            return Ok(());
        }
        let sent = (&*client).write_all(&answer.bytes());
        if listener(&call, Phase::Delivered) == Verdict::Drop {
            return Ok(());
        }
        sent?;
    }
    Ok(())
}

/// A request or an answer of HTTP/1.1 with a length.
struct Message {
    head: Vec<u8>,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Message {
    /// The next one; none when the connection was closed between two.
    fn read(from: &mut BufReader<TcpStream>) -> Result<Option<Self>> {
        let (mut head, mut headers) = (Vec::new(), Vec::new());
        loop {
            let mut line = Vec::new();
            if from.read_until(b'\n', &mut line)? == 0 {
                return if head.is_empty() { Ok(None) } else { bail!("a message breaks off") };
            }
            head.extend_from_slice(&line);
            let line = String::from_utf8_lossy(&line);
            match line.trim().split_once(':') {
                _ if line.trim().is_empty() => break,
                Some((name, value)) => headers.push((name.to_ascii_lowercase(), value.trim().to_owned())),
                None => {}
            }
        }
        let mut message = Self { head, headers, body: Vec::new() };
        if message.header("transfer-encoding").is_some() {
            bail!("messages of unknown length are not understood");
        }
        let length: usize = message.header("content-length").map_or(Ok(0), str::parse)?;
        message.body.resize(length, 0);
        from.read_exact(&mut message.body)?;
        Ok(Some(message))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn bytes(&self) -> Vec<u8> {
        [self.head.as_slice(), &self.body].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Phase, Proxy, Verdict};
    use crate::endpoint::{Endpoint, Manner};

    #[test]
    fn a_call_is_told_three_times() {
        let cloud = Endpoint::start(Manner::Says(200, "application/json", "{\"a\":1}".into())).unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let proxy = Proxy::start(
            cloud.url(),
            Arc::new(move |call, phase| {
                tell.send((call.number, call.operation.clone(), call.type_name.clone(), phase)).unwrap();
                Verdict::Go
            }),
        );
        let body = ureq::post(proxy.unwrap().url())
            .header("x-amz-target", "CloudApiService.CreateResource")
            .send("{\"TypeName\":\"A::B::C\"}")
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap();
        assert_eq!(body, "{\"a\":1}");
        // The last one is told after the caller has its answer.
        let told: Vec<_> = told.iter().take(3).collect();
        let expected = [Phase::Arrived, Phase::Answered, Phase::Delivered]
            .map(|phase| (1, "CreateResource".to_owned(), "A::B::C".to_owned(), phase));
        assert_eq!(told, expected);
    }

    #[test]
    fn a_dropped_call_never_arrives() {
        let cloud = Endpoint::start(Manner::Says(200, "application/json", "{}".into())).unwrap();
        let proxy = Proxy::start(cloud.url(), Arc::new(|_, _| Verdict::Drop)).unwrap();
        assert!(ureq::get(proxy.url()).call().is_err());
        assert_eq!(cloud.requests(), 0);
    }
}
