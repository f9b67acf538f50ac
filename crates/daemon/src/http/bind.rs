//! Binds the port, on both loopback addresses.
//!
//! Whoever has the other one would be `localhost` to a browser, with our cookie. It is taken where the
//! machine has it; where somebody else is first, that is said.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tracing::{info, warn};

use crate::shared::{Shared, locked};

pub(crate) struct Listeners {
    pub port: u16,
    pub all: Vec<TcpListener>,
}

/// A busy port may still belong to a daemon that is about to end, so it is tried again this often and for this long.
const AGAIN_EVERY: Duration = Duration::from_millis(500);
const AGAIN_FOR: Duration = Duration::from_secs(15);

/// Binds the port. A busy one is said, and the rest of the daemon works without HTTP.
pub(crate) async fn bind(port: Option<u16>, shared: &Shared) -> Option<Listeners> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port?));
    match try_bind(address, shared).await {
        Ok(listeners) => Some(listeners),
        Err(error) => {
            let text = format!(
                "cannot serve HTTP on {address}: {error}; set `daemon.port` to another port, or stop the program that uses this one"
            );
            warn!("{text}");
            *locked(&shared.http) = Err(text);
            None
        }
    }
}

/// Binds a port that was busy, if it is let go of soon.
pub(crate) async fn bind_again(port: u16, shared: &Shared) -> Option<Listeners> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let until = Instant::now() + AGAIN_FOR;
    while Instant::now() < until {
        tokio::time::sleep(AGAIN_EVERY).await;
        if let Ok(listeners) = try_bind(address, shared).await {
            return Some(listeners);
        }
    }
    None
}

async fn try_bind(address: SocketAddr, shared: &Shared) -> std::io::Result<Listeners> {
    let listener = TcpListener::bind(address).await?;
    let port = listener.local_addr()?.port();
    info!("serving HTTP on {address}");
    *locked(&shared.http) = Ok(Some(port));
    let other = bind_other(port).await;
    Ok(Listeners {
        port,
        all: [Some(listener), other].into_iter().flatten().collect(),
    })
}

async fn bind_other(port: u16) -> Option<TcpListener> {
    let address = SocketAddr::from((Ipv6Addr::LOCALHOST, port));
    match TcpListener::bind(address).await {
        Ok(listener) => Some(listener),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            warn!("another program has {address}: use 127.0.0.1 and not localhost");
            None
        }
        // A machine without addresses of the new kind.
        Err(_) => None,
    }
}
