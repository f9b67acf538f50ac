//! Which language a line is in, as far as its letters tell, and which of its words a voice can read.
//!
//! A script names its language (한 is Korean); the Latin script does not, so that is the person's to say.

use std::fmt;

/// A language, as `en-US` or `ko`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tongue(String);

/// Letters that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Hangul,
    Kana,
    Han,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Devanagari,
    Thai,
}

/// Every script with the language that it stands for, and how many Latin letters one of its letters
/// is worth: a syllable says as much as three letters.
const SCRIPTS: [(Script, &str, usize); 10] = [
    (Script::Latin, "", 1),
    (Script::Hangul, "ko", 3),
    (Script::Kana, "ja", 2),
    (Script::Han, "zh", 3),
    (Script::Cyrillic, "ru", 1),
    (Script::Greek, "el", 1),
    (Script::Arabic, "ar", 1),
    (Script::Hebrew, "he", 1),
    (Script::Devanagari, "hi", 2),
    (Script::Thai, "th", 2),
];

impl Tongue {
    /// A language by its name.
    pub fn named(name: &str) -> Self {
        Self(name.trim().replace('_', "-"))
    }

    /// The language that most of a text is in; Latin letters are in `latin`.
    pub fn of(text: &str, latin: &Self) -> Self {
        let mut weights = [0; SCRIPTS.len()];
        for script in text.chars().filter_map(script_of) {
            if let Some(at) = SCRIPTS.iter().position(|it| it.0 == script) {
                weights[at] += SCRIPTS[at].2;
            }
        }
        // Japanese is written in two scripts, and only one of them is its own.
        if weights[2] > 0 {
            weights[2] += std::mem::take(&mut weights[3]);
        }
        let heaviest = (0..weights.len()).max_by_key(|at| (weights[*at], SCRIPTS.len() - at));
        match heaviest.map(|at| (SCRIPTS[at].1, weights[at])) {
            None | Some((_, 0) | ("", _)) => latin.clone(),
            Some((language, _)) => Self(language.to_owned()),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language without its country: `en` of `en-US`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }

    /// Whether a voice for a language can read this one: the same language, whatever the country.
    pub fn is_read_by(&self, language: &str) -> bool {
        let other = language.split(['-', '_']).next().unwrap_or_default();
        self.primary().eq_ignore_ascii_case(other)
    }

    /// Whether it is written in Latin letters, so that any voice for these says something like it.
    pub fn is_latin(&self) -> bool {
        let primary = self.primary();
        let own = SCRIPTS.iter().any(|it| it.1 == primary);
        !own && !matches!(
            primary,
            "uk" | "be" | "bg" | "sr" | "mk" | "fa" | "ur" | "mr" | "ne"
        )
    }

    /// The words of a text that a voice of this language can read: those in its own letters and in
    /// Latin ones. A voice would spell or skip the others, or stop.
    pub(super) fn readable(&self, text: &str) -> String {
        let is_own = |char: char| match script_of(char) {
            None | Some(Script::Latin) => true,
            Some(Script::Han) => matches!(self.primary(), "zh" | "ja" | "cmn" | "yue"),
            Some(script) => SCRIPTS
                .iter()
                .any(|it| it.0 == script && self.is_like(it.1)),
        };
        let words = text
            .split_whitespace()
            .filter(|word| word.chars().all(is_own));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether a language has the same letters as this one.
    fn is_like(&self, language: &str) -> bool {
        let primary = self.primary();
        primary == language
            || match language {
                "ru" => matches!(primary, "uk" | "be" | "bg" | "sr" | "mk"),
                "ar" => matches!(primary, "fa" | "ur"),
                "hi" => matches!(primary, "mr" | "ne"),
                _ => false,
            }
    }
}

impl fmt::Display for Tongue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn script_of(char: char) -> Option<Script> {
    Some(match char {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
            Script::Hangul
        }
        '\u{3040}'..='\u{30ff}' => Script::Kana,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Script::Han,
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        '\u{370}'..='\u{3ff}' => Script::Greek,
        '\u{600}'..='\u{6ff}' => Script::Arabic,
        '\u{590}'..='\u{5ff}' => Script::Hebrew,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        '\u{e00}'..='\u{e7f}' => Script::Thai,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_names_the_language() {
        let english = Tongue::named("en_US");
        for (text, language) in [
            ("The build is green.", "en-US"),
            ("42", "en-US"),
            ("", "en-US"),
            ("Bash 명령을 승인할까요?", "ko"),
            ("빌드가 끝났습니다", "ko"),
            ("The word 안녕 is a greeting in Korean.", "en-US"),
            ("ビルドが完了", "ja"),
            ("构建完成", "zh"),
            ("Сборка готова", "ru"),
            ("Façade naïve", "en-US"),
        ] {
            assert_eq!(Tongue::of(text, &english).as_str(), language, "{text}");
        }
        assert_eq!(Tongue::of("Fertig.", &Tongue::named("de")).as_str(), "de");
    }

    #[test]
    fn a_voice_reads_its_own_letters_and_latin_ones() {
        let (english, korean) = (Tongue::named("en-US"), Tongue::named("ko"));
        let text = "The word 안녕 is спасибо 3 times.";
        assert_eq!(english.readable(text), "The word is 3 times.");
        assert_eq!(korean.readable(text), "The word 안녕 is 3 times.");
        assert_eq!(english.readable("빌드가 끝났습니다"), "");
        assert!(english.is_read_by("en-GB") && english.is_read_by("EN_us"));
        assert!(!english.is_read_by("ko") && english.is_latin() && !korean.is_latin());
    }
}
