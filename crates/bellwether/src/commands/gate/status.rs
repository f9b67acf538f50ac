//! `bellwether gate status`: what is being checked, what was found last, what has passed.

use bellwether_gate::{Ended, Running, State};
use bellwether_hook::gate::{Pass, Passes};
use bellwether_spine::Home;
use clap::Args;
use serde::Serialize;

use crate::gate::{duration, told};
use crate::output;

/// So much of a tree's id tells it apart.
const ID: usize = 10;
/// As many passes are shown.
const SHOWN: usize = 5;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Print JSON: {running, last, passes}.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    /// In every work tree.
    running: Vec<Running>,
    /// Here, if this is a work tree.
    last: Option<Ended>,
    passes: Vec<Pass>,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let root = bellwether_gate::root_of(&std::env::current_dir()?).ok();
    let shown = Shown {
        running: bellwether_gate::running(home, None),
        last: root
            .as_deref()
            .and_then(|root| bellwether_gate::last(home, root)),
        passes: Passes(home).list(root.as_deref()),
    };
    if arguments.json {
        return output::show_json(&shown);
    }
    shown.tell();
    Ok(())
}

impl Shown {
    fn tell(&self) {
        for running in &self.running {
            tell!("running   {}", running_line(running));
            for step in &running.steps {
                tell!("          {:24} {}", step.name, state(step.state));
            }
        }
        if self.running.is_empty() {
            tell!("running   nothing");
        }
        match &self.last {
            None => tell!("last      nothing was checked here yet"),
            Some(last) => {
                tell!(
                    "last      {}, tree {}",
                    output::moment(last.ended_ms),
                    short(&last.tree)
                );
                for line in told(&last.report).lines() {
                    tell!("          {line}");
                }
            }
        }
        tell!("passed    {}", output::many(self.passes.len(), "tree"));
        for pass in self.passes.iter().take(SHOWN) {
            let steps = pass.steps.join(", ");
            tell!(
                "          {}  {}  {steps}",
                output::moment(pass.at_ms),
                short(&pass.tree)
            );
        }
    }
}

/// A run in one line.
pub(crate) fn running_line(running: &Running) -> String {
    let ended = |step: &&bellwether_gate::StepReport| {
        !matches!(step.state, State::Waiting | State::Running)
    };
    let (all, ended) = (
        running.steps.len(),
        running.steps.iter().filter(ended).count(),
    );
    format!(
        "{}: {ended} of {} done after {}",
        running.root.display(),
        output::many(all, "check"),
        duration(running.started_ms)
    )
}

fn short(id: &str) -> &str {
    id.get(..ID).unwrap_or(id)
}

fn state(state: State) -> String {
    // Its name in JSON is the word for people too.
    let json = serde_json::to_value(state).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}
