//! Notices at the start of a session that the client is of another version than its hooks are registered for, and notes once
//! what registering again would change.

use std::collections::HashSet;

use bellwether_flock::Row;
use bellwether_hook::handlers::registrations;
use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::client::{Client, Version};
use bellwether_protocol::event::Kind;
use bellwether_spine::Home;
use bellwether_spine::ancestry::{System, running_version};
use bellwether_spine::journal::Envelope;
use bellwether_spine::meta::{Meta, PLUGIN};
use bellwether_spine::notice::Notices;
use tracing::{info, warn};

/// The registrations that `upgrade` can change, and what it is called with.
const UPGRADED: &[(&str, &str)] = &[
    ("user", "bellwether upgrade"),
    ("project", "bellwether upgrade"),
    ("local", "bellwether upgrade"),
    ("managed", "sudo bellwether upgrade --managed"),
];

/// So many sessions are waited for.
const WAITED_FOR: usize = 256;

/// Looks at the sessions that begin.
#[derive(Debug, Default)]
pub(crate) struct Updates {
    /// Sessions whose beginning came by our plugin: what else is registered shows with a later event.
    waited_for: HashSet<String>,
}

impl Updates {
    pub(crate) fn look(&mut self, home: &Home, rows: &[Row]) {
        for row in rows {
            if self.tells_registration(row) {
                look(home, row);
            }
        }
    }

    /// Whether an event is the first of its session by which a registration of the settings is known.
    fn tells_registration(&mut self, row: &Row) -> bool {
        let by_plugin = row.from.as_deref() == Some(PLUGIN);
        if row.moment == Kind::SessionStart {
            if let Some(session) = row.session.as_ref().filter(|_| by_plugin) {
                if self.waited_for.len() >= WAITED_FOR {
                    self.waited_for.clear();
                }
                self.waited_for.insert(session.clone());
            }
            return !by_plugin;
        }
        let session = row
            .session
            .as_ref()
            .filter(|_| !self.waited_for.is_empty() && !by_plugin);
        session.is_some_and(|session| self.waited_for.remove(session))
    }
}

fn look(home: &Home, row: &Row) {
    let Ok(envelope) = Envelope::parse(&row.record) else {
        return;
    };
    let running = |client: Client| {
        let pid = envelope.meta.client_pid?;
        running_version(&System, client.product, pid)
    };
    let Some((key, text)) = notice(&envelope.meta, running) else {
        return;
    };
    match Notices(home).note(&key, &text) {
        Ok(true) => info!("{text}"),
        Ok(false) => {}
        Err(error) => warn!("cannot note that the client was updated: {error}"),
    }
}

/// What is to be noted of a session's start, and under which key: once for each pair of versions. What runs is told by the
/// process, else by the client itself, which a project can make say something else.
fn notice(
    meta: &Meta<'_>,
    running: impl FnOnce(Client) -> Option<Version>,
) -> Option<(String, String)> {
    let from = meta.from.as_deref()?;
    let (_, command) = UPGRADED.iter().find(|(name, _)| *name == from)?;
    let said = meta.client();
    let registered = Client::new(said.product, meta.registered()?);
    let running = Client::new(said.product, running(said).unwrap_or(said.version));
    if running == registered {
        return None;
    }
    let difference = Difference::between(registered, running);
    let what = difference.told()?;
    let (old, new) = (registered.version, running.version);
    let text = format!(
        "this is {running}, and the hooks are registered for {old}; `{command}` brings them up to date. {what}"
    );
    Some((format!("{old}>{new}"), text))
}

/// What a client of another version has, or has not, of what handlers want.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub gained: Vec<&'static str>,
    pub lost: Vec<&'static str>,
    /// In a few words each.
    pub features: Vec<&'static str>,
}

/// What an entry can say to newer clients, for a person.
const FEATURES: &[(Feature, &str)] = &[
    (Feature::ExecForm, "starting hooks without a shell"),
    (
        Feature::OnFailure,
        "blocking a tool call when the guard's hook fails",
    ),
];

impl Difference {
    pub fn between(registered: Client, running: Client) -> Self {
        let only = |one: Client, other: Client| -> Vec<&'static str> {
            let wanted = registrations().into_iter();
            let wanted = wanted.filter(|wanted| other.entry(wanted.kind).is_none());
            wanted
                .filter_map(|wanted| Some(one.entry(wanted.kind)?.name))
                .collect()
        };
        let is_new = |feature: Feature| running.has(feature) && !registered.has(feature);
        let features = FEATURES.iter().filter(|(feature, _)| is_new(*feature));
        Self {
            gained: only(running, registered),
            lost: only(registered, running),
            features: features.map(|(_, words)| *words).collect(),
        }
    }

    /// The same in words; `None` when there is none.
    pub fn told(&self) -> Option<String> {
        let new = [self.gained.as_slice(), &self.features].concat();
        let parts = [
            ("Not used yet", new),
            ("Registered, but not known to it", self.lost.clone()),
        ];
        let parts = parts.into_iter().filter(|(_, what)| !what.is_empty());
        let told: Vec<String> = parts
            .map(|(which, what)| format!("{which}: {}", listed(&what)))
            .collect();
        (!told.is_empty()).then(|| told.join(". "))
    }
}

/// A line has room for so many.
const LISTED: usize = 4;

fn listed(what: &[&str]) -> String {
    match what.len().checked_sub(LISTED) {
        Some(more @ 1..) => format!("{} and {more} more", what[..LISTED].join(", ")),
        _ => what.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Product;

    use super::*;

    fn meta(registered: &str, said: Option<&str>, from: &str) -> Meta<'static> {
        let client = Client::new(
            Product::Claude,
            Version::parse(said.unwrap_or(registered)).unwrap(),
        );
        Meta {
            registered: said.map(|_| registered.to_owned().into()),
            from: Some(from.to_owned().into()),
            ..Meta::gather(&|_| None, None, client, None)
        }
    }

    fn noted(meta: &Meta<'_>, running: Option<&str>) -> Option<String> {
        let running = running.and_then(Version::parse);
        notice(meta, |_| running).map(|(key, text)| format!("{key} {text}"))
    }

    #[test]
    fn an_update_that_adds_something_is_noted() {
        let updated = meta("2.1.250", Some("2.1.325"), "user");
        let expected = format!(
            "2.1.250>2.1.325 this is Claude Code 2.1.325, and the hooks are registered for 2.1.250; `bellwether upgrade` brings them up to date. Not used yet: {}, {}, blocking a tool call when the guard's hook fails",
            Kind::PreModelSwitch,
            Kind::PostModelSwitch
        );
        assert_eq!(noted(&updated, None), Some(expected.clone()));
        assert_eq!(noted(&updated, Some("2.1.325")), Some(expected.clone()));
        // A client that says nothing of itself is known by its process.
        assert_eq!(
            noted(&meta("2.1.250", None, "user"), Some("2.1.325")),
            Some(expected)
        );
        let managed = noted(&meta("2.1.250", Some("2.1.325"), "managed"), None).unwrap();
        assert!(
            managed.contains("`sudo bellwether upgrade --managed`"),
            "{managed}"
        );
    }

    #[test]
    fn a_long_way_fits_on_a_line() {
        let text = noted(&meta("2.0.30", Some("2.1.325"), "user"), None).unwrap();
        assert!(text.len() < 300 && text.contains(" more"), "{text}");
    }

    #[test]
    fn a_process_is_believed_before_a_variable_that_a_project_may_set() {
        let claimed = meta("2.1.250", Some("9.9.9"), "user");
        assert_eq!(noted(&claimed, Some("2.1.250")), None);
    }

    #[test]
    fn an_older_client_that_drops_what_is_registered_is_noted() {
        let text = noted(&meta("2.1.325", None, "user"), Some("2.1.220")).unwrap();
        assert!(text.contains("Registered, but not known to it: "), "{text}");
        assert!(text.contains(Kind::PreModelSwitch.as_str()), "{text}");
    }

    #[test]
    fn what_would_change_nothing_is_not_noted() {
        assert_eq!(noted(&meta("2.1.325", None, "user"), None), None);
        assert_eq!(noted(&meta("2.1.325", None, "user"), Some("2.1.325")), None);
        assert_eq!(noted(&meta("2.1.324", Some("2.1.325"), "user"), None), None);
        for other in ["plugin", "http", "demo"] {
            assert_eq!(
                noted(&meta("2.0.30", Some("2.1.325"), other), None),
                None,
                "{other}"
            );
        }
        let unknown = Meta::gather(&|_| None, None, Client::default(), Some("user"));
        assert_eq!(noted(&unknown, Some("2.1.325")), None);
    }

    #[test]
    fn beside_the_plugin_the_rest_tells_what_is_registered() {
        let row = |from: &str, event: Kind| {
            let record = format!(
                r#"{{"v":1,"meta":{{"id":"0197f0f0-0000-7000-8000-000000000001","from":"{from}"}},"payload":{{"hook_event_name":"{event}","session_id":"s"}}}}"#
            );
            Row::from_record(record.as_bytes()).unwrap()
        };
        let mut updates = Updates::default();
        let mut tells = |from: &str, event| updates.tells_registration(&row(from, event));
        assert!(!tells("plugin", Kind::SessionStart));
        assert!(!tells("plugin", Kind::PreToolUse));
        assert!(tells("user", Kind::PostToolBatch), "the first of the rest");
        assert!(!tells("user", Kind::PostToolBatch), "once a session");
        assert!(tells("user", Kind::SessionStart));
        assert!(!tells("user", Kind::PostToolUse));
    }
}
