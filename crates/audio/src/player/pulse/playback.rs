//! One sound on its way to a sound server.
//!
//! The server asks for samples and gets no more than it asked for. It holds less than half a second, and
//! forgets that at once when somebody wishes silence. Behind the last sample comes silence, so that
//! nothing is cut. The stream is let go only once it has samples: an output that wakes for an empty one
//! plays a buffer of silence first.

use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use pulseaudio::protocol::stream::{BufferAttr, StreamFlags};
use pulseaudio::protocol::{
    ChannelMap, Command, CorkStreamParams, CreatePlaybackStreamReply, DEFAULT_SINK,
    PlaybackStreamParams, Prop, Props, SampleFormat, SampleSpec,
};

use super::connection::{Connection, Message, pulse, refused};
use crate::player::feed::{Fed, PlayerFeed};
use crate::player::{Ending, Played};
use crate::{AudioError, Format, Stop};

/// What the server holds; a tenth of a second was not enough to be exact on a busy machine.
const BUFFER: Duration = Duration::from_millis(400);
/// What must be there before the server begins.
const BEGINNING: Duration = Duration::from_millis(20);
/// Silence behind a sound: servers forget the end of what they hold.
const TAIL: Duration = Duration::from_millis(100);
/// How soon a wish to stop is seen.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a server may hold samples and say nothing: a wireless loudspeaker takes a second to wake.
const STALLED: Duration = Duration::from_secs(5);
/// How long a source may give nothing.
const STARVED: Duration = Duration::from_mins(1);
/// As much as goes into one message.
const CHUNK: usize = 64 * 1024;

/// One sound that is being played.
pub(super) struct Playback<'a> {
    connection: &'a mut Connection,
    channel: u32,
    /// How many bytes the server wants.
    wanted: usize,
    pending: Vec<u8>,
    sent: usize,
    supply: Supply,
    /// Whether the server has been told to begin.
    begun: bool,
    first_sample: Option<Instant>,
    /// When the sound last went on: the server took or wanted samples, or some came.
    alive: Instant,
    format: Format,
}

/// Where the samples stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supply {
    /// More may come.
    Flowing,
    /// All have come; the server has not got all of them.
    Over,
    /// The server has all and will say when they have been heard: the number of that question.
    Draining(u32),
}

impl<'a> Playback<'a> {
    pub(super) fn open(
        connection: &'a mut Connection,
        format: Format,
        lead_in: Duration,
    ) -> Result<Self, AudioError> {
        let command = Command::CreatePlaybackStream(parameters(format));
        let stream: CreatePlaybackStreamReply = connection.ask(&command)?;
        Ok(Self {
            connection,
            channel: stream.channel,
            wanted: stream.requested_bytes as usize,
            pending: vec![0; format.samples(lead_in) * 2],
            sent: 0,
            supply: Supply::Flowing,
            begun: false,
            first_sample: None,
            alive: Instant::now(),
            format,
        })
    }

    /// Plays what the feed brings, to its end. On an error the stream is taken back as well as can be.
    pub(super) fn run(mut self, feed: &mut PlayerFeed, stop: &Stop) -> Result<Played, AudioError> {
        let ending = self.play(feed, stop);
        match ending {
            Ok(Ending::Whole) => self.close()?,
            Ok(Ending::Stopped) => self.silence()?,
            Err(_) => {
                let _ = self.silence();
            }
        }
        Ok(Played {
            first_sample: self.first_sample,
            ending: ending?,
        })
    }

    fn play(&mut self, feed: &mut PlayerFeed, stop: &Stop) -> Result<Ending, AudioError> {
        loop {
            if stop.is_wished() {
                return Ok(Ending::Stopped);
            }
            self.draw(feed)?;
            self.give()?;
            // While enough waits the feed is not read, so it would wake us again and again.
            let other = self.is_hungry().then(|| feed.as_fd());
            let glance = Instant::now() + GLANCE;
            if let Some(message) = self.connection.next(other, glance)?
                && self.hear(message)?
            {
                return Ok(Ending::Whole);
            }
            self.check_clock()?;
        }
    }

    /// Takes what the source has ready, unless enough waits already.
    fn draw(&mut self, feed: &mut PlayerFeed) -> Result<(), AudioError> {
        while self.is_hungry() {
            match feed.take()? {
                Fed::Bytes(bytes) => {
                    self.pending.drain(..self.sent);
                    self.sent = 0;
                    self.pending.extend(bytes);
                    self.alive = Instant::now();
                }
                Fed::NotYet => break,
                Fed::Over => {
                    let tail = self.format.samples(TAIL) * 2;
                    self.pending.resize(self.pending.len() + tail, 0);
                    self.supply = Supply::Over;
                }
            }
        }
        Ok(())
    }

    /// Whether more samples are to be drawn now.
    fn is_hungry(&self) -> bool {
        self.supply == Supply::Flowing && self.pending.len() - self.sent <= self.wanted
    }

    /// Gives the server what it wants.
    fn give(&mut self) -> Result<(), AudioError> {
        while self.wanted > 0 && self.sent < self.pending.len() {
            let count = CHUNK.min(self.wanted).min(self.pending.len() - self.sent);
            let chunk = &self.pending[self.sent..self.sent + count];
            self.connection.send_samples(self.channel, chunk)?;
            self.sent += count;
            self.wanted -= count;
            self.alive = Instant::now();
        }
        if !self.begun && self.sent > 0 {
            self.begun = true;
            self.connection
                .tell(&Command::CorkPlaybackStream(CorkStreamParams {
                    channel: self.channel,
                    cork: false,
                }))?;
        }
        if self.supply == Supply::Over && self.sent == self.pending.len() {
            let drain = Command::DrainPlaybackStream(self.channel);
            self.supply = Supply::Draining(self.connection.tell(&drain)?);
            self.alive = Instant::now();
        }
        Ok(())
    }

    /// Hears what the server says; true once the sound has been heard.
    fn hear(&mut self, message: Message) -> Result<bool, AudioError> {
        match message {
            Message::Event(event) => self.follow(&event).map(|()| false),
            Message::Reply(number, _) => Ok(self.supply == Supply::Draining(number)),
            Message::Refused(_, error) => Err(refused(error)),
            Message::Samples(_) => Ok(false),
        }
    }

    fn follow(&mut self, event: &Command) -> Result<(), AudioError> {
        match event {
            Command::Request(request) if request.channel == self.channel => {
                self.wanted += request.length as usize;
                if self.supply == Supply::Flowing {
                    self.alive = Instant::now();
                }
            }
            Command::Started(channel) if *channel == self.channel => {
                self.first_sample.get_or_insert_with(Instant::now);
            }
            Command::PlaybackStreamKilled(channel) if *channel == self.channel => {
                return Err(pulse("the sound server ended the sound"));
            }
            _ => {}
        }
        Ok(())
    }

    fn check_clock(&self) -> Result<(), AudioError> {
        let starving = self.supply == Supply::Flowing && self.sent == self.pending.len();
        let (patience, reason) = if starving {
            (STARVED, "the sound stopped coming")
        } else {
            (STALLED, "the sound server stopped playing")
        };
        if self.alive.elapsed() > patience {
            return Err(pulse(reason));
        }
        Ok(())
    }

    /// Has the server forget what it holds.
    fn silence(&mut self) -> Result<(), AudioError> {
        self.connection
            .order(&Command::FlushPlaybackStream(self.channel))?;
        self.close()
    }

    fn close(&mut self) -> Result<(), AudioError> {
        self.connection
            .order(&Command::DeletePlaybackStream(self.channel))
    }
}

fn parameters(format: Format) -> PlaybackStreamParams {
    let bytes = |time| u32::try_from(format.samples(time) * 2).unwrap_or(u32::MAX);
    let mut props = Props::new();
    props.set(Prop::MediaName, c"announcement");
    PlaybackStreamParams {
        sample_spec: SampleSpec {
            format: SampleFormat::S16Le,
            channels: format.channels,
            sample_rate: format.rate,
        },
        channel_map: match format.channels {
            1 => ChannelMap::mono(),
            _ => ChannelMap::stereo(),
        },
        sink_name: Some(DEFAULT_SINK.to_owned()),
        // No volume: the one that the person has set for us in their mixer counts.
        cvolume: None,
        flags: StreamFlags {
            start_corked: true,
            adjust_latency: true,
            ..StreamFlags::default()
        },
        buffer_attr: BufferAttr {
            target_length: bytes(BUFFER),
            pre_buffering: bytes(BEGINNING),
            ..BufferAttr::default()
        },
        props,
        ..PlaybackStreamParams::default()
    }
}
