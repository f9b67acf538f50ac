//! A desktop, as an entry of what it starts at login.

use super::{MARK, Manager};

/// Where such entries of a person are, below their configuration.
const FOLDER: &str = "autostart";

const NAME: &str = "bellwether-overlay.desktop";

pub(super) const MANAGER: Manager = Manager {
    words: &["overlay"],
    file: |folders| folders.config.join(FOLDER).join(NAME),
    link: |_| None,
    text,
    enable: "bellwether overlay",
    disabled: "bellwether overlay --stop",
};

#[expect(
    clippy::unnecessary_wraps,
    reason = "another manager cannot hold every path"
)]
fn text(words: &[String]) -> anyhow::Result<String> {
    let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Ok(format!(
        "\
# {MARK}
[Desktop Entry]
Type=Application
Name=bellwether overlay
Comment=Shows your agents on the desktop
Exec={}
Terminal=false
NoDisplay=true
X-GNOME-Autostart-enabled=true
",
        line.join(" ")
    ))
}

/// A word as desktops read it back: within quotes, with `%` doubled, and every backslash doubled again as in any value.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let mut quoted = String::new();
    for letter in word.chars() {
        match letter {
            '"' | '`' | '$' => quoted.push_str(r"\\"),
            '\\' => quoted.push_str(r"\\\"),
            '%' => quoted.push('%'),
            _ => {}
        }
        quoted.push(letter);
    }
    format!("\"{quoted}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_desktops() {
        for (word, expected) in [
            ("overlay", "overlay"),
            ("/a b", r#""/a b""#),
            (r#"/a"b"#, r#""/a\\"b""#),
            (r"/a\b", r#""/a\\\\b""#),
            ("/100%/$x", r#""/100%%/\\$x""#),
            ("", r#""""#),
        ] {
            assert_eq!(quoted(word), expected, "{word}");
        }
    }

    #[test]
    fn an_entry_says_what_is_started() {
        let words = ["/opt/b/bellwether", "--home", "/a b", "overlay"].map(str::to_owned);
        let text = text(&words).unwrap();
        assert!(
            text.contains("\nExec=/opt/b/bellwether --home \"/a b\" overlay\n"),
            "{text}"
        );
    }
}
