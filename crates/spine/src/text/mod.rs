//! Text that leaves us: masked of secrets and rid of what could steer a terminal, a voice or a
//! reader's eye. Whatever is derived from a payload goes through here.

mod json;
mod mask;
mod sanitise;

pub use json::{mask_json, sanitise_json};
pub use mask::{MASKED, mask};
pub use sanitise::{block, line};

/// One line of at most `max` characters, fit to be shown: masked, then sanitised.
pub fn shown(text: &str, max: usize) -> String {
    line(&mask(text), max)
}
