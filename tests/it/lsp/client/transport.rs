//! Two ways to a server: in memory, and the real binary over its standard input and output.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::framing::Framer;

/// What comes from the server.
pub enum Incoming {
    /// A message.
    Message(Value),
    /// Bytes that are no message.
    Broken(String),
    /// The server has closed its output.
    End,
}

/// The way to a server and back.
pub struct Transport {
    /// What comes back.
    pub incoming: Receiver<Incoming>,
    server: Server,
}

enum Server {
    Memory(Memory),
    Process { child: Child, input: Option<ChildStdin> },
}

struct Memory {
    outgoing: Option<UnboundedSender<Vec<u8>>>,
    ended: Receiver<bool>,
    /// The server ends at once when it is dropped.
    _running: oneshot::Sender<()>,
}

impl Transport {
    /// A server in this process, behind pipes.
    pub fn memory() -> Transport {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (outgoing, queue) = unbounded_channel();
        let (arrived, incoming) = channel();
        let (end, ended) = channel();
        let (running, mut dropped) = oneshot::channel();
        // As the program does it.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        std::thread::spawn(move || {
            runtime.block_on(async {
                let (reader, writer) = tokio::io::split(ours);
                tokio::spawn(write(writer, queue));
                tokio::spawn(read(reader, arrived));
                let (input, output) = tokio::io::split(theirs);
                tokio::select! {
                    shut_down = operator_lsp::lsp::serve(input, output) => {
                        let _ = end.send(shut_down);
                        let _ = dropped.await;
                    }
                    _ = &mut dropped => {}
                }
            });
            runtime.shutdown_background();
        });
        let memory = Memory { outgoing: Some(outgoing), ended, _running: running };
        Transport { incoming, server: Server::Memory(memory) }
    }

    /// The real binary.
    pub fn process() -> Transport {
        let mut command = Command::new(env!("CARGO_BIN_EXE_operator-lsp"));
        isolate(&mut command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (arrived, incoming) = channel();
        let mut output = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            let mut framer = Framer::default();
            let mut bytes = [0; 1 << 16];
            loop {
                let count = output.read(&mut bytes).unwrap_or(0);
                if !deliver(&mut framer, &bytes[..count], &arrived) {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Transport { incoming, server: Server::Process { child, input } }
    }

    /// Sends bytes as they are. What a server that has ended does not take is lost.
    pub fn send(&mut self, bytes: Vec<u8>) {
        match &mut self.server {
            Server::Memory(memory) => {
                if let Some(outgoing) = &memory.outgoing {
                    let _ = outgoing.send(bytes);
                }
            }
            Server::Process { input: Some(input), .. } => {
                let _ = input.write_all(&bytes).and_then(|()| input.flush());
            }
            Server::Process { input: None, .. } => {}
        }
    }

    /// Closes the server's input.
    pub fn close_input(&mut self) {
        match &mut self.server {
            Server::Memory(memory) => memory.outgoing = None,
            Server::Process { input, .. } => *input = None,
        }
    }

    /// Ends the server at once. It has to be a process: one in memory goes on for a while, and holds what it held.
    pub fn kill(&mut self) {
        let Server::Process { child, .. } = &mut self.server else {
            panic!("a server in memory cannot be killed");
        };
        let _ = child.kill();
        let _ = child.wait();
    }

    /// The exit code with which the server ends by itself within a time.
    pub fn ended(&mut self, limit: Duration) -> Option<i32> {
        match &mut self.server {
            Server::Memory(memory) => {
                memory.ended.recv_timeout(limit).ok().map(|shut_down| i32::from(!shut_down))
            }
            Server::Process { child, .. } => {
                let start = Instant::now();
                while start.elapsed() < limit {
                    if let Some(status) = child.try_wait().unwrap() {
                        return status.code();
                    }
                    std::thread::sleep(Duration::from_millis(5));
                }
                None
            }
        }
    }
}

impl Drop for Transport {
    fn drop(&mut self) {
        if let Server::Process { .. } = self.server {
            self.kill();
        }
    }
}

/// Keeps git from the configuration of whoever runs the tests.
pub fn isolate(command: &mut Command) {
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME"] {
        command.env_remove(name);
    }
    for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"] {
        command.env_remove(name);
    }
}

async fn write(mut writer: WriteHalf<DuplexStream>, mut queue: UnboundedReceiver<Vec<u8>>) {
    while let Some(bytes) = queue.recv().await {
        if writer.write_all(&bytes).await.is_err() {
            return;
        }
    }
    let _ = writer.shutdown().await;
}

async fn read(mut reader: ReadHalf<DuplexStream>, arrived: Sender<Incoming>) {
    let mut framer = Framer::default();
    let mut bytes = vec![0; 1 << 16];
    loop {
        let count = reader.read(&mut bytes).await.unwrap_or(0);
        if !deliver(&mut framer, &bytes[..count], &arrived) {
            return;
        }
    }
}

/// Hands on what bytes come to, none being the end; says whether there may be more.
fn deliver(framer: &mut Framer, bytes: &[u8], arrived: &Sender<Incoming>) -> bool {
    if bytes.is_empty() {
        if !framer.is_empty() {
            let _ = arrived.send(Incoming::Broken("half a message at the end".to_owned()));
        }
        let _ = arrived.send(Incoming::End);
        return false;
    }
    framer.push(bytes).into_iter().all(|message| {
        let message = message.map_or_else(Incoming::Broken, Incoming::Message);
        arrived.send(message).is_ok()
    })
}
