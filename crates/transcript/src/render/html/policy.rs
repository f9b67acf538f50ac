//! What a browser lets an exported page do: its own style, its own script, images inside it, and nothing else.

use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

use super::{SCRIPT, STYLE};

/// The content security policy of every page that is exported, for its head and for whoever serves it.
pub fn policy() -> &'static str {
    static POLICY: OnceLock<String> = OnceLock::new();
    POLICY.get_or_init(|| {
        format!(
            "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'",
            digest(STYLE),
            digest(SCRIPT)
        )
    })
}

fn digest(text: &str) -> String {
    base64(&Sha256::digest(text.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = (0..3).fold(0u32, |group, at| {
            group << 8 | u32::from(chunk.get(at).copied().unwrap_or(0))
        });
        for place in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() {
                char::from(letter)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_as_everybody_writes_it() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn nothing_from_elsewhere_is_let_in() {
        let policy = policy();
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        for loose in ["unsafe", "http", "*", "'self'", "blob:"] {
            assert!(!policy.contains(loose), "{policy}");
        }
        // What closes an element would end the script in the middle.
        assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
    }
}
