//! Text that leaves us: masked of secrets and rid of what could steer a terminal, a voice or a
//! reader's eye. Whatever is derived from a payload goes through here.

mod json;
mod mask;
mod sanitise;

pub use json::{mask_json, sanitise_json};
pub use mask::{MASKED, mask};
pub use sanitise::{block, line};

/// One line of at most `max` characters, fit to be shown: masked and sanitised. It is masked again once
/// nothing invisible stands in a key any more.
pub fn shown(text: &str, max: usize) -> String {
    let masked = mask(text.trim_ascii());
    if sanitise::is_line(&masked) {
        return sanitise::cut(&masked, max);
    }
    let clean = line(&masked, usize::MAX);
    line(&mask(&clean), max)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_key_with_something_invisible_in_it_is_masked() {
        let key = "sk-\u{200b}abcdefghijklmnopqrstuvwxyz0123456789";
        let shown = super::shown(key, 100);
        assert!(!shown.contains("abcdefghijkl"), "{shown}");
    }
}
