//! The story: what happens when, one line each, in `demo/story.jsonl`.

use std::collections::BTreeMap;

use bellwether_announce::Language;
use bellwether_protocol::event::Kind;
use serde::Deserialize;
use serde_json::{Map, Value};

const STORY: &str = include_str!("../../demo/story.jsonl");

/// One line of the story.
#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    /// When, in seconds from the beginning.
    pub at: f64,
    #[serde(flatten)]
    pub what: What,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum What {
    /// An event of the client.
    Event(Happening),
    /// Something that is said aloud to whoever watches.
    Saying { say: Told },
    /// Something that is told to whoever watches.
    Telling {
        tell: Told,
        /// The same where nothing can be heard.
        silent: Option<Told>,
    },
}

/// Words, by language.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Told(BTreeMap<String, String>);

impl Told {
    pub(super) fn words(&self, language: Language) -> &str {
        let theirs = self.0.get(language.code());
        let words = theirs.or_else(|| self.0.get(Language::default().code()));
        words.map_or("", String::as_str)
    }
}

/// An event of the client, without what all events of its agent have.
#[derive(Debug, Deserialize)]
pub(super) struct Happening {
    /// The project, and behind a slash the subagent.
    pub who: String,
    pub event: String,
    /// Which tool call it is about.
    #[serde(default)]
    pub call: Option<String>,
    /// What the payload has of its own.
    #[serde(default)]
    pub fields: Map<String, Value>,
    /// What is in the transcript then.
    #[serde(default)]
    pub says: Option<Says>,
}

impl Happening {
    pub(super) fn kind(&self) -> Kind {
        Kind::from_name(&self.event)
    }
}

/// A message in the transcript.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) struct Says {
    #[serde(default)]
    pub user: Option<String>,
    #[serde(default)]
    pub assistant: Option<String>,
    /// How many tokens went in.
    #[serde(default)]
    pub input: u64,
    #[serde(default)]
    pub output: u64,
}

/// The story, in the order of time.
pub(super) fn story() -> serde_json::Result<Vec<Scene>> {
    STORY.lines().map(serde_json::from_str).collect()
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn the_story_is_in_order_and_every_call_begins_before_it_ends() {
        let story = story().unwrap();
        let mut open: BTreeMap<String, usize> = BTreeMap::new();
        let mut last = 0.0;
        for scene in &story {
            assert!(scene.at >= last, "{scene:?}");
            last = scene.at;
            let What::Event(event) = &scene.what else {
                continue;
            };
            assert_ne!(event.kind(), Kind::Other, "{scene:?}");
            let Some(call) = &event.call else { continue };
            let begun = open.entry(format!("{}/{call}", event.who)).or_default();
            *begun += 1;
            let wanted = if event.event == "PreToolUse" { 1 } else { 2 };
            assert_eq!(*begun, wanted, "{scene:?}");
        }
        assert!((45.0..75.0).contains(&last), "about a minute: {last}");
    }

    #[test]
    fn something_is_said_at_once_and_in_every_language() {
        let story = story().unwrap();
        let said = story.iter().find_map(|scene| match &scene.what {
            What::Saying { say } => Some((scene.at, say)),
            _ => None,
        });
        assert!(said.is_some_and(|(at, _)| at < 1.0), "{said:?}");
        for scene in &story {
            let told: Vec<&Told> = match &scene.what {
                What::Event(_) => Vec::new(),
                What::Saying { say } => vec![say],
                What::Telling { tell, silent } => [tell].into_iter().chain(silent).collect(),
            };
            for told in told {
                let languages: Vec<&str> = told.0.keys().map(String::as_str).collect();
                assert_eq!(languages, Language::CODES, "{scene:?}");
            }
        }
    }

    #[test]
    fn whoever_comes_also_goes() {
        let story = story().unwrap();
        let names = |wanted: &str| -> Vec<String> {
            let events = story.iter().filter_map(|scene| match &scene.what {
                What::Event(event) if event.event == wanted => Some(event.who.clone()),
                _ => None,
            });
            let mut names: Vec<String> = events.collect();
            names.sort();
            names
        };
        for (come, go) in [
            ("SessionStart", "SessionEnd"),
            ("SubagentStart", "SubagentStop"),
        ] {
            assert_eq!(names(come).len(), 2);
            assert_eq!(names(come), names(go));
        }
    }
}
