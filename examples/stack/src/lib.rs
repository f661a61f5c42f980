//! A server on the loopback interface that plays recorded completions, and notes what its clients did.
//!
//! It answers the n-th request with the n-th recording, over HTTP/1.1 in chunks with pauses between them, as a model writes. It is
//! there for the examples: one request a connection, and no more of HTTP than they need.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time;

/// Bytes of a chunk: shorter than any event of the recordings.
const CHUNK_LEN: usize = 97;
const PAUSE: Duration = Duration::from_millis(3);
/// Nothing here takes that long.
const PATIENCE: Duration = Duration::from_secs(20);

/// A recording of `tests/corpus`, by folder and name of its file.
///
/// # Errors
/// When there is no such file.
pub fn recording(name: &str) -> io::Result<Vec<u8>> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name))
}

/// What one client did.
#[derive(Debug)]
pub struct Seen {
    /// The body of its request.
    pub request: String,
    /// Bytes of the recording that had been written when it was over.
    pub written_len: usize,
    /// Bytes of the recording.
    pub total_len: usize,
    /// Whether the client closed the connection before all was written.
    pub is_closed_early: bool,
}

/// The server. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    seen: mpsc::UnboundedReceiver<io::Result<Seen>>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Begins to listen; needs a runtime of Tokio.
    ///
    /// # Errors
    /// When the loopback interface cannot be listened on.
    pub async fn play(recordings: impl IntoIterator<Item = Vec<u8>>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (sender, seen) = mpsc::unbounded_channel();
        let recordings: Vec<_> = recordings.into_iter().collect();
        let task = tokio::spawn(async move {
            for recording in recordings {
                let seen = serve(&listener, &recording).await;
                if sender.send(seen).is_err() {
                    return;
                }
            }
        });
        Ok(Self { address, seen, task })
    }

    /// Where it is: the address that a client puts before its paths.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What the next client did, once it is done.
    ///
    /// # Errors
    /// When its request was none, there is no next client, or it takes too long.
    pub async fn seen(&mut self) -> io::Result<Seen> {
        let seen = time::timeout(PATIENCE, self.seen.recv()).await?;
        seen.unwrap_or_else(|| Err(io::Error::other("every recording was played")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: &TcpListener, recording: &[u8]) -> io::Result<Seen> {
    let (mut client, _) = listener.accept().await?;
    client.set_nodelay(true)?;
    let request = request(&mut client).await?;
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    client.write_all(head.as_bytes()).await?;
    let mut written_len = 0;
    for chunk in recording.chunks(CHUNK_LEN) {
        let size = format!("{:x}\r\n", chunk.len());
        let framed = [size.as_bytes(), chunk, b"\r\n"].concat();
        if client.write_all(&framed).await.is_err() || is_closed(&mut client, PAUSE).await {
            return Ok(Seen { request, written_len, total_len: recording.len(), is_closed_early: true });
        }
        written_len += chunk.len();
    }
    client.write_all(b"0\r\n\r\n").await?;
    client.shutdown().await?;
    Ok(Seen { request, written_len, total_len: recording.len(), is_closed_early: false })
}

/// Whether the client closes the connection within some time. It says nothing else behind its request.
async fn is_closed(client: &mut TcpStream, within: Duration) -> bool {
    match time::timeout(within, client.read(&mut [0])).await {
        Ok(read) => !read.is_ok_and(|len| len > 0),
        Err(_) => false,
    }
}

/// Reads a request; gives its body.
async fn request(client: &mut TcpStream) -> io::Result<String> {
    let (mut bytes, mut wanted) = (Vec::new(), None);
    while wanted.is_none_or(|len| bytes.len() < len) {
        if client.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let fields = head.lines().filter_map(|line| line.split_once(':'));
            let mut len = fields.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let len: usize = len.next().and_then(|(_, len)| len.trim().parse().ok()).unwrap_or(0);
            wanted = Some(head.len() + 4 + len);
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}
