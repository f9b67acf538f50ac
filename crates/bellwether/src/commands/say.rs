//! `bellwether say`: speaks a line as announcements are spoken.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use bellwether_audio::voice::{Chain, EngineName, Line, Settings, Spoken};
use bellwether_audio::{AudioError, Clip, Seat, Source, Speakers, Stop, wav};
use bellwether_spine::{Home, lock, text};
use clap::Args;

use crate::config::Environment;
use crate::exit;
use crate::speaking::Speaking;

/// A line is no longer than this.
const LONGEST: usize = 8_000;

#[derive(Args)]
pub(crate) struct Arguments {
    /// What to say, in one word or several; `-` reads it from stdin.
    #[arg(required = true, value_name = "WORDS")]
    text: Vec<String>,
    /// An engine (`embedded`), or a voice that an engine of the chain has.
    #[arg(long, value_name = "NAME")]
    voice: Option<String>,
    /// Words a minute.
    #[arg(long, default_value_t = 200, value_name = "WORDS", value_parser = clap::value_parser!(u32).range(20..=1000))]
    rate: u32,
    /// The pitch; 1.0 is the voice's own.
    #[arg(long, default_value_t = 1.0, value_name = "PITCH")]
    pitch: f32,
    /// How loud, from 0.0 to 1.0.
    #[arg(long, default_value_t = 1.0, value_parser = volume)]
    volume: f64,
    /// Write a WAV file instead of playing.
    #[arg(long, value_name = "FILE.wav")]
    out: Option<PathBuf>,
    /// Without the character that `character.profile` names.
    #[arg(long)]
    plain: bool,
}

/// How loud something is on the command line.
fn volume(text: &str) -> Result<f64, String> {
    let volume = text.parse().ok();
    volume
        .filter(|volume| (0.0..=1.0).contains(volume))
        .ok_or_else(|| "the volume must be between 0.0 and 1.0".to_owned())
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let speaking = Speaking::gather(home, Environment::of_command())?;
    let line = line(home, &speaking, arguments)?;
    let chain = match arguments.voice.as_deref().and_then(engine_named) {
        Some(engine) => chain_of(home, &speaking, engine),
        None => speaking.chain(home),
    };
    ready(&chain)?;
    let spoken = chain.speak(&line, &Stop::default())?;
    let hear = |source: &mut dyn Source| match &arguments.out {
        Some(path) => {
            let clip = whole(source)?;
            std::fs::write(path, wav::encode(&clip))
                .with_context(|| format!("cannot write {}", path.display()))
        }
        None => play(home, &speaking, source, arguments.volume),
    };
    let engine = to_the_end(&chain, &line, spoken, hear)?;
    note!("spoken by {engine}");
    Ok(())
}

/// The line, in the character's words unless it is to be plain.
fn line(home: &Home, speaking: &Speaking, arguments: &Arguments) -> anyhow::Result<Line> {
    let said = match arguments.text.join(" ").as_str() {
        "-" => {
            let mut said = String::new();
            let stdin = std::io::stdin().lock();
            stdin.take(LONGEST as u64 * 4).read_to_string(&mut said)?;
            said
        }
        said => said.to_owned(),
    };
    let said = text::shown(&said, LONGEST);
    if said.is_empty() {
        return Err(exit::usage("nothing to say"));
    }
    let character = speaking.character(home)?.filter(|_| !arguments.plain);
    let said = character.map_or(said.clone(), |character| character.rewrite(&said).text);
    Ok(Line {
        voice: arguments.voice.clone().unwrap_or_default(),
        pitch: arguments.pitch,
        ..Line::new(said, arguments.rate)
    })
}

/// Hears a line; when its sound breaks off, whoever comes next says it again.
fn to_the_end(
    chain: &Chain,
    line: &Line,
    mut spoken: Spoken,
    mut hear: impl FnMut(&mut dyn Source) -> anyhow::Result<()>,
) -> anyhow::Result<&'static str> {
    loop {
        for trouble in &spoken.troubles {
            note!("{trouble}");
        }
        match hear(spoken.source.as_mut()) {
            Ok(()) => return Ok(spoken.engine),
            Err(error) => match error.downcast_ref::<AudioError>() {
                Some(AudioError::Voice { .. }) => {
                    note!("{error}");
                    spoken = chain.after(spoken.engine, line, &Stop::default())?;
                }
                _ => return Err(error),
            },
        }
    }
}

/// An engine by its name.
pub(super) fn engine_named(name: &str) -> Option<EngineName> {
    EngineName::ALL
        .iter()
        .copied()
        .find(|it| it.as_str() == name)
}

/// A chain of one engine.
pub(super) fn chain_of(home: &Home, speaking: &Speaking, engine: EngineName) -> Chain {
    let settings = Settings {
        chain: vec![engine],
        ..speaking.config.voice.clone()
    };
    speaking.chain_of(home, &settings)
}

/// Says what is missing when nobody could speak.
pub(super) fn ready(chain: &Chain) -> anyhow::Result<()> {
    if chain.is_configured() {
        return Ok(());
    }
    let lacks = chain.engines().filter_map(|engine| {
        let lack = engine.ready().err()?;
        Some(format!(
            "{}: {}; {}",
            engine.name(),
            lack.reason,
            lack.advice
        ))
    });
    let lacks: Vec<String> = lacks.collect();
    if lacks.is_empty() {
        bail!("`voice.chain` is empty");
    }
    bail!("no voice can speak: {}", lacks.join("; "))
}

pub(super) fn whole(source: &mut dyn Source) -> anyhow::Result<Clip> {
    let mut samples = Vec::new();
    while let Some(more) = source.next()? {
        samples.extend(more);
    }
    Ok(Clip {
        format: source.format(),
        samples,
    })
}

/// Plays a sound at this seat, once nobody else is heard.
pub(super) fn play(
    home: &Home,
    speaking: &Speaking,
    source: &mut dyn Source,
    volume: f64,
) -> anyhow::Result<()> {
    home.create()?;
    let _lock = lock::take_sound(home)?;
    let audio = &speaking.config.audio;
    let (mut speakers, seat) = (Speakers::default(), Seat::of_process());
    let volume = audio.loudness(volume);
    speakers.play(&seat, audio, source, volume, &Stop::default())?;
    Ok(())
}
