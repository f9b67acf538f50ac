//! `bellwether versions`: which events a version of the client has, and what replaces the others.

use std::collections::BTreeMap;
use std::fmt;

use bellwether_protocol::client::catalog::Entry;
use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::client::{Client, Product, Version};
use clap::Args;
use serde_json::json;

use crate::output;
use crate::registration::{Covered, How, Installed, coverage, newest};

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether versions            of the Claude Code that is installed
  bellwether versions 2.0.30     of another one
  bellwether versions --all      what came with which version")]
pub(crate) struct Arguments {
    /// The version of Claude Code; without it, the one that is installed.
    #[arg(value_parser = version)]
    version: Option<Version>,
    /// List every version in which an event or a setting came, or went.
    #[arg(long, conflicts_with = "version")]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).ok_or_else(|| format!("give it as in {}", newest().version))
}

/// The settings and replies that come with a version, in words.
const FEATURES: &[(Feature, &str)] = &[
    (Feature::EventName, "events say their own names"),
    (Feature::Timeout, "hooks can have a timeout"),
    (
        Feature::SpecificOutput,
        "a hook can ask you before a tool runs",
    ),
    (Feature::SystemMessage, "a hook can tell you something"),
    (Feature::ExecForm, "a hook starts without a shell"),
    (
        Feature::OnFailure,
        "a tool call is blocked when the guard's hook dies",
    ),
    (
        Feature::UnknownEventInSettings,
        "an unknown event in the settings is dropped alone, not the whole file",
    ),
    (
        Feature::LoneWrongEntry,
        "an invalid entry in the settings is dropped alone, except under PreToolUse and PermissionRequest",
    ),
    (
        Feature::UnknownEventInPlugin,
        "an unknown event in a plugin is dropped alone, not all its hooks",
    ),
];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.all {
        return show_all(arguments.json);
    }
    let installed = Installed::find(arguments.version)?;
    let client = installed.client();
    let covered = coverage(client);
    if arguments.json {
        return output::show_json(&json!({
            "client": client.product.name(),
            "version": client.version.to_string(),
            "installed": matches!(installed, Installed::Found(..)),
            "events": covered,
            "features": features(client),
        }));
    }
    match installed {
        Installed::Absent => {
            tell!("no `claude` was found: this is {client}, the newest version known here");
        }
        _ => tell!("{client}"),
    }
    if client.version > newest().version {
        tell!(
            "newer than {}, the newest version known here: it may have more",
            newest().version
        );
    }
    show(client, &covered);
    Ok(())
}

fn show(client: Client, covered: &[Covered]) {
    let of = |wanted: fn(&How) -> bool| -> Vec<&Covered> {
        covered.iter().filter(|one| wanted(&one.how)).collect()
    };
    section("Registered", &of(|how| *how == How::Registered));
    section(
        "Replaced: stored and announced as if it had been sent",
        &of(|how| matches!(how, How::Replaced { .. })),
    );
    section(
        "Not available in this version",
        &of(|how| *how == How::Missing),
    );
    section(
        "Not registered on purpose: a hook that only watches would disturb, or has nothing to watch",
        &of(|how| *how == How::Unregistered),
    );
    tell!("\nSettings and replies");
    for (feature, about) in FEATURES {
        let word = if client.has(*feature) { "yes" } else { "no" };
        match client.since(*feature).filter(|_| !client.has(*feature)) {
            Some(since) => tell!("  {word:4} {about} (since {since})"),
            None => tell!("  {word:4} {about}"),
        }
    }
}

fn section(title: &str, events: &[&Covered]) {
    if events.is_empty() {
        return;
    }
    tell!("\n{title} ({})", events.len());
    for one in events {
        match &one.how {
            How::Replaced { by, differs } => {
                tell!("  {:20} from {}", one.event, by.join(" or "));
                tell!("  {:20} it {differs}", "");
            }
            How::Missing => tell!("  {:20} {} Since {}.", one.event, one.about, one.since),
            _ => tell!("  {:20} {}", one.event, one.about),
        }
    }
}

fn features(client: Client) -> serde_json::Value {
    let of = |(feature, about): &(Feature, &str)| json!({ "about": about, "has": client.has(*feature), "since": client.since(*feature).map(|since| since.to_string()) });
    FEATURES.iter().map(of).collect()
}

/// Something that came with a version, or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Came(&'static str),
    Went(&'static str),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Came(name) => f.write_str(name),
            Self::Went(name) => write!(f, "no {name}"),
        }
    }
}

fn show_all(as_json: bool) -> anyhow::Result<()> {
    let steps = steps(newest());
    if as_json {
        let all: Vec<_> = steps
            .iter()
            .map(|(version, steps)| {
                let came = steps.iter().filter_map(|step| match step { Step::Came(name) => Some(name), Step::Went(_) => None });
                let went = steps.iter().filter_map(|step| match step { Step::Went(name) => Some(name), Step::Came(_) => None });
                json!({ "version": version.to_string(), "came": came.collect::<Vec<_>>(), "went": went.collect::<Vec<_>>() })
            })
            .collect();
        return output::show_json(&all);
    }
    for (version, steps) in steps {
        let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
        tell!("{:10} {}", version.to_string(), steps.join(", "));
    }
    Ok(())
}

/// What changes with which version. The end of a gap is a version like any other.
fn steps(client: Client) -> BTreeMap<Version, Vec<Step>> {
    let mut steps: BTreeMap<Version, Vec<Step>> = BTreeMap::new();
    let mut add = |version, step| steps.entry(version).or_default().push(step);
    for Entry { name, support, .. } in client.catalog() {
        add(support.since, Step::Came(name));
        for (first, Version(major, minor, patch)) in support.gaps {
            add(*first, Step::Went(name));
            add(Version(*major, *minor, patch + 1), Step::Came(name));
        }
    }
    for (feature, about) in FEATURES {
        if let Some(since) = Client::newest(Product::Claude).since(*feature) {
            add(since, Step::Came(about));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_comes_back() {
        let steps = steps(newest());
        let at = |patch| &steps[&Version(2, 1, patch)];
        assert!(at(64).contains(&Step::Came("InstructionsLoaded")));
        assert!(at(65).contains(&Step::Went("InstructionsLoaded")));
        assert!(at(69).contains(&Step::Came("InstructionsLoaded")));
    }
}
