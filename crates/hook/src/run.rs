//! One event's way through the hook.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::os::fd::AsFd;
use std::path::PathBuf;

use bellwether_protocol::client::{Client, Product, Rendered};
use bellwether_protocol::event::{Event, Kind};
use bellwether_protocol::reply::Reply;
use bellwether_spine::chain::Head;
use bellwether_spine::journal::{self, Appended, Envelope, Keep, Payload};
use bellwether_spine::meta::{self, Id, Meta};
use bellwether_spine::trouble::Troubles;
use bellwether_spine::wake::{self, Wake};
use bellwether_spine::{Home, Managed, SpineError, VERSION, launch, lock, signals};

use crate::answer::{Afterwards, Settled, Wait};
use crate::arguments::Arguments;
use crate::fallback;
use crate::guard::timer;
use crate::handled::{CalledBy, Handled};
use crate::handlers::{self, Context, troubles};
use crate::input::{self, End, Input};
use crate::looked::Looked;
use crate::own;
use crate::settings::{Making, Settings};

/// What is told when the journal is at its cap.
const FULL: &str = "events are being lost: the journal is full because no daemon reads it; see `bellwether status`";

/// Handles the one event that stands on stdin and returns the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = Arguments::parse(words);
    if arguments.help {
        return help();
    }
    signals::ignore_write_signals();
    let (home, homeless) = match Home::find(arguments.home.clone()) {
        Ok(home) => (home, None),
        Err(error) => (Home::nowhere(), Some(error)),
    };
    let client = meta::client(&meta::variable, arguments.agent, arguments.client);
    survive_panics(home.clone(), client);
    let stdin = std::io::stdin();
    let input = input::read(stdin.as_fd());
    if input.bytes.trim_ascii().is_empty() {
        return nothing(stdin.is_terminal());
    }
    let text = String::from_utf8_lossy(&input.bytes);
    let visit = Visit {
        client,
        arguments: &arguments,
        managed: arguments.managed.then(Managed::default),
        home,
        homeless,
    };
    match client.parse_as(&text, arguments.event) {
        Ok(event) => visit.event(&event, &text),
        Err(error) => visit.unreadable(&text, &why(&input, &error.to_string())),
    }
}

fn help() -> u8 {
    let agents: Vec<&str> = Product::ALL.iter().map(|agent| agent.name()).collect();
    let agents = agents.join(", ");
    // Whoever reads it may have read enough.
    let _ = writeln!(
        std::io::stdout(),
        "bellwether-hook {VERSION}: reads one event of Claude Code from stdin, answers it, and always exits 0\n\n\
         Usage: bellwether-hook [--home DIR] [--agent NAME] [--client VERSION] [--from NAME] [--event EVENT] [--managed] [--no-daemon]\n\n  \
         --home DIR        keep every file of bellwether under this folder\n  \
         --agent NAME      the program it is registered with: {agents}\n  \
         --client VERSION  the version of that program\n  \
         --from NAME       which registration calls it: user, project, local, managed, plugin\n  \
         --event EVENT     the event it is registered for, where the program does not name it\n  \
         --managed         the policy of this machine in /etc/bellwether counts\n  \
         --no-daemon       start no daemon"
    );
    0
}

/// Nothing came. A person at a terminal has started the hook by hand.
fn nothing(by_hand: bool) -> u8 {
    if by_hand {
        let _ = writeln!(
            std::io::stderr(),
            "bellwether-hook reads one event of Claude Code from stdin; see `bellwether --help`"
        );
    }
    0
}

/// A fault of ours must not become the agent's: the process ends as if nothing had been said, or, while
/// something is being judged, with the question whether it may happen.
fn survive_panics(home: Home, client: Client) {
    std::panic::set_hook(Box::new(move |panic| {
        let _ = Troubles(&home).note("hook_panicked", &format!("the hook failed: {panic}"));
        timer::stay_behind();
        if let Some(reply) = fallback::take().reply() {
            say(&client.render(Kind::PreToolUse, &reply));
        }
        #[expect(
            clippy::exit,
            reason = "the only way to leave a panic with exit code 0"
        )]
        std::process::exit(0);
    }));
}

fn why(input: &Input, error: &str) -> String {
    let bytes = input.bytes.len();
    match input.end {
        End::Complete => format!("the event is no JSON object: {error}"),
        End::Closed => format!("the event ended after {bytes} bytes: {error}"),
        End::Silent => format!("the event stopped after {bytes} bytes and nothing came for 2 s"),
        End::TooLong => format!("the event is longer than {} MiB", input::MOST >> 20),
    }
}

/// One visit of the client.
struct Visit<'a> {
    arguments: &'a Arguments,
    managed: Option<Managed>,
    home: Home,
    /// Why there is no home. What must be answered is answered all the same; nothing is kept.
    homeless: Option<SpineError>,
    client: Client,
}

impl Visit<'_> {
    /// An event: answered, kept, passed on.
    fn event(&self, event: &Event<'_>, text: &str) -> u8 {
        let project = project_of(event, self.client);
        let settings = Settings::new(&self.home, project, Making::WhenStale);
        let settings = settings.under(self.managed.as_ref());
        let looked = Looked::default();
        let Settled {
            mut reply,
            afterwards,
            ruling,
            waits,
            events,
        } = handlers::dispatch(Context {
            event,
            home: &self.home,
            client: self.client,
            registered: self.caller().registration(),
            settings: &settings,
            looked: &looked,
        });
        let mut rendered = self.client.render(event.kind, &reply);
        let when = When::of(event, &reply, &waits);
        if when != When::Kept {
            // What was judged is decided: whatever fails from here on takes nothing back.
            fallback::take();
        }
        if when == When::First {
            say(&rendered);
        }
        let audit = self.do_afterwards(afterwards);
        let kept = self.keep(Handled {
            event,
            text,
            reply: &reply,
            rendered: &rendered,
            audit: audit.as_ref(),
            ruling: ruling.as_ref(),
        });
        match &kept {
            Ok((Appended::Written, _)) => self.keep_own(event, &events),
            Ok((Appended::Dropped, _)) => drop(self.note("journal_full", FULL)),
            Err(error) => {
                self.note_journal(error, event, &mut reply);
                rendered = self.client.render(event.kind, &reply);
            }
        }
        if when == When::Kept {
            say(&rendered);
        }
        self.note_arguments();
        if kept.is_ok() {
            self.wake();
        }
        if when == When::Last {
            let id = match kept {
                Ok((Appended::Written, id)) => Some(id.to_string()),
                _ => None,
            };
            let end = |reply: Reply, wait: Wait<'_>| reply.merge((wait.end)(id.as_deref()));
            let reply = waits.into_iter().fold(reply, end);
            rendered = self.client.render(event.kind, &reply);
            say(&rendered);
        }
        rendered.exit
    }

    /// Something that is no event: kept as it came, told later.
    fn unreadable(&self, text: &str, why: &str) -> u8 {
        let meta = Meta {
            unreadable: Some(why.into()),
            ..Meta::gather(&meta::variable, None, self.client, self.from())
        };
        self.note("unreadable_event", why);
        let record = Envelope::encode(&meta, Payload::Unreadable(text));
        if record
            .and_then(|record| self.append(&record, Keep::IfRoom))
            .is_ok()
        {
            self.wake();
        }
        0
    }

    /// What was to be done once the reply was said. Whoever fails notes that by itself.
    fn do_afterwards(&self, all: Vec<Afterwards<'_>>) -> Option<Head> {
        if !all.is_empty() {
            // A first event has no folder to be recorded in yet.
            let _ = self.home.create();
        }
        let done = all.into_iter().map(|afterwards| (afterwards.act)());
        done.filter_map(|done| done.ok().flatten()).last()
    }

    fn keep(&self, handled: Handled<'_>) -> Result<(Appended, Id), SpineError> {
        let (record, id) = handled.record(self.caller())?;
        Ok((self.append(&record, handled.keep())?, id))
    }

    /// Events of our own that this one has led to. The status file has their fact: what does not fit is not missed.
    fn keep_own(&self, event: &Event<'_>, payloads: &[String]) {
        let project = project_of(event, self.client);
        for payload in payloads {
            let record = own::record(
                event,
                self.client,
                project.as_deref(),
                meta::WORKFLOW,
                payload,
            );
            if let Err(error) = record.and_then(|record| self.append(&record, Keep::IfRoom)) {
                self.note("journal_not_written", &error.to_string());
            }
        }
    }

    fn append(&self, record: &[u8], keep: Keep) -> Result<Appended, SpineError> {
        if let Some(error) = &self.homeless {
            return Err(SpineError::Record(error.to_string()));
        }
        let over_http = self.from() == Some(crate::OVER_HTTP);
        let keep = match keep {
            Keep::IfRoom if over_http => Keep::IfMuchRoom,
            keep => keep,
        };
        journal::append(&self.home, record, keep)
    }

    fn from(&self) -> Option<&str> {
        self.arguments.from.as_deref()
    }

    fn caller(&self) -> CalledBy<'_> {
        CalledBy {
            client: self.client,
            registered: self.arguments.client,
            from: self.from(),
            event: self.arguments.event,
        }
    }

    /// Wakes the daemon; when there is none, starts one and does not wait for it.
    fn wake(&self) {
        let home = &self.home;
        if wake::send(home) != Wake::Nobody || self.arguments.no_daemon {
            return;
        }
        if let Err(error) = start(home) {
            self.note(
                "daemon_not_started",
                &format!("the daemon could not be started: {error}"),
            );
        }
    }

    fn note_arguments(&self) {
        for word in &self.arguments.unknown {
            self.note(
                "unknown_argument",
                &format!("the hook is registered with an unknown argument: {word}"),
            );
        }
    }

    /// A journal that does not take events is told at once, and where that cannot be remembered only
    /// at the start of a session.
    fn note_journal(&self, error: &SpineError, event: &Event<'_>, reply: &mut Reply) {
        let text = format!("events are being lost: {error}");
        let session = event.session.as_deref().unwrap_or_default();
        let tell = if self.note("journal_not_written", &text) {
            let untold = Troubles(&self.home).untold(session);
            let can_tell = troubles::can_tell(event.kind) && !untold.is_empty();
            can_tell && Troubles(&self.home).told(session, &untold).is_ok()
        } else {
            event.kind == Kind::SessionStart
        };
        if tell {
            let told = Reply {
                message: Some(troubles::line(&text)),
                ..Reply::default()
            };
            *reply = std::mem::take(reply).merge(told);
        }
    }

    fn note(&self, code: &str, text: &str) -> bool {
        Troubles(&self.home).note(code, text).is_ok()
    }
}

/// When the reply is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Before anything that may fail: verdict first.
    First,
    /// Once the event is kept, where the reply can tell that it was not; nothing is decided there.
    Kept,
    /// Once what takes its time is done.
    Last,
}

impl When {
    fn of(event: &Event<'_>, reply: &Reply, waits: &[Wait<'_>]) -> Self {
        // A decision waits for nothing, and whoever has heard one is told nothing more.
        if reply.decision.is_none() && !waits.is_empty() {
            return Self::Last;
        }
        if troubles::can_tell(event.kind) {
            return Self::Kept;
        }
        Self::First
    }
}

/// The project that an event belongs to.
pub fn project_of(event: &Event<'_>, client: Client) -> Option<PathBuf> {
    let folder = client.product.wire().variables.project(&meta::variable);
    let folder = folder.or_else(|| event.cwd.as_deref().map(str::to_owned))?;
    Some(PathBuf::from(folder)).filter(|folder| folder.is_absolute())
}

/// Starts a daemon unless one runs or is being started: the lock is taken here and handed over.
fn start(home: &Home) -> Result<(), SpineError> {
    let Some(lock) = lock::try_take(home)? else {
        return Ok(());
    };
    launch::daemon(&launch::program()?, home, &lock, &[])
}

/// Writes the reply, not through the library's buffers: nobody would empty them at the end.
fn say(rendered: &Rendered) {
    for (stream, text) in [
        (rustix::stdio::stdout(), &rendered.stdout),
        (rustix::stdio::stderr(), &rendered.stderr),
    ] {
        let mut rest = text.as_deref().unwrap_or_default().as_bytes();
        while !rest.is_empty() {
            match rustix::io::write(stream, rest) {
                Ok(written) => rest = &rest[written..],
                Err(rustix::io::Errno::INTR) => {}
                // A client that has gone away is no error.
                Err(_) => break,
            }
        }
    }
}
