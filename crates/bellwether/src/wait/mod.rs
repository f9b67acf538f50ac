//! `bellwether hook --wait`: the foreground hook of seed 001. It speaks the agent's last message and ends when
//! that has been heard.
//!
//! Architecture Invariant: it prints nothing on stdout, never exits with 2, and is gone before the client
//! would kill it. Its lines on stderr and its exit codes are a contract; [`Ending`] is the one place that has them.

mod ending;
mod input;
mod log;
mod message;
mod progress;
mod speak;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;

use bellwether_spine::Home;

use crate::exit;
use ending::Ending;
use progress::Progress;

/// The client waits for half a minute; what is not over by then ends here.
const PATIENCE: Duration = Duration::from_secs(25);

/// Whether the words of a hook ask for this.
pub(crate) fn is_meant(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--wait")
}

/// Speaks, waits and says how it went.
pub(crate) fn run(words: &[OsString]) -> ExitCode {
    let home = match home(words) {
        Ok(home) => home,
        Err(reason) => {
            note!("{reason}");
            return ExitCode::from(exit::USAGE);
        }
    };
    let (done, endings) = channel();
    let progress = Progress::new();
    let worker = std::thread::Builder::new().name("wait".into());
    let (at, place) = (progress.clone(), home.clone());
    let started = worker.spawn(move || {
        let _ = done.send(speak::last_message(&place, &at));
    });
    let ending = match started {
        Ok(_) => endings
            .recv_timeout(PATIENCE)
            .unwrap_or_else(|_| Ending::TimeUp(progress.doing())),
        Err(error) => Ending::Unheard(error.to_string()),
    };
    ending.tell();
    log::keep(&home, progress.session().as_deref(), &ending.in_short());
    ExitCode::from(ending.code())
}

/// Where our files are, by the words of a hook. Those that mean nothing here are the other hook's.
fn home(words: &[OsString]) -> Result<Home, String> {
    let mut folder = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--wait" | "--no-daemon") => {}
            Some("--home") => {
                let named = words.next().ok_or("--home wants a folder")?;
                folder = Some(PathBuf::from(named));
            }
            Some("--client" | "--from" | "--event") => drop(words.next()),
            _ => {
                let word = bellwether_spine::text::shown(&word.to_string_lossy(), 80);
                return Err(format!("`bellwether hook --wait` does not know {word}"));
            }
        }
    }
    Home::find(folder).map_err(|error| error.to_string())
}
