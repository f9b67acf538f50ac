//! Between which numbers a setting lies: what its schema says, held against what a file says. The structs themselves
//! take any number of their type.

use std::sync::OnceLock;

use bellwether_spine::config::{Node, Problem, Value as Said};
use serde_json::Value;

use crate::schema::schema;

/// The bounds of one setting.
struct Range {
    path: Vec<String>,
    least: f64,
    most: f64,
}

/// The first setting in a tree that lies outside of its bounds.
pub(crate) fn first_outside(tree: &Node) -> Option<Problem> {
    all().iter().find_map(|range| {
        let path: Vec<&str> = range.path.iter().map(String::as_str).collect();
        let node = tree.at(&path)?;
        let number = match &node.value {
            #[expect(
                clippy::cast_precision_loss,
                reason = "what is so large lies outside either way"
            )]
            Said::Integer(number) => *number as f64,
            Said::Float(number) => *number,
            _ => return None,
        };
        (!(range.least..=range.most).contains(&number)).then(|| Problem {
            place: node.place.clone(),
            path: range.path.join("."),
            message: format!(
                "must be from {} to {}, and is {number}",
                range.least, range.most
            ),
            suggestion: None,
        })
    })
}

fn all() -> &'static [Range] {
    static ALL: OnceLock<Vec<Range>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut found = Vec::new();
        gather(&mut Vec::new(), &schema(), &mut found);
        found
    })
}

fn gather(path: &mut Vec<String>, schema: &Value, found: &mut Vec<Range>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        let bounds = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
        if let (Some(least), Some(most)) = bounds {
            let path = path.clone();
            found.push(Range { path, least, most });
        }
        gather(path, schema, found);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, settable};

    #[test]
    fn every_number_has_bounds_and_the_defaults_keep_them() {
        fn numbers(path: &str, value: &Value, found: &mut Vec<String>) {
            match value {
                Value::Object(entries) => {
                    for (name, value) in entries {
                        numbers(&format!("{path}.{name}"), value, found);
                    }
                }
                Value::Number(_) => found.push(path.trim_start_matches('.').to_owned()),
                _ => {}
            }
        }
        let known: Vec<String> = all().iter().map(|range| range.path.join(".")).collect();
        let mut found = Vec::new();
        let defaults = serde_json::to_value(Config::default()).unwrap();
        numbers("", &defaults, &mut found);
        for key in found {
            assert!(known.contains(&key), "{key} has no bounds");
        }
        let place = bellwether_spine::config::Place::in_whole(
            bellwether_spine::config::Origin::BuiltIn("here"),
        );
        assert_eq!(first_outside(&Node::from_json(&defaults, &place)), None);
    }

    /// What the page may set has the same bounds.
    #[test]
    fn the_two_lists_of_bounds_agree() {
        for range in all() {
            let key = range.path.join(".");
            let Some(kind) = settable::find(&key) else {
                continue;
            };
            for at in [range.least, range.most] {
                assert_eq!(kind.check(&at.into()), Ok(()), "{key}: {at}");
            }
            for beyond in [range.least - 1.0, range.most + 1.0] {
                assert!(kind.check(&beyond.into()).is_err(), "{key}: {beyond}");
            }
        }
    }
}
