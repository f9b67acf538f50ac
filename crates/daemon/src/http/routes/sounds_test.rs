//! Lets the person hear something.

use std::time::Duration;

use bellwether_audio::Effect;
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};
use crate::sound::{Trial, TrialWish};

/// Nobody waits longer for a sound.
const PATIENCE: Duration = Duration::from_secs(45);
/// No more words than this, in characters, are said.
const WORDS: usize = 300;

/// What is to be heard: an effect, or words.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// The name of an effect.
    effect: Option<String>,
    /// The words.
    #[schemars(length(min = 1, max = 300))]
    text: Option<String>,
    /// An engine, or a voice that an engine of the chain has.
    #[schemars(length(max = 200))]
    voice: Option<String>,
}

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
struct Heard {
    /// Whether it was heard, as far as the player says.
    heard: bool,
    /// Why not.
    why: Option<String>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/api/sounds/test",
    about: "Lets the person hear an effect, or words by a voice, and answers once it was heard",
    more: "Give `effect`, or `text` and perhaps `voice`. It is heard where the last announcement was, after what waits \
           already, whatever is muted, by the settings as they are now.",
    access: Access::Key,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<Wanted>,
        most: 1 << 20,
    }),
    gives: Gives::Json(shape::<Heard>),
    refuses: &[(503, "others wait to hear something already")],
    handle: |ask| Box::pin(async move { test(&ask).await }),
};

async fn test(ask: &Ask) -> Result<Answer, Fault> {
    let wish = wish(ask.json()?)?;
    let (answer, heard) = oneshot::channel();
    if !ask.state.sound.try_out(Trial { wish, answer }) {
        return Err(Fault::busy(
            "others wait to hear something already; try again",
        ));
    }
    let heard = tokio::time::timeout(PATIENCE, heard).await;
    let why = match heard {
        Ok(Ok(Ok(()))) => None,
        Ok(Ok(Err(why))) => Some(text::shown(&why, 400)),
        Ok(Err(_)) => Some("the daemon ends".to_owned()),
        Err(_) => Some("it was not heard in time: something else is being said".to_owned()),
    };
    Ok(ok(&Heard {
        heard: why.is_none(),
        why,
    }))
}

fn wish(wanted: Wanted) -> Result<TrialWish, Fault> {
    match wanted {
        Wanted {
            effect: Some(name),
            text: None,
            voice: None,
        } => {
            let unknown = || {
                let name = text::shown(&name, 60);
                Fault::bad(format!(
                    "there is no effect `{name}`; /api/sounds lists them"
                ))
                .field("effect")
            };
            Effect::named(&name)
                .map(TrialWish::Effect)
                .ok_or_else(unknown)
        }
        Wanted {
            effect: None,
            text: Some(words),
            voice,
        } => said(&words, voice.unwrap_or_default()),
        _ => Err(Fault::bad("give `effect`, or `text` and perhaps `voice`")),
    }
}

fn said(words: &str, voice: String) -> Result<TrialWish, Fault> {
    if words.chars().count() > WORDS {
        let text = format!("`text` must be at most {WORDS} characters long");
        return Err(Fault::bad(text).field("text"));
    }
    if voice.chars().count() > 200 {
        return Err(Fault::bad("`voice` must be at most 200 characters long").field("voice"));
    }
    let text = text::shown(words, WORDS);
    if text.is_empty() {
        return Err(Fault::bad("nothing to say").field("text"));
    }
    Ok(TrialWish::Words { text, voice })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_wish_is_an_effect_or_words() {
        let wished = |value| wish(serde_json::from_value(value).unwrap());
        assert!(matches!(
            wished(json!({"effect": "bell_call"})),
            Ok(TrialWish::Effect(_))
        ));
        assert!(matches!(
            wished(json!({"text": "hi", "voice": "embedded"})),
            Ok(TrialWish::Words { .. })
        ));
        for wrong in [
            json!({}),
            json!({"effect": "none"}),
            json!({"effect": "bell_call", "text": "hi"}),
            json!({"voice": "x"}),
            json!({"text": ""}),
            json!({"text": "x".repeat(301)}),
            json!({"text": "\u{1b}"}),
        ] {
            assert!(wished(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
