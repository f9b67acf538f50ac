//! Our entries as a version of the client takes them.

use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use bellwether_hook::handlers::{Registration, registrations};
use bellwether_protocol::client::Client;
use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::event::Kind;
use bellwether_spine::{Home, Managed};

use super::Scope;
use crate::settings::{HOOK, Handler, shell_quoted};

/// What is to be registered.
pub(crate) struct Wanted<'a> {
    /// The path of the program.
    pub(crate) program: &'a str,
    pub(crate) way: Way,
    /// For which version of the client.
    pub(crate) client: Client,
    pub(crate) scope: Scope,
    /// With which `--home`.
    pub(crate) home: &'a Home,
    /// Only these of the events that handlers want; all when there are none.
    pub(crate) only: &'a [Kind],
    pub(crate) on_failure: OnFailure,
}

/// What the client does with a guarded tool call when our hook gives no answer: it was killed, or is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OnFailure {
    Block,
    Allow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// At once: whatever takes longer is the daemon's.
    AtOnce,
    /// When the agent's last message has been spoken, as in seed 001.
    Waiting,
}

/// How long the client waits for a message to be spoken.
const WAITING_S: u32 = 30;

impl Wanted<'_> {
    /// One entry an event, in the order of the handlers' list.
    pub(crate) fn entries(&self) -> anyhow::Result<Vec<(&'static str, Handler)>> {
        let words = self.words()?;
        let entries = self.events()?.into_iter().filter_map(|wanted| {
            let name = self.client.entry(wanted.kind)?.name;
            Some((name, self.handler(self.naming(wanted.kind, &words), wanted)))
        });
        Ok(entries.collect())
    }

    /// The events that are to be registered in a file: the one place where that is decided.
    fn events(&self) -> anyhow::Result<Vec<Registration>> {
        if self.way == Way::Waiting {
            return Ok(vec![Registration {
                kind: Kind::Stop,
                timeout_s: WAITING_S,
                guarded: false,
            }]);
        }
        let mut wanted = registrations();
        if let Some(unwanted) = self
            .only
            .iter()
            .find(|kind| !wanted.iter().any(|known| known.kind == **kind))
        {
            bail!("no handler wants the event {unwanted}");
        }
        wanted.retain(|registration| {
            let chosen = self.only.is_empty() || self.only.contains(&registration.kind);
            chosen && self.client.entry(registration.kind).is_some()
        });
        ensure!(
            !wanted.is_empty(),
            "{} knows none of the events; update it",
            self.client
        );
        Ok(wanted)
    }

    /// The words for one event. Where the client does not name it, they do.
    fn naming(&self, kind: Kind, words: &[String]) -> Vec<String> {
        let mut words = words.to_vec();
        if !self.client.has(Feature::EventName) {
            words.extend(["--event", kind.as_str()].map(str::to_owned));
        }
        words
    }

    /// What the hook is told.
    fn words(&self) -> anyhow::Result<Vec<String>> {
        let mut words: Vec<String> = match self.way {
            Way::AtOnce => Vec::new(),
            Way::Waiting => ["hook", "--wait"].map(str::to_owned).into(),
        };
        words.extend(["--client".to_owned(), self.client.version.to_string()]);
        words.extend(["--from", self.scope.name()].map(str::to_owned));
        if self.scope == Scope::Managed {
            // Whose files those are, each user's environment says.
            words.push("--managed".to_owned());
            return Ok(words);
        }
        if let Some(home) = self.home.root() {
            let home = home
                .to_str()
                .with_context(|| format!("{} is not UTF-8", home.display()))?;
            words.extend(["--home", home].map(str::to_owned));
        }
        Ok(words)
    }

    fn handler(&self, words: Vec<String>, wanted: Registration) -> Handler {
        let blocks = wanted.guarded && self.on_failure == OnFailure::Block;
        let exec_form = self.client.has(Feature::ExecForm);
        let command = if exec_form {
            self.program.to_owned()
        } else {
            let words = std::iter::once(self.program).chain(words.iter().map(String::as_str));
            words.map(shell_quoted).collect::<Vec<_>>().join(" ")
        };
        Handler {
            kind: "command",
            command,
            args: exec_form.then_some(words),
            timeout: self
                .client
                .has(Feature::Timeout)
                .then_some(wanted.timeout_s),
            on_failure: (blocks && self.client.has(Feature::OnFailure)).then_some("block"),
        }
    }
}

/// The program that answers in a way: this one, or the hook that belongs to it. All users of a machine share root's.
pub(crate) fn program(scope: Scope, way: Way) -> anyhow::Result<PathBuf> {
    match (scope, way) {
        (Scope::Managed, _) => Ok(Managed::default().hook()),
        (_, Way::AtOnce) => hook_program(),
        (_, Way::Waiting) => running(),
    }
}

fn running() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the running program")
}

/// The hook that belongs to the running program: the one beside it.
fn hook_program() -> anyhow::Result<PathBuf> {
    let running = running()?;
    let hook = running.with_file_name(HOOK);
    ensure!(
        hook.is_file(),
        "{} is missing: both programs belong into one folder",
        hook.display()
    );
    Ok(hook)
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::{Product, Version};

    use super::*;

    fn version(major: u32, minor: u32, patch: u32) -> Client {
        Client::new(Product::Claude, Version(major, minor, patch))
    }

    fn entries(
        client: Client,
        only: &[Kind],
        root: Option<&str>,
    ) -> anyhow::Result<Vec<(&'static str, Handler)>> {
        let folder = tempfile::tempdir().unwrap();
        let root = root.map_or_else(|| folder.path().to_owned(), PathBuf::from);
        let home = Home::find(Some(root)).unwrap();
        let wanted = Wanted {
            program: "/a b/bellwether-hook",
            way: Way::AtOnce,
            client,
            scope: Scope::User,
            home: &home,
            only,
            on_failure: OnFailure::Block,
        };
        wanted.entries()
    }

    #[test]
    fn the_newest_client_gets_exec_form() {
        let entries = entries(version(2, 1, 325), &[Kind::Stop], Some("/h")).unwrap();
        let json = serde_json::to_string(&entries).unwrap();
        assert_eq!(
            json,
            r#"[["Stop",{"type":"command","command":"/a b/bellwether-hook","args":["--client","2.1.325","--from","user","--home","/h"],"timeout":10}]]"#
        );
    }

    #[test]
    fn a_dead_guard_blocks_where_the_client_knows_how() {
        let blocks = |patch, kind| {
            let entries = entries(version(2, 1, patch), &[kind], Some("/h")).unwrap();
            entries[0].1.on_failure
        };
        assert_eq!(blocks(295, Kind::PreToolUse), Some("block"));
        assert_eq!(blocks(294, Kind::PreToolUse), None);
        assert_eq!(blocks(325, Kind::Stop), None);
    }

    #[test]
    fn one_that_waits_is_registered_for_the_end_of_a_turn_alone() {
        let home = Home::find(Some("/h".into())).unwrap();
        let wanted = Wanted {
            program: "/b/bellwether",
            way: Way::Waiting,
            client: version(2, 1, 325),
            scope: Scope::Local,
            home: &home,
            only: &[],
            on_failure: OnFailure::Block,
        };
        let json = serde_json::to_string(&wanted.entries().unwrap()).unwrap();
        assert_eq!(
            json,
            r#"[["Stop",{"type":"command","command":"/b/bellwether","args":["hook","--wait","--client","2.1.325","--from","local","--home","/h"],"timeout":30}]]"#
        );
    }

    #[test]
    fn an_older_client_gets_a_quoted_line_and_the_events_it_knows() {
        let entries = entries(version(2, 0, 40), &[], Some("/it's")).unwrap();
        assert_eq!(entries.len(), 9, "{entries:?}");
        let (event, handler) = &entries[0];
        assert_eq!(*event, "PreToolUse");
        assert_eq!(
            handler.command,
            r"'/a b/bellwether-hook' --client 2.0.40 --from user --home '/it'\''s'"
        );
        assert_eq!((&handler.args, handler.timeout), (&None, Some(60)));
    }

    /// Each border at which a version begins to take something in an entry, from both sides.
    #[test]
    fn an_entry_has_what_its_version_takes_and_nothing_else() {
        for (client, timeout, exec_form, blocks) in [
            (version(1, 0, 23), false, false, false),
            (version(1, 0, 40), false, false, false),
            (version(1, 0, 41), true, false, false),
            (version(2, 0, 30), true, false, false),
            (version(2, 1, 138), true, false, false),
            (version(2, 1, 139), true, true, false),
            (version(2, 1, 294), true, true, false),
            (version(2, 1, 295), true, true, true),
            (version(2, 1, 325), true, true, true),
        ] {
            let entries = entries(client, &[Kind::PreToolUse], Some("/h")).unwrap();
            let (event, handler) = &entries[0];
            assert_eq!(*event, "PreToolUse");
            assert_eq!(handler.timeout.is_some(), timeout, "{client}");
            assert_eq!(handler.args.is_some(), exec_form, "{client}");
            assert_eq!(handler.on_failure.is_some(), blocks, "{client}");
            let words = handler.args.clone().unwrap_or_default().join(" ");
            let words = format!("{} {words}", handler.command);
            let named = words.contains("--event PreToolUse");
            assert_eq!(named, !client.has(Feature::EventName), "{client}: {words}");
            let fields = serde_json::to_value(handler).unwrap();
            assert!(fields.get("$schema").is_none(), "{client}");
            let loaded = serde_json::json!({"hooks": {"PreToolUse": [{"hooks": [handler]}]}});
            let document = crate::settings::Document::parse(loaded.to_string()).unwrap();
            assert!(crate::settings::check::rejections(&document, client).is_empty());
        }
    }

    #[test]
    fn a_client_that_does_not_name_its_events_has_them_named() {
        let entries = entries(version(1, 0, 38), &[], Some("/h")).unwrap();
        let words: Vec<(&str, &str)> = entries
            .iter()
            .map(|(event, handler)| (*event, handler.command.as_str()))
            .collect();
        let line = |event: &str| {
            format!("'/a b/bellwether-hook' --client 1.0.38 --from user --home /h --event {event}")
        };
        let kinds = [
            Kind::PreToolUse,
            Kind::PostToolUse,
            Kind::Notification,
            Kind::Stop,
        ];
        let expected: Vec<(&str, String)> = kinds
            .iter()
            .map(|kind| (kind.as_str(), line(kind.as_str())))
            .collect();
        let expected: Vec<(&str, &str)> = expected
            .iter()
            .map(|(event, line)| (*event, line.as_str()))
            .collect();
        assert_eq!(words, expected);
    }

    #[test]
    fn what_nobody_wants_or_knows_is_refused() {
        let refused = |client, only: &[Kind]| entries(client, only, None).unwrap_err().to_string();
        assert_eq!(
            refused(Client::newest(Product::Claude), &[Kind::MessageDisplay]),
            "no handler wants the event MessageDisplay"
        );
        assert_eq!(
            refused(version(1, 0, 22), &[]),
            "Claude Code 1.0.22 knows none of the events; update it"
        );
    }
}
