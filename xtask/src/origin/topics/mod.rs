//! The topics that can be run. A topic is one file here and one word in the list below; its name is
//! that of its case file, with a `t` before it because a module cannot begin with a digit.

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

topics![t002_protect_files, t002_validate_bash, t004_normalizer];

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
