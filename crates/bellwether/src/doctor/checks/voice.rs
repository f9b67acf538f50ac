//! Who speaks, in which languages, and what is in the way.

use bellwether_announce::Language;
use bellwether_audio::character;
use bellwether_audio::voice::{Chain, Engine, EngineName, Tongue};

use super::{Finding, Setup};
use crate::config::Environment;
use crate::exit;
use crate::speaking::Speaking;

pub(super) const ABOUT: &str = "a voice can speak, also in Korean where needed, and keys are used";

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let speaking = match Speaking::gather(setup.home, Environment::of_command()) {
        Ok(speaking) => speaking,
        Err(error) => return vec![Finding::problem(exit::told(&error))],
    };
    let chain = speaking.chain(setup.home);
    let mut findings = vec![speakers(&chain, &speaking)];
    let own = |language: &Language| in_own_letters(&chain, &speaking, *language);
    findings.extend(Language::ALL.iter().filter_map(own));
    findings.extend(unused_keys(&chain, &speaking));
    findings.extend(named_and_missing(&chain, &speaking));
    findings.extend(character(setup, &speaking));
    findings
}

fn speakers(chain: &Chain, speaking: &Speaking) -> Finding {
    let language = Tongue::named(&speaking.config.voice.language);
    let able: Vec<&str> = chain
        .engines()
        .filter(|engine| engine.ready().is_ok())
        .map(Engine::name)
        .collect();
    match chain.speaker(&language) {
        Some(engine) => Finding::good(format!(
            "{language} is spoken by {} (able: {})",
            engine.name(),
            able.join(", ")
        )),
        None => Finding::problem(format!("no voice can speak {language}"))
            .advise("add `embedded` to `voice.chain`"),
    }
}

/// A language in letters of its own needs a voice of its own: without one only the effect is heard.
fn in_own_letters(chain: &Chain, speaking: &Speaking, language: Language) -> Option<Finding> {
    let (code, name) = (language.code(), language.words().name);
    let tongue = Tongue::named(code);
    if tongue.is_latin() {
        return None;
    }
    let is_chosen = speaking.config.language == language;
    match (chain.speaker(&tongue), is_chosen) {
        (Some(engine), true) => Some(Finding::good(format!(
            "{code} is spoken by {}",
            engine.name()
        ))),
        (None, true) => Some(
            Finding::warning(format!(
                "no {name} voice; {name} messages play only the sound"
            ))
            .advise(format!(
                "install espeak-ng, which has `{code}`, or set `voice.piper.models`, or a service"
            )),
        ),
        (None, false) => Some(
            Finding::note(format!(
                "no {name} voice; {name} messages play only the sound"
            ))
            .advise("install espeak-ng if you need it"),
        ),
        (Some(_), false) => None,
    }
}

/// A key that somebody set and that nothing uses.
fn unused_keys(chain: &Chain, speaking: &Speaking) -> Vec<Finding> {
    let keys = [
        (EngineName::Elevenlabs, speaking.keys.elevenlabs.is_some()),
        (EngineName::Openai, speaking.keys.openai.is_some()),
    ];
    let unused = keys
        .iter()
        .filter(|(_, is_set)| *is_set)
        .filter_map(|(name, _)| {
            let engine = chain
                .engines()
                .find(|engine| engine.name() == name.as_str())?;
            let lack = engine.ready().err()?;
            let text = format!("there is a key for {name}, and {}", lack.reason);
            Some(Finding::note(text).advise(lack.advice))
        });
    unused.collect()
}

/// Somebody whom the person's own chain names first, and who cannot speak.
fn named_and_missing(chain: &Chain, speaking: &Speaking) -> Vec<Finding> {
    if speaking.config.voice.chain == EngineName::ALL {
        return Vec::new();
    }
    let missing = chain.engines().filter_map(|engine| {
        let lack = engine.ready().err()?;
        let text = format!("`voice.chain` names {}, and {}", engine.name(), lack.reason);
        Some(Finding::warning(text).advise(lack.advice))
    });
    missing.collect()
}

fn character(setup: &Setup<'_>, speaking: &Speaking) -> Vec<Finding> {
    let chosen = &speaking.config.character.profile;
    let mut findings: Vec<Finding> = character::list(&setup.home.characters())
        .into_iter()
        .filter(|found| found.name != *chosen)
        .filter_map(|found| Some(Finding::warning(found.profile.err()?.to_string())))
        .collect();
    match speaking.character(setup.home) {
        Ok(None) => {}
        Ok(Some(character)) => {
            let lack = character.lack().map(|lack| {
                Finding::warning(format!("{} says plain lines: {lack}", character.profile()))
                    .advise("set it, or `character.rewrite: offline`")
            });
            findings.extend(lack);
        }
        Err(error) => findings.push(
            Finding::warning(format!("lines stay plain: {}", exit::told(&error)))
                .advise("bellwether character list"),
        ),
    }
    findings
}
