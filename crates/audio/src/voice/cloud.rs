//! What voices of services have in common: a request whose answer is sound, piece by piece.

use std::io::Read as _;
use std::time::Duration;

use serde_json::Value;
use ureq::Body;
use ureq::http::{Response, header};

use super::feed::VoiceFeed;
use super::program::raised;
use super::stream::{SampleKind, Stream};
use crate::http::{Failure, Request};
use crate::{AudioError, Lasting, Source, Stop};

pub(super) struct SpeechRequest {
    pub engine: &'static str,
    pub request: Request,
    pub body: Value,
    pub kind: SampleKind,
    /// How much faster the samples are to be played; the body has asked for slower ones.
    pub pitch: f32,
    pub patience: Duration,
}

impl SpeechRequest {
    /// Sends it and waits for the first samples.
    pub(super) fn speak(self, stop: &Stop) -> Result<Box<dyn Source>, AudioError> {
        let engine = self.engine;
        VoiceFeed::start(engine, self.patience, stop, move |maker| {
            let failed =
                |failure: Failure| AudioError::voice(engine, failure.lasting, failure.reason);
            let answer = self.request.post(&self.body).map_err(failed)?;
            check(&answer).map_err(failed)?;
            let mut body = answer.into_body();
            let (mut from, mut stream) = (body.as_reader(), Stream::new(self.kind));
            let (mut bytes, mut is_begun) = ([0; 4096], false);
            loop {
                let broke = |reason: String| AudioError::voice(engine, Lasting::While, reason);
                let count = from
                    .read(&mut bytes)
                    .map_err(|error| broke(error.to_string()))?;
                if count == 0 || !maker.is_heard() {
                    return Ok(());
                }
                let samples = stream.push(&bytes[..count]).map_err(broke)?;
                let Some(format) = stream.format().filter(|_| !samples.is_empty()) else {
                    continue;
                };
                if !is_begun {
                    if is_noise(&samples) {
                        return Err(broke("what came is no speech".to_owned()));
                    }
                    is_begun = maker.begin(raised(format, self.pitch)).is_ok();
                }
                if maker.send(samples).is_err() {
                    return Ok(());
                }
            }
        })
    }
}

/// A number with two places, as one would write it.
pub(super) fn hundredths(number: f32) -> f64 {
    (f64::from(number) * 100.0).round() / 100.0
}

/// Whether an answer says that it is sound.
fn check(answer: &Response<Body>) -> Result<(), Failure> {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or("audio/");
    if kind.starts_with("audio/") || kind.starts_with("application/octet-stream") {
        return Ok(());
    }
    Err(Failure::new(
        Lasting::While,
        format!("the answer is {kind}, no sound"),
    ))
}

/// Whether samples are loud and hang together by nothing: bytes that are something else. Bare
/// samples cannot be told from anything by their form, and this would hurt.
fn is_noise(samples: &[i16]) -> bool {
    let square = |pair: &[i16]| f64::from(pair[0]) * f64::from(pair[1]);
    let power: f64 = samples.iter().map(|it| f64::from(*it).powi(2)).sum();
    let together: f64 = samples.windows(2).map(square).sum();
    let count = f64::from(u32::try_from(samples.len()).unwrap_or(u32::MAX));
    samples.len() >= 256 && (power / count).sqrt() > 6_000.0 && together < power * 0.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_told_from_speech() {
        let mut random = 1u32;
        let noise: Vec<i16> = (0..1_000)
            .map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                i16::from_le_bytes([random.to_le_bytes()[2], random.to_le_bytes()[3]])
            })
            .collect();
        assert!(is_noise(&noise));
        let tone = |amplitude: f64| -> Vec<i16> {
            let sample = |it: i32| {
                let sample = (f64::from(it) * 0.3).sin() * amplitude;
                #[expect(clippy::cast_possible_truncation, reason = "within the amplitude")]
                let sample = sample as i16;
                sample
            };
            (0..1_000).map(sample).collect()
        };
        assert!(!is_noise(&tone(30_000.0)) && !is_noise(&tone(100.0)));
        assert!(!is_noise(&[0; 1_000]) && !is_noise(&[]));
        let quiet: Vec<i16> = noise.iter().map(|it| it / 100).collect();
        assert!(!is_noise(&quiet), "breath is noise too");
    }
}
