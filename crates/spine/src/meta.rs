//! What is known about an event beside its payload: when, where, from whom, on which seat.
//!
//! Architecture Invariant: everything comes from a fixed list of variables. The environment of a
//! hook holds keys and passwords; it is never copied as a whole.

use std::borrow::Cow;
use std::path::Path;

use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::client::{Client, Product, Version};
use bellwether_protocol::error::ParseError;
use bellwether_protocol::event::{Event, Kind};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
pub use uuid::Uuid as Id;
use uuid::Uuid;

use crate::chain::Head;
use crate::{VERSION, clock};

/// The way of an event that somebody sent over HTTP, where a hook names its registration.
pub const INGEST: &str = "ingest";
/// The way of an event that the daemon made of what it saw in a transcript or of a process.
pub const WATCHED: &str = "synthetic";
/// The way of the person's answer on the page.
pub const PAGE: &str = "page";
/// The way of what a project's workflow has come to: written by the hook, a command or the daemon, behind what led to it.
pub const WORKFLOW: &str = "workflow";

/// The way of what the gate found out about a commit.
pub const GATE: &str = "gate";
/// The name of that event.
pub const COMMIT_CHECKED: &str = "CommitChecked";

/// The registration of our plugin.
pub const PLUGIN: &str = "plugin";

/// Whether a name stands for a way of ours, and so for no registration of a hook.
pub fn is_own_way(name: &str) -> bool {
    [INGEST, WATCHED, PAGE, WORKFLOW, GATE].contains(&name)
}

/// The envelope's `meta`. Every field but the id may be missing when it is read back: a record of
/// another version is still an event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Meta<'a> {
    /// The event's own id, in the order of time.
    pub id: Uuid,
    /// Wall clock, milliseconds since 1970.
    #[serde(default)]
    pub at_ms: u64,
    /// Boot clock, milliseconds.
    #[serde(default)]
    pub boot_ms: u64,
    /// Which boot that clock belongs to.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub boot_id: Option<Cow<'a, str>>,
    /// The project's short name: the last part of its folder.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<Cow<'a, str>>,
    /// The terminal, or what comes nearest to it.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub terminal_session_id: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub project_dir: Option<Cow<'a, str>>,
    /// How the client was started: `cli`, `sdk-cli` and others.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub entrypoint: Option<Cow<'a, str>>,
    /// Whether a person sits in front of the session.
    #[serde(default)]
    pub attended: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_pid: Option<u32>,
    /// Which program sent it, by the name of its [`Product`]. Records without one are older than this
    /// field, and from the only program there was.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub client: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub client_version: Option<Cow<'a, str>>,
    /// The version that the hook is registered for, where the client is of another.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub registered: Option<Cow<'a, str>>,
    /// Which registration called the hook: user, project, local, plugin.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub from: Option<Cow<'a, str>>,
    /// The event that the hook is registered for, where the registration names it: it counts when the payload does not.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub event: Option<Cow<'a, str>>,
    /// The version of the program that wrote this.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub forwarder_version: Option<Cow<'a, str>>,
    #[serde(default, borrow, skip_serializing_if = "Seat::is_unknown")]
    pub seat: Seat<'a>,
    /// The reply given to the client.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub reply: Option<&'a RawValue>,
    /// Where the audit chain stood once this event's refusal was in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Head>,
    /// What the guard said about this event's tool call, when it had something against it.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Ruling<'a>>,
    /// The event that told this one's fact, where the client has no event for it, or none that is registered.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub carrier: Option<Cow<'a, str>>,
    /// The session's environment asks that nothing be done when it ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip_session_end: bool,
    /// Why the payload could not be read as an event; it is then kept as a string.
    #[serde(default, borrow, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<Cow<'a, str>>,
}

/// What the guard said about a tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ruling<'a> {
    /// `deny` or `ask`; a record of another version may say something else.
    #[serde(borrow)]
    pub said: Cow<'a, str>,
    /// The rules that were against it.
    pub rules: Vec<String>,
}

impl Ruling<'_> {
    const REFUSAL: &'static str = "deny";
    const QUESTION: &'static str = "ask";

    pub fn refusal(rules: Vec<String>) -> Self {
        Self {
            said: Cow::Borrowed(Self::REFUSAL),
            rules,
        }
    }

    pub fn question(rules: Vec<String>) -> Self {
        Self {
            said: Cow::Borrowed(Self::QUESTION),
            rules,
        }
    }

    /// Whether the call was refused.
    pub fn is_refusal(&self) -> bool {
        self.said == Self::REFUSAL
    }

    /// Whether the person was asked first.
    pub fn is_question(&self) -> bool {
        self.said == Self::QUESTION
    }
}

/// The variables that tell where the person sits, in the order of [`Seat`]'s fields.
pub const SEAT: [&str; 6] = [
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XDG_RUNTIME_DIR",
    "PULSE_SERVER",
    "SSH_CONNECTION",
    "TMUX",
];
/// The variables by which terminals name themselves.
pub const TERMINALS: [&str; 2] = ["TERM_SESSION_ID", "WT_SESSION"];

/// The variable by which a session asks that nothing be done when it ends.
pub const SKIP_SESSION_END: &str = "SKIP_SESSION_END_HOOK";

/// Display, sound server and terminal of the person whose event this is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seat<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub display: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub wayland_display: Option<Cow<'a, str>>,
    /// Where that seat's sockets are.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub xdg_runtime_dir: Option<Cow<'a, str>>,
    /// A sound server named by hand.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub pulse_server: Option<Cow<'a, str>>,
    /// Set when the person is at the other end of SSH.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub ssh_connection: Option<Cow<'a, str>>,
    /// The tmux server and pane.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub tmux: Option<Cow<'a, str>>,
}

impl Seat<'_> {
    /// The same, for whoever keeps it.
    pub fn to_static(&self) -> Seat<'static> {
        let owned =
            |text: &Option<Cow<'_, str>>| text.as_deref().map(|text| text.to_owned().into());
        Seat {
            display: owned(&self.display),
            wayland_display: owned(&self.wayland_display),
            xdg_runtime_dir: owned(&self.xdg_runtime_dir),
            pulse_server: owned(&self.pulse_server),
            ssh_connection: owned(&self.ssh_connection),
            tmux: owned(&self.tmux),
        }
    }

    fn is_unknown(&self) -> bool {
        *self == Seat::default()
    }

    fn of(env: &impl Fn(&str) -> Option<String>) -> Seat<'static> {
        let [
            display,
            wayland_display,
            xdg_runtime_dir,
            pulse_server,
            ssh_connection,
            tmux,
        ] = SEAT.map(|name| env(name).map(Cow::Owned));
        Seat {
            display,
            wayland_display,
            xdg_runtime_dir,
            pulse_server,
            ssh_connection,
            tmux,
        }
    }
}

/// A variable of this process, if it is set to something.
pub fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}

/// Whether an agent started this process: the client sets this variable for all that it starts.
pub fn is_agent() -> bool {
    std::env::var_os("CLAUDECODE").is_some()
}

/// The client that calls: of the version that the registered command names, or of the newest. A variable can only make it
/// newer, for a cloned project may have set it: an older version would be told less, or nothing.
pub fn client(
    env: &impl Fn(&str) -> Option<String>,
    product: Product,
    registered: Option<Version>,
) -> Client {
    let Some(registered) = registered else {
        return Client::unknown(product);
    };
    let client = Client::new(product, registered);
    // Every version obeys the oldest form of a reply, and a version of that age no newer one.
    if !client.has(Feature::SpecificOutput) {
        return client;
    }
    let said = (product.wire().variables.version)(env);
    Client::new(
        product,
        said.map_or(registered, |said| said.max(registered)),
    )
}

impl Meta<'_> {
    /// The rules by which the guard refused the event's tool call.
    pub fn refused_by(&self) -> Option<&[String]> {
        let ruling = self.guard.as_ref().filter(|ruling| ruling.is_refusal());
        ruling.map(|ruling| ruling.rules.as_slice())
    }

    /// The client as it is registered: which events come by this registration, and which do not.
    pub fn registration(&self) -> Client {
        let product = self.client().product;
        let version = match self.from.as_deref() {
            Some(PLUGIN) => Some(product.wire().plugin),
            _ => self.registered(),
        };
        Client::new(product, version.unwrap_or(Version::UNKNOWN))
    }

    /// Who sent the payload, and so how it is read.
    pub fn client(&self) -> Client {
        let product = self.client.as_deref().and_then(Product::from_name);
        let version = self.client_version.as_deref().and_then(Version::parse);
        Client::new(
            product.unwrap_or_default(),
            version.unwrap_or(Version::UNKNOWN),
        )
    }

    /// Reads a payload that came with this.
    pub fn read<'p>(&self, payload: &'p str) -> Result<Event<'p>, ParseError> {
        self.client().parse_as(payload, self.named())
    }

    /// The kind of event that the registration named.
    pub fn named(&self) -> Option<Kind> {
        self.event.as_deref().and_then(kind_named)
    }

    /// The version of the client that the hook is registered for.
    pub fn registered(&self) -> Option<Version> {
        let said = self.registered.as_ref().or(self.client_version.as_ref());
        Version::parse(said?)
    }
}

/// The kind of event that one of our own words names.
pub fn kind_named(name: &str) -> Option<Kind> {
    Some(Kind::from_name(name)).filter(|kind| *kind != Kind::Other)
}

impl<'a> Meta<'a> {
    /// Gathers what this process knows about an event.
    pub fn gather(
        env: &impl Fn(&str) -> Option<String>,
        event: Option<&Event<'_>>,
        client: Client,
        from: Option<&'a str>,
    ) -> Meta<'a> {
        let at_ms = clock::wall_ms();
        let variables = &client.product.wire().variables;
        let project_dir = variables.project(env);
        let cwd = event.and_then(|event| event.cwd.as_deref());
        let workspace_id = project_dir
            .as_deref()
            .and_then(last_part)
            .or_else(|| cwd.and_then(last_part));
        let pid = variables.pid.and_then(env);
        let version = Some(client.version).filter(|version| *version != Version::UNKNOWN);
        let version = version.or_else(|| (variables.version)(env));
        Meta {
            id: fresh_id(at_ms),
            at_ms,
            boot_ms: clock::boot_ms(),
            boot_id: clock::boot_id().map(Cow::Owned),
            workspace_id: workspace_id.map(Cow::Owned),
            terminal_session_id: terminal(env, pid.as_deref(), event).map(Cow::Owned),
            project_dir: project_dir.map(Cow::Owned),
            attended: client.is_attended(env),
            entrypoint: variables.entrypoint.and_then(env).map(Cow::Owned),
            client_pid: pid.and_then(|pid| pid.parse().ok()).or_else(parent),
            client: Some(Cow::Borrowed(client.product.name())),
            client_version: version.map(|version| Cow::Owned(version.to_string())),
            registered: None,
            from: from.map(Cow::Borrowed),
            event: None,
            forwarder_version: Some(Cow::Borrowed(VERSION)),
            seat: Seat::of(env),
            reply: None,
            audit: None,
            guard: None,
            carrier: None,
            skip_session_end: asks_to_skip_end(env, event),
            unreadable: None,
        }
    }

    /// The same for another event, whose fact this one's event carries.
    #[must_use]
    pub fn carrying(&self, carrier: &'a str) -> Meta<'a> {
        Meta {
            id: fresh_id(self.at_ms),
            carrier: Some(Cow::Borrowed(carrier)),
            // It names itself.
            event: None,
            reply: None,
            audit: None,
            guard: None,
            ..self.clone()
        }
    }
}

/// Whether a session that ends asks, by the variable that the notification kit has for it, to be left alone.
fn asks_to_skip_end(env: &impl Fn(&str) -> Option<String>, event: Option<&Event<'_>>) -> bool {
    let ends = event.is_some_and(|event| event.kind == Kind::SessionEnd);
    ends && env(SKIP_SESSION_END).as_deref() == Some("1")
}

/// A new id (UUID version 7). The system is asked for random bytes directly: the usual crates look
/// for it through the dynamic linker, which a static binary does not have, and then open devices.
fn fresh_id(at_ms: u64) -> Uuid {
    let mut random = [0; 10];
    let got = rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty());
    if got != Ok(random.len()) {
        // A system without random numbers still tells two processes and two moments apart.
        let process = u64::from(std::process::id()) << 32;
        random[..8].copy_from_slice(&(clock::boot_ms() ^ process).to_le_bytes());
    }
    uuid::Builder::from_unix_timestamp_millis(at_ms, &random).into_uuid()
}

fn last_part(folder: &str) -> Option<String> {
    Some(
        Path::new(folder)
            .file_name()?
            .to_string_lossy()
            .into_owned(),
    )
}

/// The terminal's own name, else what comes nearest to it.
fn terminal(
    env: &impl Fn(&str) -> Option<String>,
    pid: Option<&str>,
    event: Option<&Event<'_>>,
) -> Option<String> {
    TERMINALS
        .into_iter()
        .find_map(env)
        .or_else(|| pid.map(str::to_owned))
        .or_else(|| event?.session.as_deref().map(str::to_owned))
}

fn parent() -> Option<u32> {
    u32::try_from(rustix::process::getppid()?.as_raw_pid()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        |name| {
            pairs
                .iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn the_project_names_the_workspace_and_the_terminal_falls_back() {
        let env = env(&[
            ("CLAUDE_PROJECT_DIR", "/home/dev/shop/"),
            ("CLAUDE_PID", "42"),
        ]);
        let meta = Meta::gather(&env, None, Client::default(), Some("user"));
        assert_eq!(meta.workspace_id.as_deref(), Some("shop"));
        assert_eq!(meta.terminal_session_id.as_deref(), Some("42"));
        assert_eq!(meta.client_pid, Some(42));
        assert_eq!(meta.from.as_deref(), Some("user"));
    }

    #[test]
    fn ids_are_version_7_and_differ() {
        let (first, second) = (fresh_id(5), fresh_id(5));
        assert_eq!((first.get_version_num(), second.get_version_num()), (7, 7));
        assert_ne!(first, second);
    }

    #[test]
    fn only_listed_variables_are_kept() {
        let env = env(&[("ANTHROPIC_API_KEY", "sk-ant-secret"), ("DISPLAY", ":1")]);
        let text =
            serde_json::to_string(&Meta::gather(&env, None, Client::default(), None)).unwrap();
        assert!(text.contains("\":1\"") && !text.contains("sk-ant"));
    }

    #[test]
    fn a_record_of_another_version_is_still_read() {
        let text = r#"{"id":"0197f0f0-0000-7000-8000-000000000000","colour":"blue"}"#;
        let meta: Meta<'_> = serde_json::from_str(text).unwrap();
        assert_eq!(meta.at_ms, 0);
    }

    #[test]
    fn a_variable_only_makes_the_client_newer() {
        let of = |env: &dyn Fn(&str) -> Option<String>, registered| {
            client(&|name: &str| env(name), Product::default(), registered).version
        };
        let said = env(&[("AI_AGENT", "claude-code_2-1-325_harness")]);
        let registered = Version::parse("2.0.30");
        assert_eq!(of(&said, registered), Version(2, 1, 325));
        assert_eq!(of(&said, None), Version::UNKNOWN, "the newest");
        let oldest = Version::parse("1.0.58");
        assert_eq!(
            of(&said, oldest),
            Version(1, 0, 58),
            "it obeys another form"
        );
        for said in [
            "",
            "claude-code_0-0-0",
            "claude-code_2-0-29_harness",
            "codex_9-9-9",
            "claude-code_99999999999-0-0",
            "claude-code_",
            "2.1.325",
        ] {
            let env = move |_: &str| Some(said.to_owned());
            assert_eq!(of(&env, registered), Version(2, 0, 30), "{said}");
            assert_eq!(of(&env, None), Version::UNKNOWN, "{said}");
        }
        assert_eq!(of(&|_| None, registered), Version(2, 0, 30));
        assert_eq!(of(&|_| None, None), Version::UNKNOWN);
    }

    #[test]
    fn a_record_says_who_sent_it() {
        for &product in Product::ALL {
            let sent = Client::new(product, Version(1, 2, 3));
            let text = serde_json::to_string(&Meta::gather(&|_| None, None, sent, None)).unwrap();
            let meta: Meta<'_> = serde_json::from_str(&text).unwrap();
            assert_eq!(meta.client(), sent);
        }
        let older = r#"{"id":"0197f0f0-0000-7000-8000-000000000000","client_version":"2.1.300"}"#;
        let meta: Meta<'_> = serde_json::from_str(older).unwrap();
        assert_eq!(
            meta.client(),
            Client::new(Product::default(), Version(2, 1, 300))
        );
    }
}
