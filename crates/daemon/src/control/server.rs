//! The daemon's end of the control socket.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bellwether_spine::ancestry::{Origin, System};
use bellwether_spine::permission::{Asked, Told};
use bellwether_spine::{Home, VERSION, clock};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;
use tracing::warn;

use super::{ControlAnswer, ControlRequest, Status};
use crate::alarm::{Alarm, Cause};
use crate::http::{Keys, Library, address};
use crate::permissions::{Place, Visit};
use crate::pipeline::Asker;
use crate::serve::Exit;
use crate::shared::{Connected, Shared, locked};
use crate::watched::Watched;

/// A permission request holds what a tool is called with, which the hook keeps shorter than this.
const LONGEST: u64 = 1 << 20;

/// What a connection needs to answer.
#[derive(Clone)]
pub(crate) struct Context {
    pub home: Home,
    pub shared: Arc<Shared>,
    pub asker: Asker,
    pub keys: Arc<Keys>,
    pub alarm: Arc<Alarm>,
    pub watched: Arc<Watched>,
    pub library: Library,
    pub exit: mpsc::Sender<Exit>,
    pub started_ms: u64,
}

/// Serves one connection until the client has gone.
pub(crate) async fn serve(stream: UnixStream, context: Context) {
    let ours = rustix::process::getuid().as_raw();
    let pid = match stream.peer_cred() {
        Ok(peer) if peer.uid() == ours => peer.pid(),
        Ok(peer) => return warn!("refused a control connection of user {}", peer.uid()),
        Err(error) => return warn!("refused a control connection: {error}"),
    };
    let _connected = Connected::new(Arc::clone(&context.shared));
    let (from, mut to) = stream.into_split();
    let mut lines = BufReader::new(from);
    while let Some(line) = next_line(&mut lines).await {
        let answered = match serde_json::from_str(&line) {
            Ok(request) => {
                let asks = Asks { request, pid };
                answer(asks, &mut lines, &mut to, &context).await
            }
            Err(error) => {
                send(
                    &mut to,
                    &ControlAnswer::Failed(format!("no such request: {error}")),
                )
                .await
            }
        };
        if answered.is_err() {
            return;
        }
    }
}

async fn next_line(lines: &mut BufReader<OwnedReadHalf>) -> Option<String> {
    use tokio::io::AsyncReadExt as _;
    let mut line = String::new();
    let length = lines.take(LONGEST).read_line(&mut line).await.ok()?;
    (length > 0 && line.ends_with('\n')).then_some(line)
}

async fn send(to: &mut OwnedWriteHalf, answer: &ControlAnswer) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    to.write_all(&line).await
}

/// What is asked, and by which process.
struct Asks {
    request: ControlRequest,
    pid: Option<i32>,
}

impl ControlRequest {
    /// What only a person may ask, in a few words.
    fn persons(&self) -> Option<&'static str> {
        match self {
            Self::Open => Some("opening the page"),
            Self::NewToken(_) => Some("making a token"),
            Self::Revoke(_) => Some("ending a token"),
            Self::Changed => Some("changing settings"),
            Self::Stop => Some("stopping the daemon"),
            Self::Status
            | Self::Sync
            | Self::Watch
            | Self::Listen
            | Self::Person
            | Self::Tokens
            | Self::Permission(_) => None,
        }
    }
}

/// Why whoever asks is not taken for a person.
async fn no_person(pid: Option<i32>, shared: &Arc<Shared>) -> Option<String> {
    // Where the system does not say who asks, as in another system's container, nobody can be told for a person.
    let Some(pid) = pid
        .and_then(|pid| u32::try_from(pid).ok())
        .filter(|pid| *pid > 0)
    else {
        return System::tells().then(|| "the system does not say which process asks".to_owned());
    };
    let shared = Arc::clone(shared);
    let judged = tokio::task::spawn_blocking(move || shared.people.origin(pid));
    match judged.await {
        Ok(Origin::Person) => None,
        Ok(Origin::Agent(why) | Origin::Unclear(why)) => Some(why),
        Err(error) => Some(error.to_string()),
    }
}

/// Lets a person's wish through, and tells the person of anybody else's.
async fn admit(asks: &Asks, context: &Context) -> Result<(), ControlAnswer> {
    let Some(what) = asks.request.persons() else {
        return Ok(());
    };
    let Some(why) = no_person(asks.pid, &context.shared).await else {
        return Ok(());
    };
    // Whoever tightens something says so too; what loosens is told by what the files then hold.
    if !matches!(asks.request, ControlRequest::Changed) {
        let told = format!("{what} ({why})");
        context.alarm.raise(Cause::ActedAsPerson, &told).await;
    }
    Err(ControlAnswer::Failed(format!(
        "{what} is for a person, not for an agent: {why}. If you are a person, do it in a terminal that you opened yourself"
    )))
}

async fn answer(
    asks: Asks,
    lines: &mut BufReader<OwnedReadHalf>,
    to: &mut OwnedWriteHalf,
    context: &Context,
) -> std::io::Result<()> {
    if let Err(refused) = admit(&asks, context).await {
        return send(to, &refused).await;
    }
    match asks.request {
        ControlRequest::Person => {
            let why = no_person(asks.pid, &context.shared).await;
            send(to, &ControlAnswer::Person(why)).await
        }
        ControlRequest::NewToken(name) => send(to, &new_token(&name, context)).await,
        ControlRequest::Tokens => send(to, &ControlAnswer::Tokens(context.keys.tokens())).await,
        ControlRequest::Revoke(name) => send(to, &revoke(&name, context)).await,
        ControlRequest::Changed => {
            context.watched.settle();
            context.shared.preferences.look(&context.home);
            send(to, &ControlAnswer::Done).await
        }
        ControlRequest::Status => {
            send(
                to,
                &ControlAnswer::Status(Status::of(&context.shared, context.started_ms)),
            )
            .await
        }
        ControlRequest::Sync => {
            let drained = context.asker.drain().await;
            send(
                to,
                &drained.map_or_else(ControlAnswer::Failed, |()| ControlAnswer::Done),
            )
            .await
        }
        ControlRequest::Watch => watch(lines, to, &context.shared).await,
        ControlRequest::Listen => listen(lines, to, &context.shared).await,
        ControlRequest::Open => send(to, &open(context)).await,
        ControlRequest::Permission(asked) => permission(*asked, lines, to, context).await,
        ControlRequest::Stop => {
            // Answered first: with the daemon this connection ends too.
            send(to, &ControlAnswer::Done).await?;
            let _ = context.exit.send(Exit::Stop).await;
            Ok(())
        }
    }
}

/// The longest name of a token.
const NAME: usize = 80;

fn new_token(name: &str, context: &Context) -> ControlAnswer {
    if name.trim().is_empty() || name.chars().count() > NAME || name.chars().any(char::is_control) {
        return ControlAnswer::Failed(format!("a token's name has 1 to {NAME} characters"));
    }
    let made = context.keys.new_token(name);
    context.watched.settle();
    made.map_or_else(
        |error| ControlAnswer::Failed(error.to_string()),
        ControlAnswer::Token,
    )
}

fn revoke(name: &str, context: &Context) -> ControlAnswer {
    let ended = context.keys.revoke(name);
    context.watched.settle();
    match ended {
        Ok(true) => ControlAnswer::Done,
        Ok(false) => ControlAnswer::Failed("there is no token of that name".to_owned()),
        Err(error) => ControlAnswer::Failed(error.to_string()),
    }
}

/// An address that opens the page once.
fn open(context: &Context) -> ControlAnswer {
    address(&context.shared, &context.keys)
        .map_or_else(ControlAnswer::Failed, ControlAnswer::Address)
}

/// Holds a hook until its request is settled. While nothing can be stored nobody would see that the terminal has answered,
/// so then it is not held.
async fn permission(
    asked: Asked,
    lines: &mut BufReader<OwnedReadHalf>,
    to: &mut OwnedWriteHalf,
    context: &Context,
) -> std::io::Result<()> {
    let shared = &context.shared;
    let place = Place::of(&asked, &context.library).await;
    let can_hear = locked(&shared.store_trouble).is_none();
    let visit = can_hear.then(|| Visit::begin(&shared.permissions, asked, place));
    let Some(visit) = visit.flatten() else {
        return send(to, &ControlAnswer::Permission(Told::Nobody)).await;
    };
    send(to, &ControlAnswer::Permission(Told::Waiting)).await?;
    let gone = async { while next_line(lines).await.is_some() {} };
    let told = visit.wait(gone).await;
    send(to, &ControlAnswer::Permission(told)).await
}

/// Tells every move of the last stored event, until the client goes.
async fn watch(
    lines: &mut BufReader<OwnedReadHalf>,
    to: &mut OwnedWriteHalf,
    shared: &Shared,
) -> std::io::Result<()> {
    let mut stored = shared.stored.subscribe();
    stored.mark_changed();
    let gone = async { while next_line(lines).await.is_some() {} };
    tokio::pin!(gone);
    loop {
        tokio::select! {
            () = &mut gone => return Err(std::io::ErrorKind::BrokenPipe.into()),
            changed = stored.changed() => {
                let seq = *stored.borrow_and_update();
                changed.map_err(|_| std::io::ErrorKind::BrokenPipe)?;
                send(to, &ControlAnswer::Stored(seq)).await?;
            }
        }
    }
}

/// Tells what was announced and what comes, until the client goes.
async fn listen(
    lines: &mut BufReader<OwnedReadHalf>,
    to: &mut OwnedWriteHalf,
    shared: &Shared,
) -> std::io::Result<()> {
    let mut moved = shared.announcements.subscribe();
    moved.mark_changed();
    let mut told = 0;
    let gone = async { while next_line(lines).await.is_some() {} };
    tokio::pin!(gone);
    loop {
        tokio::select! {
            () = &mut gone => return Err(std::io::ErrorKind::BrokenPipe.into()),
            changed = moved.changed() => {
                changed.map_err(|_| std::io::ErrorKind::BrokenPipe)?;
                moved.mark_unchanged();
                for decided in shared.announcements.after(told) {
                    told = decided.number;
                    send(to, &ControlAnswer::Announcement(decided)).await?;
                }
            }
        }
    }
}

impl Status {
    pub(crate) fn of(shared: &Shared, started_ms: u64) -> Self {
        let skipped = *locked(&shared.skipped);
        let http = locked(&shared.http).clone();
        Self {
            pid: std::process::id(),
            version: VERSION.to_owned(),
            up_ms: clock::boot_ms().saturating_sub(started_ms),
            events: shared.events.load(Ordering::Relaxed),
            announced: shared.announcements.announced(),
            heard: shared.heard.load(Ordering::Relaxed),
            sounded_us: shared.sounded_us.load(Ordering::Relaxed),
            sound_trouble: locked(&shared.sound_trouble).clone(),
            port: http.as_ref().ok().copied().flatten(),
            http_trouble: http.err(),
            store_trouble: locked(&shared.store_trouble).clone(),
            torn: skipped.torn,
            foreign: skipped.foreign,
        }
    }
}
