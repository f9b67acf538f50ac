//! `bellwether voices`: who can speak, and how they sound.

use std::time::Instant;

use bellwether_announce::Language;
use bellwether_audio::voice::{Chain, Engine, EngineName, Known, Line, Tongue};
use bellwether_audio::{Clip, Stop};
use bellwether_spine::{Home, text};
use clap::Subcommand;
use serde_json::{Value, json};

use super::say;
use crate::config::Environment;
use crate::exit::{self, AlreadyTold};
use crate::output;
use crate::speaking::Speaking;

/// So many voices of an engine are named in a line.
const NAMED: usize = 8;

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Show every engine: whether it can speak, its voices and languages.
    List {
        /// Print JSON, with every voice.
        #[arg(long)]
        json: bool,
    },
    /// Have an engine or a voice say a sentence, and show how long it took. Without a name: all of them.
    Test {
        /// An engine, or a voice of one.
        name: Option<String>,
        /// The language of the sentence, as `ko` [default: that of the configuration]
        #[arg(long)]
        language: Option<String>,
        /// Make the speech and do not play it.
        #[arg(long)]
        silent: bool,
        /// Print JSON: an array of {engine, `first_ms`, `all_ms`, seconds} or {engine, error}.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let speaking = Speaking::gather(home, Environment::of_command())?;
    match arguments {
        Arguments::List { json: true } => output::show_json(&listed(home, &speaking)),
        Arguments::List { json: false } => {
            list(home, &speaking);
            Ok(())
        }
        Arguments::Test {
            name,
            language,
            silent,
            json,
        } => {
            let language = language.as_ref().unwrap_or(&speaking.config.voice.language);
            let trial = Trial {
                home,
                speaking: &speaking,
                language: Tongue::named(language),
                silent: *silent,
            };
            let rows = trial.run(name.as_deref(), *json)?;
            if *json {
                output::show_json(&rows)?;
            }
            let failed = rows.iter().any(|row| row.get("error").is_some());
            anyhow::ensure!(!failed, AlreadyTold);
            Ok(())
        }
    }
}

/// Every engine there is, those of the chain first.
fn engines(speaking: &Speaking) -> Vec<EngineName> {
    let chain = &speaking.config.voice.chain;
    let others = EngineName::ALL.iter().filter(|name| !chain.contains(name));
    chain.iter().chain(others).copied().collect()
}

fn list(home: &Home, speaking: &Speaking) {
    for name in engines(speaking) {
        let chain = say::chain_of(home, speaking, name);
        let Some(engine) = chain.engines().next() else {
            continue;
        };
        let place = match speaking
            .config
            .voice
            .chain
            .iter()
            .position(|it| *it == name)
        {
            Some(at) => format!("{}.", at + 1),
            None => "-".to_owned(),
        };
        tell!("{place:3}{:11} {}", name.as_str(), name.about());
        match engine.ready() {
            Ok(()) => tell!("   {:11} yes: {}", "", voices_of(engine)),
            Err(lack) => {
                tell!("   {:11} no: {}; {}", "", lack.reason, lack.advice);
                // A service with a key and without a voice has some to choose from.
                if name == EngineName::Elevenlabs && speaking.keys.elevenlabs.is_some() {
                    tell!("   {:11} its voices: {}", "", voices_of(engine));
                }
            }
        }
    }
    let chain = speaking.chain(home);
    for language in Language::CODES {
        let speaker = chain.speaker(&Tongue::named(language)).map(Engine::name);
        tell!("{language} is spoken by {}", speaker.unwrap_or("nobody"));
    }
}

/// The first voices of an engine, or why they cannot be named.
fn voices_of(engine: &dyn Engine) -> String {
    let voices = match engine.voices() {
        Ok(voices) => voices,
        Err(error) => return error.to_string(),
    };
    let called = |it: &Known| match (it.about.as_str(), engine.name()) {
        (about, "elevenlabs") if !about.is_empty() => format!("{} ({about})", it.name),
        _ => it.name.clone(),
    };
    let names: Vec<String> = voices.iter().take(NAMED).map(called).collect();
    let shown = text::shown(&names.join(", "), 600);
    match voices.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn listed(home: &Home, speaking: &Speaking) -> Value {
    let rows = engines(speaking).into_iter().map(|name| {
        let chain = &speaking.config.voice.chain;
        let place = chain.iter().position(|it| *it == name).map(|at| at + 1);
        let mut row = json!({"engine": name, "about": name.about(), "place": place});
        let chain = say::chain_of(home, speaking, name);
        if let Some(engine) = chain.engines().next() {
            describe(engine, &mut row);
        }
        row
    });
    rows.collect()
}

/// Whether an engine can speak, and its voices or why not.
fn describe(engine: &dyn Engine, row: &mut Value) {
    row["usable"] = json!(engine.ready().is_ok());
    if let Err(lack) = engine.ready() {
        row["reason"] = json!(lack.reason);
        row["advice"] = json!(lack.advice);
    }
    match engine.voices() {
        Err(error) => row["reason"] = json!(error.to_string()),
        Ok(voices) => {
            let rows = voices.iter().map(|it| {
                let (name, about) = (text::shown(&it.name, 200), text::shown(&it.about, 200));
                json!({"name": name, "languages": it.languages, "about": about})
            });
            row["voices"] = rows.collect();
        }
    }
}

/// What engines are tried with.
struct Trial<'a> {
    home: &'a Home,
    speaking: &'a Speaking,
    language: Tongue,
    silent: bool,
}

impl Trial<'_> {
    /// Tries the engine or voice of that name, or every engine that can; a row for each.
    fn run(&self, name: Option<&str>, json: bool) -> anyhow::Result<Vec<Value>> {
        let (asked, voice) = match name.map(|name| (name, say::engine_named(name))) {
            None => (engines(self.speaking), ""),
            Some((_, Some(engine))) => (vec![engine], ""),
            Some((voice, None)) => (vec![with_voice(self.home, self.speaking, voice)?], voice),
        };
        let is_single = asked.len() == 1;
        let spoken = Language::of_code(self.language.primary()).unwrap_or_default();
        let mut line = Line::new(spoken.words().sample, 180);
        voice.clone_into(&mut line.voice);
        let mut rows = Vec::new();
        for name in asked {
            let chain = say::chain_of(self.home, self.speaking, name);
            let is_able = |it: &dyn Engine| it.ready().is_ok() && it.speaks(&self.language);
            if !is_single && !chain.engines().all(is_able) {
                continue;
            }
            let row = self.heard(name, &chain, &line)?;
            if !json {
                tell!("{}", told(&row));
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Has one engine say the line.
    fn heard(&self, name: EngineName, chain: &Chain, line: &Line) -> anyhow::Result<Value> {
        match say::ready(chain).and_then(|()| rendered(chain, line)) {
            Ok((mut row, clip)) => {
                row["engine"] = json!(name);
                if !self.silent {
                    say::play(self.home, self.speaking, &mut { clip }, 1.0)?;
                }
                Ok(row)
            }
            Err(error) => Ok(json!({"engine": name, "error": exit::told(&error)})),
        }
    }
}

/// A row for a person.
fn told(row: &Value) -> String {
    let engine = row["engine"].as_str().unwrap_or_default();
    match row["error"].as_str() {
        Some(error) => format!("{engine:11} {error}"),
        None => format!(
            "{engine:11} first sound after {} ms, all of {:.1} s after {} ms",
            row["first_ms"],
            row["seconds"].as_f64().unwrap_or_default(),
            row["all_ms"]
        ),
    }
}

fn rendered(chain: &Chain, line: &Line) -> anyhow::Result<(Value, Clip)> {
    let began = Instant::now();
    let ms = || u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut spoken = chain.speak(line, &Stop::default())?;
    let first = ms();
    let clip = say::whole(spoken.source.as_mut())?;
    let seconds = clip.duration().as_secs_f64();
    Ok((
        json!({"first_ms": first, "seconds": seconds, "all_ms": ms()}),
        clip,
    ))
}

/// The engine that has a voice.
fn with_voice(home: &Home, speaking: &Speaking, voice: &str) -> anyhow::Result<EngineName> {
    let has = |name: &EngineName| {
        let chain = say::chain_of(home, speaking, *name);
        let known = |engine: &dyn Engine| {
            let voices = if engine.ready().is_ok() {
                engine.voices()
            } else {
                Ok(Vec::new())
            };
            voices.is_ok_and(|voices| voices.iter().any(|it| it.name.eq_ignore_ascii_case(voice)))
        };
        chain.engines().any(known)
    };
    let found = engines(speaking).into_iter().find(has);
    found.ok_or_else(|| {
        exit::usage(format!(
            "there is no engine or voice {voice}; `bellwether voices list --json` lists all"
        ))
    })
}
