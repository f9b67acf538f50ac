//! Messages with placeholders, such as `{project}: allow {command}?`.

use crate::handlers::PLACEHOLDERS;

/// The placeholders that every message may have: who it is about, and what the agent wants to do.
pub const SHARED: [&str; 3] = ["project", "agent", "command"];
/// Braces around more than this are no placeholder.
const LONGEST: usize = 40;

/// A placeholder that nobody fills in.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown<'a> {
    pub written: &'a str,
    /// Those that the message may have.
    pub known: Vec<&'static str>,
}

/// A message with its placeholders filled in, all at once: what is filled in is not looked at again.
pub(crate) fn fill<V: AsRef<str>>(message: &str, values: &[(&str, V)]) -> String {
    let mut filled = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let value = values.iter().find_map(|(name, value)| {
            let end = rest
                .strip_prefix('{')?
                .strip_prefix(name)?
                .strip_prefix('}')?;
            Some((value, end))
        });
        if let Some((value, end)) = value {
            filled.push_str(value.as_ref());
            rest = end;
        } else {
            filled.push('{');
            rest = &rest[1..];
        }
    }
    filled + rest
}

/// The first placeholder in a message of an announcement that nobody fills in.
pub fn unknown<'a>(handler: &str, message: &'a str) -> Option<Unknown<'a>> {
    let own = PLACEHOLDERS.iter().find(|(name, _)| *name == handler)?.1;
    let known: Vec<&'static str> = own.iter().copied().chain(SHARED).collect();
    let mut written = placeholders(message);
    let written = written.find(|written| !known.contains(written))?;
    Some(Unknown { written, known })
}

fn placeholders(message: &str) -> impl Iterator<Item = &str> {
    let behind = message.split('{').skip(1);
    let inner = behind.filter_map(|rest| Some(rest.split_once('}')?.0));
    inner.filter(|inner| inner.chars().count() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hooks, Language, Preset, Presets as _};

    #[test]
    fn placeholders_are_filled_once() {
        let values = [("a", "{b}"), ("b", "x")];
        assert_eq!(fill("{a} and {b}{c} {", &values), "{b} and x{c} {");
    }

    #[test]
    fn a_placeholder_that_nobody_fills_in_is_found() {
        for (message, written) in [
            ("May {tool_name} in {project}, {agent}: {command}?", None),
            ("May {tool}?", Some("tool")),
            ("May {Tool_Name}?", Some("Tool_Name")),
            ("May { tool_name }?", Some(" tool_name ")),
            ("May {}?", Some("")),
            ("May {task_subject}?", Some("task_subject")),
            ("a { b", None),
            ("", None),
        ] {
            let found = unknown("permission_request", message);
            assert_eq!(found.map(|unknown| unknown.written), written, "{message}");
        }
        assert_eq!(unknown("no_such_handler", "{x}"), None);
    }

    /// What the presets say can be filled in, in every language.
    #[test]
    fn every_preset_has_only_known_placeholders() {
        for &language in Language::ALL {
            for preset in [Preset::Full, Preset::Calm, Preset::Plain] {
                let hooks = serde_json::to_value(Hooks::of(preset, language)).unwrap();
                for (handler, settings) in hooks.as_object().unwrap() {
                    let messages = settings.as_object().unwrap().values();
                    for message in messages.filter_map(|message| message.as_str()) {
                        assert_eq!(unknown(handler, message), None, "{handler}");
                    }
                }
            }
        }
    }
}
