//! `bellwether status`: how the daemon, the journal and the store are, and what went wrong.

use std::io::Write as _;

use bellwether_announce::{Muted, Mutes};
use bellwether_daemon::control::{Client, Status};
use bellwether_flock::{Reader, StoreError, StoreReader as _};
use bellwether_gate::Running;
use bellwether_hook::policy;
use bellwether_spine::notice::Notices;
use bellwether_spine::trouble::{Trouble, Troubles};
use bellwether_spine::{Home, Managed, clock, journal, text};
use clap::Args;
use serde::Serialize;

use super::{gate, mute, upgrade};
use crate::{installation, managed, output};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct StatusReport {
    state: std::path::PathBuf,
    /// `managed` where a policy of this machine holds, else `user`.
    mode: &'static str,
    daemon: Option<Status>,
    journal: JournalReport,
    store: StoreReport,
    mutes: Vec<Muted>,
    /// What is being checked before a commit.
    gate: Vec<Running>,
    troubles: Vec<Trouble>,
    /// What is wrong with the policy of this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy_trouble: Option<String>,
    /// What `bellwether upgrade` would bring.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

#[derive(Serialize)]
struct JournalReport {
    bytes: u64,
    pending_bytes: u64,
    dropped: u64,
}

#[derive(Serialize)]
struct StoreReport {
    events: u64,
    trouble: Option<String>,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let report = gather(home)?;
    if arguments.json {
        return output::show_json(&report);
    }
    Ok(write!(output::stdout(), "{}", report.text())?)
}

fn mode(managed: &Managed) -> &'static str {
    if managed::is_registered(managed) {
        "managed"
    } else {
        "user"
    }
}

fn gather(home: &Home) -> anyhow::Result<StatusReport> {
    let managed = Managed::default();
    let daemon = Client::connect(home)?
        .map(|mut client| client.status())
        .transpose()?;
    let reader = Reader::open(&home.database());
    let opened = reader.as_ref().ok().and_then(Option::as_ref);
    let troubles = Troubles(home).recent().into_iter();
    Ok(StatusReport {
        state: home.state().to_owned(),
        mode: mode(&managed),
        daemon,
        journal: JournalReport {
            bytes: journal::total_bytes(&home.journal())?,
            pending_bytes: installation::pending(home, opened)?,
            dropped: journal::dropped(&home.journal()),
        },
        store: store(&reader),
        mutes: Mutes::load(home).all(clock::wall_ms()).collect(),
        gate: bellwether_gate::running(home, None),
        policy_trouble: (mode(&managed) == "managed")
            .then(|| policy::load(&managed).1.trouble(&managed))
            .flatten(),
        notices: notices(home),
        troubles: troubles
            .map(|trouble| Trouble {
                text: text::shown(&trouble.text, 400),
                ..trouble
            })
            .collect(),
    })
}

/// What the files of this folder say, or, where no client tells its version, what the daemon noticed.
fn notices(home: &Home) -> Vec<String> {
    let noticed = || {
        let standing = Notices(home).standing().into_iter();
        standing
            .map(|notice| text::shown(&notice.text, 400))
            .collect()
    };
    upgrade::pending().unwrap_or_else(noticed)
}

fn store(reader: &Result<Option<Reader>, StoreError>) -> StoreReport {
    let count = match reader {
        Ok(Some(reader)) => reader.count().map_err(|error| error.to_string()),
        Ok(None) => Ok(0),
        Err(error) => Err(error.to_string()),
    };
    StoreReport {
        events: *count.as_ref().unwrap_or(&0),
        trouble: count.err(),
    }
}

impl StatusReport {
    fn text(&self) -> String {
        let mut lines = vec![
            ("daemon", self.daemon_line()),
            ("journal", self.journal_line()),
            ("store", output::many_of(self.store.events, "event")),
            ("files", self.state.display().to_string()),
            ("mode", self.mode_line()),
        ];
        if let Some(trouble) = &self.policy_trouble {
            lines.push(("trouble", trouble.clone()));
        }
        lines.extend(self.mutes.iter().map(|muted| ("muted", mute::told(muted))));
        let checking = |running| ("gate", format!("checking {}", gate::running_line(running)));
        lines.extend(self.gate.iter().map(checking));
        if let Some(trouble) = &self.store.trouble {
            lines.push(("trouble", trouble.clone()));
        }
        if let Some(daemon) = &self.daemon {
            lines.push(("told", told_line(daemon)));
            let troubles = [
                &daemon.http_trouble,
                &daemon.store_trouble,
                &daemon.sound_trouble,
            ];
            lines.extend(
                troubles
                    .into_iter()
                    .flatten()
                    .map(|trouble| ("trouble", trouble.clone())),
            );
        }
        lines.extend(
            self.troubles
                .iter()
                .map(|trouble| ("trouble", told(trouble))),
        );
        lines.extend(self.notices.iter().map(|notice| ("notice", notice.clone())));
        lines.iter().fold(String::new(), |text, (name, line)| {
            format!("{text}{name:9}{line}\n")
        })
    }

    fn mode_line(&self) -> String {
        if self.mode == "managed" {
            let policy = Managed::default().policy();
            format!("managed: the guard obeys {}", policy.display())
        } else {
            "user: the guard obeys your own configuration".to_owned()
        }
    }

    fn daemon_line(&self) -> String {
        let Some(daemon) = &self.daemon else {
            return "not running; the next event starts it".to_owned();
        };
        let port = daemon
            .port
            .map_or_else(String::new, |port| format!(", http://127.0.0.1:{port}"));
        let up = output::duration(daemon.up_ms);
        format!(
            "running for {up}, process {}, version {}{port}",
            daemon.pid, daemon.version
        )
    }

    fn journal_line(&self) -> String {
        let journal = &self.journal;
        let (all, pending) = (
            output::bytes(journal.bytes),
            output::bytes(journal.pending_bytes),
        );
        let dropped = match journal.dropped {
            0 => String::new(),
            1 => "; 1 event was dropped when it was full".to_owned(),
            count => format!("; {count} events were dropped when it was full"),
        };
        format!("{all}, {pending} not stored yet{dropped}")
    }
}

/// How much was announced, and how much of it was heard.
fn told_line(daemon: &Status) -> String {
    let announced = output::many_of(daemon.announced, "announcement");
    format!(
        "{announced} since the daemon started, {} heard",
        daemon.heard
    )
}

fn told(trouble: &Trouble) -> String {
    let times = if trouble.count > 1 {
        format!(" ({} times)", trouble.count)
    } else {
        String::new()
    };
    format!("{}{times}: {}", output::moment(trouble.at_ms), trouble.text)
}
