//! What the registered command line says. A hook obeys nothing else: variables of the environment
//! can come from a cloned project.

use std::ffi::OsString;
use std::path::PathBuf;

use bellwether_protocol::client::{Product, Version};
use bellwether_protocol::event::Kind;
use bellwether_spine::meta;

/// How the hook was registered.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// `--home DIR`: where the files are.
    pub home: Option<PathBuf>,
    /// `--agent NAME`: which program it was registered with.
    pub agent: Product,
    /// `--client VERSION`: of which version that was.
    pub client: Option<Version>,
    /// `--from NAME`: which registration this is.
    pub from: Option<String>,
    /// `--event NAME`: the event that it is registered for. Clients before 1.0.41 do not say it themselves.
    pub event: Option<Kind>,
    /// `--managed`: the policy of this machine counts.
    pub managed: bool,
    /// `--no-daemon`: start none.
    pub no_daemon: bool,
    /// `--help` or `--version`: a person wants to know what this is.
    pub help: bool,
    /// What was not understood. The event matters more: it is handled all the same.
    pub unknown: Vec<String>,
}

impl Arguments {
    pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Self {
        let mut arguments = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.to_str() {
                Some("--home") => arguments.home = words.next().map(PathBuf::from),
                Some("--agent") => match text(words.next()) {
                    Some(name) => match Product::from_name(&name) {
                        Some(product) => arguments.agent = product,
                        None => arguments.unknown.push(format!("--agent {name}")),
                    },
                    None => arguments.unknown.push("--agent".to_owned()),
                },
                Some("--client") => {
                    arguments.client = text(words.next()).as_deref().and_then(Version::parse);
                }
                Some("--from") => match text(words.next()) {
                    // What the daemon itself saw, or the person answered, no hook can have seen.
                    Some(name) if meta::is_own_way(&name) => {
                        arguments.unknown.push(format!("--from {name}"));
                    }
                    name => arguments.from = name,
                },
                Some("--event") => {
                    let name = text(words.next()).unwrap_or_default();
                    arguments.event = meta::kind_named(&name);
                    if arguments.event.is_none() {
                        arguments
                            .unknown
                            .push(format!("--event {name}").trim_end().to_owned());
                    }
                }
                Some("--managed") => arguments.managed = true,
                Some("--no-daemon") => arguments.no_daemon = true,
                Some("--help" | "-h" | "--version" | "-V") => arguments.help = true,
                _ => arguments.unknown.push(word.to_string_lossy().into_owned()),
            }
        }
        arguments
    }
}

fn text(word: Option<OsString>) -> Option<String> {
    word.map(|word| word.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Arguments {
        Arguments::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn every_argument_is_understood() {
        let arguments = parse(&[
            "--home",
            "/h",
            "--agent",
            "gemini",
            "--client",
            "2.1.325",
            "--from",
            "user",
            "--event",
            "Stop",
            "--managed",
            "--no-daemon",
        ]);
        let expected = Arguments {
            home: Some("/h".into()),
            agent: Product::Gemini,
            client: Some(Version(2, 1, 325)),
            from: Some("user".into()),
            event: Some(Kind::Stop),
            managed: true,
            no_daemon: true,
            help: false,
            unknown: vec![],
        };
        assert_eq!(arguments, expected);
        assert_eq!(parse(&[]), Arguments::default());
    }

    #[test]
    fn a_hook_does_not_pass_for_one_of_our_own_ways() {
        for own in [meta::WATCHED, meta::PAGE, meta::INGEST, meta::GATE] {
            let arguments = parse(&["--from", own, "--no-daemon"]);
            assert_eq!(arguments.from, None, "{own}");
            assert_eq!(arguments.unknown, [format!("--from {own}")]);
            assert!(arguments.no_daemon);
        }
        for registered in ["user", "project", "http", "pages"] {
            let arguments = parse(&["--from", registered]);
            assert_eq!(arguments.from.as_deref(), Some(registered));
        }
    }

    #[test]
    fn an_unknown_event_is_noted_and_not_taken() {
        for (words, noted) in [
            (&["--event", "Stopp", "--no-daemon"][..], "--event Stopp"),
            (&["--no-daemon", "--event"], "--event"),
        ] {
            let arguments = parse(words);
            assert_eq!(arguments.event, None);
            assert_eq!(arguments.unknown, [noted]);
            assert!(arguments.no_daemon);
        }
    }

    #[test]
    fn what_is_not_understood_does_no_harm() {
        let arguments = parse(&["--colour", "--client", "new", "--agent", "hal", "--home"]);
        assert_eq!(
            arguments,
            Arguments {
                unknown: vec!["--colour".into(), "--agent hal".into()],
                ..Arguments::default()
            }
        );
    }
}
