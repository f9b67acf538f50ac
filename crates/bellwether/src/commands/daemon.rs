//! `bellwether daemon`: start, stop, look at it, or be it.

use std::os::fd::RawFd;
use std::time::Duration;

use bellwether_daemon::{DEFAULT_PORT, Options};
use bellwether_spine::Home;
use clap::{Args, Subcommand};

use super::status;
use crate::installation;

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Start the daemon in the background, unless it runs.
    Start(Running),
    /// Stop the daemon, once it has stored everything. The next event starts it again.
    Stop,
    /// Show how it is: the same as `bellwether status`.
    Status(status::Arguments),
    /// Be the daemon, in the foreground.
    Run(Run),
}

#[derive(Args)]
pub(crate) struct Running {
    /// The port for HTTP on 127.0.0.1; 0 for none.
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// End after so many seconds without anything to do; the next event starts it again.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = Options::default().idle_exit.as_secs_f64(),
        value_parser = seconds
    )]
    idle_exit: f64,
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
    fn options(&self) -> Options {
        Options {
            port: (self.port > 0).then_some(self.port),
            idle_exit: Duration::from_secs_f64(self.idle_exit),
            ..Options::default()
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| Duration::try_from_secs_f64(*number).is_ok());
    number.ok_or_else(|| "give a number of seconds, for instance 600 or 0.5".to_owned())
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments {
        Arguments::Start(running) => start(home, &running.options()),
        Arguments::Stop => stop(home),
        Arguments::Status(arguments) => status::run(home, arguments),
        Arguments::Run(run) => {
            let options = Options {
                lock_fd: run.lock_fd,
                ..run.running.options()
            };
            Ok(bellwether_daemon::run(home, &options)?)
        }
    }
}

fn start(home: &Home, options: &Options) -> anyhow::Result<()> {
    let (mut client, started) = installation::reach(home, options)?;
    let pid = client.status()?.pid;
    let how = if started { "started" } else { "runs already" };
    println!("the daemon {how}, process {pid}");
    Ok(())
}

fn stop(home: &Home) -> anyhow::Result<()> {
    if installation::stop(home)? {
        println!("the daemon has stopped; the next event starts it again");
    } else {
        println!("no daemon runs");
    }
    Ok(())
}
