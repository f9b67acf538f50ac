//! `bellwether daemon`: start, stop, look at it, or be it.

use std::os::fd::RawFd;
use std::time::Duration;

use bellwether_daemon::Options;
use bellwether_spine::{Home, meta};
use clap::{Args, Subcommand};
use serde_json::json;

use super::{status, unit};
use crate::{config, installation, output, person};

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Start the daemon in the background, unless it is running.
    Start(Start),
    /// Stop the daemon, once it has stored everything. The next event starts it again.
    Stop {
        /// Print JSON: {stopped}.
        #[arg(long)]
        json: bool,
    },
    /// Show its state: the same as `bellwether status`.
    Status(status::Arguments),
    /// Run the daemon in the foreground.
    Run(Run),
    /// Print, write or remove a file that keeps the daemon running: for systemd or launchd.
    Unit(unit::Arguments),
}

#[derive(Args)]
pub(crate) struct Running {
    /// The port for HTTP on 127.0.0.1; 0 for none [default: `daemon.port` in the configuration]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// End after so many seconds without anything to do, or `never`; the next event starts it again [default:
    /// `daemon.idle_exit` in the configuration]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    idle_exit: Option<Duration>,
}

#[derive(Args)]
pub(crate) struct Start {
    #[command(flatten)]
    running: Running,
    /// Print JSON: {started, pid}.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct Run {
    #[command(flatten)]
    running: Running,
    /// The descriptor that holds the lock already.
    #[arg(long, hide = true)]
    lock_fd: Option<RawFd>,
}

impl Running {
    /// What the configuration says, but for what was said here.
    fn options(&self, home: &Home) -> Options {
        let configured = config::load(home, None, &meta::variable).config;
        let mut options = Options::from(&configured);
        if let Some(port) = self.port {
            options.port = (port > 0).then_some(port);
        }
        options.idle_exit = self.idle_exit.unwrap_or(options.idle_exit);
        options
    }

    /// The same words again, for a daemon that is started.
    fn words(&self) -> Vec<String> {
        let port = self
            .port
            .map(|port| ["--port".to_owned(), port.to_string()]);
        let idle = self
            .idle_exit
            .map(|idle| ["--idle-exit".to_owned(), idle.as_secs_f64().to_string()]);
        port.into_iter().chain(idle).flatten().collect()
    }
}

/// As long as no machine runs.
const NEVER: Duration = Duration::from_hours(10 * 365 * 24);

fn seconds(text: &str) -> Result<Duration, String> {
    if text == "never" {
        return Ok(NEVER);
    }
    let number = text
        .parse()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number).ok());
    number.ok_or_else(|| "give a number of seconds, for instance 600 or 0.5, or `never`".to_owned())
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments {
        Arguments::Start(arguments) => start(home, arguments),
        Arguments::Stop { json } => {
            person::require(home, "stopping the daemon")?;
            stop(home, *json)
        }
        Arguments::Status(arguments) => status::run(home, arguments),
        Arguments::Unit(arguments) => unit::run(home, arguments),
        Arguments::Run(run) => {
            let options = Options {
                lock_fd: run.lock_fd,
                ..run.running.options(home)
            };
            Ok(bellwether_daemon::run(home, &options)?)
        }
    }
}

fn start(home: &Home, arguments: &Start) -> anyhow::Result<()> {
    let (mut client, started) = installation::reach(home, &arguments.running.words())?;
    let pid = client.status()?.pid;
    if arguments.json {
        return output::show_json(&json!({"started": started, "pid": pid}));
    }
    let how = if started { "started" } else { "runs already" };
    tell!("the daemon {how}, process {pid}");
    Ok(())
}

fn stop(home: &Home, as_json: bool) -> anyhow::Result<()> {
    let stopped = installation::stop(home)?;
    if as_json {
        return output::show_json(&json!({"stopped": stopped}));
    }
    if stopped {
        tell!("the daemon has stopped; the next event starts it again");
    } else {
        tell!("no daemon runs");
    }
    Ok(())
}
