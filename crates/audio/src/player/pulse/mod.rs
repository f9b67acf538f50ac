//! The native player: speaks the protocol of PulseAudio, which PipeWire speaks as well.
//!
//! A connection is kept for the next sound; nothing runs between sounds, so it costs no wake-up. Whoever
//! has had no sound for a while drops the player and with it the connection.

mod address;
mod connection;
mod cookie;
mod playback;
mod recording;
mod socket;

use std::path::PathBuf;
use std::time::Duration;

use pulseaudio::protocol::{Command, GetSinkInfo, ServerInfo, SinkInfo};

use super::feed::PlayerFeed;
use super::{Played, Player};
use crate::{AudioError, Seat, Settings, Source, Stop};
use address::{Address, NamedBy};
use connection::{Connection, pulse};
use playback::Playback;
pub use recording::Recording;

pub(super) const NAME: &str = "pulse";

#[derive(Debug)]
pub struct Pulse {
    address: Address,
    named: NamedBy,
    connection: Option<Connection>,
    lead_in: Duration,
}

/// What a sound server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub name: String,
    pub output: Option<String>,
    pub muted: bool,
}

/// The sockets at which a server of a seat may listen.
pub(super) fn sockets(seat: &Seat, settings: &Settings) -> Vec<PathBuf> {
    let candidates = address::candidates(seat, settings).into_iter();
    let sockets = candidates.filter_map(|(address, _)| match address {
        Address::Unix(path) => Some(path),
        Address::Tcp(..) => None,
    });
    sockets.collect()
}

impl Pulse {
    /// Connects to the server of a seat, or says why none can be reached.
    pub fn connect(seat: &Seat, settings: &Settings) -> Result<Self, AudioError> {
        let mut reasons = Vec::new();
        for (address, named) in address::candidates(seat, settings) {
            match Connection::open(&address, named) {
                Ok(connection) => {
                    return Ok(Self {
                        address,
                        named,
                        connection: Some(connection),
                        lead_in: settings.lead_in(),
                    });
                }
                Err(AudioError::Player { reason, .. }) => reasons.push(reason),
                Err(error) => reasons.push(error.to_string()),
            }
        }
        if reasons.is_empty() {
            reasons.push("PULSE_SERVER names no server of this machine".to_owned());
        }
        Err(pulse(reasons.join("; ")))
    }

    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// What the server says of itself.
    pub fn server(&mut self) -> Result<Server, AudioError> {
        let connection = self.connected()?;
        let info: ServerInfo = connection.ask(&Command::GetServerInfo)?;
        let output = connection.ask::<SinkInfo>(&Command::GetSinkInfo(GetSinkInfo {
            index: None,
            name: info.default_sink_name.clone(),
        }));
        let text =
            |text: Option<std::ffi::CString>| text.map(|text| text.to_string_lossy().into_owned());
        let words = [text(info.server_name), text(info.server_version)];
        Ok(Server {
            name: words.into_iter().flatten().collect::<Vec<_>>().join(" "),
            output: text(info.default_sink_name),
            // A server without an output has none that is muted.
            muted: output.is_ok_and(|output| output.muted),
        })
    }

    /// Begins to record what the server plays.
    pub fn record(&self) -> Result<Recording, AudioError> {
        Recording::begin(Connection::open(&self.address, self.named)?)
    }

    fn connected(&mut self) -> Result<&mut Connection, AudioError> {
        if self.connection.is_none() {
            self.connection = Some(Connection::open(&self.address, self.named)?);
        }
        self.connection
            .as_mut()
            .ok_or_else(|| pulse("not connected"))
    }

    fn feed(
        &mut self,
        format: crate::Format,
        feed: &mut PlayerFeed,
        stop: &Stop,
    ) -> Result<Played, AudioError> {
        let lead_in = self.lead_in;
        // A connection that was kept may be to a server that has gone since; its successor is asked.
        let kept = self.connection.take();
        if let Some(mut kept) = kept
            && let Ok(playback) = Playback::open(&mut kept, format, lead_in)
        {
            let played = playback.run(feed, stop)?;
            self.connection = Some(kept);
            return Ok(played);
        }
        let mut fresh = Connection::open(&self.address, self.named)?;
        let played = Playback::open(&mut fresh, format, lead_in)?.run(feed, stop)?;
        self.connection = Some(fresh);
        Ok(played)
    }
}

impl Player for Pulse {
    fn name(&self) -> &'static str {
        NAME
    }

    fn play(
        &mut self,
        sound: &mut dyn Source,
        volume: f32,
        stop: &Stop,
    ) -> Result<Played, AudioError> {
        let format = sound.format();
        std::thread::scope(|scope| {
            let feed = PlayerFeed::begin(scope, sound, volume);
            let mut feed = feed.map_err(|error| pulse(error.to_string()))?;
            self.feed(format, &mut feed, stop)
        })
    }
}
