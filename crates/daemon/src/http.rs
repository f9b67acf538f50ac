//! HTTP on the loopback address.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;
use tracing::{info, warn};

use crate::shared::{Shared, locked};

/// Binds the port. A busy one is said, and the rest of the daemon works without HTTP.
pub(crate) async fn bind(port: Option<u16>, shared: &Shared) -> Option<TcpListener> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port?));
    match TcpListener::bind(address).await {
        Ok(listener) => {
            info!("serving HTTP on {address}");
            *locked(&shared.http) = Ok(listener.local_addr().ok().map(|bound| bound.port()));
            Some(listener)
        }
        Err(error) => {
            let text = format!("cannot serve HTTP on {address}: {error}");
            warn!("{text}");
            *locked(&shared.http) = Err(text);
            None
        }
    }
}

/// Serves until the task is dropped.
pub(crate) async fn serve(listener: TcpListener) {
    let router = Router::new().route("/health", get(|| async { "ok" }));
    if let Err(error) = axum::serve(listener, router).await {
        warn!("HTTP ended: {error}");
    }
}
