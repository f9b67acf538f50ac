//! What is to be said, and how.

/// What is to be said, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The words, masked and sanitised.
    pub text: String,
    /// Whose voice; an unknown name means the engine's own.
    pub voice: String,
    /// Words a minute.
    pub rate: u32,
    /// The pitch; 1.0 is the voice's own.
    pub pitch: f32,
}

impl Line {
    /// A line in the engine's own voice.
    pub fn new(text: impl Into<String>, rate: u32) -> Self {
        Self {
            text: text.into(),
            voice: String::new(),
            rate,
            pitch: 1.0,
        }
    }

    /// The pitch within what still sounds like speech.
    pub(super) fn held_pitch(&self) -> f32 {
        if self.pitch.is_finite() {
            self.pitch.clamp(0.7, 1.4)
        } else {
            1.0
        }
    }
}

/// A line is spoken up to here; nobody listens longer, and programs take it in one piece.
const LONGEST: usize = 8_000;

impl Line {
    /// The words as a voice of a language may be given them: those that it can read, and nothing that
    /// a voice takes for a command (`[[…]]` is one to two of them, `<…>` to others).
    pub(super) fn words(&self, language: &super::Tongue) -> String {
        language.readable(&self.all_words())
    }

    /// The same for a voice that reads every language.
    pub(super) fn all_words(&self) -> String {
        let harmless = |char: char| match char {
            '<' | '>' | '[' | ']' | '\0' => ' ',
            char if char.is_control() => ' ',
            char => char,
        };
        let text: String = self.text.chars().take(LONGEST).map(harmless).collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voice::Tongue;

    #[test]
    fn nothing_in_a_line_is_a_command_to_a_voice() {
        let line = Line::new("a [[slnc 5000]] b <break time=\"9s\"/> c\n\0d 안녕", 200);
        assert_eq!(
            line.words(&Tongue::named("en")),
            "a slnc 5000 b break time=\"9s\"/ c d"
        );
    }

    #[test]
    fn pitches_are_held() {
        for (pitch, held) in [(1.0, 1.0), (9.0, 1.4), (0.0, 0.7), (f32::NAN, 1.0)] {
            let line = Line {
                pitch,
                ..Line::new("x", 200)
            };
            assert!((line.held_pitch() - held).abs() < 1e-6);
        }
    }
}
