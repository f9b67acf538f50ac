//! Which player is used at a seat, and why others are not. Doctor, `status`, the daemon and the commands all
//! ask here.

use super::program::{PROGRAMS, Program, Runner};
use super::pulse::NAME as PULSE;
use super::{Player, Pulse};
use crate::settings::Choice;
use crate::{AudioError, Seat, Settings};

/// A player, or why there is none.
pub struct FoundPlayer {
    /// The one that is used.
    pub player: Option<Box<dyn Player + Send>>,
    /// Everything that was looked at, in order; behind the one that is used nothing was.
    pub considered: Vec<Considered>,
    /// Why nothing is played at all, where that is a wish.
    pub silenced: Option<String>,
}

/// One player that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Considered {
    pub player: &'static str,
    pub verdict: Verdict,
}

/// Whether a player is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is, in this way.
    Used(String),
    /// It is not, for this reason.
    Passed(String),
}

impl FoundPlayer {
    /// The player, or all reasons in one error.
    pub fn into_player(self) -> Result<Box<dyn Player + Send>, AudioError> {
        let reason = self.reason();
        self.player.ok_or(AudioError::NoPlayer(reason))
    }

    /// Why there is no player, in one line.
    pub fn reason(&self) -> String {
        if let Some(wish) = &self.silenced {
            return wish.clone();
        }
        let reasons = self.considered.iter().filter_map(|one| match &one.verdict {
            Verdict::Passed(reason) => Some(format!("{}: {reason}", one.player)),
            Verdict::Used(_) => None,
        });
        reasons.collect::<Vec<_>>().join("; ")
    }
}

/// Looks for the player of a seat.
pub fn find(seat: &Seat, settings: &Settings) -> FoundPlayer {
    let mut found = FoundPlayer {
        player: None,
        considered: Vec::new(),
        silenced: silenced(seat, settings),
    };
    if found.silenced.is_some() {
        return found;
    }
    if wanted(settings, Choice::Pulse) {
        let player = Pulse::connect(seat, settings).map(|pulse| {
            let address = pulse.address();
            (address, Box::new(pulse) as Box<dyn Player + Send>)
        });
        found.consider(PULSE, player.map_err(reason));
    }
    for program in PROGRAMS {
        if found.player.is_none() && wanted(settings, program.choice) {
            found.consider(program.name, started(program, seat, settings));
        }
    }
    found
}

impl FoundPlayer {
    fn consider(
        &mut self,
        player: &'static str,
        outcome: Result<(String, Box<dyn Player + Send>), String>,
    ) {
        let verdict = match outcome {
            Ok((way, found)) => {
                self.player = Some(found);
                Verdict::Used(way)
            }
            Err(reason) => Verdict::Passed(reason),
        };
        self.considered.push(Considered { player, verdict });
    }
}

/// Why nothing is to be played here.
fn silenced(seat: &Seat, settings: &Settings) -> Option<String> {
    if !settings.enabled {
        return Some("audio.enabled is false".to_owned());
    }
    let named = seat.pulse_server.is_some() || !settings.server.is_empty();
    let far = seat.is_remote && !named && !settings.over_ssh;
    far.then(|| {
        "this session came over SSH, and a sound on this machine would reach nobody; forward a sound server \
         and set PULSE_SERVER, or set audio.over_ssh"
            .to_owned()
    })
}

fn wanted(settings: &Settings, choice: Choice) -> bool {
    [Choice::Auto, choice].contains(&settings.player)
}

fn started(
    program: &'static Program,
    seat: &Seat,
    settings: &Settings,
) -> Result<(String, Box<dyn Player + Send>), String> {
    let path = program.find(seat)?;
    let way = path.display().to_string();
    Ok((way, Box::new(Runner::new(program, path, seat, settings))))
}

fn reason(error: AudioError) -> String {
    match error {
        AudioError::Player { reason, .. } => reason,
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(is_remote: bool, pulse_server: Option<&str>) -> Seat {
        Seat {
            runtime_folder: Some("/nowhere".into()),
            pulse_server: pulse_server.map(Into::into),
            is_remote,
        }
    }

    #[test]
    fn over_ssh_it_is_quiet_unless_somebody_said_where_to_play() {
        let quiet = |seat: &Seat, settings: &Settings| find(seat, settings).silenced.is_some();
        let usual = Settings::default();
        assert!(quiet(&seat(true, None), &usual));
        assert!(!quiet(&seat(true, Some("unix:/nowhere")), &usual));
        assert!(!quiet(&seat(false, None), &usual));
        let wished = Settings {
            over_ssh: true,
            ..Settings::default()
        };
        assert!(!quiet(&seat(true, None), &wished));
        let off = Settings {
            enabled: false,
            ..Settings::default()
        };
        assert_eq!(
            find(&seat(false, None), &off).reason(),
            "audio.enabled is false"
        );
    }

    #[test]
    fn a_chosen_player_is_the_only_one() {
        let settings = Settings {
            player: Choice::Pulse,
            ..Settings::default()
        };
        let found = find(&seat(false, Some("unix:/nowhere")), &settings);
        assert_eq!(found.reason(), "pulse: there is no /nowhere");
        assert!(matches!(found.into_player(), Err(AudioError::NoPlayer(_))));
    }

    #[test]
    fn another_machine_is_not_spoken_to_because_a_project_says_so() {
        let settings = Settings {
            player: Choice::Pulse,
            ..Settings::default()
        };
        let found = find(&seat(false, Some("tcp:192.0.2.1:4713")), &settings);
        assert!(
            found.reason().contains("is another machine"),
            "{}",
            found.reason()
        );
    }
}
