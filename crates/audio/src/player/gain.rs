//! Volume, put into the samples themselves: what a server makes of a number differs, and some would turn
//! the whole machine up.

/// Samples at a volume, as little-endian bytes.
pub(crate) fn bytes(samples: &[i16], volume: f32) -> Vec<u8> {
    let volume = clamped(volume);
    let scaled = samples.iter().map(|sample| scale(*sample, volume));
    scaled.flat_map(i16::to_le_bytes).collect()
}

/// A volume within its bounds; what is no number is silence.
pub(crate) fn clamped(volume: f32) -> f32 {
    if volume.is_nan() {
        0.0
    } else {
        volume.clamp(0.0, 1.0)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a sample times at most one stays a sample, and the cast saturates"
)]
fn scale(sample: i16, volume: f32) -> i16 {
    (f32::from(sample) * volume).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_is_a_fifth_and_too_much_is_all() {
        let scaled = |volume| bytes(&[10_000, -10_000, i16::MIN], volume);
        let expected = |samples: [i16; 3]| samples.map(i16::to_le_bytes).concat();
        assert_eq!(scaled(0.2), expected([2_000, -2_000, -6_554]));
        assert_eq!(scaled(7.0), expected([10_000, -10_000, i16::MIN]));
        assert_eq!(scaled(-1.0), expected([0; 3]));
        assert_eq!(scaled(f32::NAN), expected([0; 3]));
    }
}
