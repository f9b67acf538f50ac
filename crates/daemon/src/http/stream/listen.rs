//! One listener: what it missed, and then what comes.

use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bellwether_spine::VERSION;
use hyper::body::Bytes;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::told::{self, PermissionSettled, SettingsChanged, StreamReady};
use super::{Id, Only, missed};
use crate::http::content::{Content, Piece, Pieces};
use crate::http::permission::PermissionView;
use crate::http::state::State;
use crate::http::view::AnnouncementView;
use crate::permissions::Change;
use crate::shared::Connected;

/// A comment is sent when nothing was for so long.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// What happens within this time is told together.
const TOGETHER: Duration = Duration::from_millis(40);
/// How a browser begins again, in milliseconds.
const RETRY: &[u8] = b"retry: 1000\n\n";

/// The content of a stream that goes on behind an id with what is wanted.
pub(crate) fn listen(state: Arc<State>, id: Id, only: Only) -> Content {
    // One piece waits for whoever listens; everything else stays where it is.
    let (to, from) = mpsc::channel(1);
    tokio::spawn(async move {
        let connected = Connected::new(Arc::clone(&state.shared));
        let announced = state.shared.announcements.last();
        let permitted = state.shared.permissions.changes.last();
        // Who does not hear of requests cannot answer them.
        let watching = only.permissions().then(|| state.shared.permissions.watch());
        // Whoever goes away ends this too.
        let listener = Subscriber {
            only,
            id,
            told: id,
            announced,
            permitted,
            to,
        };
        let _ = listener.run(&state).await;
        drop((connected, watching));
    });
    Content::Coming(Box::new(Received(from)))
}

struct Received(mpsc::Receiver<Bytes>);

impl Pieces for Received {
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        self.0.poll_recv(context).map(|piece| piece.map(Ok))
    }
}

struct Subscriber {
    only: Only,
    /// Up to where it was told what it wants.
    id: Id,
    /// The last id that it was sent.
    told: Id,
    /// The number of the last announcement that it was told.
    announced: u64,
    /// The number of the last change of permission requests that it was told.
    permitted: u64,
    to: mpsc::Sender<Bytes>,
}

/// Nobody listens any more, or there is no more to be told.
struct Gone;

impl Subscriber {
    async fn run(mut self, state: &State) -> Result<(), Gone> {
        let mut ending = state.ending.clone();
        let mut changes = state.shared.live.subscribe();
        let mut stored = state.shared.stored.subscribe();
        let mut announcements = state.shared.announcements.subscribe();
        let mut permissions = state.shared.permissions.changes.subscribe();
        let mut settings = state.shared.preferences.subscribe();
        self.send(RETRY.into()).await?;
        self.catch_up(state).await?;
        let ready = StreamReady {
            id: self.id.to_string(),
            version: VERSION,
        };
        self.send(missed::framed(Some(self.id), told::READY.name, &ready).into())
            .await?;
        self.told = self.id;
        loop {
            let silence = sleep_until(Instant::now() + HEARTBEAT);
            tokio::select! {
                moved = changes.changed(), if self.only.agents() => moved.map_err(|_| Gone)?,
                moved = stored.changed(), if self.only.stored() => moved.map_err(|_| Gone)?,
                moved = announcements.changed(), if self.only.announcements() => moved.map_err(|_| Gone)?,
                moved = permissions.changed(), if self.only.permissions() => moved.map_err(|_| Gone)?,
                moved = settings.changed(), if self.only.settings() => {
                    moved.map_err(|_| Gone)?;
                    self.tell_settings().await?;
                    continue;
                }
                () = silence => {
                    self.catch_up(state).await?;
                    let sign = self.sign_of_life();
                    self.send(sign).await?;
                    continue;
                }
                () = end(&mut ending) => return Err(Gone),
                () = self.to.closed() => return Err(Gone),
            }
            sleep(TOGETHER).await;
            // What came meanwhile is told now.
            changes.mark_unchanged();
            stored.mark_unchanged();
            announcements.mark_unchanged();
            permissions.mark_unchanged();
            self.catch_up(state).await?;
        }
    }

    /// Sends all that there is.
    async fn catch_up(&mut self, state: &State) -> Result<(), Gone> {
        // A store that cannot be read is logged; the connection ends, and its next one begins here.
        let missed = missed::behind(state, self.id, &self.only)
            .await
            .map_err(|_| Gone)?;
        for piece in missed.pieces {
            self.send(piece).await?;
        }
        self.told = missed.told.unwrap_or(self.told);
        self.id = missed.id;
        if self.only.announcements() {
            self.tell_announcements(state).await?;
        }
        if self.only.permissions() {
            self.tell_permissions(state).await?;
        }
        Ok(())
    }

    /// What is sent when nothing else is. Who is not told everything is told how far it has come: its next connection goes
    /// on from there.
    fn sign_of_life(&mut self) -> Bytes {
        if self.told == self.id {
            return Bytes::from_static(b": \n\n");
        }
        self.told = self.id;
        format!("id: {}\n\n", self.id).into()
    }

    async fn tell_settings(&self) -> Result<(), Gone> {
        let changed = SettingsChanged {};
        self.send(missed::framed(None, told::SETTINGS.name, &changed).into())
            .await
    }

    async fn tell_announcements(&mut self, state: &State) -> Result<(), Gone> {
        for decided in state.shared.announcements.after(self.announced) {
            self.announced = decided.number;
            let view = AnnouncementView::from(decided);
            self.send(missed::framed(None, told::ANNOUNCEMENT.name, &view).into())
                .await?;
        }
        Ok(())
    }

    /// Sends which permission requests began to wait, and which were settled.
    async fn tell_permissions(&mut self, state: &State) -> Result<(), Gone> {
        let changes = &state.shared.permissions.changes;
        for change in changes.after(self.permitted) {
            self.permitted = change.number;
            let piece = match change.item {
                Change::Began(request) => {
                    let view = PermissionView::of(&request, state).await;
                    missed::framed(None, told::PERMISSION.name, &view)
                }
                Change::Settled(id, how) => {
                    missed::framed(None, told::SETTLED.name, &PermissionSettled { how, id })
                }
            };
            self.send(piece.into()).await?;
        }
        Ok(())
    }

    async fn send(&self, piece: Bytes) -> Result<(), Gone> {
        self.to.send(piece).await.map_err(|_| Gone)
    }
}

async fn end(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await;
}
