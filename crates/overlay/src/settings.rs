//! What the person has chosen, as the daemon tells it.

use std::time::Duration;

use serde::Deserialize;

use crate::layout::Place;
use crate::words::{Language, Words};

/// What `/api/overlay` gives.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub settings: Chosen,
    /// Its code.
    pub language: String,
    /// Whether permission requests can be answered here: `page.answer`.
    pub answer: bool,
    /// The mute of everything.
    pub muted: Option<Muted>,
}

/// The section `overlay`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct Chosen {
    /// The edge or corner.
    pub place: Place,
    /// The screen's name; the primary one when empty.
    pub screen: String,
    /// How wide a creature is on a plain screen.
    pub size: u16,
    /// How many are shown at once.
    pub most: usize,
    pub motion: Motion,
    pub bubble_seconds: u64,
    pub tray: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Muted {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    #[default]
    Full,
    /// Nothing moves by itself.
    Reduced,
}

/// Until the daemon has said what was chosen: nothing can be answered.
impl Default for Settings {
    fn default() -> Self {
        let language = Language::of_locale(|name| std::env::var_os(name));
        Self {
            settings: Chosen::default(),
            language: language.code().to_owned(),
            answer: false,
            muted: None,
        }
    }
}

/// The person's own choices come from the daemon before anything is shown; what a daemon of another version leaves out is this.
impl Default for Chosen {
    fn default() -> Self {
        Self {
            place: Place::default(),
            screen: String::new(),
            size: 96,
            most: 12,
            motion: Motion::Full,
            bubble_seconds: 6,
            tray: true,
        }
    }
}

impl Settings {
    pub fn language(&self) -> Language {
        Language::from_code(&self.language).unwrap_or_default()
    }

    pub fn words(&self) -> &'static Words {
        self.language().words()
    }

    /// How long a bubble stays that asks nothing.
    pub fn bubble_lives(&self) -> Duration {
        Duration::from_secs(self.settings.bubble_seconds.clamp(1, 60))
    }
}
