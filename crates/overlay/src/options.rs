//! The program's words. A person starts it with `bellwether overlay`; these are for that command and for the daemon.

use std::os::fd::RawFd;
use std::path::PathBuf;

use lexopt::Arg::{Long, Short};
use lexopt::{Parser, ValueExt as _};

pub const HELP: &str = "\
Shows your agents on the desktop. Start it with `bellwether overlay`.

Usage: bellwether-overlay [OPTIONS]

  --home DIR        keep every file of bellwether under this folder
  --backend NAME    auto, x11 or wayland
  --key-fd N        the descriptor from which the key to the daemon is read
  --lock-fd N       the descriptor of the display's lock
  --raise PID       only bring the terminal of this process to the front, and end
  -V, --version
  -h, --help
";

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub home: Option<PathBuf>,
    pub backend: Backend,
    pub key: Option<RawFd>,
    pub lock: Option<RawFd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Backend {
    /// Wayland where the compositor lets programs draw above others, else X11.
    #[default]
    Auto,
    X11,
    Wayland,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    Show(Options),
    Raise(u32),
    Help,
    Version,
}

impl Wish {
    pub fn parse(
        words: impl IntoIterator<Item = std::ffi::OsString>,
    ) -> Result<Self, lexopt::Error> {
        let mut parser = Parser::from_args(words);
        let mut options = Options::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("home") => options.home = Some(parser.value()?.into()),
                Long("backend") => options.backend = parser.value()?.parse_with(backend)?,
                Long("key-fd") => options.key = Some(parser.value()?.parse()?),
                Long("lock-fd") => options.lock = Some(parser.value()?.parse()?),
                Long("raise") => return Ok(Self::Raise(parser.value()?.parse()?)),
                Short('h') | Long("help") => return Ok(Self::Help),
                Short('V') | Long("version") => return Ok(Self::Version),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Self::Show(options))
    }
}

fn backend(name: &str) -> Result<Backend, &'static str> {
    match name {
        "auto" => Ok(Backend::Auto),
        "x11" => Ok(Backend::X11),
        "wayland" => Ok(Backend::Wayland),
        _ => Err("it is auto, x11 or wayland"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Wish, String> {
        Wish::parse(words.iter().map(Into::into)).map_err(|error| error.to_string())
    }

    #[test]
    fn words_are_read() {
        let expected = Options {
            home: Some("/h".into()),
            backend: Backend::X11,
            key: Some(3),
            lock: None,
        };
        assert_eq!(
            parse(&["--home", "/h", "--backend=x11", "--key-fd", "3"]),
            Ok(Wish::Show(expected))
        );
        assert_eq!(parse(&["--raise", "7"]), Ok(Wish::Raise(7)));
        assert_eq!(parse(&["-V"]), Ok(Wish::Version));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(
            parse(&["--backend", "mir"])
                .unwrap_err()
                .contains("auto, x11 or wayland")
        );
        assert!(parse(&["--nonsense"]).unwrap_err().contains("--nonsense"));
        assert!(parse(&["--key-fd", "x"]).is_err());
    }
}
