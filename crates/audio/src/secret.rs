//! A key that cannot be printed.

use std::fmt;

/// A secret: it can be sent to whom it is for, and is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key; one that is empty or could not stand in a header is none.
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        let fits = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(key.to_owned()))
    }

    /// The key itself, for the header of a request and nothing else.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text without the key, should a service have sent it back.
    pub(crate) fn taken_out_of(&self, text: &str) -> String {
        text.replace(&self.0, bellwether_spine::text::MASKED)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::new(" sk-planted-4711\n").unwrap();
        assert_eq!(
            format!("{secret:?} {:#?}", Some(&secret)),
            "Secret Some(\n    Secret,\n)"
        );
        assert_eq!(secret.reveal(), "sk-planted-4711");
        assert!(!secret.taken_out_of("key sk-planted-4711?").contains("4711"));
    }

    #[test]
    fn what_cannot_stand_in_a_header_is_no_key() {
        for wrong in ["", "  ", "a b", "a\r\nb", "schlüssel"] {
            assert_eq!(Secret::new(wrong), None, "{wrong:?}");
        }
    }
}
