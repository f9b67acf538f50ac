//! The plugin's files that are made: its hooks, from the handlers' list and what the oldest client that has plugins
//! knows, and its two manifests, which bear this program's version.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use bellwether_hook::handlers::{Registration, registrations};
use bellwether_protocol::client::{Client, Product};
use bellwether_protocol::event::{Kind, ToolKind};
use serde::Serialize;

/// Started as a program and not given to `sh`: a shell whose script is missing exits with 2, which refuses everything.
const COMMAND: &str = r#""${CLAUDE_PLUGIN_ROOT}"/hooks/bellwether-hook --from plugin"#;
const NAME: &str = "bellwether";
const ABOUT: &str = "Tells you by sound and voice what your agents need, stops commands that would destroy your work, and shows \
     every agent live.";

#[derive(Serialize)]
struct Hooks {
    description: &'static str,
    hooks: BTreeMap<&'static str, Vec<Group>>,
}

#[derive(Serialize)]
struct Group {
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<String>,
    hooks: [Handler; 1],
}

#[derive(Serialize)]
struct Handler {
    #[serde(rename = "type")]
    kind: &'static str,
    command: &'static str,
    timeout: u32,
}

#[derive(Serialize)]
struct Plugin {
    name: &'static str,
    version: &'static str,
    description: &'static str,
    author: Somebody,
    license: &'static str,
    keywords: &'static [&'static str],
}

#[derive(Serialize)]
struct Marketplace {
    name: &'static str,
    owner: Somebody,
    metadata: Metadata,
    plugins: [Offer; 1],
}

#[derive(Serialize)]
struct Metadata {
    description: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Offer {
    name: &'static str,
    source: &'static str,
    description: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Somebody {
    name: &'static str,
}

const AUTHOR: Somebody = Somebody {
    name: "the authors of bellwether",
};

/// Paths in the tree with what stands there.
pub(super) fn files() -> Result<[(&'static str, String); 3]> {
    Ok([
        ("plugin/hooks/hooks.json", written(&hooks())?),
        ("plugin/.claude-plugin/plugin.json", written(&plugin())?),
        (".claude-plugin/marketplace.json", written(&marketplace())?),
    ])
}

fn written(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).context("write JSON")?;
    Ok(text + "\n")
}

fn hooks() -> Hooks {
    // One unknown event costs all hooks of a plugin up to 2.1.252, and nobody can say which version will read the file: so
    // it holds what this one knows, and `bellwether install` adds the rest.
    let oldest = Client::new(Product::Claude, Product::Claude.wire().plugin);
    let known = registrations().into_iter().filter_map(|registration| {
        let entry = oldest.entry(registration.kind)?;
        Some((entry.name, groups(registration)))
    });
    Hooks {
        description: ABOUT,
        hooks: known.collect(),
    }
}

/// The tool that moves a task has a group of its own: where the client has no event for a task that is done, this call
/// stands in for it. Its matcher and that of the rest do not overlap, because 2.0.30 was seen to run equal commands of two groups of a plugin twice.
fn groups(registration: Registration) -> Vec<Group> {
    let matchers = match (registration.kind, moving_a_task()) {
        (Kind::PostToolUse, Some(tool)) => {
            vec![Some(format!("^(?!{tool}$)")), Some(tool.to_owned())]
        }
        _ => vec![None],
    };
    let group = |matcher| Group {
        matcher,
        hooks: [Handler {
            kind: "command",
            command: COMMAND,
            timeout: registration.timeout_s,
        }],
    };
    matchers.into_iter().map(group).collect()
}

fn moving_a_task() -> Option<&'static str> {
    let tools = Client::unknown(Product::Claude).tools_for(ToolKind::TaskMove);
    tools.first().copied()
}

fn plugin() -> Plugin {
    Plugin {
        name: NAME,
        version: env!("CARGO_PKG_VERSION"),
        description: ABOUT,
        author: AUTHOR,
        license: "MIT",
        keywords: &["announcements", "sound", "voice", "guard", "agents"],
    }
}

fn marketplace() -> Marketplace {
    Marketplace {
        name: NAME,
        owner: AUTHOR,
        metadata: Metadata {
            description: "bellwether, a program on the hooks of Claude Code, as a plugin.",
            version: env!("CARGO_PKG_VERSION"),
        },
        plugins: [Offer {
            name: NAME,
            source: "./plugin",
            description: ABOUT,
            version: env!("CARGO_PKG_VERSION"),
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_in_the_tree_are_the_made_ones() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (path, made) in files().unwrap() {
            let there = std::fs::read_to_string(root.join(path)).unwrap();
            assert_eq!(there, made, "{path}: run `cargo xtask docs`");
        }
    }
}
