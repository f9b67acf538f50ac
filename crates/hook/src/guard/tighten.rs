//! What a project's file may say about the guard before anybody has trusted it: only what makes it
//! stricter. Anything else is taken out of its layer, and told.

use bellwether_spine::config::{Key, Node, Value, read};
use serde::de::DeserializeOwned;

use super::catalog;
use super::config::{Answers, Config};
use super::scene::Mode;
use super::verdict::Verdict;

/// Takes out of a project's section what would make the guard milder than it stands, and returns that
/// with its path. What is of the wrong kind is left: it is complained of later, and counts for nothing.
pub fn tighten(section: &mut Node, standing: &Config) -> Vec<(String, Node)> {
    let mut out = Vec::new();
    let Value::Map(entries) = &mut section.value else {
        return out;
    };
    take(entries, "", &mut out, |key, node| match key {
        "enabled" => is(node, &false) && standing.enabled,
        "mode" => is(node, &Mode::Loss) && standing.mode == Mode::Strict,
        "allow" => true,
        "remember_yes" => !is(node, &false) && !standing.remember_yes,
        _ => false,
    });
    for (key, node) in entries {
        match key.text.as_str() {
            "protected_branches" => join(key, node, &standing.protected_branches, &mut out),
            "protected_files" => join(key, node, &standing.protected_files, &mut out),
            "answers" => answers(node, standing.answers, &mut out),
            "rules" => changes(node, standing, &mut out),
            _ => {}
        }
    }
    out.into_iter()
        .filter(|(_, node)| node.value != Value::Null)
        .collect()
}

type Taken = Vec<(String, Node)>;

/// Takes the entries out that are too mild.
fn take(
    entries: &mut Vec<(Key, Node)>,
    path: &str,
    out: &mut Taken,
    mild: impl Fn(&str, &Node) -> bool,
) {
    let (gone, kept): (Vec<_>, Vec<_>) = std::mem::take(entries)
        .into_iter()
        .partition(|(key, node)| mild(&key.text, node));
    *entries = kept;
    out.extend(
        gone.into_iter()
            .map(|(key, node)| (format!("{path}{}", key.text), node)),
    );
}

fn is<T: DeserializeOwned + PartialEq>(node: &Node, value: &T) -> bool {
    read::<T>(node).is_ok_and(|found| found == *value)
}

/// A list can only grow.
fn join(key: &Key, node: &mut Node, standing: &[String], out: &mut Taken) {
    let Ok(said) = read::<Vec<String>>(node) else {
        return;
    };
    let missing: Vec<&String> = standing.iter().filter(|it| !said.contains(it)).collect();
    if missing.is_empty() {
        return;
    }
    out.push((key.text.clone(), node.clone()));
    let place = node.place.clone();
    if let Value::List(items) = &mut node.value {
        items.splice(
            0..0,
            missing.into_iter().map(|text| Node {
                value: Value::Text(text.clone()),
                place: place.clone(),
            }),
        );
    }
}

fn answers(node: &mut Node, standing: Answers, out: &mut Taken) {
    let standing = serde_json::to_value(standing).unwrap_or_default();
    let Value::Map(entries) = &mut node.value else {
        return;
    };
    take(entries, "answers.", out, |key, node| {
        // There are two answers; only "no" is never the milder one.
        node.value == Value::Text("ask".to_owned()) && standing[key] != "ask"
    });
}

fn changes(node: &mut Node, standing: &Config, out: &mut Taken) {
    let Value::Map(entries) = &mut node.value else {
        return;
    };
    for (id, node) in entries {
        let stands = standing.rules.get(&id.text);
        // A rule of the project's own can only stop more.
        if stands.is_none() && !catalog::is_known(&id.text) {
            continue;
        }
        let Value::Map(entries) = &mut node.value else {
            continue;
        };
        let path = format!("rules.{}.", id.text);
        take(entries, &path, out, |key, node| match key {
            "enabled" => !is(node, &true),
            "verdict" => {
                let least = stands
                    .and_then(|change| change.verdict)
                    .unwrap_or(Verdict::Deny);
                read::<Verdict>(node).is_ok_and(|verdict| verdict < least)
            }
            // A rule keeps its words and its aim: what it says reaches the agent in our name.
            _ => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use bellwether_spine::config::{Origin, Place, merge};
    use serde_json::{Value as Json, json};

    use super::*;

    fn tree(value: &Json) -> Node {
        Node::from_json(value, &Place::in_whole(Origin::BuiltIn("test")))
    }

    /// What counts, and what was passed over.
    fn tightened(standing: &Json, project: &Json) -> (Config, Vec<String>) {
        let person = merge(
            tree(&serde_json::to_value(Config::default()).unwrap()),
            tree(standing),
        );
        let mut layer = tree(project);
        let out = tighten(&mut layer, &read(&person).unwrap());
        let config = read(&merge(person, layer)).unwrap();
        (config, out.into_iter().map(|(path, _)| path).collect())
    }

    #[test]
    fn a_project_can_make_it_stricter() {
        let (config, out) = tightened(
            &json!({"enabled": false}),
            &json!({
                "enabled": true, "mode": "strict", "protected_branches": ["main", "master", "prod"],
                "protected_files": ["*.pem"], "answers": {"default": "deny"},
                "rules": {"bomb": {"verdict": "deny"}, "theirs": {"command": ["terraform", "destroy"], "verdict": "ask"}},
            }),
        );
        assert_eq!(out, [""; 0]);
        assert!(config.enabled && config.mode == Mode::Strict);
        assert_eq!(config.protected_branches, ["main", "master", "prod"]);
        assert_eq!(config.protected_files, ["*.pem"]);
        assert!(config.rules.contains_key("theirs"));
    }

    #[test]
    fn a_project_cannot_make_it_milder() {
        let standing = json!({
            "mode": "strict", "protected_files": ["*.key"], "answers": {"default": "deny"},
            "rules": {"mine": {"command": ["x"], "verdict": "ask"}}, "remember_yes": false,
        });
        let (before, _) = tightened(&standing, &json!({}));
        let (config, mut out) = tightened(
            &standing,
            &json!({
                "enabled": false, "mode": "loss", "protected_branches": [], "protected_files": [],
                "answers": {"default": "ask", "unattended": "ask"},
                "rules": {
                    "bomb": {"enabled": false, "verdict": "ask", "reason": "go on", "instead": "run this"},
                    "mine": {"enabled": false, "command": ["y"], "verdict": "silent"},
                },
                "allow": [{"command": "*"}], "remember_yes": true,
            }),
        );
        out.sort();
        assert_eq!(
            out,
            [
                "allow",
                "answers.default",
                "answers.unattended",
                "enabled",
                "mode",
                "protected_branches",
                "protected_files",
                "remember_yes",
                "rules.bomb.enabled",
                "rules.bomb.instead",
                "rules.bomb.reason",
                "rules.bomb.verdict",
                "rules.mine.command",
                "rules.mine.enabled",
                "rules.mine.verdict",
            ]
        );
        let expected = Config {
            rules: config.rules.clone(),
            ..before.clone()
        };
        assert_eq!(config, expected);
        assert_eq!(config.rules["mine"], before.rules["mine"]);
        assert_eq!(
            config.rules["bomb"],
            super::super::config::RuleChange::default()
        );
    }

    #[test]
    fn what_is_of_the_wrong_kind_is_left_for_the_complaint() {
        for wrong in [
            json!(7),
            json!({"enabled": "no"}),
            json!({"protected_branches": "none"}),
            json!({"answers": 1, "rules": []}),
            json!({"rules": {"bomb": "off"}}),
        ] {
            let mut layer = tree(&wrong);
            assert!(
                tighten(&mut layer, &Config::default()).is_empty(),
                "{wrong}"
            );
            assert_eq!(layer, tree(&wrong));
        }
    }
}
