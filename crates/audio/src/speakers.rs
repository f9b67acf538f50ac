//! The way to every seat's ears: one player a seat, found once, kept for a while, and left alone for a while
//! when there is none.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::player::{Played, Player, Traces, find};
use crate::{AudioError, Seat, Settings, Source, Stop};

/// A player is kept this long behind its last sound, and with it its connection.
const KEPT: Duration = Duration::from_secs(10);
/// A seat without a player is asked again after this long at the earliest, and then ever later.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// Nobody waits longer than this.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// The players of all seats.
#[derive(Default)]
pub struct Speakers {
    seats: HashMap<Seat, Outlet>,
}

/// The way to one seat.
pub struct At<'a> {
    speakers: &'a mut Speakers,
    seat: &'a Seat,
    settings: &'a Settings,
}

impl Player for At<'_> {
    fn name(&self) -> &'static str {
        "speakers"
    }

    fn play(
        &mut self,
        sound: &mut dyn Source,
        volume: f32,
        stop: &Stop,
    ) -> Result<Played, AudioError> {
        self.speakers
            .play(self.seat, self.settings, sound, volume, stop)
    }
}

/// What is known of a seat.
enum Outlet {
    /// It has a player.
    Open {
        player: Box<dyn Player + Send>,
        settings: Settings,
        used: Instant,
    },
    /// It has none; nobody looks again before the pause is over, or something has changed.
    Closed {
        reason: String,
        settings: Settings,
        traces: Traces,
        since: Instant,
        pause: Duration,
    },
}

impl Speakers {
    /// Plays a sound at a seat and comes back once it has been heard.
    pub fn play(
        &mut self,
        seat: &Seat,
        settings: &Settings,
        sound: &mut dyn Source,
        volume: f32,
        stop: &Stop,
    ) -> Result<Played, AudioError> {
        let outcome = self.player(seat, settings)?.play(sound, volume, stop);
        match (&outcome, self.seats.get_mut(seat)) {
            (Ok(_), Some(Outlet::Open { used, .. })) => *used = Instant::now(),
            // What failed is looked for anew at the next sound.
            _ => drop(self.seats.remove(seat)),
        }
        outcome
    }

    /// The way to one seat, as a player.
    pub fn at<'a>(&'a mut self, seat: &'a Seat, settings: &'a Settings) -> At<'a> {
        At {
            speakers: self,
            seat,
            settings,
        }
    }

    /// Lets go of players that have been silent for a while. Says when there is the next to let go of.
    pub fn rest(&mut self) -> Option<Instant> {
        let now = Instant::now();
        self.seats.retain(|_, way| match way {
            Outlet::Open { used, .. } => now < *used + KEPT,
            Outlet::Closed { .. } => true,
        });
        let open = self.seats.values().filter_map(|way| match way {
            Outlet::Open { used, .. } => Some(*used + KEPT),
            Outlet::Closed { .. } => None,
        });
        open.min()
    }

    fn player(
        &mut self,
        seat: &Seat,
        settings: &Settings,
    ) -> Result<&mut Box<dyn Player + Send>, AudioError> {
        let pause = match self.seats.get(seat) {
            Some(Outlet::Open { settings: then, .. }) if then == settings => None,
            Some(Outlet::Closed {
                reason,
                settings: then,
                traces,
                since,
                pause,
            }) if then == settings && *traces == Traces::look(seat, settings) => {
                if since.elapsed() < *pause {
                    return Err(AudioError::NoPlayer(reason.clone()));
                }
                Some((*pause * 2).min(LONGEST_PAUSE))
            }
            _ => Some(FIRST_PAUSE),
        };
        if let Some(pause) = pause {
            self.look(seat, settings, pause)?;
        }
        match self.seats.get_mut(seat) {
            Some(Outlet::Open { player, .. }) => Ok(player),
            _ => Err(AudioError::NoPlayer(String::new())),
        }
    }

    fn look(
        &mut self,
        seat: &Seat,
        settings: &Settings,
        pause: Duration,
    ) -> Result<(), AudioError> {
        let traces = Traces::look(seat, settings);
        let found = find(seat, settings);
        let reason = found.reason();
        let settings = settings.clone();
        let (way, outcome) = if let Some(player) = found.player {
            let used = Instant::now();
            let open = Outlet::Open {
                player,
                settings,
                used,
            };
            (open, Ok(()))
        } else {
            let closed = Outlet::Closed {
                reason: reason.clone(),
                settings,
                traces,
                since: Instant::now(),
                pause,
            };
            (closed, Err(AudioError::NoPlayer(reason)))
        };
        self.seats.insert(seat.clone(), way);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::path::Path;

    use super::*;
    use crate::{Choice, Clip, Format};

    fn seat(socket: &Path) -> Seat {
        Seat {
            pulse_server: Some(format!("unix:{}", socket.display())),
            ..Seat::default()
        }
    }

    fn reason(speakers: &mut Speakers, seat: &Seat, settings: &Settings) -> String {
        let mut clip = Clip {
            format: Format::mono(48_000),
            samples: vec![0; 10],
        };
        let outcome = speakers.play(seat, settings, &mut clip, 1.0, &Stop::default());
        outcome.unwrap_err().to_string()
    }

    /// Somebody who hangs up, and how often that was done.
    fn hang_up(listener: &UnixListener) -> usize {
        listener.set_nonblocking(true).unwrap();
        std::iter::from_fn(|| listener.accept().ok()).count()
    }

    #[test]
    fn a_seat_without_a_player_is_asked_again_when_something_changed() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("s");
        let seat = seat(&socket);
        let mut settings = Settings {
            player: Choice::Pulse,
            ..Settings::default()
        };
        let mut speakers = Speakers::default();
        assert!(reason(&mut speakers, &seat, &settings).contains("there is no"));
        let listener = UnixListener::bind(&socket).unwrap();
        let hangs_up = std::thread::spawn(move || {
            let _ = listener.accept();
            listener
        });
        assert!(reason(&mut speakers, &seat, &settings).contains("has gone"));
        let listener = hangs_up.join().unwrap();
        for _ in 0..5 {
            assert!(reason(&mut speakers, &seat, &settings).contains("has gone"));
        }
        assert_eq!(
            hang_up(&listener),
            0,
            "nothing changed, and it was asked again"
        );
        drop(listener);
        settings.lead_in_ms = 1;
        assert!(reason(&mut speakers, &seat, &settings).contains("nobody listens"));
    }
}
