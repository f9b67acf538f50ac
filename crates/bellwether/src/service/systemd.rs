//! systemd, as a unit of the person's own session.

use anyhow::ensure;

use super::{DAEMON, MARK, Manager};

/// Where units of a person are, below their configuration.
const FOLDER: &str = "systemd/user";

const NAME: &str = "bellwether.service";

pub(super) const MANAGER: Manager = Manager {
    words: DAEMON,
    file: |folders| folders.config.join(FOLDER).join(NAME),
    link: |folders| {
        let wanted = folders.config.join(FOLDER).join("default.target.wants");
        Some(wanted.join(NAME))
    },
    text,
    enable: "systemctl --user daemon-reload && systemctl --user enable --now bellwether.service",
    disabled: "systemctl --user daemon-reload && systemctl --user stop bellwether.service",
};

/// Sound needs the session's sockets and shared memory, and voices and players are programs of the system, so the service
/// sees the same files as the person. What is switched off is what none of them uses.
fn text(words: &[String]) -> anyhow::Result<String> {
    let program = words.first().map(String::as_str).unwrap_or_default();
    ensure!(
        !program.contains('$'),
        "systemd runs no program with a $ in its path: {program}"
    );
    let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Ok(format!(
        "\
# {MARK}
[Unit]
Description=bellwether: tells what agents need, and shows what they do
# A daemon that a hook has started ends an hour after the last event. Until then this one is tried again.
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart={}
Restart=on-failure
RestartSec=30
UMask=0077
NoNewPrivileges=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
",
        line.join(" ")
    ))
}

/// A word as systemd reads it back: within quotes, `%` and `$` doubled.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let escaped = word
        .replace('\\', r"\\")
        .replace('"', r#"\""#)
        .replace('%', "%%")
        .replace('$', "$$");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sections of a unit, with the names in each.
    fn sections(text: &str) -> Vec<(&str, Vec<(&str, &str)>)> {
        let mut sections: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            match line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                Some(name) => sections.push((name, Vec::new())),
                None => sections
                    .last_mut()
                    .unwrap()
                    .1
                    .push(line.split_once('=').unwrap()),
            }
        }
        sections
    }

    #[test]
    fn a_unit_says_what_runs_and_when() {
        let words = ["/opt/b/bellwether", "--home", "/a b", "daemon", "run"].map(str::to_owned);
        let text = text(&words).unwrap();
        let sections = sections(&text);
        let names: Vec<&str> = sections.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["Unit", "Service", "Install"]);
        let known = [
            "Type",
            "ExecStart",
            "Restart",
            "RestartSec",
            "UMask",
            "NoNewPrivileges",
            "RestrictSUIDSGID",
            "LockPersonality",
            "SystemCallArchitectures",
        ];
        let service: Vec<&str> = sections[1].1.iter().map(|(name, _)| *name).collect();
        assert_eq!(service, known);
        assert_eq!(
            sections[1].1[1].1,
            r#"/opt/b/bellwether --home "/a b" daemon run"#
        );
    }

    #[test]
    fn words_are_quoted_for_systemd() {
        for (word, expected) in [
            ("daemon", "daemon"),
            ("/a b", r#""/a b""#),
            (r#"/a"b\c"#, r#""/a\"b\\c""#),
            ("/100%/$x", r#""/100%%/$$x""#),
            ("", r#""""#),
            ("/a'b;c", r#""/a'b;c""#),
        ] {
            assert_eq!(quoted(word), expected, "{word}");
        }
        text(&["/a$b/bellwether".to_owned()]).unwrap_err();
    }
}
