//! `bellwether character`: in whose words lines can be told.

use bellwether_audio::character::{self, How, Origin};
use bellwether_spine::{Home, text};
use clap::Subcommand;
use serde_json::json;

use crate::config::Environment;
use crate::speaking::Speaking;
use crate::{exit, output};

/// A line that is tried is no longer than one that is spoken.
const LINE: usize = 8_000;

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// List every character, and which one is used.
    List {
        /// One JSON object a line: {name, origin, about, valid, chosen}.
        #[arg(long)]
        json: bool,
    },
    /// Show a character's profile, as JSON.
    Show {
        /// Its name.
        name: String,
    },
    /// Say a line in a character's words, and show how it was made.
    Try {
        /// The line.
        text: String,
        /// Whose words [default: those of the configuration]
        #[arg(long, value_name = "NAME")]
        profile: Option<String>,
        /// Print JSON: {text, how, why}.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments {
        Arguments::List { json } => list(home, *json),
        Arguments::Show { name } => show(home, name),
        Arguments::Try {
            text,
            profile,
            json,
        } => attempt(home, text, profile.as_deref(), *json),
    }
}

fn list(home: &Home, as_json: bool) -> anyhow::Result<()> {
    let speaking = Speaking::gather(home, Environment::of_command())?;
    let chosen = &speaking.config.character.profile;
    for found in character::list(&home.characters()) {
        let origin = match &found.origin {
            Origin::Shipped => "shipped".to_owned(),
            Origin::Own(path) => path.display().to_string(),
        };
        let about = match &found.profile {
            Ok(profile) => text::shown(&profile.description, 120),
            Err(error) => text::shown(&error.to_string(), 300),
        };
        let is_chosen = found.name == *chosen;
        if as_json {
            let row = json!({"name": text::shown(&found.name, 80), "origin": origin, "about": about,
                             "valid": found.profile.is_ok(), "chosen": is_chosen});
            tell!("{}", output::json_line(&row)?);
        } else {
            let mark = if is_chosen { '*' } else { ' ' };
            tell!("{mark} {:12} {about}", text::shown(&found.name, 80));
        }
    }
    if chosen.is_empty() && !as_json {
        tell!("no character is set; `character.profile` chooses one");
    }
    Ok(())
}

/// A name that nobody bears is a mistake; a profile that cannot be read is told by whoever reads it.
fn ensure_known(home: &Home, name: &str) -> anyhow::Result<()> {
    let known = character::list(&home.characters());
    let known: Vec<&str> = known.iter().map(|found| found.name.as_str()).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let see = "bellwether character list";
    Err(exit::unknown("character", name, &known, see))
}

fn show(home: &Home, name: &str) -> anyhow::Result<()> {
    ensure_known(home, name)?;
    let profile = character::find(&home.characters(), name)?;
    output::show_json(&profile)
}

fn attempt(home: &Home, line: &str, profile: Option<&str>, as_json: bool) -> anyhow::Result<()> {
    let speaking = Speaking::gather(home, Environment::of_command())?;
    let character = match profile {
        Some(name) => {
            ensure_known(home, name)?;
            speaking.character_named(home, name)?
        }
        None => speaking.character(home)?.ok_or_else(|| {
            exit::usage("no character is set: use `--profile NAME`, or set `character.profile`")
        })?,
    };
    let told = character.rewrite(&text::shown(line, LINE));
    let profile = character.profile();
    let (how, why) = match &told.how {
        How::Service => ("service", format!("in the words of {profile}")),
        How::Offline => ("offline", format!("with a phrase of {profile}")),
        How::Plain(reason) => {
            let reason = text::shown(reason, 300);
            ("plain", format!("the plain line: {reason}"))
        }
    };
    let line = text::shown(&told.text, LINE);
    if as_json {
        return output::show_json(&json!({"text": line, "how": how, "why": why}));
    }
    tell!("{line}");
    note!("{why}");
    Ok(())
}
