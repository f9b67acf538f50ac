//! macOS's `say`. Written from its manual; not tried on a Mac yet.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::{Maker, Trouble, Voice};
use crate::voice::pace::Pace;
use crate::voice::program::{self, raised};
use crate::voice::stream::{SampleKind, Stream};
use crate::voice::{Known, Line, Tongue};

const PACE: Pace = Pace {
    own: 175.0,
    slowest: 80.0,
    fastest: 400.0,
};
/// Samples a second, as asked for.
const RATE: u32 = 22_050;

struct Say {
    program: PathBuf,
    voices: OnceLock<Vec<Known>>,
}

pub(super) fn find() -> Option<Box<dyn Voice>> {
    // Elsewhere a program of that name is something else.
    cfg!(target_os = "macos").then_some(())?;
    let program = program::find("say")?;
    Some(Box::new(Say {
        program,
        voices: OnceLock::new(),
    }))
}

impl Say {
    fn known(&self) -> &[Known] {
        self.voices.get_or_init(|| {
            let listed = Command::new(&self.program).args(["-v", "?"]).output();
            listed.map_or_else(
                |_| Vec::new(),
                |output| parse(&String::from_utf8_lossy(&output.stdout)),
            )
        })
    }

    /// The voice of that name if it can read the line, else one that can, else the person's own.
    fn chosen(&self, line: &Line, language: &Tongue) -> Option<&Known> {
        let reads = |it: &&Known| it.languages.iter().any(|own| language.is_read_by(own));
        let mut able = self.known().iter().filter(reads);
        let named = able
            .clone()
            .find(|it| it.name.eq_ignore_ascii_case(&line.voice));
        // The system's own voice reads the system's language; it is asked to by naming none.
        named.or_else(|| able.next().filter(|_| !language.is_latin()))
    }
}

impl Voice for Say {
    fn name(&self) -> &'static str {
        "say"
    }

    fn voices(&self) -> Vec<Known> {
        self.known().to_vec()
    }

    /// `say` writes to files only, so the sound is there as a whole or not at all.
    fn speak(&self, line: &Line, language: &Tongue, maker: &mut Maker) -> Result<(), Trouble> {
        let folder = private_folder().map_err(Trouble::Start)?;
        let file = folder.join("speech.wav");
        let spoken = self.render(line, language, &file);
        let bytes = spoken.and_then(|()| std::fs::read(&file).map_err(Trouble::Start));
        let _ = std::fs::remove_dir_all(&folder);
        let mut stream = Stream::new(SampleKind::Wav);
        let samples = stream.push(&bytes?).map_err(Trouble::Broke)?;
        if let Some(format) = stream.format() {
            let _ = maker.begin(raised(format, line.held_pitch()));
            let _ = maker.send(samples);
        }
        Ok(())
    }
}

impl Say {
    fn render(
        &self,
        line: &Line,
        language: &Tongue,
        file: &std::path::Path,
    ) -> Result<(), Trouble> {
        let mut command = Command::new(&self.program);
        if let Some(voice) = self.chosen(line, language) {
            command.args(["-v", &voice.name]);
        }
        // What is played faster later is spoken slower now.
        let rate = PACE.held(line.rate) / line.held_pitch();
        command
            .args(["-r", &format!("{rate:.0}"), "--file-format=WAVE"])
            .arg(format!("--data-format=LEI16@{RATE}"))
            .arg("-o")
            .arg(file)
            .args(["-f", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Trouble::Start)?;
        if let Some(mut stdin) = child.stdin.take() {
            use std::io::Write as _;
            let _ = stdin.write_all(line.words(language).as_bytes());
        }
        let output = child.wait_with_output().map_err(Trouble::Start)?;
        if output.status.success() {
            return Ok(());
        }
        Err(Trouble::Broke(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ))
    }
}

/// A folder that nobody else may enter.
fn private_folder() -> std::io::Result<PathBuf> {
    use std::os::unix::fs::DirBuilderExt as _;
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("bellwether-say-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::DirBuilder::new().mode(0o700).create(&folder)?;
    Ok(folder)
}

/// The table of `-v '?'`: name, language, and a sentence behind `#`.
fn parse(table: &str) -> Vec<Known> {
    let rows = table.lines().filter_map(|row| {
        let (left, _) = row.split_once('#')?;
        let (name, language) = left.trim_end().rsplit_once(char::is_whitespace)?;
        Some(Known {
            name: name.trim().to_owned(),
            languages: vec![language.replace('_', "-")],
            about: String::new(),
        })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_voices_is_read() {
        let table = "Victoria            en_US    # Isn't it nice?\n\
                     Bad News            en_US    # The light.\n\
                     Yuna                ko_KR    # 안녕하세요.\n";
        let say = Say {
            program: PathBuf::new(),
            voices: OnceLock::from(parse(table)),
        };
        let names: Vec<&str> = say.known().iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["Victoria", "Bad News", "Yuna"]);
        let chosen = |voice: &str, language: &str| {
            let line = Line {
                voice: voice.to_owned(),
                ..Line::new("x", 200)
            };
            say.chosen(&line, &Tongue::named(language))
                .map(|it| it.name.clone())
        };
        assert_eq!(chosen("victoria", "en-US").as_deref(), Some("Victoria"));
        assert_eq!(chosen("Victoria", "ko").as_deref(), Some("Yuna"));
        assert_eq!(chosen("Nobody", "en-US"), None);
    }
}
