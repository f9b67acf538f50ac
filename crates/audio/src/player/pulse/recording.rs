//! What a sound server plays, recorded from the monitor of its output.

use std::time::{Duration, Instant};

use pulseaudio::protocol::stream::{BufferAttr, StreamFlags};
use pulseaudio::protocol::{
    ChannelMap, Command, CreateRecordStreamReply, RecordStreamParams, SampleFormat, SampleSpec,
};

use super::connection::{Connection, Message, pulse};
use crate::{AudioError, Clip, Format};

/// What is played, in the rate that most outputs have.
const FORMAT: Format = Format::mono(48_000);
/// The monitor of the default output.
const MONITOR: &std::ffi::CStr = c"@DEFAULT_MONITOR@";
/// How soon recorded samples come.
const FRAGMENT: Duration = Duration::from_millis(50);

/// A recording that goes on.
#[derive(Debug)]
pub struct Recording {
    connection: Connection,
    bytes: Vec<u8>,
}

impl Recording {
    pub(super) fn begin(mut connection: Connection) -> Result<Self, AudioError> {
        let fragment = u32::try_from(FORMAT.samples(FRAGMENT) * 2).unwrap_or(u32::MAX);
        let command = Command::CreateRecordStream(RecordStreamParams {
            sample_spec: SampleSpec {
                format: SampleFormat::S16Le,
                channels: FORMAT.channels,
                sample_rate: FORMAT.rate,
            },
            channel_map: ChannelMap::mono(),
            source_name: Some(MONITOR.to_owned()),
            buffer_attr: BufferAttr {
                fragment_size: fragment,
                ..BufferAttr::default()
            },
            flags: StreamFlags {
                adjust_latency: true,
                ..StreamFlags::default()
            },
            ..RecordStreamParams::default()
        });
        let _: CreateRecordStreamReply = connection.ask(&command)?;
        let mut recording = Self {
            connection,
            bytes: Vec::new(),
        };
        // The first samples tell that it has begun.
        recording.listen(Duration::from_secs(2), |bytes| !bytes.is_empty())?;
        if recording.bytes.is_empty() {
            return Err(pulse("the monitor gives nothing"));
        }
        Ok(recording)
    }

    /// Listens for a while longer and returns all that was heard.
    pub fn finish(mut self, after: Duration) -> Result<Clip, AudioError> {
        self.listen(after, |_| false)?;
        let samples = self.bytes.chunks_exact(2);
        Ok(Clip {
            format: FORMAT,
            samples: samples
                .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
                .collect(),
        })
    }

    fn listen(&mut self, time: Duration, enough: impl Fn(&[u8]) -> bool) -> Result<(), AudioError> {
        let deadline = Instant::now() + time;
        while !enough(&self.bytes) {
            match self.connection.next(None, deadline)? {
                Some(Message::Samples(samples)) => self.bytes.extend(samples),
                Some(Message::Event(event)) if matches!(*event, Command::RecordStreamKilled(_)) => {
                    return Err(pulse("the recording was ended"));
                }
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    }
}
