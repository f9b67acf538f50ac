//! Which matchers of hooks can never match, as a version of the client compares them.
//!
//! A matcher of letters, digits, `_` and `|` is a list of whole names, and letters count as written; later versions
//! take commas, spaces and hyphens for parts of such a list too. Anything else is a pattern, found anywhere in the name.

use super::Client;
use super::catalog::Entry;
use super::feature::Feature;

/// Why a matcher, or one name of it, matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dead {
    /// Letters count as written.
    Case {
        written: String,
        known: &'static str,
    },
    /// The name must be whole.
    Part {
        written: String,
        known: &'static str,
    },
    /// This version takes the list for a pattern.
    List,
    /// The pattern cannot be read.
    Pattern,
    /// The event is not matched: the hook runs every time.
    Ignored,
}

impl Client {
    /// What of a matcher has no effect for an event, if something.
    pub fn dead_matcher(self, entry: &Entry, matcher: &str) -> Option<Dead> {
        let compared = entry
            .matcher
            .filter(|matcher| matcher.support.has(self.version));
        let Some(compared) = compared else {
            // What no list says is read by the client in its own way.
            return (entry.matcher.is_some() || is_known_unmatched(entry)).then_some(Dead::Ignored);
        };
        if is_list(matcher, self.has(Feature::MatcherList)) {
            let is_tool = compared.field == "tool_name";
            return is_tool.then(|| self.dead_name(matcher)).flatten();
        }
        if !self.has(Feature::MatcherList) && matcher.contains(',') && is_list(matcher, true) {
            return Some(Dead::List);
        }
        is_broken(matcher).then_some(Dead::Pattern)
    }

    /// The first name in a list that is nearly one of a tool. A name that is like none may be a tool that we do not
    /// know.
    fn dead_name(self, list: &str) -> Option<Dead> {
        let tools = &self.product.wire().tools;
        let names = list
            .split(['|', ',', ' '])
            .filter(|name| !name.is_empty() && !name.starts_with(tools.mcp));
        let unknown = names.filter(|name| !tools.names().any(|known| known == *name));
        let near = unknown.filter_map(|name| {
            let written = name.to_owned();
            if let Some(known) = tools.names().find(|known| known.eq_ignore_ascii_case(name)) {
                return Some(Dead::Case { written, known });
            }
            let known = tools.names().find(|known| known.starts_with(name))?;
            Some(Dead::Part { written, known })
        });
        near.into_iter().next()
    }
}

/// Whether the event is known to run every hook, whatever the matcher. Files are matched by their names, which no
/// payload field is.
fn is_known_unmatched(entry: &Entry) -> bool {
    entry.kind != crate::event::Kind::FileChanged
}

fn is_list(matcher: &str, wide: bool) -> bool {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || c == '_' || c == '|' || (wide && matches!(c, ',' | ' ' | '-'))
    };
    matcher.chars().all(plain)
}

/// A pattern that begins with a repetition of nothing, or whose brackets do not close.
fn is_broken(pattern: &str) -> bool {
    let (mut round, mut square, mut escaped) = (0_usize, false, false);
    for c in pattern.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => square = false,
            _ if square => {}
            '[' => square = true,
            '(' => round += 1,
            ')' if round == 0 => return true,
            ')' => round -= 1,
            _ => {}
        }
    }
    pattern.starts_with(['*', '+', '?']) || round > 0 || square || escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{Product, Version};
    use crate::event::Kind;

    fn dead(kind: Kind, matcher: &str, patch: u32) -> Option<Dead> {
        let client = Client::new(Product::Claude, Version(2, 1, patch));
        client.dead_matcher(client.entry(kind).unwrap(), matcher)
    }

    #[test]
    fn what_can_never_match_is_told() {
        let case = |written: &str, known| {
            Some(Dead::Case {
                written: written.into(),
                known,
            })
        };
        let part = |written: &str, known| {
            Some(Dead::Part {
                written: written.into(),
                known,
            })
        };
        for (matcher, patch, expected) in [
            ("Bash", 325, None),
            ("Bash|Write", 325, None),
            ("bash", 325, case("bash", "Bash")),
            ("Write|bash", 325, case("bash", "Bash")),
            ("Ba", 325, part("Ba", "Bash")),
            ("^Ba", 325, None),
            ("Bash, Write", 325, None),
            ("Bash, Write", 191, None),
            ("Bash, Write", 190, Some(Dead::List)),
            ("Bash,Write", 100, Some(Dead::List)),
            ("mcp__x__y", 325, None),
            ("mcp__.*", 325, None),
            ("OurOwnTool", 325, None),
            ("*.py", 325, Some(Dead::Pattern)),
            ("(Bash", 325, Some(Dead::Pattern)),
            ("[Bb]ash", 325, None),
            (r"\(x", 325, None),
            ("Edit.*|Write", 325, None),
        ] {
            assert_eq!(
                dead(Kind::PreToolUse, matcher, patch),
                expected,
                "{matcher}"
            );
        }
    }

    #[test]
    fn a_matcher_of_an_event_that_has_none_is_ignored() {
        assert_eq!(dead(Kind::Stop, "Bash", 325), Some(Dead::Ignored));
        assert_eq!(dead(Kind::SubagentStop, "x", 25), Some(Dead::Ignored));
        assert_eq!(dead(Kind::SubagentStop, "x", 26), None);
        assert_eq!(dead(Kind::SessionStart, "startup", 325), None);
        assert_eq!(dead(Kind::FileChanged, "*.md", 325), None);
    }
}
