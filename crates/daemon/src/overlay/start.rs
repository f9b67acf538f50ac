//! Starts the overlay on a display that was seen.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use bellwether_spine::ancestry::{Processes as _, System};
use bellwether_spine::meta::Seat;
use bellwether_spine::overlay::{self, Display, Held, PROGRAM, Start};
use bellwether_spine::trouble::Troubles;
use bellwether_spine::{Home, launch};
use tokio::sync::mpsc;
use tracing::{info, warn};

use super::Seen;
use crate::http::Keys;
use crate::watched::Watched;

/// The variable that says that the person is elsewhere.
const ELSEWHERE: &str = "SSH_CONNECTION";

pub(crate) struct Starter {
    pub home: Home,
    pub keys: Arc<Keys>,
    pub watched: Arc<Watched>,
    /// Whether anything is served that an overlay can ask.
    pub has_port: bool,
}

impl Starter {
    /// Starts one for each display, until the daemon ends.
    pub(crate) async fn run(self, mut seen: mpsc::UnboundedReceiver<Seen>) {
        let starter = Arc::new(self);
        let mut known = HashSet::new();
        while let Some(seen) = seen.recv().await {
            let Some(display) =
                display(&seen).filter(|display| known.insert(display.name().to_owned()))
            else {
                continue;
            };
            let starter = Arc::clone(&starter);
            let done = tokio::task::spawn_blocking(move || starter.start(&display));
            if done.await.is_err() {
                return;
            }
        }
    }

    fn start(&self, display: &Display) {
        match self.try_to_start(display) {
            Ok(true) => {
                let name = display.name();
                info!("started the overlay on {name}");
            }
            Ok(false) => {}
            Err(why) => {
                warn!("{why}");
                if let Err(error) = Troubles(&self.home).note("overlay", &why) {
                    warn!("{error}");
                }
            }
        }
    }

    /// False where there is one, or has been one.
    fn try_to_start(&self, display: &Display) -> Result<bool, String> {
        const WHAT: &str = "the overlay was not started (overlay.auto)";
        if overlay::has_run(&self.home, display) {
            return Ok(false);
        }
        if !self.has_port {
            return Err(format!(
                "{WHAT}: it reaches the daemon by its port, and `daemon.port` is 0"
            ));
        }
        let failed = |error: bellwether_spine::SpineError| format!("{WHAT}: {error}");
        let program = launch::beside(PROGRAM).map_err(|_| {
            format!("{WHAT}: {PROGRAM} is not beside bellwether; run ./install again")
        })?;
        let Some(held) = Held::take(&self.home, display).map_err(failed)? else {
            return Ok(false);
        };
        let key = self.keys.new_token(&display.token_name()).map_err(failed)?;
        self.watched.settle();
        let start = Start {
            home: &self.home,
            program: &program,
            display,
            words: Vec::new(),
            held,
            key: &key,
        };
        start.detached().map_err(failed)?;
        Ok(true)
    }
}

/// The display that a session is at: as its client's process has it, else as the event says.
fn display(seen: &Seen) -> Option<Display> {
    let ours = rustix::process::getuid().as_raw();
    let of_client = seen.client_pid.filter(|pid| {
        let process = System.process(*pid);
        process.is_some_and(|process| process.user == ours)
    });
    let display = match of_client {
        Some(pid) if System.variable(pid, ELSEWHERE).is_some() => None,
        Some(pid) => Display::of(|name| System.variable(pid, name).map(OsString::from)),
        None => Display::of(|name| of_seat(&seen.seat, name)),
    };
    display.filter(Display::is_local)
}

/// What an event says of its seat, and where the desktop's bus usually is.
fn of_seat(seat: &Seat<'_>, name: &str) -> Option<OsString> {
    let runtime = seat.xdg_runtime_dir.as_deref();
    let said = match name {
        "DISPLAY" => seat.display.as_deref(),
        "WAYLAND_DISPLAY" => seat.wayland_display.as_deref(),
        "XDG_RUNTIME_DIR" => runtime,
        "DBUS_SESSION_BUS_ADDRESS" => {
            let bus = Path::new(runtime?).join("bus");
            return bus
                .exists()
                .then(|| format!("unix:path={}", bus.display()).into());
        }
        _ => None,
    };
    said.map(OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(display: &str, client_pid: Option<u32>) -> Seen {
        let seat = Seat {
            display: Some(display.to_owned().into()),
            ..Seat::default()
        };
        Seen { seat, client_pid }
    }

    #[test]
    fn the_client_says_more_than_the_event() {
        let mut client = std::process::Command::new("sleep")
            .arg("60")
            .env_clear()
            .env("DISPLAY", ":3")
            .env("XAUTHORITY", "/x")
            .spawn()
            .unwrap();
        // Until it has become the other program it has our own environment.
        while System.variable(client.id(), "XAUTHORITY").is_none() {
            std::thread::yield_now();
        }
        let found = display(&seen("evil.example:0", Some(client.id()))).unwrap();
        client.kill().unwrap();
        client.wait().unwrap();
        assert_eq!(found.name(), ":3");
        assert_eq!(display(&seen(":4", None)).unwrap().name(), ":4");
        assert_eq!(display(&seen("evil.example:0", None)), None);
    }
}
