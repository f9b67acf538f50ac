//! One hook that waits, at the other end of the control socket.

use std::sync::Arc;
use std::time::Duration;

use bellwether_spine::permission::{Asked, Told};
use tokio::sync::oneshot;

use super::change::How;
use super::list::Permissions;
use super::place::Place;
use super::waiting::Request;

/// A page that is loaded again is away for a moment.
const GRACE: Duration = Duration::from_secs(10);
/// No hook waits for longer, whatever it says.
const LONGEST: Duration = Duration::from_mins(10);

/// A hook that waits. When this is dropped, its request is gone.
pub(crate) struct Visit {
    permissions: Arc<Permissions>,
    request: Arc<Request>,
    told: oneshot::Receiver<Told>,
}

impl Visit {
    /// Has a request wait; `None` when nobody would see it, or when only the terminal can answer it.
    pub(crate) fn begin(
        permissions: &Arc<Permissions>,
        asked: Asked,
        place: Place,
    ) -> Option<Self> {
        let (request, told) = permissions.begin(asked, place)?;
        Some(Self {
            permissions: Arc::clone(permissions),
            request,
            told,
        })
    }

    /// What the hook is told in the end; `gone` ends when the hook has.
    pub(crate) async fn wait(mut self, gone: impl Future<Output = ()>) -> Told {
        let patience = Duration::from_millis(self.request.asked.wait_ms).min(LONGEST);
        let how = tokio::select! {
            told = &mut self.told => return told.unwrap_or(Told::Released),
            () = gone => How::Gone,
            () = tokio::time::sleep(patience) => How::Expired,
            () = unwatched(&self.permissions) => How::Gone,
        };
        if self.permissions.release(&self.request.asked.id, how) {
            return Told::Released;
        }
        // Somebody is answering it at this moment.
        (&mut self.told).await.unwrap_or(Told::Released)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.permissions.release(&self.request.asked.id, How::Gone);
    }
}

/// Ends when nobody has watched for a while.
async fn unwatched(permissions: &Permissions) {
    let mut watched = permissions.watched();
    loop {
        let _ = watched.wait_for(|count| *count == 0).await;
        let again = watched.wait_for(|count| *count > 0);
        if tokio::time::timeout(GRACE, again).await.is_err() {
            return;
        }
    }
}
