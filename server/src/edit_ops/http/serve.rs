//! Connections: taken until a signal comes, then brought to their end.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use super::access::Access;
use super::routes::{ARRIVING, Door, router};
use crate::edit_ops::{Profile, Service};

/// How many connections there may be at once. For another one, the one is closed that waits longest
/// for the header of a request; where none does, the other one waits.
const CONNECTIONS: usize = 1_024;
/// How long it waits until it is looked again whether one can be closed.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a client may take for the header of a request, or stay without one.
const HEADER: Duration = Duration::from_secs(15);
/// How long requests may go on once the service is to end.
const GRACE: Duration = Duration::from_secs(10);
/// How long their answers may take to go out after that.
const LAST: Duration = Duration::from_secs(2);

/// How requests are answered.
#[derive(Debug)]
pub struct Options {
    /// The model.
    pub profile: Profile,
    /// Who may ask.
    pub access: Access,
    /// How many requests may be answered at once.
    pub max_concurrent: usize,
}

/// Answers requests until `stop` is there, then those that are under way.
pub async fn serve(listener: TcpListener, options: Options, stop: impl Future<Output = ()>) {
    let (end, ending) = watch::channel(false);
    let router = router(Arc::new(Door {
        service: Service::default(),
        profile: options.profile,
        access: options.access,
        room: Semaphore::new(options.max_concurrent.min(Semaphore::MAX_PERMITS)),
        arriving: Semaphore::new(ARRIVING),
        ending,
    }));
    let graceful = GracefulShutdown::new();
    tokio::select! {
        () = accept(&listener, &router, &graceful, CONNECTIONS) => {}
        () = stop => {}
    }
    drop(listener);
    let hurry = async {
        tokio::time::sleep(GRACE).await;
        end.send_replace(true);
        tokio::time::sleep(LAST).await;
    };
    tokio::select! {
        () = graceful.shutdown() => {}
        () = hurry => {}
    }
}

async fn accept(
    listener: &TcpListener,
    router: &Router,
    graceful: &GracefulShutdown,
    connections: usize,
) {
    let room = Arc::new(Semaphore::new(connections));
    let waiting = Arc::new(Waiting::default());
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let permit = permit(&room, &waiting).await;
                attend(stream, permit, router, graceful, waiting.clone());
            }
            Err(error) => {
                // As a rule, too many files are open; some may be closed soon.
                tracing::warn!(kind = ?error.kind(), "a connection cannot be taken");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn permit(room: &Arc<Semaphore>, waiting: &Waiting) -> OwnedSemaphorePermit {
    if let Ok(permit) = room.clone().try_acquire_owned() {
        return permit;
    }
    loop {
        waiting.close_oldest();
        match tokio::time::timeout(PAUSE, room.clone().acquire_owned()).await {
            Ok(Ok(permit)) => return permit,
            // Nothing closes it.
            Ok(Err(_)) => pending().await,
            Err(_) => {}
        }
    }
}

fn attend(
    stream: TcpStream,
    permit: OwnedSemaphorePermit,
    router: &Router,
    graceful: &GracefulShutdown,
    waiting: Arc<Waiting>,
) {
    let service = TowerToHyperService::new(router.clone());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER);
    let close = Arc::new(Notify::new());
    let number = Arc::new(AtomicU64::new(waiting.add(&close)));
    let of = (waiting.clone(), number.clone(), close.clone());
    let service = service_fn(move |request| {
        let (waiting, number, close) = of.clone();
        waiting.remove(number.load(Ordering::Relaxed));
        let answer = service.call(request);
        async move {
            let answer = answer.await;
            number.store(waiting.add(&close), Ordering::Relaxed);
            answer
        }
    });
    let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        tokio::select! {
            // A client that goes away is not a failure of the service.
            _ = connection => {}
            () = close.notified() => {}
        }
        waiting.remove(number.load(Ordering::Relaxed));
        drop(permit);
    });
}

/// The connections that wait for the header of a request, the one that waits longest first.
#[derive(Default)]
struct Waiting(Mutex<(u64, BTreeMap<u64, Arc<Notify>>)>);

impl Waiting {
    /// Adds one that `close` closes, and gives its number.
    fn add(&self, close: &Arc<Notify>) -> u64 {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.0 += 1;
        let number = all.0;
        all.1.insert(number, close.clone());
        number
    }

    fn remove(&self, number: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
    }

    fn close_oldest(&self) {
        let oldest = self.0.lock().unwrap_or_else(PoisonError::into_inner).1.pop_first();
        if let Some((_, close)) = oldest {
            close.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn connections_without_a_header_keep_nobody_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", get(|| async { "here" }));
        let graceful = GracefulShutdown::new();
        let ask = async {
            let mut all = Vec::new();
            for _ in 0..20 {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
                all.push(stream);
                // An answered one waits for the next header.
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\nGET").await.unwrap();
                let mut answer = [0; 1024];
                let length = stream.read(&mut answer).await.unwrap();
                assert!(answer[..length].ends_with(b"here"));
                all.push(stream);
            }
        };
        let ask = tokio::time::timeout(HEADER / 2, ask);
        tokio::select! {
            () = accept(&listener, &router, &graceful, 4) => {}
            asked = ask => asked.unwrap(),
        }
    }
}
