//! Where a sound server listens: what `PULSE_SERVER` and the usual places say.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::{Seat, Settings};

/// Where PulseAudio listens when a server is named by its host alone.
const PORT: u16 = 4713;
/// Where the sound server of Windows listens in WSL.
pub(super) const WSLG: &str = "/mnt/wslg/PulseServer";

/// One place at which a server may listen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Address {
    /// A socket on this machine.
    Unix(PathBuf),
    /// A host and a port.
    Tcp(String, u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NamedBy {
    /// The person, in their own configuration.
    Person,
    /// A variable of the session. A project can set that, so it is believed less.
    Session,
    /// Nobody: it is a usual place.
    Custom,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "{}", path.display()),
            Self::Tcp(host, port) => write!(f, "{host}:{port}"),
        }
    }
}

impl Address {
    /// One word of a list such as `PULSE_SERVER` has. A word that begins with the id of another machine
    /// is not for us.
    fn parse(word: &str, machine: Option<&str>) -> Option<Self> {
        let word = match word.strip_prefix('{') {
            Some(rest) => {
                let (id, rest) = rest.split_once('}')?;
                (Some(id) == machine).then_some(rest)?
            }
            None => word,
        };
        if let Some(path) = word.strip_prefix("unix:") {
            return Some(Self::Unix(PathBuf::from(path)));
        }
        if word.starts_with('/') {
            return Some(Self::Unix(PathBuf::from(word)));
        }
        let schemes = ["tcp:", "tcp4:", "tcp6:"].iter();
        let host = schemes.fold(word, |word, scheme| {
            word.strip_prefix(scheme).unwrap_or(word)
        });
        Self::tcp(host)
    }

    fn tcp(text: &str) -> Option<Self> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (host, port) = rest.split_once(']')?;
                (host, port.strip_prefix(':'))
            }
            None => match text.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        let port = port.map_or(Some(PORT), |port| port.parse().ok())?;
        (!host.is_empty()).then(|| Self::Tcp(host.to_owned(), port))
    }

    /// Whether what is sent there stays on this machine, or goes through a tunnel of it.
    pub(super) fn is_here(&self) -> bool {
        match self {
            Self::Unix(_) => true,
            Self::Tcp(host, _) => {
                let parsed = host.parse::<std::net::IpAddr>();
                host == "localhost" || parsed.is_ok_and(|ip| ip.is_loopback())
            }
        }
    }
}

/// Where the sound server of a seat may listen, the likeliest first.
pub(super) fn candidates(seat: &Seat, settings: &Settings) -> Vec<(Address, NamedBy)> {
    let machine = std::fs::read_to_string("/etc/machine-id").ok();
    let machine = machine.as_deref().map(str::trim);
    let listed = |list: &str, named: NamedBy| -> Vec<(Address, NamedBy)> {
        let words = list.split_whitespace();
        let known = words.filter_map(|word| Address::parse(word, machine));
        known.map(|address| (address, named)).collect()
    };
    if !settings.server.is_empty() {
        return listed(&settings.server, NamedBy::Person);
    }
    if let Some(list) = &seat.pulse_server {
        return listed(list, NamedBy::Session);
    }
    let folders = seat.runtime_folders().into_iter();
    let usual = folders.map(|folder| folder.join("pulse/native"));
    let wslg = Path::new(WSLG).exists().then(|| PathBuf::from(WSLG));
    usual
        .chain(wslg)
        .map(|path| (Address::Unix(path), NamedBy::Custom))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(word: &str) -> Option<String> {
        Address::parse(word, Some("beef")).map(|address| address.to_string())
    }

    #[test]
    fn every_form_of_an_address() {
        for (word, address) in [
            ("unix:/run/p", Some("/run/p")),
            ("/run/p", Some("/run/p")),
            ("{beef}unix:/run/p", Some("/run/p")),
            ("{dead}unix:/run/p", None),
            ("{beef", None),
            ("tcp:host:99", Some("host:99")),
            ("tcp:host", Some("host:4713")),
            ("tcp6:[::1]:99", Some("::1:99")),
            ("tcp6:[::1]", Some("::1:4713")),
            ("host", Some("host:4713")),
            ("tcp:", None),
            ("tcp:host:x", None),
            ("", None),
        ] {
            assert_eq!(parsed(word).as_deref(), address, "{word}");
        }
    }

    #[test]
    fn loopback_is_here() {
        for (host, here) in [
            ("localhost", true),
            ("127.0.0.1", true),
            ("::1", true),
            ("10.0.0.1", false),
            ("localhost.evil.example", false),
        ] {
            assert_eq!(Address::Tcp(host.into(), 1).is_here(), here, "{host}");
        }
    }

    #[test]
    fn what_is_named_counts_alone_and_the_person_most() {
        let named = |server: &str, pulse_server: Option<&str>| {
            let seat = Seat {
                runtime_folder: Some("/r".into()),
                pulse_server: pulse_server.map(Into::into),
                is_remote: false,
            };
            let settings = Settings {
                server: server.into(),
                ..Settings::default()
            };
            let found = candidates(&seat, &settings).into_iter();
            found
                .map(|(address, _)| address.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(named("unix:/p", Some("unix:/s")), ["/p"]);
        assert_eq!(named("", Some("unix:/s tcp:h")), ["/s", "h:4713"]);
        assert_eq!(named("", None)[0], "/r/pulse/native");
        assert!(named("", None)[1].starts_with("/run/user/"));
    }
}
