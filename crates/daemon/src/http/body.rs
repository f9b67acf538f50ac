//! Reads what a request carries, so much and no longer.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::{Body as _, Bytes, Incoming};

use super::answer::Fault;

/// How long a body may take on its way.
const PATIENCE: Duration = Duration::from_secs(30);
/// A body of at most this length is never refused for want of room.
const SMALL: usize = 64 * 1024;
/// All larger bodies together have so much room.
const ROOM: usize = 192 * 1024 * 1024;

/// How much of the room is taken.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// A part of the room, given back when it is dropped.
struct Share(usize);

impl Share {
    fn grow(&mut self, to: usize) -> Result<(), Fault> {
        if to <= SMALL || to <= self.0 {
            return Ok(());
        }
        let more = to - self.0;
        if TAKEN.fetch_add(more, Ordering::Relaxed) + more > ROOM {
            TAKEN.fetch_sub(more, Ordering::Relaxed);
            return Err(Fault::busy("too many requests at once; send it again"));
        }
        self.0 = to;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        TAKEN.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// The whole body, if it is not longer than `most`.
pub(crate) async fn read(body: Incoming, most: usize) -> Result<Bytes, Fault> {
    let said = body.size_hint();
    if said.lower() > most as u64 {
        return Err(too_long(most));
    }
    let read = tokio::time::timeout(PATIENCE, collect(body, most));
    read.await.unwrap_or_else(|_| {
        let text = format!("the body did not come within {} s", PATIENCE.as_secs());
        Err(Fault::new(StatusCode::REQUEST_TIMEOUT, text))
    })
}

async fn collect(mut body: Incoming, most: usize) -> Result<Bytes, Fault> {
    let mut share = Share(0);
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|error| Fault::bad(format!("the body broke off: {error}")))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        let length = first.len() + all.len() + data.len();
        if length > most {
            return Err(too_long(most));
        }
        share.grow(length)?;
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&data);
        }
    }
    Ok(if all.is_empty() { first } else { all.into() })
}

fn too_long(most: usize) -> Fault {
    let text = format!("the body is longer than {most} bytes");
    Fault::new(StatusCode::PAYLOAD_TOO_LARGE, text)
}
