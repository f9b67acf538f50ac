//! Text as HTML shows it.

use std::fmt::{self, Write as _};

/// Writes a text so that nothing in it is markup, within an element or an attribute.
pub(super) struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'', '\0']) {
            f.write_str(&rest[..at])?;
            match rest.as_bytes()[at] {
                b'&' => f.write_str("&amp;")?,
                b'<' => f.write_str("&lt;")?,
                b'>' => f.write_str("&gt;")?,
                b'"' => f.write_str("&quot;")?,
                b'\'' => f.write_str("&#39;")?,
                _ => f.write_char('\u{fffd}')?,
            }
            rest = &rest[at + 1..];
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        let text = Escaped("<a b=\"c\" d='e'>&amp;\0é").to_string();
        assert_eq!(
            text,
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;\u{fffd}é"
        );
    }
}
