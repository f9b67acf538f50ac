//! What only a person may do: an agent must not be able to free itself of us.
//!
//! Whether somebody is a person is judged by `spine::ancestry`, here and by the daemon, which knows more clients.

use std::fs::File;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Write as _};

use anyhow::{Context as _, bail, ensure};
use bellwether_daemon::control::Client;
use bellwether_protocol::client::marks;
use bellwether_spine::Home;
use bellwether_spine::ancestry::{Origin, System, origin};

use crate::output;

/// How many digits are typed back.
const DIGITS: u32 = 10_000;

/// Refuses what is not asked for by a person at a terminal.
pub(crate) fn require(home: &Home, what: &str) -> anyhow::Result<()> {
    refuse_agents(home, what)?;
    ensure!(
        std::io::stdin().is_terminal(),
        "{what} needs a person at a terminal, and stdin is not a terminal. Run it in one"
    );
    Ok(())
}

/// Refuses whatever an agent started, or may have started.
pub(crate) fn refuse_agents(home: &Home, what: &str) -> anyhow::Result<()> {
    let why = match here() {
        Origin::Person => match Client::connect(home) {
            // It knows clients that nobody would know by their looks.
            Ok(Some(mut daemon)) => daemon.person().ok().flatten(),
            _ => None,
        },
        Origin::Agent(why) | Origin::Unclear(why) => Some(why),
    };
    match why {
        None => Ok(()),
        Some(why) => bail!(
            "{what} is for a person, not for an agent: {why}. If you are a person, run it in a terminal that you opened \
             yourself, or use the page"
        ),
    }
}

/// Whether an agent started this process, for what is only left out then.
pub(crate) fn is_agent() -> bool {
    matches!(here(), Origin::Agent(_))
}

/// Where this process comes from. A system that does not tell of its processes leaves the variables.
fn here() -> Origin {
    if System::tells() {
        return origin(&System, std::process::id(), &[]);
    }
    let mark = marks().find(|name| std::env::var_os(name).is_some());
    mark.map_or(Origin::Person, |mark| {
        Origin::Agent(format!("an agent's tool started it ({mark} is set)"))
    })
}

/// For what lasts: has the person type back what only the terminal shows. Keys that somebody sends without
/// seeing the screen do not get past it.
pub(crate) fn confirm(home: &Home, what: &str) -> anyhow::Result<()> {
    require(home, what)?;
    let terminal = || File::options().read(true).write(true).open("/dev/tty");
    let mut screen = terminal().context("there is no terminal to ask at")?;
    let code = format!("{:04}", random()? % DIGITS);
    write!(
        screen,
        "{what}: this stays in effect. Type {code} to continue: "
    )?;
    screen.flush()?;
    let mut typed = String::new();
    BufReader::new(terminal()?).read_line(&mut typed)?;
    ensure!(
        typed.trim() == code,
        "that was not {code}; nothing was changed"
    );
    Ok(())
}

/// Asks for yes or no; anything but yes is no.
pub(crate) fn agrees(question: &str) -> anyhow::Result<bool> {
    output::show_text(&format!("{question} [y/N] "));
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    let answer = answer.trim().to_ascii_lowercase();
    Ok(matches!(answer.as_str(), "y" | "yes"))
}

fn random() -> anyhow::Result<u32> {
    let mut bytes = [0; 4];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .context("the system gives no random numbers")?;
    Ok(u32::from_le_bytes(bytes))
}
