//! A patch becomes a clip.

use super::crush::{Crush, crush};
use super::envelope;
use super::noise::Noise;
use super::note::Note;
use super::{RATE, RATE_F, body, room};
use crate::{Clip, Format};

/// How strong the mix is made before its loudness is known: enough for every digit to count.
const STRONG: f32 = 0.5;
/// What the room still says behind the last note, in seconds.
const RINGING: f32 = 0.12;

/// What is to be heard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch {
    pub notes: &'static [Note],
    /// How much room is around them.
    pub room: f32,
    /// How they are damaged.
    pub crush: Option<Crush>,
}

/// Makes the samples of a patch.
pub(crate) fn render(patch: &Patch) -> Clip {
    let mut noise = Noise::new();
    let end = patch.notes.iter().map(|note| note.at + note.length);
    let ringing = if patch.room > 0.0 { RINGING } else { 0.0 };
    let mut mix = vec![0.0; count(end.fold(0.0, f32::max) + ringing)];
    for note in patch.notes {
        let mut tone = body::tone(note, count(note.length), &mut noise);
        envelope::shape(note, &mut tone);
        let begin = count(note.at);
        mix[begin..]
            .iter_mut()
            .zip(tone)
            .for_each(|(mix, tone)| *mix += tone);
    }
    if let Some(damage) = patch.crush {
        crush(&mut mix, damage);
    }
    room::add(&mut mix, patch.room);
    envelope::trim(&mut mix);
    strengthen(&mut mix);
    let clip = Clip {
        format: Format::mono(RATE),
        samples: mix.into_iter().map(sample).collect(),
    };
    clip.levelled()
}

fn strengthen(mix: &mut [f32]) {
    let strongest = mix.iter().fold(1e-6_f32, |most, x| most.max(x.abs()));
    for sample in mix {
        *sample *= STRONG / strongest;
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a patch lasts some seconds"
)]
fn count(seconds: f32) -> usize {
    (seconds * RATE_F).round() as usize
}

#[expect(clippy::cast_possible_truncation, reason = "it is below one")]
fn sample(value: f32) -> i16 {
    (value * 32_767.0).round() as i16
}
