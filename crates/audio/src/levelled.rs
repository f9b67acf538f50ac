//! A voice at the loudness of everything else.
//!
//! Engines differ by ten decibels and more, and a line is heard while it is still being made. So it begins at what its
//! engine is known for, and follows what is measured, slowly enough not to be noticed. A line that is there as a
//! whole is measured first.

use std::time::Duration;

use crate::loudness::{Meter, gain, scaled};
use crate::{AudioError, Format, Source};

/// How long it takes to go over to another factor.
const RAMP: Duration = Duration::from_millis(100);
/// The most that the factor changes in that time: two decibels.
const MOST: f32 = 1.26;

pub(crate) struct Levelled {
    source: Box<dyn Source>,
    meter: Meter,
    /// How loud the engine usually is, in LUFS.
    usual: f64,
    /// The factor of the last sample, once there was one.
    gain: Option<f32>,
}

impl Levelled {
    pub(crate) fn new(source: Box<dyn Source>, usual: f64) -> Self {
        let meter = Meter::new(source.format());
        Self {
            source,
            meter,
            usual,
            gain: None,
        }
    }

    /// The factor that what was heard so far asks for.
    fn wanted(&self) -> f32 {
        let heard = self.meter.loudest().filter(|_| self.meter.is_sure());
        gain(heard.unwrap_or(self.usual))
    }

    fn scale(&mut self, samples: &mut [i16]) {
        let format = self.source.format();
        let (mut now, wanted) = (self.gain.unwrap_or_else(|| self.wanted()), self.wanted());
        let piece = format.samples(RAMP).max(1);
        for piece in samples.chunks_mut(piece) {
            let next = wanted.clamp(now / MOST, now * MOST);
            ramp(piece, now, next);
            now = next;
        }
        self.gain = Some(now);
    }
}

/// Scales samples by a factor that goes from one to another.
fn ramp(samples: &mut [i16], from: f32, to: f32) {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a tenth of a second is some thousands"
    )]
    let step = (to - from) / samples.len().max(1) as f32;
    let mut gain = from;
    for sample in samples {
        *sample = scaled(*sample, gain);
        gain += step;
    }
}

impl Source for Levelled {
    fn format(&self) -> Format {
        self.source.format()
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        let Some(mut samples) = self.source.next()? else {
            return Ok(None);
        };
        self.meter.hear(&samples);
        self.scale(&mut samples);
        Ok(Some(samples))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clip;
    use crate::loudness::LOUDNESS;
    use crate::loudness::tests::{loudness, tone};

    const VOICE: Format = Format::mono(16_000);

    /// A clip that comes a tenth of a second at a time.
    struct Stream(Clip);

    impl Source for Stream {
        fn format(&self) -> Format {
            self.0.format
        }

        fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
            let count = 1_600.min(self.0.samples.len());
            let chunk: Vec<i16> = self.0.samples.drain(..count).collect();
            Ok((!chunk.is_empty()).then_some(chunk))
        }
    }

    fn heard(source: Box<dyn Source>, usual: f64) -> Clip {
        let mut levelled = Levelled::new(source, usual);
        let mut samples = Vec::new();
        while let Some(chunk) = levelled.next().unwrap() {
            samples.extend(chunk);
        }
        Clip {
            format: VOICE,
            samples,
        }
    }

    #[test]
    fn a_whole_line_is_right_from_its_first_sample() {
        for strength in [0.05, 0.3, 0.9] {
            let clip = tone(VOICE, strength, Duration::from_secs(2));
            let mut first = heard(Box::new(clip), LOUDNESS);
            first
                .samples
                .truncate(VOICE.samples(Duration::from_millis(500)));
            let off = loudness(&first) - LOUDNESS;
            assert!(off.abs() < 0.3, "{strength}: {off:+.2} LU");
        }
    }

    #[test]
    fn a_voice_that_is_not_as_loud_as_usual_is_brought_there() {
        for strength in [0.05, 0.9] {
            let clip = tone(VOICE, strength, Duration::from_secs(4));
            let mut last = heard(Box::new(Stream(clip)), LOUDNESS);
            last.samples.drain(..VOICE.samples(Duration::from_secs(3)));
            let off = loudness(&last) - LOUDNESS;
            assert!(off.abs() < 0.3, "{strength}: {off:+.2} LU");
        }
    }

    #[test]
    fn nothing_is_lost_or_added() {
        let clip = tone(VOICE, 0.3, Duration::from_millis(1_234));
        let count = clip.samples.len();
        assert_eq!(heard(Box::new(Stream(clip)), -20.0).samples.len(), count);
    }
}
