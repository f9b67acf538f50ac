//! What a waiting hook and the daemon say to each other about a permission request: one JSON value a line, over the
//! control socket.
//!
//! The hook asks once. The daemon says at once whether it takes the question, and later what the person answered, or that
//! nobody will. A connection that ends says the same as [`Told::Released`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::sha256;

/// A value as it stands in a line, in both directions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line<T> {
    /// Something about a permission request.
    Permission(T),
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The id of the event in the journal.
    pub id: String,
    pub session: Option<String>,
    /// Whose tool call it is, when it is not the session's main agent's.
    pub agent: Named,
    pub tool: String,
    /// What it would be called with; long texts in it are cut.
    pub input: Value,
    /// The hash of what it would be called with, all of it.
    pub input_hash: String,
    /// The command or the file that it is about.
    pub subject: Option<Subject>,
    pub project: Option<String>,
    /// How long the hook waits, in milliseconds.
    pub wait_ms: u64,
    /// What the guard says about it.
    pub guard: Option<View>,
}

/// An agent's names, as the client gives them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Named {
    pub id: Option<String>,
    /// Its name in the team.
    pub name: Option<String>,
    pub team: Option<String>,
}

/// What a tool call is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A command, all of it.
    Command(String),
    /// A file, by its whole path.
    Path(String),
}

/// What the guard says about a tool call; its words are masked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// `ask` or `deny`.
    pub verdict: String,
    /// How bad it would be.
    pub severity: String,
    /// The rules that are against it.
    pub rules: Vec<String>,
    pub reason: String,
    pub lost: Vec<String>,
    /// What does the job safely.
    pub instead: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// The question is shown to somebody.
    Waiting,
    /// Nobody is there to see it.
    Nobody,
    /// The person allows it.
    Allowed,
    /// The person refuses it, with these words for the agent.
    Denied(String),
    /// Nobody will answer any more: it was settled elsewhere, or the time is over.
    Released,
}

/// What tells one input of a tool from another: the order of its fields and the spaces between them do not.
pub fn input_hash(input: &str) -> String {
    let Ok(value) = serde_json::from_str(input) else {
        return sha256(input.as_bytes());
    };
    let mut plain = String::with_capacity(input.len());
    write_sorted(&value, &mut plain);
    sha256(plain.as_bytes())
}

/// Whether a map keeps its order depends on how the program was built; the hash must not.
fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            for (name, value) in fields {
                out.push_str(&Value::from(name.as_str()).to_string());
                write_sorted(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            for item in items {
                write_sorted(item, out);
                out.push(',');
            }
            out.push(']');
        }
        simple => out.push_str(&simple.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_read_what_the_other_writes() {
        let asked = Asked {
            id: "1".into(),
            tool: "Bash".into(),
            subject: Some(Subject::Command("ls".into())),
            ..Asked::default()
        };
        let line = serde_json::to_string(&Line::Permission(&asked)).unwrap();
        assert!(line.starts_with(r#"{"permission":{"id":"1","#), "{line}");
        let Line::Permission(read): Line<Asked> = serde_json::from_str(&line).unwrap();
        assert_eq!(read, asked);
        let denied = Line::Permission(Told::Denied("no".into()));
        let line = serde_json::to_string(&denied).unwrap();
        assert_eq!(line, r#"{"permission":{"denied":"no"}}"#);
        assert!(serde_json::from_str::<Line<Told>>(r#"{"failed":"no such request"}"#).is_err());
    }

    #[test]
    fn an_input_is_known_however_it_is_written() {
        let known = input_hash(r#"{"command":"ls","timeout":5}"#);
        assert_eq!(input_hash(r#"{ "timeout" : 5, "command" : "ls" }"#), known);
        assert_ne!(input_hash(r#"{"command":"ls ","timeout":5}"#), known);
        assert_ne!(input_hash("half"), input_hash("half a"));
    }
}
