//! Windows' own voice, from WSL. Written from its manual; not tried on Windows yet.
//!
//! The script is fixed; what is to be said, and by whom, goes in by stdin: the first line has the
//! voice, the language and the rate, the rest is the text.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Maker, Trouble, Voice};
use crate::voice::pace::Pace;
use crate::voice::stream::SampleKind;
use crate::voice::{Known, Line, Tongue, program};

const PACE: Pace = Pace {
    own: 180.0,
    slowest: 80.0,
    fastest: 400.0,
};
const POWERSHELL: &str = "/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe";

const SPEAK: &str = r"
$ErrorActionPreference = 'Stop'
[Console]::InputEncoding = [System.Text.Encoding]::UTF8
$head = [Console]::In.ReadLine().Split('|')
$text = [Console]::In.ReadToEnd()
Add-Type -AssemblyName System.Speech
$speaker = New-Object System.Speech.Synthesis.SpeechSynthesizer
$voices = $speaker.GetInstalledVoices() | Where-Object { $_.Enabled } | ForEach-Object { $_.VoiceInfo }
$able = @($voices | Where-Object { $_.Culture.TwoLetterISOLanguageName -eq $head[1] })
if ($able.Count -eq 0) { throw ('no voice for ' + $head[1]) }
$named = @($able | Where-Object { $_.Name -like ('*' + $head[0] + '*') })
if ($head[0] -ne '' -and $named.Count -gt 0) { $speaker.SelectVoice($named[0].Name) }
elseif ($speaker.Voice.Culture.TwoLetterISOLanguageName -ne $head[1]) { $speaker.SelectVoice($able[0].Name) }
$speaker.Rate = [int]$head[2]
$sound = New-Object System.IO.MemoryStream
$speaker.SetOutputToWaveStream($sound)
$speaker.Speak($text)
$speaker.Dispose()
$out = [Console]::OpenStandardOutput()
$sound.WriteTo($out)
$out.Flush()
";

struct Sapi {
    program: PathBuf,
}

pub(super) fn find() -> Option<Box<dyn Voice>> {
    let program = PathBuf::from(POWERSHELL);
    (is_wsl() && program.exists()).then(|| Box::new(Sapi { program }) as Box<dyn Voice>)
}

fn is_wsl() -> bool {
    Path::new("/proc/sys/fs/binfmt_misc/WSLInterop").exists()
        || std::fs::read_to_string("/proc/sys/kernel/osrelease")
            .is_ok_and(|release| release.to_ascii_lowercase().contains("microsoft"))
}

impl Voice for Sapi {
    fn name(&self) -> &'static str {
        "sapi"
    }

    /// What is installed can only be asked of Windows, which takes a second; its own language is
    /// always there.
    fn voices(&self) -> Vec<Known> {
        let languages = ["en-US", "ko-KR"].map(str::to_owned).to_vec();
        vec![Known {
            name: "Windows".to_owned(),
            languages,
            about: "what is installed in Windows".to_owned(),
        }]
    }

    fn speak(&self, line: &Line, language: &Tongue, maker: &mut Maker) -> Result<(), Trouble> {
        let mut command = Command::new(&self.program);
        command.args(["-NoProfile", "-NonInteractive", "-Command", SPEAK]);
        let pitch = line.held_pitch();
        let text = format!(
            "{}|{}|{}\n{}",
            plain(&line.voice),
            language.primary(),
            steps(line.rate, pitch),
            line.words(language)
        );
        program::run(command, &text, SampleKind::Wav, pitch, maker)
    }
}

/// A name that can be no pattern and no second field.
fn plain(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|char| char.is_alphanumeric() || *char == ' ');
    kept.collect()
}

/// Windows counts from -10 to 10, ten steps being about three times as fast.
fn steps(rate: u32, pitch: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "held to ten steps either way"
    )]
    let steps = (10.0 * (PACE.speed(rate) / pitch).ln() / 3f32.ln()).round() as i32;
    steps.clamp(-10, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_become_steps_and_names_stay_names() {
        assert_eq!(steps(180, 1.0), 0);
        assert_eq!(steps(350, 1.0), 6);
        assert_eq!(steps(u32::MAX, 1.0), 7);
        assert_eq!(steps(0, 1.4), -10);
        assert_eq!(plain("Zira*|Desktop'\n"), "ZiraDesktop");
    }
}
