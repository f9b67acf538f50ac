//! Takes connections and serves them, so many at a time.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use super::access::{Peer, peer_of};
use super::bind::{Listeners, bind_again};
use super::other_end::OtherEnd;
use super::patient::Patient;
use super::router;
use super::state::State;

/// So many connections at a time.
const CONNECTIONS: usize = 256;
/// So many of them may be somebody else's, or nobody knows whose.
const STRANGERS: usize = 32;
/// How long a connection may go without a whole request.
const NEXT_REQUEST: Duration = Duration::from_secs(30);
/// How much the head of a request may have.
const HEAD: usize = 32 * 1024;
/// How long answers may take when the daemon ends.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

struct Places {
    all: Semaphore,
    strangers: Semaphore,
}

/// Serves on what was bound, or on the port once it is free, until it is told to end.
pub(crate) async fn serve_on(
    port: u16,
    bound: Option<Listeners>,
    state: State,
    mut ending: watch::Receiver<bool>,
) {
    let listeners = if bound.is_some() {
        bound
    } else {
        tokio::select! {
            listeners = bind_again(port, &state.shared) => listeners,
            () = end(&mut ending) => None,
        }
    };
    if let Some(listeners) = listeners {
        let port = listeners.port;
        serve(listeners, Arc::new(State { port, ..state }), ending).await;
    }
}

/// Serves until it is told to end, and lets what is being answered come to its end.
async fn serve(listeners: Listeners, state: Arc<State>, mut ending: watch::Receiver<bool>) {
    let places = Arc::new(Places {
        all: Semaphore::new(CONNECTIONS),
        strangers: Semaphore::new(STRANGERS),
    });
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = accept(&listeners.all) => match accepted {
                Ok((stream, address)) => {
                    let (state, places) = (Arc::clone(&state), Arc::clone(&places));
                    connections.spawn(connection(stream, address, state, places, ending.clone()));
                }
                Err(error) => {
                    warn!("cannot accept a connection: {error}");
                    // It is likely a want of descriptors, which does not end at once.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            _ = connections.join_next(), if !connections.is_empty() => {}
            () = end(&mut ending) => break,
        }
    }
    drop(listeners);
    let rest = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(LAST_ANSWERS, rest).await.is_err() {
        debug!("connections were cut off");
    }
}

/// Waits for the word to end, or for whoever would give it to be gone.
async fn end(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await;
}

/// The next connection on any address.
async fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    std::future::poll_fn(|context| {
        let ready = listeners
            .iter()
            .find_map(|listener| match listener.poll_accept(context) {
                std::task::Poll::Ready(accepted) => Some(accepted),
                std::task::Poll::Pending => None,
            });
        ready.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
    })
    .await
}

async fn connection(
    stream: TcpStream,
    theirs: SocketAddr,
    state: Arc<State>,
    places: Arc<Places>,
    ending: watch::Receiver<bool>,
) {
    let Ok(ours) = stream.local_addr() else {
        return;
    };
    let peer = peer_of(ours, theirs);
    let place = places.all.try_acquire();
    let among_strangers = match peer {
        Peer::Ours(_) => None,
        Peer::Other(_) | Peer::Unknown => Some(places.strangers.try_acquire()),
    };
    if place.is_err() || matches!(among_strangers, Some(Err(_))) {
        return refuse(stream).await;
    }
    let _ = stream.set_nodelay(true);
    talk(stream, peer, state, ending).await;
}

/// There is no place: said at once, so that nobody waits for it.
async fn refuse(mut stream: TcpStream) {
    const TEXT: &str = r#"{"error":"too many connections at once; try again"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{TEXT}",
        TEXT.len()
    );
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(answer.as_bytes())).await;
}

async fn talk(stream: TcpStream, peer: Peer, state: Arc<State>, mut ending: watch::Receiver<bool>) {
    let other_end = Arc::new(OtherEnd::new(peer));
    let service = service_fn(move |request| {
        let answer = router::answer(request, Arc::clone(&other_end), Arc::clone(&state));
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(NEXT_REQUEST)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Patient::new(stream)), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = end(&mut ending) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!("a connection broke off: {error}");
    }
}
