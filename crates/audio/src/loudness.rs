//! How loud a sound is to an ear, and how everything comes to be as loud as everything else.
//!
//! Measured as ITU-R BS.1770 does, by the loudest 400 ms: an effect is hardly longer, and of a sentence it is the
//! part that startles or is missed.

use std::time::Duration;

use ebur128::{EbuR128, Mode};

use crate::{Clip, Format};

/// How loud everything comes out at full volume, in LUFS. The sharpest effect still fits below [`PEAK`].
pub(crate) const LOUDNESS: f64 = -15.0;
/// No sample is stronger: a converter makes higher peaks between samples.
pub(crate) const PEAK: f32 = 0.89;
/// Peaks above this are bent towards [`PEAK`], so that none is cut off.
const KNEE: f32 = 0.7;
/// What is quieter than this is noise or a pause, and is not made louder.
const QUIETEST: f64 = -50.0;
/// The most that something is made louder, in decibels: beyond it, its noise would be heard.
const MOST: f64 = 20.0;
/// What BS.1770 calls momentary.
const WINDOW: Duration = Duration::from_millis(400);
/// How often the loudness is looked at.
const STEP: Duration = Duration::from_millis(10);

/// The loudest moment of what it has heard so far.
pub(crate) struct Meter {
    /// None for a format that cannot be measured.
    ear: Option<EbuR128>,
    format: Format,
    heard: usize,
    loudest: f64,
}

impl Meter {
    pub(crate) fn new(format: Format) -> Self {
        let ear = EbuR128::new(u32::from(format.channels), format.rate, Mode::M).ok();
        Self {
            ear,
            format,
            heard: 0,
            loudest: f64::NEG_INFINITY,
        }
    }

    pub(crate) fn hear(&mut self, samples: &[i16]) {
        let step = self.format.samples(STEP).max(1);
        for step in samples.chunks(step) {
            let Some(ear) = &mut self.ear else { return };
            if ear.add_frames_i16(step).is_ok() {
                let now = ear.loudness_momentary().unwrap_or(f64::NEG_INFINITY);
                self.loudest = self.loudest.max(now);
            }
            self.heard += step.len();
        }
    }

    /// The loudest moment in LUFS, once there was one worth measuring.
    pub(crate) fn loudest(&self) -> Option<f64> {
        (self.loudest > QUIETEST).then_some(self.loudest)
    }

    /// Whether it has heard long enough to tell how loud a voice is.
    pub(crate) fn is_sure(&self) -> bool {
        self.format.lasting(self.heard) >= WINDOW
    }
}

/// The factor that makes something of this loudness as loud as everything else.
pub(crate) fn gain(loudness: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "a factor needs few digits")]
    let gain = 10_f64.powf((LOUDNESS - loudness).min(MOST) / 20.0) as f32;
    gain
}

/// A sample made louder or quieter. What would come near to full strength is bent instead of cut.
pub(crate) fn scaled(sample: i16, gain: f32) -> i16 {
    let value = f32::from(sample) / 32_768.0 * gain;
    let over = value.abs() - KNEE;
    let bent = if over > 0.0 {
        let room = PEAK - KNEE;
        value.signum() * (KNEE + room * (over / room).tanh())
    } else {
        value
    };
    #[expect(clippy::cast_possible_truncation, reason = "it is below full strength")]
    let sample = (bent * 32_768.0).round() as i16;
    sample
}

impl Clip {
    /// The same sound, as loud as everything else; silence stays silence.
    #[must_use]
    pub fn levelled(mut self) -> Self {
        let mut meter = Meter::new(self.format);
        meter.hear(&self.samples);
        if let Some(loudest) = meter.loudest() {
            let gain = gain(loudest);
            for sample in &mut self.samples {
                *sample = scaled(*sample, gain);
            }
        }
        self
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// A tone of 997 Hz, for which BS.1770 says how loud it is.
    pub(crate) fn tone(format: Format, strength: f64, time: Duration) -> Clip {
        let channels = usize::from(format.channels);
        let frames = format.samples(time) / channels;
        let rate = f64::from(format.rate);
        let samples = (0..frames).flat_map(|index| {
            let time = f64::from(u32::try_from(index).unwrap()) / rate;
            #[expect(clippy::cast_possible_truncation, reason = "it is within bounds")]
            let sample = ((TAU * 997.0 * time).sin() * strength * 32_767.0) as i16;
            vec![sample; channels]
        });
        Clip {
            format,
            samples: samples.collect(),
        }
    }

    pub(crate) fn loudness(clip: &Clip) -> f64 {
        let mut meter = Meter::new(clip.format);
        meter.hear(&clip.samples);
        meter.loudest().unwrap_or(f64::NEG_INFINITY)
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_full_sine_is_three_below_nothing() {
        for rate in [16_000, 22_050, 48_000] {
            let full = loudness(&tone(Format::mono(rate), 1.0, SECOND));
            assert!((full + 3.01).abs() < 0.05, "{rate}: {full}");
        }
    }

    #[test]
    fn every_clip_comes_out_alike_and_none_is_cut_off() {
        let stereo = Format {
            rate: 44_100,
            channels: 2,
        };
        for format in [Format::mono(16_000), Format::mono(48_000), stereo] {
            for strength in [0.03, 0.1, 0.5, 1.0] {
                let levelled = tone(format, strength, SECOND).levelled();
                let off = loudness(&levelled) - LOUDNESS;
                assert!(off.abs() < 0.2, "{format:?} at {strength}: {off:+.2} LU");
            }
        }
        let click = Clip {
            format: Format::mono(48_000),
            samples: (0..48_000)
                .map(|it| if it % 4_800 < 10 { i16::MAX } else { 0 })
                .collect(),
        };
        let strongest = click
            .levelled()
            .samples
            .iter()
            .map(|it| it.unsigned_abs())
            .max();
        assert!(strongest < Some(29_200), "{strongest:?}");
    }

    #[test]
    fn silence_and_faint_noise_stay_as_they_are() {
        let faint = tone(Format::mono(16_000), 0.001, SECOND);
        assert_eq!(faint.clone().levelled(), faint);
    }
}
