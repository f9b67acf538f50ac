//! The topics that can be run. A topic is one file here and one word in the list below; its name is
//! that of its case file, with a `t` before it because a module cannot begin with a digit.

use bellwether_announce::speech;
use serde_json::Value;

use super::Verdict;

/// How the cases of one topic are run.
pub(super) struct Runner {
    module: &'static str,
    /// Runs one case.
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
        $(mod $name;)*

        /// Every runner.
        pub(super) const ALL: &[Runner] = &[$(Runner { module: stringify!($name), run: $name::run }),*];
    };
}

topics![
    t000_seed_scripts,
    t000_stop_hook_later,
    t001_profile_validation,
    t001_protect_roundtrip,
    t001_stop_hook,
    t002_config,
    t002_extract_last_question,
    t002_extract_summary,
    t002_find_action_start,
    t002_handlers,
    t002_protect_files,
    t002_split_sentences,
    t002_state,
    t002_transcript,
    t002_validate_bash,
    t004_agent_id,
    t004_appearance,
    t004_normalizer,
    t004_state_machine,
];

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

/// Why a text may be told in other words: it was made fit for speech.
fn unlike_speech(input: &str) -> Option<&'static str> {
    const SPEECH: &str =
        "the text is made fit for speech: no markdown, code blocks, addresses or emoji";
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (speech::whole(input) != plain(input)).then_some(SPEECH)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/origin/topics");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .filter(|name| name != "mod")
            .collect();
        let listed: BTreeSet<String> = ALL.iter().map(|runner| runner.module.to_owned()).collect();
        assert_eq!(files, listed);
        assert_eq!(listed.len(), ALL.len(), "a topic is listed twice");
    }
}
