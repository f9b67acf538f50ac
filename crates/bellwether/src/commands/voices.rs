//! `bellwether voices`: who can speak, and how they sound.

use std::io::Write as _;
use std::time::Instant;

use bellwether_announce::Language;
use bellwether_audio::Stop;
use bellwether_audio::voice::{Engine, EngineName, Known, Line, Tongue};
use bellwether_spine::{Home, text};
use clap::Subcommand;
use serde_json::{Value, json};

use super::say;
use crate::config::Environment;
use crate::exit::AlreadyTold;
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
    /// Have an engine or a voice say a sentence, and show how long it took. Without a name: all that can.
    Test {
        /// An engine, or a voice of one.
        name: Option<String>,
        /// The language of the sentence, as `ko` [default: that of the configuration]
        #[arg(long)]
        language: Option<String>,
        /// Make the speech and do not play it.
        #[arg(long)]
        silent: bool,
    },
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let speaking = Speaking::gather(home, Environment::of_command())?;
    match arguments {
        Arguments::List { json: true } => {
            writeln!(std::io::stdout(), "{}", listed(home, &speaking))?;
            Ok(())
        }
        Arguments::List { json: false } => {
            list(home, &speaking);
            Ok(())
        }
        Arguments::Test {
            name,
            language,
            silent,
        } => {
            let language = language.as_ref().unwrap_or(&speaking.config.voice.language);
            test(
                home,
                &speaking,
                name.as_deref(),
                &Tongue::named(language),
                *silent,
            )
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
        println!("{place:3}{:11} {}", name.as_str(), name.about());
        match engine.ready() {
            Ok(()) => println!("   {:11} yes: {}", "", voices_of(engine)),
            Err(lack) => {
                println!("   {:11} no: {}; {}", "", lack.reason, lack.advice);
                // A service with a key and without a voice has some to choose from.
                if name == EngineName::Elevenlabs && speaking.keys.elevenlabs.is_some() {
                    println!("   {:11} its voices: {}", "", voices_of(engine));
                }
            }
        }
    }
    let chain = speaking.chain(home);
    for language in Language::CODES {
        let speaker = chain.speaker(&Tongue::named(language)).map(Engine::name);
        println!("{language} is spoken by {}", speaker.unwrap_or("nobody"));
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

fn test(
    home: &Home,
    speaking: &Speaking,
    name: Option<&str>,
    language: &Tongue,
    silent: bool,
) -> anyhow::Result<()> {
    let (asked, voice) = match name.map(|name| (name, say::engine_named(name))) {
        None => (engines(speaking), ""),
        Some((_, Some(engine))) => (vec![engine], ""),
        Some((voice, None)) => (vec![with_voice(home, speaking, voice)?], voice),
    };
    let is_single = asked.len() == 1;
    let spoken = Language::of_code(language.primary()).unwrap_or_default();
    let mut line = Line::new(spoken.words().sample, 180);
    voice.clone_into(&mut line.voice);
    let mut failed = 0;
    for name in asked {
        let chain = say::chain_of(home, speaking, name);
        if !is_single
            && chain
                .engines()
                .any(|it| it.ready().is_err() || !it.speaks(language))
        {
            continue;
        }
        match say::ready(&chain).and_then(|()| rendered(&chain, &line)) {
            Ok((told, clip)) => {
                println!("{:11} {told}", name.as_str());
                if !silent {
                    say::play(home, speaking, &mut { clip }, 1.0)?;
                }
            }
            Err(error) => {
                failed += 1;
                println!("{:11} {error:#}", name.as_str());
            }
        }
    }
    anyhow::ensure!(failed == 0, AlreadyTold);
    Ok(())
}

fn rendered(
    chain: &bellwether_audio::voice::Chain,
    line: &Line,
) -> anyhow::Result<(String, bellwether_audio::Clip)> {
    let began = Instant::now();
    let mut spoken = chain.speak(line, &Stop::default())?;
    let first = began.elapsed();
    let clip = say::whole(spoken.source.as_mut())?;
    let told = format!(
        "first sound after {} ms, all of {:.1} s after {} ms",
        first.as_millis(),
        clip.duration().as_secs_f32(),
        began.elapsed().as_millis()
    );
    Ok((told, clip))
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
        anyhow::anyhow!(
            "no engine and no voice is called {voice}; `bellwether voices list --json` names all"
        )
    })
}
