//! The programs that play, in the order in which they are tried behind the native player.

use std::path::{Path, PathBuf};

use crate::settings::Choice;
use crate::{Format, Seat};

/// How a program takes a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// Bare samples on its stdin, as they come.
    Samples,
    /// A WAV file on its stdin, once all is there.
    Stdin,
    /// A WAV file behind its arguments, once all is there.
    File,
}

#[derive(Debug)]
pub(crate) struct Program {
    /// As the configuration calls it.
    pub choice: Choice,
    pub name: &'static str,
    /// Where it may be beside the search path.
    places: &'static [&'static str],
    /// How it takes a sound.
    pub(super) input: Input,
    pub(super) arguments: fn(Format) -> Vec<String>,
    /// Whether it could play here, or why not.
    ready: fn(&Seat) -> Result<(), String>,
}

/// What powershell is told: the file comes on its stdin, so no path has to be translated.
const POWERSHELL: &str = "$m = New-Object IO.MemoryStream; \
    [Console]::OpenStandardInput().CopyTo($m); $m.Position = 0; \
    (New-Object Media.SoundPlayer $m).PlaySync()";

pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        choice: Choice::PwPlay,
        name: "pw-play",
        places: &[],
        input: Input::File,
        arguments: |_| Vec::new(),
        ready: pipewire,
    },
    Program {
        choice: Choice::Paplay,
        name: "paplay",
        places: &[],
        input: Input::Samples,
        arguments: |format| {
            vec![
                "--raw".into(),
                "--format=s16le".into(),
                format!("--rate={}", format.rate),
                format!("--channels={}", format.channels),
                "--client-name=bellwether".into(),
            ]
        },
        ready: pulseaudio,
    },
    Program {
        choice: Choice::Aplay,
        name: "aplay",
        places: &[],
        input: Input::Samples,
        arguments: |format| {
            let words = ["-q", "-t", "raw", "-f", "S16_LE"].map(str::to_owned);
            let numbers = [
                format!("--rate={}", format.rate),
                format!("--channels={}", format.channels),
            ];
            words.into_iter().chain(numbers).collect()
        },
        ready: |_| sound_card(Path::new("/dev/snd")),
    },
    Program {
        choice: Choice::Powershell,
        name: "powershell.exe",
        places: &["/mnt/c/Windows/System32/WindowsPowerShell/v1.0"],
        input: Input::Stdin,
        arguments: |_| {
            ["-NoProfile", "-NonInteractive", "-Command", POWERSHELL]
                .map(str::to_owned)
                .into()
        },
        ready: |_| Ok(()),
    },
    Program {
        choice: Choice::Afplay,
        name: "afplay",
        places: &[],
        input: Input::File,
        arguments: |_| Vec::new(),
        ready: |_| Ok(()),
    },
];

impl Program {
    /// Where it is, or why it cannot play here.
    pub(crate) fn find(&self, seat: &Seat) -> Result<PathBuf, String> {
        let path = on_path(self.name, self.places).ok_or("is not installed")?;
        (self.ready)(seat).map(|()| path)
    }
}

/// The first program of that name on the search path or in a place of its own.
fn on_path(name: &str, places: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let places = places.iter().map(PathBuf::from);
    let mut files = folders.chain(places).map(|folder| folder.join(name));
    files.find(|file| rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok())
}

fn pipewire(seat: &Seat) -> Result<(), String> {
    let folders = seat.runtime_folders();
    let mut sockets = folders.iter().map(|folder| folder.join("pipewire-0"));
    let there = sockets.any(|socket| socket.exists());
    there
        .then_some(())
        .ok_or_else(|| "PipeWire does not run".to_owned())
}

/// Without a server the program starts one, where that is installed.
fn pulseaudio(seat: &Seat) -> Result<(), String> {
    let starts = seat.pulse_server.is_none() && on_path("pulseaudio", &[]).is_some();
    let forbidden = rustix::process::getuid().is_root();
    (starts && !forbidden)
        .then_some(())
        .ok_or_else(|| "has no sound server either".to_owned())
}

fn sound_card(folder: &Path) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|_| "there is no sound card here")?;
    let mut outputs = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("pcm") && name.ends_with('p')
    });
    let usable =
        outputs.any(|entry| rustix::fs::access(entry.path(), rustix::fs::Access::WRITE_OK).is_ok());
    usable
        .then_some(())
        .ok_or_else(|| "there is no sound card that you may use".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_without_an_output_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let card = || sound_card(folder.path());
        assert!(sound_card(&folder.path().join("none")).is_err());
        for (name, plays) in [("timer", false), ("pcmC0D0c", false), ("pcmC0D0p", true)] {
            std::fs::write(folder.path().join(name), "").unwrap();
            assert_eq!(card().is_ok(), plays, "{name}");
        }
    }

    #[test]
    fn a_program_is_found_in_its_own_place() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_str().unwrap();
        assert_eq!(on_path("no-such-player", &[place]), None);
        assert!(on_path("sh", &[]).is_some());
    }
}
