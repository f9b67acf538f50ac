//! A small room around a sound: a few echoes that run together (after Schroeder, 1962). Without it synthetic
//! tones stand in front of the ear.

/// The lengths of the echoes in samples; they share no divisor, so that no tone comes of them.
const ECHOES: [usize; 4] = [1_423, 1_597, 1_811, 2_003];
/// How much of an echo comes back each time round.
const BACK: f32 = 0.62;
/// What smears the echoes.
const SMEARS: [usize; 2] = [241, 83];
/// How much high sound the walls swallow.
const WALLS: f32 = 0.45;

/// Adds so much room to a sound.
pub(super) fn add(samples: &mut [f32], amount: f32) {
    if amount <= 0.0 {
        return;
    }
    let mut wet = vec![0.0; samples.len()];
    for length in ECHOES {
        echo(samples, &mut wet, length);
    }
    for length in SMEARS {
        smear(&mut wet, length);
    }
    for (sample, wet) in samples.iter_mut().zip(wet) {
        *sample += wet * amount * 0.25;
    }
}

fn echo(dry: &[f32], wet: &mut [f32], length: usize) {
    let mut line = vec![0.0; length];
    let mut dull = 0.0;
    for (dry, wet) in dry.chunks(length).zip(wet.chunks_mut(length)) {
        for ((dry, wet), cell) in dry.iter().zip(wet).zip(&mut line) {
            let out = *cell;
            dull += (1.0 - WALLS) * (out - dull);
            *cell = dry + dull * BACK;
            *wet += out;
        }
    }
}

fn smear(samples: &mut [f32], length: usize) {
    let mut line = vec![0.0; length];
    for samples in samples.chunks_mut(length) {
        for (sample, cell) in samples.iter_mut().zip(&mut line) {
            let delayed = *cell;
            *cell = *sample + delayed * 0.5;
            *sample = delayed - *cell * 0.5;
        }
    }
}
