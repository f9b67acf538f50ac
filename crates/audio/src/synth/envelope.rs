//! How a note comes and goes. Nothing begins or ends with a jump: that would be heard as a click.

use std::f32::consts::{PI, TAU};

use super::body::seconds;
use super::note::Note;

/// How long a note takes to go.
const END: f32 = 0.02;

/// Gives a tone its beginning, its end and its trembling.
pub(super) fn shape(note: &Note, tone: &mut [f32]) {
    let (often, much) = note.tremble;
    for (index, sample) in tone.iter_mut().enumerate() {
        let time = seconds(index);
        let left = (note.length - time).max(0.0);
        let trembling = if much > 0.0 {
            1.0 - much * (0.5 - 0.5 * (TAU * often * time).cos())
        } else {
            1.0
        };
        *sample *= slope(time / note.attack) * slope(left / END) * trembling * note.gain;
    }
}

/// Fades the very beginning and end of a whole sound.
pub(super) fn trim(samples: &mut [f32]) {
    let count = samples.len();
    for (index, sample) in samples.iter_mut().enumerate() {
        let (before, behind) = (seconds(index), seconds(count - 1 - index));
        *sample *= slope(before / 0.001) * slope(behind / END);
    }
}

/// From nothing to all, without a corner.
fn slope(way: f32) -> f32 {
    if way >= 1.0 {
        return 1.0;
    }
    0.5 - 0.5 * (PI * way.max(0.0)).cos()
}
