//! Connections: taken until a signal comes, then brought to their end.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::access::Access;
use super::routes::{ARRIVING, Door, router};
use crate::edit_ops::{Profile, Service};

/// How many connections there may be at once; more wait to be taken.
const CONNECTIONS: usize = 1_024;
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
        () = accept(&listener, &router, &graceful) => {}
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

async fn accept(listener: &TcpListener, router: &Router, graceful: &GracefulShutdown) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    // Nothing closes it.
    while let Ok(permit) = room.clone().acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => attend(stream, permit, router, graceful),
            Err(error) => {
                // As a rule, too many files are open; some may be closed soon.
                tracing::warn!(kind = ?error.kind(), "a connection cannot be taken");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    pending().await
}

fn attend(
    stream: TcpStream,
    permit: OwnedSemaphorePermit,
    router: &Router,
    graceful: &GracefulShutdown,
) {
    let service = TowerToHyperService::new(router.clone());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER);
    let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        // A client that goes away is not a failure of the service.
        let _ = connection.await;
        drop(permit);
    });
}
