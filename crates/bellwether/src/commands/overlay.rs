//! `bellwether overlay`: agents on the desktop.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use bellwether_config::load;
use bellwether_spine::overlay::{self, Display, Held, PROGRAM, Running, Start};
use bellwether_spine::{Home, launch, meta};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::service::{DESKTOP, Folders, Outcome};
use crate::{exit, installation, output, person};

/// How long it may take until it says that it runs.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(10);

#[derive(Args)]
#[command(after_help = "\
Examples:
  bellwether overlay                      start it on this desktop
  bellwether overlay --at-login on        and whenever you log in
  bellwether overlay --stop

It runs in the background and ends with your desktop. With `overlay.auto` in the configuration the
first event of a session on a display starts it.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct Arguments {
    /// How it reaches the screen, whatever the configuration says.
    #[arg(long, value_enum, value_name = "HOW", conflicts_with_all = ["stop", "status", "at_login"])]
    backend: Option<Backend>,
    /// Run it in this terminal, which shows what it complains about.
    #[arg(long, conflicts_with_all = ["stop", "status", "at_login"])]
    foreground: bool,
    /// End it, on every display.
    #[arg(long, conflicts_with_all = ["status", "at_login"])]
    stop: bool,
    /// Show where it runs, and whether it is started by itself.
    #[arg(long, conflicts_with = "at_login")]
    status: bool,
    /// Have your desktop start it when you log in, or not any more.
    #[arg(long, value_enum, value_name = "on|off")]
    at_login: Option<Switch>,
    /// Print JSON, with `--status`: {running: [{display, pid}], display, `at_login`, auto, program}.
    #[arg(long, requires = "status")]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Backend {
    Auto,
    X11,
    Wayland,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::X11 => "x11",
            Self::Wayland => "wayland",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    if let Some(switch) = arguments.at_login {
        // The overlay's own menu asks this, too.
        return at_login(home, switch);
    }
    if arguments.status {
        return status(home, arguments.json);
    }
    person::refuse_agents(home, "the overlay")?;
    if arguments.stop {
        return stop(home);
    }
    start(home, arguments)
}

fn start(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let display = Display::here().context(
        "there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set; run it in a terminal of your desktop",
    )?;
    let program = launch::beside(PROGRAM)
        .with_context(|| format!("{PROGRAM} is not beside this program: run ./install again"))?;
    let Some(held) = Held::take(home, &display)? else {
        let running = overlay::running_on(home, &display);
        let process = running.and_then(|running| running.pid);
        let process = process.map_or_else(String::new, |pid| format!(" (process {pid})"));
        tell!("the overlay already runs on {}{process}", display.name());
        return Ok(());
    };
    let key = key(home, &display)?;
    let words = arguments
        .backend
        .map(|backend| ["--backend", backend.name()]);
    let start = Start {
        home,
        program: &program,
        display: &display,
        words: words.into_iter().flatten().map(Into::into).collect(),
        held,
        key: &key,
    };
    if arguments.foreground {
        output::finish().map_err(anyhow::Error::msg)?;
        return Err(start.replace_us().into());
    }
    start.detached()?;
    say_what_became(home, &display)
}

/// A key for the overlay on a display; the one that it had before counts no more.
fn key(home: &Home, display: &Display) -> anyhow::Result<String> {
    let (mut client, _) = installation::reach(home, &[])?;
    let status = client.status()?;
    if let Some(trouble) = &status.http_trouble {
        anyhow::bail!("the overlay cannot reach the daemon: {trouble}");
    }
    ensure!(
        status.port.is_some(),
        "the overlay reaches the daemon by its port, and `daemon.port` is 0"
    );
    Ok(client.new_token(&display.token_name())?)
}

/// Waits until it runs or has ended.
fn say_what_became(home: &Home, display: &Display) -> anyhow::Result<()> {
    let until = Instant::now() + PATIENCE;
    while let Some(running) = overlay::running_on(home, display) {
        if running.pid.is_some() || Instant::now() > until {
            tell!(
                "the overlay runs on {}; `bellwether overlay --stop` ends it",
                display.name()
            );
            return Ok(());
        }
        std::thread::sleep(LOOK_EVERY);
    }
    anyhow::bail!("the overlay ended at once; `bellwether overlay --foreground` shows why")
}

fn stop(home: &Home) -> anyhow::Result<()> {
    let running = overlay::running(home);
    if running.is_empty() {
        tell!("no overlay runs");
    }
    let mut all_ended = true;
    for one in &running {
        let ended = one.end()?;
        all_ended &= ended;
        if ended {
            tell!("the overlay on {} has ended", one.display);
        } else {
            tell!("the overlay on {} has not ended yet", one.display);
        }
    }
    if all_ended {
        return Ok(());
    }
    Err(exit::AlreadyTold.into())
}

fn at_login(home: &Home, switch: Switch) -> anyhow::Result<()> {
    let folders = Folders::of_person()?;
    let path = (DESKTOP.file)(&folders);
    let shown = path.display();
    match switch {
        Switch::On => match DESKTOP.install(home, &path)? {
            Outcome::Right => tell!("your desktop starts the overlay at login: {shown}"),
            _ => tell!("your desktop starts the overlay at login from now on: wrote {shown}"),
        },
        Switch::Off => match DESKTOP.remove(&folders)? {
            Outcome::Removed => {
                tell!("your desktop does not start the overlay any more: removed {shown}");
            }
            _ => tell!("your desktop does not start the overlay at login"),
        },
    }
    Ok(())
}

/// Where it runs, and what starts it by itself.
struct Standing {
    running: Vec<Running>,
    display: Option<String>,
    at_login: bool,
    auto: bool,
    program: Option<PathBuf>,
}

impl Standing {
    fn of(home: &Home) -> Self {
        let entry = Folders::of_person().map(|folders| (DESKTOP.file)(&folders));
        Self {
            running: overlay::running(home),
            display: Display::here().map(|display| display.name().to_owned()),
            at_login: entry.is_ok_and(|path| path.exists()),
            auto: load(home, None, &meta::variable).config.overlay.auto,
            program: launch::beside(PROGRAM).ok(),
        }
    }
}

fn status(home: &Home, as_json: bool) -> anyhow::Result<()> {
    let standing = Standing::of(home);
    if as_json {
        return output::show_json(&json!({
            "running": standing.running,
            "display": standing.display,
            "at_login": standing.at_login,
            "auto": standing.auto,
            "program": standing.program,
        }));
    }
    for running in &standing.running {
        match running.pid {
            Some(pid) => tell!("runs on {} (process {pid})", running.display),
            None => tell!("starts on {}", running.display),
        }
    }
    if standing.running.is_empty() {
        tell!("does not run");
    }
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    tell!("started at login: {}", yes(standing.at_login));
    tell!(
        "started by the first event (overlay.auto): {}",
        yes(standing.auto)
    );
    if standing.program.is_none() {
        tell!("{PROGRAM} is not beside this program: run ./install again");
    }
    Ok(())
}
