//! A plucked string: noise that runs round a loop as long as one swing and gets duller on its way
//! (Karplus and Strong, 1983), tuned between whole samples.

use super::RATE_F;
use super::noise::Noise;

/// The samples of a string.
pub(super) fn string(
    pitch: f32,
    brightness: f32,
    decay: f32,
    length: usize,
    noise: &mut Noise,
) -> Vec<f32> {
    // The dulling takes half a sample of the way, and the tuning the rest that is no whole one.
    let swing = RATE_F / pitch - 0.5;
    let (whole, rest) = split(swing);
    let tuning = (1.0 - rest) / (1.0 + rest);
    let keeping = (-1.0 / (decay * pitch)).exp();
    let mut string = excited(whole, brightness, noise);
    let (mut last, mut tuned_in, mut tuned_out) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut at = 0;
    let samples = (0..length).map(|_| {
        let out = string[at];
        let dulled = keeping * 0.5 * (out + last);
        last = out;
        let tuned = tuning * (dulled - tuned_out) + tuned_in;
        (tuned_in, tuned_out) = (dulled, tuned);
        string[at] = tuned;
        at = (at + 1) % whole;
        out
    });
    samples.collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a swing is between two and some thousand samples"
)]
fn split(swing: f32) -> (usize, f32) {
    let whole = (swing.floor() as usize).max(2);
    (whole, (swing - whole as f32).clamp(0.0, 1.0))
}

/// The string as the finger leaves it: noise, smoothed for a soft finger, without a shift of the whole.
fn excited(length: usize, brightness: f32, noise: &mut Noise) -> Vec<f32> {
    let mut soft = 0.0;
    let raw: Vec<f32> = (0..length)
        .map(|_| {
            soft += brightness.clamp(0.05, 1.0) * (noise.next() - soft);
            soft
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "a string is short")]
    let middle = raw.iter().sum::<f32>() / length as f32;
    let strongest = raw
        .iter()
        .fold(1e-6_f32, |most, x| most.max((x - middle).abs()));
    raw.iter().map(|x| (x - middle) / strongest).collect()
}
