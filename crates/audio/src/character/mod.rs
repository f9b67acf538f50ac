//! Character: a line told in the words of somebody.
//!
//! A profile says who; its words come from a service under a deadline, or offline from the profile's
//! phrases. Whatever goes wrong, the plain line is there: a character never costs an announcement.

mod masked;
mod offline;
mod profile;
mod rewrite;
mod services;
mod settings;
mod shelf;

pub use masked::{Masked, Spoiled};
pub use profile::{Profile, Rules, VoiceSettings};
pub use rewrite::{Character, How, Rewritten};
pub use settings::{Service, Settings, Way};
pub use shelf::{FoundProfile, Origin, find, list};
