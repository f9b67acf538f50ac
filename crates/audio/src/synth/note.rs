//! One note of a patch.

use super::Body;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Note {
    /// When it begins, in seconds.
    pub at: f32,
    /// Its pitch in hertz.
    pub pitch: f32,
    /// The pitch that it glides to.
    pub to: f32,
    /// How long it lasts, in seconds.
    pub length: f32,
    /// How strong it is beside the others.
    pub gain: f32,
    /// How long it takes to come up, in seconds.
    pub attack: f32,
    /// How often a second it trembles, and how much.
    pub tremble: (f32, f32),
    pub body: Body,
}

/// A note of a body, with a hard beginning.
pub(crate) const fn note(at: f32, pitch: f32, length: f32, body: Body) -> Note {
    Note {
        at,
        pitch,
        to: pitch,
        length,
        gain: 1.0,
        attack: 0.002,
        tremble: (0.0, 0.0),
        body,
    }
}

impl Note {
    /// As strong as this.
    pub(crate) const fn gain(self, gain: f32) -> Self {
        Self { gain, ..self }
    }

    /// Gliding to this pitch.
    pub(crate) const fn to(self, to: f32) -> Self {
        Self { to, ..self }
    }

    /// Coming up as slowly as this.
    pub(crate) const fn attack(self, attack: f32) -> Self {
        Self { attack, ..self }
    }

    /// Trembling so often a second, so much.
    pub(crate) const fn tremble(self, often: f32, much: f32) -> Self {
        Self {
            tremble: (often, much),
            ..self
        }
    }
}
