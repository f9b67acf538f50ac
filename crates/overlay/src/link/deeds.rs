//! What the person does by the overlay, asked of the daemon on a thread of its own, so that nothing that is drawn waits.

use std::process::{Command, Stdio};
use std::sync::PoisonError;
use std::time::Duration;

use bellwether_spine::{Home, launch};
use serde::Deserialize;
use serde_json::json;

use super::{Daemon, Found, Ignored, News, Post};
use crate::terminal;
use crate::words::Words;

/// What opens an address, in the order in which they are tried.
const OPENERS: [&str; 3] = ["xdg-open", "gio", "sensible-browser"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    Allow {
        request: String,
    },
    Deny {
        request: String,
    },
    /// Open the page in the browser, at a place in it.
    Open {
        place: String,
    },
    /// Silence announcements for a while, or no longer.
    Mute(Option<Duration>),
    Language(&'static str),
    /// Raise the terminal that this process of a client runs in.
    Raise {
        pid: Option<u32>,
        words: &'static Words,
    },
    AtLogin(bool),
}

#[derive(Debug, Clone)]
pub struct Deeds {
    home: Home,
    found: Found,
    post: Post,
}

#[derive(Deserialize)]
struct Address {
    address: String,
}

impl Deeds {
    pub fn new(home: Home, found: Found, post: Post) -> Self {
        Self { home, found, post }
    }

    /// Does it; what goes wrong comes back as news about that agent.
    pub fn begin(&self, deed: Deed, agent: Option<&str>) {
        let (deeds, agent) = (self.clone(), agent.map(str::to_owned));
        let done = std::thread::Builder::new()
            .name("deed".to_owned())
            .spawn(move || {
                if let Err(why) = deeds.perform(&deed) {
                    let _ = deeds.post.send(News::Failed { agent, why });
                }
            });
        if let Err(error) = done {
            let why = error.to_string();
            let _ = self.post.send(News::Failed { agent: None, why });
        }
    }

    fn perform(&self, deed: &Deed) -> Result<(), String> {
        match deed {
            Deed::Allow { request } => self.answer(request, "allow"),
            Deed::Deny { request } => self.answer(request, "deny"),
            Deed::Open { place } => self.open(place),
            Deed::Mute(length) => self.mute(*length),
            Deed::Language(language) => {
                let changes = json!({ "changes": { "language": language } });
                self.daemon()?
                    .put::<Ignored>("/api/settings", &changes)
                    .map(drop)
                    .map_err(said)
            }
            Deed::Raise { pid, words } => {
                let pid = pid.ok_or(words.terminal_gone)?;
                terminal::raise(pid).map_err(|why| why.said(words).to_owned())
            }
            Deed::AtLogin(on) => self.at_login(*on),
        }
    }

    fn daemon(&self) -> Result<Daemon, String> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found
            .clone()
            .ok_or_else(|| "the daemon does not run".to_owned())
    }

    fn answer(&self, request: &str, answer: &str) -> Result<(), String> {
        let path = format!("/api/permissions/{}", encoded(request));
        self.daemon()?
            .post::<Ignored>(&path, &json!({ "answer": answer }))
            .map(drop)
            .map_err(said)
    }

    fn mute(&self, length: Option<Duration>) -> Result<(), String> {
        let daemon = self.daemon()?;
        match length {
            Some(length) => {
                daemon.put::<Ignored>("/api/mutes", &json!({ "seconds": length.as_secs() }))
            }
            None => daemon.delete::<Ignored>("/api/mutes"),
        }
        .map(drop)
        .map_err(said)
    }

    /// One place knows how programs are started at login: the command that a person would type.
    fn at_login(&self, on: bool) -> Result<(), String> {
        let program = launch::program().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        if let Some(root) = self.home.root() {
            command.arg("--home").arg(root);
        }
        command.args(["overlay", "--at-login", if on { "on" } else { "off" }]);
        ends_well(&mut command).then_some(()).ok_or_else(|| {
            "`bellwether overlay --at-login` failed: try it in a terminal".to_owned()
        })
    }

    fn open(&self, place: &str) -> Result<(), String> {
        let Address { address } = self
            .daemon()?
            .post("/api/open", &json!({ "to": place }))
            .map_err(said)?;
        let opened = OPENERS.iter().any(|opener| opens(opener, &address));
        opened
            .then_some(())
            .ok_or_else(|| "there is no browser to open the page with".to_owned())
    }
}

/// The daemon's own words where it has some.
fn said(error: super::HttpError) -> String {
    match error {
        super::HttpError::Refused { why, .. } => why,
        other => other.to_string(),
    }
}

fn opens(opener: &str, address: &str) -> bool {
    let mut command = Command::new(opener);
    if opener == "gio" {
        command.arg("open");
    }
    command.arg(address);
    ends_well(&mut command)
}

fn ends_well(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A text as a part of an address.
pub fn encoded(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}
