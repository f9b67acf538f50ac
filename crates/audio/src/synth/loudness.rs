//! How loud a sound is to an ear: momentary loudness after ITU-R BS.1770, that is 400 ms of it, weighted
//! by how well we hear each pitch. The loudest 400 ms count, because an effect is hardly longer.

use super::RATE_F;

/// What counts at once.
const WINDOW: usize = 19_200;
/// How often it is looked at.
const STEP: usize = 480;

/// The loudest moment of a sound in LUFS, full strength being 1.0.
pub(crate) fn momentary(samples: &[f32]) -> f32 {
    let mut head = Filter::HEAD;
    let mut low = Filter::LOW;
    let squares: Vec<f64> = samples
        .iter()
        .map(|sample| low.pass(head.pass(f64::from(*sample))).powi(2))
        .collect();
    let steps: Vec<f64> = squares.chunks(STEP).map(|step| step.iter().sum()).collect();
    let width = WINDOW / STEP;
    let loudest = if steps.len() <= width {
        steps.iter().sum()
    } else {
        let sums = steps.windows(width).map(|window| window.iter().sum());
        sums.fold(0.0, f64::max)
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "decibels need few digits"
    )]
    let level = (-0.691 + 10.0 * (loudest / WINDOW as f64).max(1e-12).log10()) as f32;
    level
}

/// A filter of second order.
struct Filter {
    b: [f64; 3],
    a: [f64; 2],
    x: [f64; 2],
    y: [f64; 2],
}

impl Filter {
    /// The head lifts high tones. The numbers are the recommendation's, for 48 kHz.
    const HEAD: Self = Self::new(
        [
            1.535_124_859_586_97,
            -2.691_696_189_406_38,
            1.198_392_810_852_85,
        ],
        [-1.690_659_293_182_41, 0.732_480_774_215_85],
    );
    /// Low tones are heard less.
    const LOW: Self = Self::new(
        [1.0, -2.0, 1.0],
        [-1.990_047_454_833_98, 0.990_072_250_366_21],
    );

    const fn new(b: [f64; 3], a: [f64; 2]) -> Self {
        Self {
            b,
            a,
            x: [0.0; 2],
            y: [0.0; 2],
        }
    }

    fn pass(&mut self, x: f64) -> f64 {
        let [b0, b1, b2] = self.b;
        let y = b0 * x + b1 * self.x[0] + b2 * self.x[1]
            - self.a[0] * self.y[0]
            - self.a[1] * self.y[1];
        self.x = [x, self.x[0]];
        self.y = [y, self.y[0]];
        y
    }
}

const _: () = assert!(RATE_F == 48_000.0, "the filters are made for 48 kHz");

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;

    /// The recommendation says so of a sine of 997 Hz at full strength on one channel.
    #[test]
    fn a_full_sine_is_three_below_nothing() {
        let sine = |index: u16| (TAU * 997.0 * f32::from(index) / RATE_F).sin();
        let samples: Vec<f32> = (0..48_000).map(sine).collect();
        assert!(
            (momentary(&samples) + 3.01).abs() < 0.02,
            "{}",
            momentary(&samples)
        );
        let quiet: Vec<f32> = samples.iter().map(|sample| sample * 0.1).collect();
        assert!((momentary(&quiet) + 23.01).abs() < 0.02);
    }
}
