//! A server that speaks for a model, well or badly, on a port of this computer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take.
const LIMIT: Duration = Duration::from_secs(20);

/// A request that came in.
#[derive(Debug, Clone)]
pub struct Heard {
    /// The request line and the headers, names in lower case.
    pub head: String,
    /// The body.
    pub body: Value,
}

type Behaviour = dyn Fn(&mut TcpStream, &Heard) -> std::io::Result<()> + Send + Sync;

/// The server; it ends when it is dropped.
pub struct Provider {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    behaviour: Box<Behaviour>,
    heard: Mutex<Vec<Heard>>,
    /// How many clients have gone before they had an answer.
    gone: AtomicUsize,
    ended: AtomicBool,
}

impl Provider {
    /// A server that answers each request in this way.
    pub fn new(
        behaviour: impl Fn(&mut TcpStream, &Heard) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Provider {
        Provider::on(TcpListener::bind("127.0.0.1:0").unwrap(), behaviour)
    }

    /// A server that answers each request to this listener in this way.
    pub fn on(
        listener: TcpListener,
        behaviour: impl Fn(&mut TcpStream, &Heard) -> std::io::Result<()> + Send + Sync + 'static,
    ) -> Provider {
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            behaviour: Box::new(behaviour),
            heard: Mutex::default(),
            gone: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if shared.ended.load(Ordering::SeqCst) {
                    return;
                }
                let state = shared.clone();
                std::thread::spawn(move || state.attend(stream));
            }
        });
        Provider { address, state }
    }

    /// One that answers with this status and body.
    pub fn answers(status: u16, body: impl Into<String>) -> Provider {
        let body = body.into();
        Provider::new(move |stream, _| answer(stream, status, &body))
    }

    /// One whose model says this and stops for this reason.
    pub fn stops(content: &str, finish_reason: &str) -> Provider {
        Provider::answers(200, completion(content, finish_reason))
    }

    /// One whose model says this.
    pub fn says(content: &str) -> Provider {
        Provider::stops(content, "stop")
    }

    /// One that answers after a while.
    pub fn slow(content: &str, pause: Duration) -> Provider {
        let body = completion(content, "stop");
        Provider::new(move |stream, _| {
            std::thread::sleep(pause);
            answer(stream, 200, &body)
        })
    }

    /// One that never answers.
    pub fn hangs() -> Provider {
        Provider::new(|stream, _| {
            stream.set_read_timeout(Some(LIMIT))?;
            let _ = stream.read(&mut [0]);
            Err(std::io::ErrorKind::UnexpectedEof.into())
        })
    }

    /// One that sends a good answer a byte at a time, and never gets to its end in time.
    pub fn drips() -> Provider {
        Provider::new(|stream, _| {
            let body = completion(&super::proposal(), "stop");
            write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len())?;
            for byte in body.bytes() {
                stream.write_all(&[byte])?;
                std::thread::sleep(Duration::from_millis(100));
            }
            Ok(())
        })
    }

    /// One that sends a hundred million bytes, in one piece as far as HTTP goes.
    pub fn floods() -> Provider {
        Provider::new(|stream, _| {
            write!(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")?;
            let piece = vec![b' '; 1_000_000];
            (0..100).try_for_each(|_| stream.write_all(&piece))
        })
    }

    /// One that goes away in the middle of its answer.
    pub fn breaks_off() -> Provider {
        Provider::new(|stream, _| {
            let body = completion(&super::proposal(), "stop");
            write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len())?;
            stream.write_all(&body.as_bytes()[..body.len() / 2])
        })
    }

    /// The address to give as `BASE_URL`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What came in.
    pub fn heard(&self) -> Vec<Heard> {
        self.state.heard.lock().unwrap().clone()
    }

    /// Waits until so many requests came in.
    pub fn wait_for(&self, requests: usize) {
        wait("requests", || self.heard().len() >= requests);
    }

    /// Waits until so many clients have gone without an answer.
    pub fn wait_until_gone(&self, clients: usize) {
        wait("clients to go", || self.state.gone.load(Ordering::SeqCst) >= clients);
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
    }
}

impl State {
    fn attend(&self, mut stream: TcpStream) {
        let Some(heard) = read(&stream) else { return };
        self.heard.lock().unwrap().push(heard.clone());
        if (self.behaviour)(&mut stream, &heard).is_err() {
            self.gone.fetch_add(1, Ordering::SeqCst);
        }
    }
}

fn read(stream: &TcpStream) -> Option<Heard> {
    stream.set_read_timeout(Some(LIMIT)).ok()?;
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let lower = head.to_ascii_lowercase();
    let length = lower.lines().find_map(|line| line.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let lines = head.lines().map(|line| match line.split_once(": ") {
        Some((name, value)) => format!("{}: {value}\n", name.to_ascii_lowercase()),
        None => format!("{line}\n"),
    });
    Some(Heard { head: lines.collect(), body: serde_json::from_slice(&body).ok()? })
}

/// Answers with this status and body.
pub fn answer(stream: &mut TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    )
}

/// The body of a completion.
pub fn completion(content: &str, finish_reason: &str) -> String {
    let message = json!({"role": "assistant", "content": content});
    let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason});
    json!({"id": "x", "object": "chat.completion", "choices": [choice]}).to_string()
}

/// Waits a bounded time until something holds.
pub fn wait(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LIMIT, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
