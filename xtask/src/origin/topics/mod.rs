//! The topics that can be run. A topic is one file here and one `mod` line below; its name is
//! that of its case file, with a `t` before it because a module cannot begin with a digit.

use bellwether_announce::speech;
use serde_json::Value;

use super::Verdict;

/// How the cases of one topic are run.
pub(super) struct Runner {
    module: &'static str,
    pub run: fn(&Value) -> Verdict,
}

impl Runner {
    /// The name of the case file.
    pub(super) fn topic(&self) -> &'static str {
        self.module.strip_prefix('t').unwrap_or(self.module)
    }
}

macro_rules! topics {
    ($($name:ident),* $(,)?) => {
        pub(super) const ALL: &[Runner] = &[$(Runner { module: stringify!($name), run: $name::run }),*];
    };
}

mod t000_seed_scripts;
mod t000_stop_hook_later;
mod t001_profile_validation;
mod t001_protect_roundtrip;
mod t001_stop_hook;
mod t002_config;
mod t002_extract_last_question;
mod t002_extract_summary;
mod t002_find_action_start;
mod t002_handlers;
mod t002_precommit_detect;
mod t002_protect_files;
mod t002_split_sentences;
mod t002_state;
mod t002_transcript;
mod t002_validate_bash;
mod t003_automation_later;
mod t003_bkit_guard_later;
mod t003_handlers;
mod t003_pure;
mod t003_state_transitions_later;
mod t003_task_completed;
mod t004_agent_id;
mod t004_appearance;
mod t004_normalizer;
mod t004_state_machine;

bellwether_listed::modules!(topics, "src/origin/topics/mod.rs");

/// A verdict on two values that shall be equal, or differ for a known reason.
fn compare(expected: &Value, got: &Value, excuse: Option<&'static str>) -> Verdict {
    match excuse {
        _ if expected == got => Verdict::Pass,
        Some(reason) => Verdict::Excused(reason),
        None => Verdict::Fail {
            expected: expected.to_string(),
            got: got.to_string(),
        },
    }
}

/// A case that could not be run at all.
fn broken(error: &anyhow::Error) -> Verdict {
    Verdict::Fail {
        expected: "a result".to_owned(),
        got: format!("{error:#}"),
    }
}

/// Why a text may be told in other words: it was made fit for speech.
fn unlike_speech(input: &str) -> Option<&'static str> {
    const SPEECH: &str =
        "the text is made fit for speech: no markdown, code blocks, addresses or emoji";
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (speech::whole(input) != plain(input)).then_some(SPEECH)
}
