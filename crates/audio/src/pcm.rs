//! Sound as numbers: signed 16-bit samples, the channels interleaved.

use std::time::Duration;

/// How samples are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// Samples a second, of each channel.
    pub rate: u32,
    /// One or two.
    pub channels: u8,
}

impl Format {
    pub const fn mono(rate: u32) -> Self {
        Self { rate, channels: 1 }
    }

    /// How long so many samples last, all channels counted.
    pub fn lasting(self, samples: usize) -> Duration {
        let a_second = u64::from(self.rate) * u64::from(self.channels);
        Duration::from_micros(samples as u64 * 1_000_000 / a_second.max(1))
    }

    /// How many samples, all channels counted, last so long.
    pub fn samples(self, lasting: Duration) -> usize {
        let frames = lasting.as_micros() * u128::from(self.rate) / 1_000_000;
        usize::try_from(frames).unwrap_or(usize::MAX) * usize::from(self.channels)
    }
}

/// A sound that is there as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clip {
    /// How its samples are to be read.
    pub format: Format,
    /// The samples, the channels interleaved.
    pub samples: Vec<i16>,
}

impl Clip {
    /// How long it lasts.
    pub fn duration(&self) -> Duration {
        self.format.lasting(self.samples.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_samples_are_two_ways_to_say_it() {
        let stereo = Format {
            rate: 48_000,
            channels: 2,
        };
        assert_eq!(stereo.samples(Duration::from_millis(500)), 48_000);
        assert_eq!(stereo.lasting(48_000), Duration::from_millis(500));
        let clip = Clip {
            format: Format::mono(16_000),
            samples: vec![0; 1_600],
        };
        assert_eq!(clip.duration(), Duration::from_millis(100));
    }
}
