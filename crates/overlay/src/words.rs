//! Every word that a person reads, in each language: a file a language, and no language compiles without all of them.

mod en;
mod ko;

use std::ffi::OsStr;

/// Declares the words and lists them, so that a test can look at each.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident,)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Words {
            /// What the language is called in itself.
            pub language: &'static str,
            $($(#[$doc])* pub $name: &'static str,)+
        }

        #[cfg(test)]
        impl Words {
            fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name),)+]
            }
        }
    };
}

words! {
    // On a bubble.
    allow,
    deny,
    to_terminal,
    /// An answer is on its way.
    sending,
    allowed,
    denied,
    answered_in_terminal,
    answer_in_terminal,
    answer_failed,
    one_more_question,
    /// With the number for `{}`.
    more_questions,
    waits_for_you,
    has_ended,

    // The bubble of a daemon that cannot be reached.
    daemon_lost,
    daemon_lost_text,

    // The menu and the tray.
    open_page,
    open_session,
    go_to_terminal,
    mute,
    unmute,
    hide_project,
    show_projects,
    start_at_login,
    quit,

    // The tray.
    nobody_needs_you,
    one_needs_you,
    /// With the number for `{}`.
    many_need_you,
    muted,

    // Why a terminal cannot be shown.
    terminal_gone,
    terminal_foreign,
    terminal_detached,
    terminal_remote,
    terminal_no_window,
    terminal_no_way,
    terminal_no_display,
    terminal_wsl,
    terminal_mac,
    terminal_failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    #[default]
    English,
    Korean,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Korean];

    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Korean => "ko",
        }
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }

    /// The language that a locale asks for: `LC_ALL`, else `LC_MESSAGES`, else `LANG`.
    pub fn of_locale(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set);
        let is_korean = |locale: &OsStr| locale.as_encoded_bytes().starts_with(b"ko");
        if locale.as_deref().is_some_and(is_korean) {
            Self::Korean
        } else {
            Self::English
        }
    }

    pub const fn words(self) -> &'static Words {
        match self {
            Self::English => &en::WORDS,
            Self::Korean => &ko::WORDS,
        }
    }
}

impl Words {
    /// How many questions wait beside the one that is shown.
    pub fn further_questions(&self, count: u32) -> String {
        counted(count, self.one_more_question, self.more_questions)
    }

    /// How many agents need the person.
    pub fn need_you(&self, count: u32) -> String {
        if count == 0 {
            self.nobody_needs_you.to_owned()
        } else {
            counted(count, self.one_needs_you, self.many_need_you)
        }
    }
}

fn counted(count: u32, one: &str, many: &str) -> String {
    if count == 1 {
        one.to_owned()
    } else {
        many.replace("{}", &count.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_there_in_every_language() {
        let english = Language::English.words().all();
        for language in Language::ALL {
            let words = language.words();
            assert!(!words.language.is_empty());
            for ((name, word), (_, in_english)) in words.all().into_iter().zip(&english) {
                assert!(!word.trim().is_empty(), "{language:?}: {name}");
                assert_eq!(word.contains("{}"), in_english.contains("{}"), "{name}");
            }
        }
    }

    #[test]
    fn korean_is_korean() {
        for (name, word) in Language::Korean.words().all() {
            let has_hangul = word.chars().any(|c| ('가'..='힣').contains(&c));
            assert!(has_hangul, "{name}: {word}");
        }
    }

    #[test]
    fn the_locale_chooses() {
        let of = |set: &[(&str, &str)]| {
            Language::of_locale(|name| {
                let found = set.iter().find(|(n, _)| *n == name);
                found.map(|(_, value)| (*value).into())
            })
        };
        assert_eq!(of(&[("LANG", "ko_KR.UTF-8")]), Language::Korean);
        assert_eq!(
            of(&[("LC_ALL", "C"), ("LANG", "ko_KR.UTF-8")]),
            Language::English
        );
        assert_eq!(
            of(&[("LC_ALL", ""), ("LANG", "ko_KR.UTF-8")]),
            Language::Korean
        );
        assert_eq!(of(&[]), Language::English);
    }

    #[test]
    fn numbers_are_told_with_the_right_word() {
        let words = Language::English.words();
        assert_eq!(words.further_questions(1), "1 more question");
        assert_eq!(words.further_questions(3), "3 more questions");
        assert_eq!(words.need_you(0), "No agent needs you");
        assert_eq!(words.need_you(2), "2 agents need you");
    }
}
