//! The transport: reads and parses each message once, calls the service, writes frames.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{self, BoxFuture, FutureExt};
use futures_util::{Sink, SinkExt, Stream, StreamExt, stream};
use serde_json::Value;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp::{ClientSocket, LspService};
use tower_service::Service;

use super::backend::Backend;
use super::capabilities::leave_out_unreadable;
use super::newer;
use super::on_thread;
use super::programs::Programs;
use super::spelling::Spellings;

/// How many requests may wait for their answers. As many more may be queued; then reading stops.
const CONCURRENCY: usize = 256;
/// How many messages are read before the main loop must have taken in the ones before them: twice
/// as many wait for it at most. What it cannot keep up with waits at the client.
const AHEAD: usize = 64;
/// How long the server writes on after `exit`.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the server answers on after the end of the input. A request that waits for an answer
/// of the client would keep it running.
const INPUT_END_TIMEOUT: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 30 });
/// The longest line of a header that is looked at, in bytes.
const LONGEST_LINE: u64 = 4096;
/// The largest body that is read, in bytes.
const LARGEST_BODY: u64 = 1 << 30;
const LENGTH: &str = "content-length:";

/// How far the client has come in starting and ending the server.
#[derive(Default)]
struct Lifecycle {
    initialize_requested: bool,
    shutdown_requested: bool,
    exited: bool,
}

/// A message from the client.
enum Message {
    /// A request or a notification.
    Request(Request),
    /// An answer to a request of the server.
    Response(Response),
}

/// Serves the client until `exit`, the end of the input or a failure of the output, then stops the
/// programs; returns whether the client asked for a shutdown.
pub async fn serve<I, O>(
    input: I,
    output: O,
    service: LspService<Backend>,
    socket: ClientSocket,
    programs: &Programs,
) -> bool
where
    I: AsyncRead + Unpin + Send + 'static,
    O: AsyncWrite + Unpin + Send + 'static,
{
    let (requests, responses) = socket.split();
    let (answers, queue) = channel(CONCURRENCY);
    let spellings = Arc::new(Spellings::default());
    // Dropping the set ends the task.
    let mut writing = JoinSet::new();
    writing.spawn(write(output, queue, requests, spellings.clone()));
    // Dropping the sender ends the thread.
    let (stop, stopped) = oneshot::channel::<()>();
    let mut reading = on_thread(async move {
        let mut state = Lifecycle::default();
        tokio::select! {
            read = read(input, service, responses, answers, &spellings, &mut state) => if let Err(error) = read {
                tracing::warn!(%error, "the input cannot be read any more");
            },
            _ = stopped => (),
        }
        state
    });
    let state = tokio::select! {
        state = &mut reading => state,
        written = writing.join_next() => {
            // It ends well once nothing more is read and all is answered.
            if !matches!(written, Some(Ok(Ok(())))) {
                tracing::warn!("the output cannot be written any more");
                drop(stop);
            }
            reading.await
        }
    };
    let state = state.unwrap_or_default();
    // Nobody is left to read their results.
    programs.stop();
    let timeout = if state.exited { EXIT_TIMEOUT } else { INPUT_END_TIMEOUT };
    // The client may have stopped reading.
    let _ = tokio::time::timeout(timeout, writing.join_next()).await;
    state.shutdown_requested
}

/// Reads messages until `exit` or the end of the input. The event of each message is in the main
/// loop's queue before the next message is read.
async fn read(
    input: impl AsyncRead + Unpin,
    mut service: LspService<Backend>,
    mut responses: impl Sink<Response> + Unpin,
    answers: Sender<BoxFuture<'static, Response>>,
    spellings: &Spellings,
    state: &mut Lifecycle,
) -> std::io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let (mut count, mut reached) = (0, None);
    while !state.exited
        && let Some(body) = frame(&mut input).await?
    {
        count += 1;
        if count % AHEAD == 0
            && let Some(reached) = reached.replace(service.inner().reached())
        {
            // An error says that the main loop has ended.
            let _ = reached.await;
        }
        let request = match parse(&body, spellings) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Response(response)) => {
                // After a timeout nobody waits for it.
                let _ = responses.send(response).await;
                continue;
            }
            Err(error) => {
                tracing::warn!(bytes = body.len(), "a message cannot be read");
                let response = Response::from_error(Id::Null, error);
                let _ = answers.send(future::ready(response).boxed()).await;
                continue;
            }
        };
        state.initialize_requested |= request.method() == "initialize";
        state.shutdown_requested |= request.method() == "shutdown";
        state.exited |= request.method() == "exit";
        let id = request.id().cloned();
        if id.is_none() && request.method() == "textDocument/didChange" {
            service.inner().changed(request.params());
            continue;
        }
        if let Some(id) = id.clone()
            && !state.initialize_requested
        {
            // The service says so only of the methods that it knows.
            let _ = answers.send(future::ready(not_initialized(id)).boxed()).await;
            continue;
        }
        // `exit` cancels every request, so nothing is read until these two are answered. Until
        // `exit` the service is always ready.
        let asks_for_content =
            request.method() == "initialize" && service.inner().asks_for_content(request.params());
        let is_awaited = id.is_none() || matches!(request.method(), "initialize" | "shutdown");
        let mut call = future::maybe_done(service.call(request));
        if is_awaited {
            (&mut call).await;
        } else {
            // The first poll sends the handler's event.
            let _ = (&mut call).now_or_never();
        }
        let Some(id) = id else { continue };
        let answer = async move {
            (&mut call).await;
            match Pin::new(&mut call).take_output() {
                Some(Ok(Some(response))) if asks_for_content => newer::advertise(response),
                Some(Ok(Some(response))) => response,
                // The service does not answer unknown requests whose method begins with `$/`.
                _ => Response::from_error(id, Error::method_not_found()),
            }
        };
        // The receiver is gone once the output has failed.
        let _ = answers.send(answer.boxed()).await;
    }
    // Without `shutdown`, nobody has waited for it yet.
    service.inner().end().await;
    Ok(())
}

/// Writes answers, and the server's own requests and notifications, until reading has ended and
/// every request is answered. Takes nothing from the queues while the client does not read.
async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut queue: Receiver<BoxFuture<'static, Response>>,
    mut requests: impl Stream<Item = Request> + Unpin,
    spellings: Arc<Spellings>,
) -> std::io::Result<()> {
    let queue = stream::poll_fn(move |context| queue.poll_recv(context));
    let mut answers = queue.buffer_unordered(CONCURRENCY);
    loop {
        let body = tokio::select! {
            // Answers first: nothing may be sent before the answer to `initialize`.
            biased;
            answer = answers.next() => match answer {
                Some(answer) => serde_json::to_vec(&spellings.in_response(answer))?,
                None => return Ok(()),
            },
            Some(request) = requests.next() => {
                serde_json::to_vec(&spellings.in_request(request))?
            }
        };
        let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        frame.extend(body);
        output.write_all(&frame).await?;
        output.flush().await?;
    }
}

/// The answer to a request before `initialize`.
fn not_initialized(id: Id) -> Response {
    let (code, message) = (ErrorCode::ServerError(-32002), "the server is not initialized".into());
    Response::from_error(id, Error { code, message, data: None })
}

/// Parses the body of a frame; the error is the answer to a body that is not a message.
fn parse(body: &[u8], spellings: &Spellings) -> Result<Message, Error> {
    let mut value: Value = serde_json::from_slice(body).map_err(|_| Error::parse_error())?;
    let is_initialize = value.get("method").is_some_and(|method| method == "initialize");
    if let Some(params) = value.get_mut("params") {
        if is_initialize {
            leave_out_unreadable(params);
        }
        spellings.encode(params);
    }
    let is_response = value.get("result").or(value.get("error")).is_some();
    let message = if is_response {
        serde_json::from_value(value).map(Message::Response)
    } else {
        serde_json::from_value(value).map(Message::Request)
    };
    message.map_err(|_| Error::invalid_request())
}

/// The body of the next frame; `None` at the end of the input, even in the middle of a frame.
async fn frame(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Vec<u8>>> {
    let Some(length) = header(input).await? else { return Ok(None) };
    let mut body = Vec::new();
    // Standard input keeps a buffer for the most that was ever asked for: no more than `input` has.
    let read = tokio::io::copy_buf(&mut input.take(length), &mut body).await?;
    Ok((read == length).then_some(body))
}

/// The length of the next body; `None` at the end. Without a valid length the body is empty.
async fn header(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<u64>> {
    let mut length = None;
    let mut lines = 0;
    loop {
        let mut line = Vec::new();
        if (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        if line == b"\r\n" || line == b"\n" {
            // Blank lines before a header are skipped.
            if lines > 0 {
                return Ok(Some(length.unwrap_or(0)));
            }
            continue;
        }
        lines += 1;
        length = content_length(&line).or(length);
    }
}

/// The length in a line of a header. Text before it is the rest of a body that was longer than its
/// header said.
fn content_length(line: &[u8]) -> Option<u64> {
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    let at = line.rfind(LENGTH)?;
    let length = line[at + LENGTH.len()..].trim().parse().ok()?;
    (length <= LARGEST_BODY).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages in some input, a line for each: its method, or the code of the error.
    fn parsed(mut input: &[u8]) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut lines = String::new();
        while let Some(body) = runtime.block_on(frame(&mut input)).unwrap() {
            lines += &match parse(&body, &Spellings::default()) {
                Ok(Message::Request(request)) => format!("{}\n", request.method()),
                Ok(Message::Response(response)) => format!("answer to {}\n", response.id()),
                Err(error) => format!("{}\n", error.code),
            };
        }
        lines
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    const GOOD: &str = "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"good\"}";

    #[test]
    fn messages_come_through() {
        assert_eq!(parsed(format!("{GOOD}{GOOD}").as_bytes()), "good\ngood\n");
        let typed = GOOD.replacen("\r\n", "\r\nContent-Type: application/vscode-jsonrpc\r\n", 1);
        assert_eq!(parsed(typed.as_bytes()), "good\n");
        assert_eq!(parsed(GOOD.replacen("Content", "content", 1).as_bytes()), "good\n");
    }

    #[test]
    fn answers_are_told_from_requests() {
        for (body, says) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "answer to 1\n"),
            (r#"{"jsonrpc":"2.0","id":"a","result":{"method":"x"}}"#, "answer to \"a\"\n"),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}"#, "answer to 1\n"),
            (r#"{"jsonrpc":"2.0","id":1,"error":3}"#, "-32600\n"),
            (r#"{"jsonrpc":"2.0","result":null}"#, "-32600\n"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"result":1}}"#, "m\n"),
            (r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, "-32600\n"),
            (r#"{"id":1,"method":"m"}"#, "-32600\n"),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, "-32600\n"),
        ] {
            assert_eq!(parsed(framed(body).as_bytes()), says, "{body}");
        }
    }

    #[test]
    fn the_next_message_is_found_after_one_that_cannot_be_read() {
        for (broken, says) in [
            ("Content-Length: 3\r\n\r\n{x}", "-32700\n"),
            ("Content-Length: 2\r\n\r\n{}", "-32600\n"),
            ("Content-Type: x\r\n\r\n", "-32700\n"),
            ("Content-Length: many\r\n\r\n", "-32700\n"),
            ("Content-Length: 99999999999999999999\r\n\r\n", "-32700\n"),
            ("Content-Length: 1073741825\r\n\r\n", "-32700\n"),
            ("Content-Length: 5\r\n\r\n{\"a\": [1, 2]}", "-32700\n"),
            ("\r\n\r\n", ""),
        ] {
            let parsed = parsed(format!("{broken}{GOOD}").as_bytes());
            assert_eq!(parsed, format!("{says}good\n"), "{broken:?}");
        }
        let bytes = [b"Content-Length: 2\r\n\r\n\xff\xfe".as_slice(), GOOD.as_bytes()].concat();
        assert_eq!(parsed(&bytes), "-32700\ngood\n");
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let deep =
            framed(&format!("{{\"jsonrpc\":\"2.0\",\"method\":\"deep\",\"params\":{deep}}}"));
        assert_eq!(parsed(format!("{deep}{GOOD}").as_bytes()), "-32700\ngood\n");
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        assert_eq!(parsed(format!("{long}{GOOD}").as_bytes()), "good\n");
    }

    #[test]
    fn half_a_message_at_the_end_is_nothing() {
        assert_eq!(parsed(&GOOD.as_bytes()[..GOOD.len() - 1]), "");
        assert_eq!(parsed(b"Content-Le"), "");
    }
}
