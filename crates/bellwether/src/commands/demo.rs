//! `bellwether demo`: a minute with several agents, for somebody who has none yet.

use std::io::IsTerminal as _;

use bellwether_spine::{Home, meta};
use clap::Args;

use super::{open, purge};
use crate::demo::{Pace, Stage};
use crate::registration::Scope;
use crate::settings::{Document, file};
use crate::{config, exit, installation, output, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Do not open the page.
    #[arg(long)]
    no_open: bool,
    /// How many times as fast as it happened.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Remove the demo's events at its end, without a question.
    #[arg(long)]
    purge: bool,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=1000.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("between 0.1 and 1000".to_owned())
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let language = config::load(home, None, &meta::variable).config.language;
    installation::reach(home, &[])?;
    let stage = Stage::set(home, language)?;
    if let Some(reason) = stage.sound().silent() {
        tell!("You will hear nothing: {reason}.\n");
    }
    if !arguments.no_open && !person::is_agent() {
        // Without a browser the demo can still be heard.
        if let Err(error) = open::run(home, &open::Arguments::default()) {
            note!("bellwether: {}", exit::told(&error));
        }
    }
    stage.play(Pace(arguments.speed), |line| tell!("{line}"))?;
    tell!("");
    if !is_installed() {
        tell!("To see your own agents like this: bellwether install");
    }
    tidy(home, stage.sessions(), arguments.purge)
}

/// Removes the demo's events if the person wants that, else says how it is done later.
fn tidy(home: &Home, sessions: &str, wanted: bool) -> anyhow::Result<()> {
    if wanted || asked()? {
        person::require(home, "removing events")?;
        let gone = usize::try_from(purge::sessions(home, sessions)?).unwrap_or(usize::MAX);
        tell!("{} of the demo removed", output::many(gone, "event"));
    } else {
        tell!("Look through its events:  bellwether events --session {sessions}");
        tell!("Remove them:              bellwether purge --session {sessions}");
    }
    Ok(())
}

/// Asks whoever sits at the terminal, if somebody does.
fn asked() -> anyhow::Result<bool> {
    let (stdin, stdout) = (std::io::stdin(), std::io::stdout());
    if person::is_agent() || !stdin.is_terminal() || !stdout.is_terminal() {
        return Ok(false);
    }
    person::agrees("Remove the demo's events from the page and the store?")
}

/// Whether a client of this person already runs our hook.
fn is_installed() -> bool {
    let settings = Scope::User.settings().ok();
    let content = settings.and_then(|path| file::read(&path).ok().flatten());
    let document = content.and_then(|content| Document::parse(content.text).ok());
    document.is_some_and(|document| !document.ours().is_empty())
}
