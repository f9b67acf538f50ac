//! What somebody chose when they registered, read off the entries of a file: an upgrade keeps it.

use std::path::PathBuf;

use bellwether_hook::handlers::{Registration, registrations};
use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::client::{Client, Version};
use bellwether_protocol::event::Kind;

use super::{OnFailure, Way, newest};
use crate::settings::json::Node;
use crate::settings::{Document, Entry};

/// The choices behind our entries of one way in a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) way: Way,
    /// The newest version that an entry was written for.
    pub(crate) written_for: Option<Version>,
    pub(crate) home: Option<PathBuf>,
    /// Only these events; all when there are none.
    pub(crate) only: Vec<Kind>,
    /// What comes by our plugin, and so need not be in the file.
    brought: Vec<Kind>,
    pub(crate) on_failure: OnFailure,
}

impl Choices {
    /// What the entries of each way say, where there are any. These events come by our plugin.
    pub(crate) fn of(document: &Document, brought: &[String]) -> Vec<Self> {
        let ways = [Way::AtOnce, Way::Waiting].into_iter();
        let kinds = brought.iter().map(|event| newest().kind_of(event));
        let brought: Vec<Kind> = kinds.collect();
        ways.filter_map(|way| Self::of_way(document, way, &brought))
            .collect()
    }

    fn of_way(document: &Document, way: Way, brought: &[Kind]) -> Option<Self> {
        let mut entries = document.ours();
        entries.retain(|entry| entry.waits() == (way == Way::Waiting));
        let first = entries.first()?;
        let versions: Vec<Version> = entries
            .iter()
            .filter_map(|entry| Version::parse(&value(entry, "--client")?))
            .collect();
        Some(Self {
            way,
            written_for: versions.iter().copied().max(),
            home: value(first, "--home").map(PathBuf::from),
            only: match way {
                Way::AtOnce => selection(&entries, &versions, brought),
                Way::Waiting => Vec::new(),
            },
            brought: brought.to_vec(),
            on_failure: on_failure(&entries, &versions),
        })
    }

    /// The events that this client has, that handlers want, and that were left out on purpose.
    pub(crate) fn left_out(&self, client: Client) -> Vec<&'static str> {
        if self.only.is_empty() {
            return Vec::new();
        }
        let wanted = registrations().into_iter();
        let comes = |kind: &Kind| self.only.contains(kind) || self.brought.contains(kind);
        let left = wanted.filter(|wanted| !comes(&wanted.kind));
        left.filter_map(|wanted| Some(client.entry(wanted.kind)?.name))
            .collect()
    }
}

/// The word behind an option of the hook.
fn value(entry: &Entry<'_>, option: &str) -> Option<String> {
    let mut words = entry.words().into_iter();
    words.find(|word| word == option)?;
    words.next()
}

fn of_version(version: Version) -> Client {
    Client::new(newest().product, version)
}

/// Who has all that a version could have chose nothing; else what is there was chosen.
fn selection(entries: &[Entry<'_>], versions: &[Version], brought: &[Kind]) -> Vec<Kind> {
    let kinds: Vec<Kind> = entries
        .iter()
        .map(|entry| newest().kind_of(entry.event))
        .collect();
    let has_all = |version: &Version| {
        let client = of_version(*version);
        let mut wanted = registrations().into_iter();
        let comes = |kind: &Kind| kinds.contains(kind) || brought.contains(kind);
        wanted.all(|one| client.entry(one.kind).is_none() || comes(&one.kind))
    };
    // Entries without a version were written by hand, for the client of that day.
    let by_hand = [newest().version];
    let versions = if versions.is_empty() {
        &by_hand
    } else {
        versions
    };
    if versions.iter().any(has_all) {
        return Vec::new();
    }
    let wanted = registrations().into_iter().map(|wanted| wanted.kind);
    wanted.filter(|kind| kinds.contains(kind)).collect()
}

/// A guarded entry that could block and does not was asked not to.
fn on_failure(entries: &[Entry<'_>], versions: &[Version]) -> OnFailure {
    let could = |version: &Version| of_version(*version).has(Feature::OnFailure);
    let guarded: Vec<Kind> = registrations()
        .iter()
        .filter(|wanted| wanted.guarded)
        .map(|Registration { kind, .. }| *kind)
        .collect();
    let mut passing = entries.iter().filter(|entry| {
        let blocks = entry.handler().get("onFailure").and_then(Node::as_str) == Some("block");
        guarded.contains(&newest().kind_of(entry.event)) && !blocks
    });
    if versions.iter().all(could) && !versions.is_empty() && passing.next().is_some() {
        OnFailure::Allow
    } else {
        OnFailure::Block
    }
}

#[cfg(test)]
mod tests {
    use bellwether_spine::Home;

    use super::super::{Scope, Wanted};
    use super::*;
    use crate::settings;

    fn version(text: &str) -> Client {
        of_version(Version::parse(text).unwrap())
    }

    /// A file as `install` writes it.
    fn installed(client: Client, way: Way, only: &[Kind], on_failure: OnFailure) -> Document {
        let home = Home::find(Some("/h".into())).unwrap();
        let wanted = Wanted {
            program: "/b/bellwether-hook",
            way,
            client,
            scope: Scope::User,
            home: &home,
            only,
            on_failure,
        };
        let wanted = wanted.entries().unwrap();
        let empty = Document::parse("{}").unwrap();
        let change = settings::register(&empty, &wanted, client, None).unwrap();
        Document::parse(change.text).unwrap()
    }

    #[test]
    fn who_has_all_chose_nothing() {
        for client in ["1.0.38", "2.0.30", "2.1.67", "2.1.325"].map(version) {
            let document = installed(client, Way::AtOnce, &[], OnFailure::Block);
            let expected = Choices {
                way: Way::AtOnce,
                written_for: Some(client.version),
                home: Some("/h".into()),
                only: Vec::new(),
                brought: Vec::new(),
                on_failure: OnFailure::Block,
            };
            assert_eq!(Choices::of(&document, &[]), [expected], "{client}");
        }
    }

    #[test]
    fn a_selection_and_what_a_dead_hook_means_are_kept() {
        let only = [Kind::PreToolUse, Kind::Stop];
        let document = installed(version("2.1.300"), Way::AtOnce, &only, OnFailure::Allow);
        let choices = Choices::of(&document, &[]);
        assert_eq!(choices[0].only, only);
        assert_eq!(choices[0].on_failure, OnFailure::Allow);
        let left_out = choices[0].left_out(version("1.0.38"));
        assert_eq!(
            left_out,
            [Kind::PostToolUse, Kind::Notification].map(Kind::as_str)
        );
        // A version that has no such choice was not asked.
        let document = installed(version("2.1.294"), Way::AtOnce, &only, OnFailure::Allow);
        assert_eq!(Choices::of(&document, &[])[0].on_failure, OnFailure::Block);
    }

    #[test]
    fn the_hook_that_waits_has_choices_of_its_own() {
        let document = installed(version("2.1.300"), Way::Waiting, &[], OnFailure::Block);
        let choices = Choices::of(&document, &[]);
        assert_eq!(choices.len(), 1);
        assert_eq!((choices[0].way, choices[0].only.len()), (Way::Waiting, 0));
        assert_eq!(Choices::of(&Document::parse("{}").unwrap(), &[]), []);
    }

    /// Beside the plugin a file has the rest, and who has that has all.
    #[test]
    fn what_the_plugin_brings_was_not_left_out() {
        let only: Vec<Kind> = registrations().iter().map(|one| one.kind).collect();
        let (brought, rest) = only.split_at(4);
        let names: Vec<String> = brought
            .iter()
            .map(|kind| kind.as_str().to_owned())
            .collect();
        let document = installed(version("2.1.325"), Way::AtOnce, rest, OnFailure::Block);
        let choices = Choices::of(&document, &names);
        assert_eq!(choices[0].only, []);
        assert_eq!(Choices::of(&document, &[])[0].only, rest);
        let fewer = installed(
            version("2.1.325"),
            Way::AtOnce,
            &rest[1..],
            OnFailure::Block,
        );
        let choices = Choices::of(&fewer, &names);
        assert_eq!(choices[0].left_out(version("2.1.325")), [rest[0].as_str()]);
    }
}
