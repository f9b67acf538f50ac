//! What makes a tone, and the tone it makes.

use std::f32::consts::TAU;

use super::noise::Noise;
use super::note::Note;
use super::{RATE_F, pluck};

/// Nothing above this is made: it would come back as a wrong tone.
const HIGHEST: f32 = 16_000.0;
/// So many overtones a reed has at most.
const OVERTONES: u16 = 48;
/// The samples between two looks at a glide.
const STEP: usize = 32;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// Something struck: each way in which it swings has its own pitch, strength and decay.
    Struck(&'static [Mode]),
    /// A row of overtones that decays as one: reeds, chips, buzzers.
    Reed {
        series: Series,
        /// How dull: each overtone is weaker by its number to this power.
        dullness: f32,
        /// How fast it decays, in seconds to a third.
        decay: f32,
    },
    /// One tone that bends another: metal, electric pianos, sirens.
    Bent {
        /// The pitch of the bending tone beside the other.
        ratio: f32,
        depth: f32,
        /// How fast that wears off.
        fade: f32,
        /// How fast the tone decays.
        decay: f32,
    },
    /// A plucked string.
    Plucked {
        /// How bright, from 0 to 1.
        brightness: f32,
        decay: f32,
    },
    /// Air: noise around the pitch.
    Breath { narrowness: f32, decay: f32 },
}

/// One way in which something struck swings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    /// Its pitch beside that of the note.
    pub ratio: f32,
    pub level: f32,
    /// How fast it decays, in seconds to a third.
    pub decay: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Series {
    /// Every one: a bow, a saw.
    All,
    /// Every other: hollow.
    Odd,
}

/// The samples of a note's tone, without attack and end.
pub(super) fn tone(note: &Note, length: usize, noise: &mut Noise) -> Vec<f32> {
    match note.body {
        Body::Struck(modes) => struck(note, modes, length),
        Body::Reed {
            series,
            dullness,
            decay,
        } => reed(note, series, dullness, decay, length),
        Body::Bent {
            ratio,
            depth,
            fade,
            decay,
        } => bent(note, [ratio, depth, fade, decay], length),
        Body::Plucked { brightness, decay } => {
            pluck::string(note.pitch, brightness, decay, length, noise)
        }
        Body::Breath { narrowness, decay } => breath(note, narrowness, decay, length, noise),
    }
}

fn struck(note: &Note, modes: &[Mode], length: usize) -> Vec<f32> {
    let mut samples = vec![0.0; length];
    for mode in modes
        .iter()
        .filter(|mode| note.pitch * mode.ratio < HIGHEST)
    {
        add_tone(&mut samples, note, mode.ratio, mode.level, mode.decay);
    }
    samples
}

fn reed(note: &Note, series: Series, dullness: f32, decay: f32, length: usize) -> Vec<f32> {
    let mut samples = vec![0.0; length];
    let step = if series == Series::Odd { 2 } else { 1 };
    let highest = note.pitch.max(note.to);
    for number in (1..=OVERTONES).step_by(step) {
        let number = f32::from(number);
        if highest * number > HIGHEST {
            break;
        }
        add_tone(&mut samples, note, number, number.powf(-dullness), decay);
    }
    samples
}

/// Adds one decaying tone. Its phase turns by multiplication, so that a sample costs no sine; a glide is
/// followed in steps too short to be heard.
fn add_tone(samples: &mut [f32], note: &Note, ratio: f32, level: f32, decay: f32) {
    let fading = (-1.0 / (decay * RATE_F)).exp();
    let glides = note.to.total_cmp(&note.pitch).is_ne();
    let mut strength = level;
    let (mut x, mut y) = (1.0_f32, 0.0_f32);
    let mut turn = turn(note.pitch * ratio);
    for (step, samples) in samples.chunks_mut(STEP).enumerate() {
        if glides {
            turn = self::turn(pitch(note, step * STEP) * ratio);
        }
        for sample in samples {
            *sample += y * strength;
            strength *= fading;
            (x, y) = (x * turn.0 - y * turn.1, x * turn.1 + y * turn.0);
        }
        let length = (x * x + y * y).sqrt();
        (x, y) = (x / length, y / length);
    }
}

/// How far a tone turns from one sample to the next.
fn turn(pitch: f32) -> (f32, f32) {
    let angle = TAU * pitch / RATE_F;
    (angle.cos(), angle.sin())
}

fn bent(note: &Note, [ratio, depth, fade, decay]: [f32; 4], length: usize) -> Vec<f32> {
    let (mut carrier, mut bender) = (0.0_f32, 0.0_f32);
    let tone = (0..length).map(|index| {
        let time = seconds(index);
        let angle = TAU * pitch(note, index) / RATE_F;
        carrier = (carrier + angle) % TAU;
        bender = (bender + angle * ratio) % TAU;
        let bend = depth * (-time / fade).exp() * bender.sin();
        (carrier + bend).sin() * (-time / decay).exp()
    });
    tone.collect()
}

/// Noise through a filter that follows the pitch.
fn breath(note: &Note, narrowness: f32, decay: f32, length: usize, noise: &mut Noise) -> Vec<f32> {
    let (mut low, mut band) = (0.0_f32, 0.0_f32);
    let damping = 1.0 / narrowness.max(0.5);
    let air = (0..length).map(|index| {
        let tuning = 2.0 * (TAU / 2.0 * pitch(note, index).min(7_000.0) / RATE_F).sin();
        low += tuning * band;
        let high = noise.next() - low - damping * band;
        band += tuning * high;
        band * damping * (-seconds(index) / decay).exp()
    });
    air.collect()
}

/// The pitch at a sample; a glide goes by equal steps of the ear.
fn pitch(note: &Note, index: usize) -> f32 {
    let way = (seconds(index) / note.length).min(1.0);
    note.pitch * (note.to / note.pitch).powf(way)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "an effect has fewer samples than a float has digits"
)]
pub(super) fn seconds(index: usize) -> f32 {
    index as f32 / RATE_F
}
