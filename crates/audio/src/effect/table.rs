//! The patches.

use super::Effect;
use super::bodies::{
    AIR, BELL, BUZZER, CHIP, CHIP_FADING, DATA, GLASS, HAND_BELL, HARD_MARIMBA, HARP, HELD,
    MARIMBA, SAW, SIREN, SOFT, STATIC, THUD, WOOD,
};
use crate::synth::{Crush, Note, Patch, note};

const C3: f32 = 130.81;
const G3: f32 = 196.00;
const C4: f32 = 261.63;
const D4: f32 = 293.66;
const E4: f32 = 329.63;
const G4: f32 = 392.00;
const A4: f32 = 440.00;
const C5: f32 = 523.25;
const D5: f32 = 587.33;
const E5: f32 = 659.26;
const F5: f32 = 698.46;
const G5: f32 = 783.99;
const A5: f32 = 880.00;
const B5: f32 = 987.77;
const C6: f32 = 1_046.50;
const D6: f32 = 1_174.66;
const E6: f32 = 1_318.51;
const G6: f32 = 1_567.98;
const A6: f32 = 1_760.00;
const C7: f32 = 2_093.00;
const E7: f32 = 2_637.02;

const fn effect(
    name: &'static str,
    about: &'static str,
    room: f32,
    notes: &'static [Note],
) -> Effect {
    Effect {
        name,
        about,
        patch: Patch {
            notes,
            room,
            crush: None,
        },
    }
}

const fn crushed(
    name: &'static str,
    about: &'static str,
    hold: usize,
    steps: f32,
    notes: &'static [Note],
) -> Effect {
    Effect {
        name,
        about,
        patch: Patch {
            notes,
            room: 0.0,
            crush: Some(Crush { hold, steps }),
        },
    }
}

/// Every effect, by name.
pub(super) const EFFECTS: &[Effect] = &[
    effect(
        "bell_call",
        "a hand bell rung twice, quickly: come here",
        0.5,
        &[
            note(0.0, E6, 0.30, HAND_BELL),
            note(0.15, E6, 0.85, HAND_BELL),
            note(0.15, B5, 0.85, HAND_BELL).gain(0.35),
        ],
    ),
    effect(
        "bell_confident",
        "one full stroke of a bell with its fifth",
        0.5,
        &[
            note(0.0, C5, 1.15, BELL),
            note(0.0, G5, 1.0, BELL).gain(0.5),
            note(0.012, C6, 0.8, GLASS).gain(0.25),
        ],
    ),
    effect(
        "bell_ring_1",
        "one clear stroke",
        0.5,
        &[note(0.0, A5, 1.1, BELL)],
    ),
    effect(
        "bell_ring_2",
        "two strokes, falling, as of a door bell",
        0.5,
        &[note(0.0, E5, 0.9, BELL), note(0.32, C5, 0.85, BELL)],
    ),
    effect(
        "bell_ring_3",
        "three strokes, rising",
        0.5,
        &[
            note(0.0, G5, 0.7, BELL).gain(0.8),
            note(0.17, B5, 0.7, BELL).gain(0.9),
            note(0.34, D6, 0.8, BELL),
        ],
    ),
    effect(
        "blink",
        "a short soft blip upwards",
        0.3,
        &[
            note(0.0, A5, 0.09, SOFT).to(E6).attack(0.006),
            note(0.08, E6, 0.16, SOFT).gain(0.7).attack(0.004),
        ],
    ),
    effect(
        "coin_dual",
        "two coins, one after the other",
        0.15,
        &[
            note(0.0, B5, 0.07, CHIP),
            note(0.07, E6, 0.22, CHIP_FADING),
            note(0.25, D6, 0.07, CHIP),
            note(0.32, G6, 0.45, CHIP_FADING),
        ],
    ),
    effect(
        "coin_simple",
        "one coin",
        0.15,
        &[
            note(0.0, B5, 0.075, CHIP),
            note(0.075, E6, 0.5, CHIP_FADING),
        ],
    ),
    effect(
        "error_buzz",
        "a low buzzer, twice",
        0.0,
        &[
            note(0.0, 116.5, 0.16, BUZZER)
                .attack(0.004)
                .tremble(58.0, 0.5),
            note(0.21, 103.8, 0.32, BUZZER)
                .attack(0.004)
                .tremble(52.0, 0.5),
        ],
    ),
    effect(
        "error_deny",
        "two dull thuds: no, no",
        0.2,
        &[note(0.0, 233.1, 0.16, THUD), note(0.17, 174.6, 0.34, THUD)],
    ),
    effect(
        "error_fast",
        "three quick steps down",
        0.15,
        &[
            note(0.0, A5, 0.08, CHIP),
            note(0.08, 740.0, 0.08, CHIP),
            note(0.16, 554.4, 0.26, CHIP_FADING),
        ],
    ),
    effect(
        "error_slow",
        "one tone that slides down and gives up",
        0.3,
        &[
            note(0.0, 466.2, 0.85, SIREN).to(155.6).attack(0.03),
            note(0.0, 233.1, 0.85, HELD).to(77.8).attack(0.03).gain(0.6),
        ],
    ),
    effect(
        "error_synth",
        "a dark electric chord, struck twice",
        0.35,
        &[
            note(0.0, 155.6, 0.16, SAW).attack(0.005),
            note(0.0, 157.0, 0.16, SAW).attack(0.005),
            note(0.0, 185.0, 0.16, SAW).attack(0.005).gain(0.8),
            note(0.2, 146.8, 0.5, SAW).attack(0.005),
            note(0.2, 148.2, 0.5, SAW).attack(0.005),
            note(0.2, 174.6, 0.5, SAW).attack(0.005).gain(0.8),
        ],
    ),
    crushed(
        "glitch1",
        "a few scraps of data",
        9,
        12.0,
        &[
            note(0.0, 1_310.0, 0.045, DATA),
            note(0.06, 420.0, 0.03, DATA),
            note(0.1, 2_100.0, 0.025, DATA).gain(0.8),
            note(0.15, 660.0, 0.05, DATA),
            note(0.23, 1_750.0, 0.02, DATA),
            note(0.26, 310.0, 0.09, DATA),
        ],
    ),
    crushed(
        "glitch_distortion",
        "a torn tone in static",
        6,
        5.0,
        &[
            note(0.0, 196.0, 0.5, SAW).to(98.0).tremble(31.0, 0.9),
            note(0.0, 2_400.0, 0.4, STATIC)
                .to(700.0)
                .gain(0.7)
                .tremble(17.0, 0.8),
            note(0.3, 880.0, 0.12, DATA).to(220.0).gain(0.6),
        ],
    ),
    crushed(
        "glitch_shutdown",
        "a machine that runs down and stops",
        5,
        20.0,
        &[
            note(0.0, 880.0, 0.1, SAW).gain(0.6),
            note(0.12, 880.0, 0.95, SAW).to(55.0).tremble(12.0, 0.6),
            note(0.12, 440.0, 0.95, HELD).to(36.0),
        ],
    ),
    effect(
        "harp_finish",
        "a rising arpeggio that comes home",
        0.55,
        &[
            note(0.0, C4, 0.8, HARP).gain(0.75),
            note(0.07, E4, 0.8, HARP).gain(0.8),
            note(0.14, G4, 0.8, HARP).gain(0.85),
            note(0.21, C5, 0.8, HARP).gain(0.9),
            note(0.28, E5, 0.8, HARP).gain(0.95),
            note(0.35, G5, 0.8, HARP),
            note(0.43, C6, 0.8, HARP),
        ],
    ),
    effect(
        "harp_message",
        "two strings, a fourth apart",
        0.55,
        &[
            note(0.0, A4, 0.8, HARP).gain(0.9),
            note(0.13, D5, 0.9, HARP),
            note(0.13, D4, 0.9, HARP).gain(0.4),
        ],
    ),
    effect(
        "jump1",
        "a small leap",
        0.1,
        &[
            note(0.0, 196.0, 0.07, CHIP).to(262.0),
            note(0.06, 262.0, 0.22, CHIP_FADING).to(784.0),
        ],
    ),
    effect(
        "marimba_complete",
        "three bars, rising",
        0.4,
        &[
            note(0.0, C5, 0.4, MARIMBA).gain(0.85),
            note(0.11, E5, 0.4, MARIMBA).gain(0.9),
            note(0.22, G5, 0.55, MARIMBA),
        ],
    ),
    effect(
        "marimba_finish",
        "four bars that close a phrase",
        0.4,
        &[
            note(0.0, G4, 0.4, MARIMBA).gain(0.85),
            note(0.13, A4, 0.4, MARIMBA).gain(0.9),
            note(0.26, D5, 0.4, MARIMBA).gain(0.9),
            note(0.42, C5, 0.6, MARIMBA),
            note(0.42, C4, 0.6, MARIMBA).gain(0.6),
        ],
    ),
    effect(
        "marimba_nudge_1",
        "two gentle taps on one bar",
        0.35,
        &[
            note(0.0, E5, 0.3, MARIMBA).gain(0.7),
            note(0.15, E5, 0.45, MARIMBA),
        ],
    ),
    effect(
        "marimba_nudge_2",
        "two gentle taps, down a third",
        0.35,
        &[
            note(0.0, G5, 0.3, MARIMBA).gain(0.8),
            note(0.15, E5, 0.45, MARIMBA),
        ],
    ),
    effect(
        "marimba_success",
        "a run upwards into a chord",
        0.4,
        &[
            note(0.0, C5, 0.25, MARIMBA).gain(0.7),
            note(0.07, D5, 0.25, MARIMBA).gain(0.75),
            note(0.14, E5, 0.25, MARIMBA).gain(0.8),
            note(0.21, G5, 0.25, MARIMBA).gain(0.85),
            note(0.3, C6, 0.6, MARIMBA),
            note(0.3, E5, 0.6, MARIMBA).gain(0.7),
            note(0.3, G5, 0.6, MARIMBA).gain(0.6),
        ],
    ),
    effect(
        "marimba_warning",
        "two hard bars by turns",
        0.3,
        &[
            note(0.0, F5, 0.25, HARD_MARIMBA),
            note(0.12, D5, 0.25, HARD_MARIMBA),
            note(0.28, F5, 0.25, HARD_MARIMBA),
            note(0.40, D5, 0.4, HARD_MARIMBA),
        ],
    ),
    effect(
        "ping_cute",
        "a tiny drop of glass",
        0.45,
        &[
            note(0.0, A6, 0.05, SOFT).to(C7).gain(0.7),
            note(0.035, C7, 0.6, GLASS),
        ],
    ),
    effect(
        "preview",
        "one of each: wood, string, glass, bell",
        0.45,
        &[
            note(0.0, C5, 0.35, MARIMBA),
            note(0.16, G4, 0.6, HARP).gain(0.9),
            note(0.32, E6, 0.5, GLASS).gain(0.8),
            note(0.48, C6, 0.7, BELL).gain(0.8),
        ],
    ),
    effect(
        "ui_open_1",
        "a soft swell of two tones, opening upwards",
        0.45,
        &[
            note(0.0, G4, 0.3, SOFT).attack(0.02).gain(0.8),
            note(0.09, D5, 0.5, HELD).attack(0.025),
            note(0.0, 900.0, 0.3, AIR)
                .to(3_000.0)
                .attack(0.05)
                .gain(0.12),
        ],
    ),
    effect(
        "ui_open_2",
        "a soft chord that unfolds",
        0.5,
        &[
            note(0.0, C5, 0.6, HELD).attack(0.03).gain(0.8),
            note(0.06, E5, 0.55, HELD).attack(0.03).gain(0.8),
            note(0.12, G5, 0.55, HELD).attack(0.03),
            note(0.18, E7, 0.3, GLASS).gain(0.05),
        ],
    ),
    effect(
        "ui_open_3",
        "a soft tick and a tone that lifts",
        0.4,
        &[
            note(0.0, C6, 0.08, WOOD).gain(0.6),
            note(0.05, C5, 0.4, HELD).to(G5).attack(0.03),
            note(0.05, C3, 0.3, SOFT).to(G3).attack(0.02).gain(0.4),
        ],
    ),
];
