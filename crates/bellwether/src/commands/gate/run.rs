//! `bellwether gate run`: checks what is staged, or a tree that a hook names.
//!
//! An agent may run it: what passes here has passed the same checks as a commit.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bellwether_gate::{
    GateError, Limits, Notes, Outcome, Remembered, Report, Request, StepReport, Stop, Watcher,
};
use bellwether_spine::{Home, text};
use clap::Args;

use crate::exit::AlreadyTold;
use crate::gate::{Here, Progress, told};
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Check this tree, by its id, instead of what is staged.
    #[arg(long, value_name = "TREE")]
    tree: Option<String>,
    /// End after so many milliseconds, whatever has not ended by then.
    #[arg(long, value_name = "N")]
    deadline_ms: Option<u64>,
    /// Check also what has passed before.
    #[arg(long)]
    again: bool,
    /// The folder whose configuration counts; else the nearest one that has some or is trusted.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Print the result as JSON: {outcome, steps, reason, note}.
    #[arg(long)]
    json: bool,
    /// End when stdin ends: with the hook that waits for the result.
    #[arg(long, hide = true)]
    with_parent: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let begun = Instant::now();
    let outcome = checked(home, arguments, begun);
    match outcome {
        Ok(report) if matches!(report.outcome, Outcome::Failed | Outcome::Late) => {
            Err(AlreadyTold.into())
        }
        Ok(_) => Ok(()),
        Err(error) if arguments.json => {
            // Whoever waited has gone: nobody is left to be told.
            if !matches!(error.downcast_ref(), Some(GateError::Stopped(Stop::Alone))) {
                output::show_json(&nothing(&format!(
                    "the checks before a commit could not run: {error:#}"
                )))?;
            }
            Err(AlreadyTold.into())
        }
        Err(error) => Err(error),
    }
}

fn checked(home: &Home, arguments: &Arguments, begun: Instant) -> anyhow::Result<Report> {
    let project = arguments
        .project
        .as_ref()
        .map(std::path::absolute)
        .transpose()?;
    let here = Here::find(home, project.as_deref())?;
    if let Some(why) = refusal(&here, arguments) {
        anyhow::ensure!(arguments.json, "nothing was run: {why}");
        let report = nothing(&why);
        output::show_json(&report)?;
        return Ok(report);
    }
    let budget = arguments.deadline_ms.map(Duration::from_millis);
    let parent = arguments
        .with_parent
        .then(|| std::io::stdin().as_fd().try_clone_to_owned());
    let request = Request {
        home,
        config: &here.loaded.config.gate,
        folder: &here.folder,
        project: Some(&here.project),
        tree: arguments.tree.as_deref(),
        budget,
        limits: Limits::new(
            budget.map(|budget| begun + budget),
            parent.transpose()?.map(File::from),
        ),
        remembered: if arguments.again {
            Remembered::CheckedAgain
        } else {
            Remembered::Counts
        },
        notes: if arguments.with_parent {
            Notes::Once
        } else {
            Notes::All
        },
    };
    let report = if arguments.json {
        bellwether_gate::run(&request, &mut Printed)?
    } else {
        bellwether_gate::run(&request, &mut Told(Progress::new()))?
    };
    Ok(report)
}

/// Why nothing may be run here. A person or an agent may try the checks of a trusted project that has them switched off.
fn refusal(here: &Here, arguments: &Arguments) -> Option<String> {
    let needed = if arguments.with_parent {
        here.is_on()
    } else {
        here.is_trusted()
    };
    if needed { None } else { here.why_off() }
}

fn nothing(note: &str) -> Report {
    Report {
        outcome: Outcome::Nothing,
        steps: Vec::new(),
        reason: String::new(),
        note: text::shown(note, 400),
    }
}

/// Prints the result for a program.
struct Printed;

impl Watcher for Printed {
    fn changed(&mut self, _: &[StepReport]) {}

    fn answered(&mut self, report: &Report) {
        // Whoever reads it may have gone.
        let _ = output::show_json(report);
        let _ = output::stdout().flush();
        // Whoever waits for the end of our words need not wait until all is cleared away.
        if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
            let _ = rustix::stdio::dup2_stdout(nowhere);
        }
    }
}

/// Shows a run to whoever has started it, and then its result.
struct Told(Progress);

impl Watcher for Told {
    fn changed(&mut self, steps: &[StepReport]) {
        self.0.changed(steps);
    }

    fn answered(&mut self, report: &Report) {
        self.0.answered(report);
        output::show_text(&told(report));
    }
}
