//! Binds the port, on both loopback addresses.
//!
//! Whoever has the other one would be `localhost` to a browser, with our cookie. It is taken where the
//! machine has it; where somebody else is first, that is said.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpListener;
use tracing::{info, warn};

use crate::shared::{Shared, locked};

pub(crate) struct Listeners {
    pub port: u16,
    pub all: Vec<TcpListener>,
}

/// Binds the port. A busy one is said, and the rest of the daemon works without HTTP.
pub(crate) async fn bind(port: Option<u16>, shared: &Shared) -> Option<Listeners> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port?));
    let bound = TcpListener::bind(address).await;
    match bound.and_then(|listener| Ok((listener.local_addr()?.port(), listener))) {
        Ok((port, listener)) => {
            info!("serving HTTP on {address}");
            *locked(&shared.http) = Ok(Some(port));
            let other = bind_other(port).await;
            Some(Listeners {
                port,
                all: [Some(listener), other].into_iter().flatten().collect(),
            })
        }
        Err(error) => {
            let text = format!(
                "cannot serve HTTP on {address}: {error}; set `daemon.port` to another port, or end what has this one"
            );
            warn!("{text}");
            *locked(&shared.http) = Err(text);
            None
        }
    }
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
