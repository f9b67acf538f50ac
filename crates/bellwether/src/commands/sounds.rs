//! `bellwether sounds`: the effects, which announcement uses which, and how they sound.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_announce::Hooks;
use bellwether_audio::decode::Decoder;
use bellwether_audio::player::find;
use bellwether_audio::{Chosen, Clip, Effect, Seat, Settings, Stop, decode, wav};
use bellwether_spine::{Home, meta};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::Value;

use crate::{config, exit, output};

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Show every effect, what it sounds like and which announcement uses it here.
    List {
        /// Print JSON: an array of objects.
        #[arg(long)]
        json: bool,
    },
    /// Play effects or sound files at this seat.
    Play(Play),
    /// Write effects as WAV files.
    Export(Export),
    /// Decode a sound file on stdin, for ourselves.
    #[command(hide = true)]
    Decode,
}

#[derive(Args)]
pub(crate) struct Play {
    /// Effects by name, or WAV, MP3, OGG Vorbis and FLAC files.
    #[arg(required = true, value_name = "NAME|FILE")]
    sounds: Vec<String>,
    /// How loud, from 0.0 to 1.0; what is beyond counts as the nearest.
    #[arg(long, default_value_t = 1.0)]
    volume: f64,
    /// Print JSON: an array of objects, with the time until the first sample.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct Export {
    /// A folder for all of them (made if it is missing), or the name of one effect.
    #[arg(default_value = "sounds", value_name = "DIR|NAME")]
    what: String,
    /// Where the one effect goes; without it, NAME.wav.
    #[arg(value_name = "FILE.wav")]
    to: Option<PathBuf>,
    /// Write over files that are there.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    if matches!(arguments, Arguments::Decode) {
        return decode::serve().map_err(|reason| {
            note!("{reason}");
            anyhow::Error::new(exit::AlreadyTold)
        });
    }
    let project = std::env::current_dir().ok();
    let config = config::load(home, project.as_deref(), &meta::variable).config;
    match arguments {
        Arguments::List { json } => list(&config.hooks, *json),
        Arguments::Play(play) => play.run(&config.audio),
        Arguments::Export(export) => export.run(),
        Arguments::Decode => Ok(()),
    }
}

/// One line of the list.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    seconds: f64,
    used_by: Vec<String>,
}

fn list(hooks: &Hooks, json: bool) -> anyhow::Result<()> {
    let used = uses(hooks);
    let listed = Effect::ALL.iter().map(|effect| Listed {
        name: effect.name,
        about: effect.about,
        seconds: effect.render().duration().as_secs_f64(),
        used_by: used
            .iter()
            .filter(|(_, stem)| stem == effect.name)
            .map(|(announcement, _)| announcement.clone())
            .collect(),
    });
    let listed: Vec<Listed> = listed.collect();
    if json {
        return output::show_json(&listed);
    }
    let mut out = output::stdout();
    for one in &listed {
        let line = format!(
            "{:18} {:.1} s  {:46} {}",
            one.name,
            one.seconds,
            one.about,
            one.used_by.join(", ")
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Which announcement is configured with which file, by the file's stem. Every announcement that is on
/// and has a sound that is on counts.
fn uses(hooks: &Hooks) -> Vec<(String, String)> {
    let tree = serde_json::to_value(hooks).unwrap_or_default();
    let announcements = tree.as_object().into_iter().flatten();
    let on = announcements.filter(|(_, section)| section["enabled"] != Value::Bool(false));
    let sounds = on.filter_map(|(name, section)| {
        let sound = &section["sound"];
        let file = sound["file"]
            .as_str()
            .filter(|_| sound["enabled"] == Value::Bool(true))?;
        let stem = Path::new(file).file_stem()?.to_str()?;
        Some((name.clone(), stem.to_owned()))
    });
    sounds.collect()
}

#[derive(Serialize)]
struct Heard<'a> {
    sound: &'a str,
    player: &'static str,
    seconds: f64,
    first_sample_ms: Option<f64>,
}

impl Play {
    fn run(&self, settings: &Settings) -> anyhow::Result<()> {
        let clips = self.sounds.iter().map(|name| Ok((name, clip(name)?)));
        let clips: Vec<(&String, Clip)> = clips.collect::<anyhow::Result<_>>()?;
        let mut player = find(&Seat::of_process(), settings).into_player()?;
        let volume = settings.loudness(self.volume);
        let mut heard = Vec::new();
        for (name, mut clip) in clips {
            let seconds = clip.duration().as_secs_f64();
            let asked = std::time::Instant::now();
            let done = player.play(&mut clip, volume, &Stop::default())?;
            heard.push(Heard {
                sound: name,
                player: player.name(),
                seconds,
                first_sample_ms: done
                    .first_sample
                    .map(|at| at.duration_since(asked).as_secs_f64() * 1e3),
            });
        }
        if self.json {
            output::show_json(&heard)?;
        }
        Ok(())
    }
}

/// An effect by its name, else a file.
fn clip(name: &str) -> anyhow::Result<Clip> {
    if let Some(effect) = Effect::named(name) {
        return Ok(effect.render());
    }
    let here = std::env::current_dir()?;
    match Chosen::of(name, Some(&here)) {
        Chosen::File(path) => Ok(decode::load(&path, &Decoder::of_program())?.levelled()),
        Chosen::Effect(effect) => Ok(effect.render()),
        Chosen::Nothing | Chosen::Missing(_) => Err(no_effect("effect and no file", name)),
    }
}

fn no_effect(what: &str, name: &str) -> anyhow::Error {
    let known: Vec<&str> = Effect::ALL.iter().map(|effect| effect.name).collect();
    exit::unknown(what, name, &known, "bellwether sounds list")
}

impl Export {
    fn run(&self) -> anyhow::Result<()> {
        if let Some(effect) = Effect::named(&self.what) {
            let usual = || PathBuf::from(format!("{}.wav", effect.name));
            let path = self.to.clone().unwrap_or_else(usual);
            self.write(effect, &path)?;
            tell!("wrote {}", path.display());
            return Ok(());
        }
        if self.to.is_some() {
            return Err(no_effect("effect", &self.what));
        }
        let folder = Path::new(&self.what);
        std::fs::create_dir_all(folder).with_context(|| format!("make {}", folder.display()))?;
        for effect in Effect::ALL {
            self.write(effect, &folder.join(format!("{}.wav", effect.name)))?;
        }
        tell!(
            "wrote {} to {}",
            output::many(Effect::ALL.len(), "effect"),
            folder.display()
        );
        Ok(())
    }

    fn write(&self, effect: &Effect, path: &Path) -> anyhow::Result<()> {
        let mut options = File::options();
        options.write(true);
        if self.force {
            options.create(true).truncate(true);
        } else {
            options.create_new(true);
        }
        let mut file = options.open(path).with_context(|| {
            format!(
                "cannot write {} (--force writes over files)",
                path.display()
            )
        })?;
        file.write_all(&wav::encode(&effect.render()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_effect_that_a_preset_uses_is_there() {
        let uses = uses(&Hooks::default());
        assert!(uses.len() > 5, "{uses:?}");
        for (announcement, stem) in uses {
            assert!(Effect::named(&stem).is_some(), "{announcement}: {stem}");
        }
    }
}
