//! `espeak-ng`: in every distribution, a hundred languages, Korean among them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::{Maker, Trouble, Voice};
use crate::voice::pace::Pace;
use crate::voice::stream::SampleKind;
use crate::voice::{Known, Line, Tongue, program};

/// What it is told to be the home folder: it brings a sound library along that would make folders there.
const NOWHERE: &str = "/dev/null";

/// Above the limit a speech recogniser hears hardly a word of it.
const PACE: Pace = Pace {
    own: 175.0,
    slowest: 80.0,
    fastest: 240.0,
};

const USUAL_LOUDNESS: f64 = -19.5;

struct Espeak {
    program: PathBuf,
    voices: OnceLock<Vec<Known>>,
}

pub(super) fn find() -> Option<Box<dyn Voice>> {
    let program = program::find("espeak-ng").or_else(|| program::find("espeak"))?;
    Some(Box::new(Espeak {
        program,
        voices: OnceLock::new(),
    }))
}

impl Espeak {
    fn known(&self) -> &[Known] {
        self.voices.get_or_init(|| {
            let listed = Command::new(&self.program)
                .arg("--voices")
                .env("HOME", NOWHERE)
                .output();
            listed.map_or_else(
                |_| Vec::new(),
                |output| parse(&String::from_utf8_lossy(&output.stdout)),
            )
        })
    }

    /// The voice of that name, else the nearest to the language.
    fn chosen(&self, line: &Line, language: &Tongue) -> Option<&Known> {
        let known = || self.known().iter();
        let named = known().find(|it| {
            it.name.eq_ignore_ascii_case(&line.voice)
                && it.languages.iter().any(|own| language.is_read_by(own))
        });
        named
            .or_else(|| known().find(|it| it.name.eq_ignore_ascii_case(language.as_str())))
            .or_else(|| known().find(|it| it.name == language.primary()))
            .or_else(|| known().find(|it| it.languages.iter().any(|own| language.is_read_by(own))))
    }
}

impl Voice for Espeak {
    fn name(&self) -> &'static str {
        "espeak-ng"
    }

    fn loudness(&self) -> f64 {
        USUAL_LOUDNESS
    }

    fn voices(&self) -> Vec<Known> {
        self.known().to_vec()
    }

    fn speak(&self, line: &Line, language: &Tongue, maker: &mut Maker) -> Result<(), Trouble> {
        let voice = self
            .chosen(line, language)
            .map_or("en-us", |it| it.name.as_str());
        let mut command = Command::new(&self.program);
        command.env("HOME", NOWHERE);
        // 50 is its own pitch; ten steps are about two semitones.
        let pitch = (50.0 + (line.held_pitch() - 1.0) * 90.0).round();
        command
            .args(["--stdin", "--stdout", "-b", "1", "-v", voice])
            .args(["-s", &format!("{:.0}", PACE.held(line.rate))])
            .args(["-p", &format!("{pitch:.0}")]);
        program::run(command, &line.words(language), SampleKind::Wav, 1.0, maker)
    }
}

/// The table of `--voices`: priority, language, age and gender, name, file, other languages.
fn parse(table: &str) -> Vec<Known> {
    let rows = table.lines().skip(1).filter_map(|row| {
        let mut fields = row.split_whitespace().skip(1);
        let language = fields.next()?;
        let about = fields.nth(1)?.replace('_', " ");
        let others = fields.skip(1).filter_map(|it| it.strip_prefix('('));
        let languages = [language].into_iter().chain(others).map(str::to_owned);
        Some(Known {
            name: language.to_owned(),
            languages: languages.collect(),
            about,
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  cmn             --/M      Chinese_(Mandarin,_latin_as_English) sit/cmn              (zh-cmn 5)(zh 5)
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)
 5  ko              --/M      Korean             ko                   \n";

    #[test]
    fn the_table_of_voices_is_read() {
        let voices = parse(TABLE);
        assert_eq!(voices.len(), 4);
        assert_eq!(
            (voices[3].name.as_str(), voices[3].about.as_str()),
            ("ko", "Korean")
        );
        assert_eq!(voices[0].languages, ["cmn", "zh-cmn"]);
    }

    #[test]
    fn a_voice_is_found_by_name_then_by_language() {
        let voices = OnceLock::from(parse(TABLE));
        let espeak = Espeak {
            program: PathBuf::new(),
            voices,
        };
        let chosen = |voice: &str, language: &str| {
            let line = Line {
                voice: voice.to_owned(),
                ..Line::new("x", 200)
            };
            espeak
                .chosen(&line, &Tongue::named(language))
                .map(|it| it.name.clone())
        };
        assert_eq!(chosen("Victoria", "en-US").as_deref(), Some("en-us"));
        assert_eq!(chosen("EN-GB", "en-US").as_deref(), Some("en-gb"));
        assert_eq!(
            chosen("en-gb", "ko").as_deref(),
            Some("ko"),
            "it could not read it"
        );
        assert_eq!(chosen("", "zh").as_deref(), Some("cmn"));
        assert_eq!(chosen("", "xx"), None);
    }
}
