//! bellwether itself: what only a person may tell it.

use crate::effect::Effect;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &["bellwether", "bellwether-hook", "claude"];

pub(crate) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        words: &["--home"],
        ..Spec::default()
    });
    if call.name == "claude" {
        return client(runner, call);
    }
    if call.name == "bellwether-hook" || arguments.has(&["--help", "h", "--version"]) {
        return Stream::Nothing;
    }
    let operands: Vec<String> = arguments.operands.iter().map(Text::shown).collect();
    let words: Vec<&str> = operands.iter().map(String::as_str).collect();
    if is_for_persons(&words) {
        runner.note(
            Effect::Own {
                what: format!("bellwether {}", words.join(" ")),
            },
            call,
        );
    }
    Stream::Unknown(call.shown())
}

/// Another client without our hooks would do what this one may not.
fn client(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let loosens = call
        .words
        .iter()
        .map(Text::shown)
        .any(|word| word.contains("disableAllHooks"));
    if loosens {
        runner.note(
            Effect::Own {
                what: "a client without hooks".to_owned(),
            },
            call,
        );
    }
    Stream::Unknown(call.shown())
}

fn is_for_persons(words: &[&str]) -> bool {
    match words {
        ["guard", "allow", ..]
        | ["config", "trust" | "key" | "set", ..]
        | ["daemon", "stop", ..]
        | ["uninstall" | "mute" | "purge" | "open", ..] => true,
        // What is not known may be any of these.
        [first, ..] => first.starts_with('$'),
        [] => false,
    }
}

/// What ends our daemon from outside.
pub(super) fn ended(program: &str, words: &[&str]) -> Option<String> {
    let ends = matches!(
        program,
        "kill" | "killall" | "pkill" | "systemctl" | "launchctl"
    ) && words.iter().any(|word| word.contains("bellwether"));
    ends.then(|| "its daemon".to_owned())
}
