//! What can be heard: the effects and the voices.

use bellwether_audio::Effect;
use bellwether_audio::voice::{Chain, Engine, EngineName, Known};
use bellwether_config::Hearing;
use bellwether_spine::text;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};

/// So many voices of an engine are named.
const NAMED: usize = 300;

/// What can be heard.
#[derive(Serialize, JsonSchema)]
struct Sounds {
    /// The effects.
    effects: Vec<EffectView>,
    /// The voices of every engine, those of the configured chain first. An engine without any has one line
    /// that says why.
    voices: Vec<VoiceView>,
}

/// An effect.
#[derive(Serialize, JsonSchema)]
struct EffectView {
    /// Its name.
    name: &'static str,
    /// What it sounds like.
    about: &'static str,
}

/// A voice.
#[derive(Serialize, JsonSchema)]
struct VoiceView {
    /// Its name; that of the engine where no voice is known.
    name: String,
    /// The engine that has it.
    engine: &'static str,
    /// The language that it speaks; none when it speaks many.
    language: Option<String>,
    /// Whether it could speak, as far as can be told without asking anybody.
    ready: bool,
    /// What is missing, and what to do about it.
    trouble: Option<String>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/sounds",
    about: "Lists the effects and the voices that can be heard",
    more: "Voices of a service are asked for there, if there is a key for it.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Sounds>),
    refuses: &[],
    handle: |ask| Box::pin(async move { sounds(&ask).await }),
};

async fn sounds(ask: &Ask) -> Result<Answer, Fault> {
    let home = ask.state.home.clone();
    // Voices may be those of a service, or of a program that has to be started.
    let voices = tokio::task::spawn_blocking(move || voices(&Hearing::load(&home)));
    let effects = Effect::ALL.iter().map(|effect| EffectView {
        name: effect.name,
        about: effect.about,
    });
    Ok(ok(&Sounds {
        effects: effects.collect(),
        voices: voices.await.map_err(Fault::ours)?,
    }))
}

fn voices(hearing: &Hearing) -> Vec<VoiceView> {
    let configured = &hearing.voice.chain;
    let others = EngineName::ALL
        .iter()
        .filter(|name| !configured.contains(name));
    let mut settings = hearing.voice.clone();
    settings.chain = configured.iter().chain(others).copied().collect();
    let chain = Chain::new(&settings, &hearing.keys, None);
    chain.engines().flat_map(voices_of).collect()
}

fn voices_of(engine: &dyn Engine) -> Vec<VoiceView> {
    let view = |name: &str, language: Option<&String>, trouble: Option<String>| VoiceView {
        name: text::shown(name, 200),
        engine: engine.name(),
        language: language.map(|language| text::shown(language, 40)),
        ready: trouble.is_none(),
        trouble: trouble.map(|trouble| text::shown(&trouble, 400)),
    };
    if let Err(lack) = engine.ready() {
        let trouble = format!("{}; {}", lack.reason, lack.advice);
        return vec![view(engine.name(), None, Some(trouble))];
    }
    let of_one = |voice: &Known| {
        let language = voice.languages.first();
        view(
            &voice.name,
            language.filter(|_| voice.languages.len() == 1),
            None,
        )
    };
    match engine.voices() {
        // It has one voice, without a name.
        Ok(voices) if voices.is_empty() => vec![view(engine.name(), None, None)],
        Ok(voices) => voices.iter().take(NAMED).map(of_one).collect(),
        Err(error) => vec![view(engine.name(), None, Some(error.to_string()))],
    }
}
