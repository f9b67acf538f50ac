//! Programs of others that do what we do too: by what their hooks start they are known.
//!
//! A name counts where it is the program or the script of a command, never as a mere part of a path, in a text or in a
//! comment.

use std::path::Path;

use bellwether_transcript::CommandLine;

/// What a program does that we do as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Does {
    /// It is heard: a sound or a voice.
    Sound,
    /// It shows or sends a message, without a sound of ours.
    Message,
    /// It decides about tool calls.
    Guard,
    /// It formats files.
    Format,
}

/// A program of others.
#[derive(Debug)]
pub(super) struct Peer {
    pub name: &'static str,
    pub does: Does,
    /// The file names of its programs and scripts, without what follows the last dot.
    files: &'static [&'static str],
    /// How the paths of its scripts end whose names are anybody's.
    paths: &'static [&'static str],
    /// Its names as a plugin.
    plugins: &'static [&'static str],
    /// How it is removed, where it is not a plugin.
    pub remove: &'static str,
}

const BY_HAND: &str = "remove its entry from that file";

const fn peer(name: &'static str, does: Does, files: &'static [&'static str]) -> Peer {
    Peer {
        name,
        does,
        files,
        paths: &[],
        plugins: &[],
        remove: BY_HAND,
    }
}

/// Those that are known, by how they register themselves: most as their installers, plugins or manuals say, the others by their names.
const PEERS: &[Peer] = &[
    Peer {
        paths: &["/peon-ping/scripts/hook-handle-use.sh"],
        plugins: &["peon-ping"],
        remove: "bash ~/.claude/hooks/peon-ping/uninstall.sh",
        ..peer("peon-ping", Does::Sound, &["peon"])
    },
    Peer {
        plugins: &["claude-notifications-go", "claude-notifications"],
        ..peer(
            "claude-notifications",
            Does::Sound,
            &["claude-notifications"],
        )
    },
    Peer {
        plugins: &["ccnotify"],
        ..peer("CCNotify", Does::Sound, &["ccnotify"])
    },
    Peer {
        paths: &["/code-notify/core/notifier.sh"],
        remove: "cn off",
        ..peer("code-notify", Does::Sound, &["code-notify"])
    },
    Peer {
        plugins: &["claude-code-notification", "claude-code-notify"],
        ..peer(
            "claude-code-notification",
            Does::Sound,
            &["claude-code-notification", "claude-code-notify"],
        )
    },
    Peer {
        plugins: &["agentvibes"],
        remove: "npx agentvibes uninstall",
        ..peer(
            "AgentVibes",
            Does::Sound,
            &["play-tts", "session-start-tts", "stop-tts", "bmad-speak"],
        )
    },
    Peer {
        plugins: &["claude-code-voice", "claude-code-voice-plugin"],
        ..peer("claude-code-voice", Does::Sound, &["voice_handler"])
    },
    Peer {
        plugins: &["agent-speech-claude-code"],
        ..peer("agent-speech", Does::Sound, &["agent-speech"])
    },
    Peer {
        plugins: &["ccbell"],
        ..peer("ccbell", Does::Sound, &["ccbell"])
    },
    peer(
        "a player of sounds",
        Does::Sound,
        &[
            "afplay",
            "aplay",
            "canberra-gtk-play",
            "ffplay",
            "mpg123",
            "paplay",
            "play",
            "pw-play",
        ],
    ),
    peer(
        "a voice",
        Does::Sound,
        &["say", "espeak", "espeak-ng", "spd-say", "festival"],
    ),
    peer(
        "a desktop notification",
        Does::Message,
        &["notify-send", "terminal-notifier", "osascript"],
    ),
    peer("ntfy", Does::Message, &["ntfy"]),
    Peer {
        paths: &["/.claude/hooks/session-checks.sh"],
        ..peer("the notification kit's session check", Does::Message, &[])
    },
    peer(
        "a formatter",
        Does::Format,
        &[
            "biome",
            "black",
            "dprint",
            "gofmt",
            "gofumpt",
            "goimports",
            "markdownlint",
            "markdownlint-cli",
            "markdownlint-cli2",
            "prettier",
            "ruff",
            "rustfmt",
        ],
    ),
    Peer {
        plugins: &["nah"],
        remove: "nah uninstall",
        ..peer("nah", Does::Guard, &["nah", "nah_guard"])
    },
    Peer {
        plugins: &["safety-net", "cc-safety-net", "claude-code-safety-net"],
        ..peer(
            "cc-safety-net",
            Does::Guard,
            &["cc-safety-net", "safety_net"],
        )
    },
    Peer {
        plugins: &["claude-guardrails"],
        ..peer(
            "claude-guardrails",
            Does::Guard,
            &["claude-guardrails", "guardrail", "guardrails"],
        )
    },
    Peer {
        plugins: &["damage-control"],
        ..peer(
            "damage-control",
            Does::Guard,
            &[
                "bash-tool-damage-control",
                "edit-tool-damage-control",
                "write-tool-damage-control",
            ],
        )
    },
    Peer {
        plugins: &["hookify"],
        ..peer("hookify", Does::Guard, &[])
    },
    Peer {
        plugins: &["security-guidance"],
        ..peer(
            "security-guidance",
            Does::Guard,
            &["security_reminder_hook"],
        )
    },
    peer(
        "claude-permission-hook",
        Does::Guard,
        &["claude-permission-hook", "claude-permissions-hook"],
    ),
    peer("tool-guard", Does::Guard, &["tool-guard"]),
];

/// Programs that run what their first plain word names.
const RUNNERS: &[&str] = &[
    "bun", "bunx", "deno", "node", "npx", "perl", "pnpx", "python", "python3", "ruby", "run",
    "sudo", "timeout", "tsx", "uv", "uvx", "x", "xargs", "sh", "bash", "zsh", "dash",
];
/// Package managers run a program behind one of these words, and behind others a script of the project.
const PACKAGE_MANAGERS: &[&str] = &["npm", "pnpm", "yarn"];
const RUN_PROGRAM: &[&str] = &["dlx", "exec"];
/// The address that messages are sent to by a mere request.
const ADDRESS: &str = "ntfy.sh";

/// The peer that a plugin of this name is.
pub(super) fn plugin(name: &str) -> Option<&'static Peer> {
    PEERS.iter().find(|peer| peer.plugins.contains(&name))
}

/// The peer that a hook starts, if one.
pub(super) fn started(command: &str, arguments: Option<&[&str]>) -> Option<&'static Peer> {
    let project = Path::new("/");
    let lines = match arguments {
        Some(words) => {
            let words = words.iter().map(|word| Some(*word));
            vec![CommandLine::of_exec_form(command, words, project)]
        }
        None => CommandLine::every_of_shell(&without_variables(command), project),
    };
    lines.iter().find_map(of_line)
}

/// A line with some folder in the place of every variable: what stands behind it in a path still names a program.
fn without_variables(line: &str) -> String {
    let mut parts = line.split('$');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = match part.strip_prefix('{') {
            // The value for one that is not set may hold another.
            Some(inner) => inner.split_once('}').map_or("", |(_, rest)| rest),
            None if part.starts_with('(') => return format!("{line}${part}"),
            None => part.trim_start_matches(in_name),
        };
        format!("{line}/_{rest}")
    })
}

fn of_line(line: &CommandLine) -> Option<&'static Peer> {
    let words: Vec<Option<&str>> = line.words().collect();
    let mut from = 0;
    while let Some(word) = words.get(from).copied()? {
        if let Some(peer) = of_file(word) {
            return Some(peer);
        }
        let name = file_name(word);
        if name == "curl" || name == "wget" {
            return sends(&words).then(|| of_file("ntfy")).flatten();
        }
        let next = words.get(from + 1).copied().flatten();
        let runs_program = PACKAGE_MANAGERS.contains(&name)
            && next.is_some_and(|word| RUN_PROGRAM.contains(&word));
        if runs_program {
            from += 1;
        } else if !RUNNERS.contains(&name) {
            return None;
        }
        if let Some(inner) = inner_line(name, &words[from + 1..]) {
            return started(inner, None);
        }
        // Options, numbers and places for words are the runner's own; what follows them is what it runs.
        let is_own =
            |word: &str| word.starts_with('-') || word == "{}" || word.parse::<f64>().is_ok();
        let behind = words[from + 1..].iter().copied();
        from += 1 + behind.take_while(|word| word.is_some_and(is_own)).count();
    }
    None
}

/// The line that a shell is given in a word.
fn inner_line<'a>(shell: &str, words: &[Option<&'a str>]) -> Option<&'a str> {
    let is_shell = ["sh", "bash", "zsh", "dash"].contains(&shell);
    let option = words.first().copied()??;
    let gives = is_shell && option.starts_with('-') && option.ends_with('c');
    words.get(1).copied()?.filter(|_| gives)
}

/// Whether a request goes to where messages are sent.
fn sends(words: &[Option<&str>]) -> bool {
    words.iter().flatten().any(|word| {
        let address = word.split_once("://").map_or(*word, |(_, address)| address);
        let host = address.split(['/', ':']).next().unwrap_or_default();
        host == ADDRESS
    })
}

fn of_file(word: &str) -> Option<&'static Peer> {
    let name = file_name(word);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let by_path = |peer: &&Peer| peer.paths.iter().any(|path| word.ends_with(path));
    let by_name = |peer: &&Peer| peer.files.contains(&stem);
    PEERS
        .iter()
        .find(by_name)
        .or_else(|| PEERS.iter().find(by_path))
}

fn file_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_peer_is_known_by_what_its_hook_starts() {
        for (command, name) in [
            ("bash ~/.claude/hooks/peon-ping/peon.sh", "peon-ping"),
            ("/home/me/.claude/hooks/peon-ping/peon.sh", "peon-ping"),
            (
                "bash \"$HOME/.claude/hooks/peon-ping/scripts/hook-handle-use.sh\"",
                "peon-ping",
            ),
            (
                "${CLAUDE_PLUGIN_ROOT}/bin/claude-notifications handle-hook Stop",
                "claude-notifications",
            ),
            (
                "bash \"${CLAUDE_CONFIG_DIR:-$HOME/.claude}\"/hooks/peon-ping/peon.sh",
                "peon-ping",
            ),
            ("~/.claude/ccnotify/ccnotify.py Stop", "CCNotify"),
            ("uv run ~/.claude/ccnotify/ccnotify.py", "CCNotify"),
            (
                "/usr/local/opt/code-notify/lib/code-notify/core/notifier.sh stop claude",
                "code-notify",
            ),
            (".claude/hooks/stop-tts.sh", "AgentVibes"),
            (
                "afplay /System/Library/Sounds/Glass.aiff &",
                "a player of sounds",
            ),
            (
                "(nohup paplay done.oga >/dev/null 2>&1 &)",
                "a player of sounds",
            ),
            ("jq -r .message | say", "a voice"),
            ("if true; then say done; fi", "a voice"),
            ("sh -c 'sleep 1; espeak done'", "a voice"),
            ("timeout 5 notify-send hello", "a desktop notification"),
            (
                "osascript -e 'display notification \"done\"'",
                "a desktop notification",
            ),
            ("curl -d done https://ntfy.sh/my-topic", "ntfy"),
            ("curl -s ntfy.sh/topic -d hi", "ntfy"),
            ("ntfy publish topic done", "ntfy"),
            ("python3 ~/.claude/hooks/nah_guard.py", "nah"),
            ("nah claude hook", "nah"),
            (
                "python3 --version >/dev/null 2>&1 && python3 \"/r/scripts/safety_net.py\" || python \"/r/scripts/safety_net.py\"",
                "cc-safety-net",
            ),
            (
                "node \"/r/dist/bin/cc-safety-net.js\" hook --coding-cli",
                "cc-safety-net",
            ),
            ("npx -y cc-safety-net --claude-code", "cc-safety-net"),
            (
                "uv run \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/damage-control/bash-tool-damage-control.py",
                "damage-control",
            ),
            (
                "python3 '/r/hooks/security_reminder_hook.py'",
                "security-guidance",
            ),
            (
                "jq -r '.tool_input.file_path // empty' | xargs -I{} pnpm dlx prettier --write {} 2>/dev/null || true",
                "a formatter",
            ),
            (
                "jq -r '.tool_input.file_path' | xargs -I{} sh -c 'case \"{}\" in *.md) pnpm dlx markdownlint-cli --fix \"{}\" 2>/dev/null ;; esac' || true",
                "a formatter",
            ),
            ("xargs -I {} npx prettier --write {}", "a formatter"),
            ("npm exec -- prettier --write x", "a formatter"),
            (
                "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/session-checks.sh",
                "the notification kit's session check",
            ),
        ] {
            assert_eq!(
                started(command, None).map(|peer| peer.name),
                Some(name),
                "{command}"
            );
        }
        let exec = started("node", Some(&["/r/dist/cc-safety-net.js", "hook"]));
        assert_eq!(exec.map(|peer| peer.name), Some("cc-safety-net"));
        assert_eq!(plugin("hookify").map(|peer| peer.name), Some("hookify"));
    }

    #[test]
    fn a_mere_mention_is_none() {
        for command in [
            "",
            "echo say hello",
            "echo 'afplay x' # afplay y",
            "eslint --fix . # as peon-ping does",
            "/home/say/format.sh",
            "/home/me/code-notify/.claude/hooks/format.sh",
            "~/src/peon-ping/lint.sh",
            "./core/notifier.sh",
            "/opt/nah/bin/lint --fix",
            "cat ~/.claude/hooks/peon-ping/config.json",
            "grep -q ntfy.sh config",
            "curl https://example.org/ntfy.sh",
            "git commit -m 'say nah'",
            "sayings --today",
            "python3 ~/hooks/notes.py --about ccnotify",
            "./gradlew play-services",
            "npm run play",
            "pnpm say",
            "yarn run prettier",
            "cat prettier.config.js",
            "node /srv/display/notify.js",
            "$SHELL -c x",
            "$PLAYER say",
            "echo ${x:-say}",
        ] {
            assert_eq!(
                started(command, None).map(|peer| peer.name),
                None,
                "{command}"
            );
        }
        assert!(started("echo", Some(&["say"])).is_none());
        assert!(plugin("nahi").is_none());
    }

    #[test]
    fn every_name_belongs_to_one_peer() {
        let mut seen = std::collections::BTreeSet::new();
        for peer in PEERS {
            for name in peer.files {
                assert!(seen.insert(("file", *name)), "{name}");
            }
            for name in peer.plugins {
                assert!(seen.insert(("plugin", *name)), "{name}");
            }
        }
    }
}
