//! The one place that prints.
//!
//! Architecture Invariant: nothing here panics. Whoever reads may have gone (`| head -1`): that is no failure. What was
//! begun is finished, and the program ends without a word. Anything else that keeps us from printing, such as a full
//! disk, is told once, at the end.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, StdoutLock, Write};
use std::sync::OnceLock;

use serde::Serialize;

/// Why something could not be printed, for the first time.
static FAILURE: OnceLock<(ErrorKind, String)> = OnceLock::new();

/// `println!` for a reader that may have gone.
macro_rules! tell {
    ($($words:tt)*) => { $crate::output::line(format_args!($($words)*)) };
}

/// `eprintln!` for a reader that may have gone.
macro_rules! note {
    ($($words:tt)*) => { $crate::output::line_aside(format_args!($($words)*)) };
}

pub(crate) fn line(words: Arguments<'_>) {
    // It is remembered, and told at the end.
    let _ = writeln!(stdout(), "{words}");
}

/// A line on stderr. When nobody reads even that, there is nobody to tell.
pub(crate) fn line_aside(words: Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{words}");
}

/// Text that has its own ends of lines, or none, as a question has.
pub(crate) fn text(words: &str) {
    let mut out = stdout();
    let _ = out.write_all(words.as_bytes()).and_then(|()| out.flush());
}

/// Data for programs. This is what every `--json` prints.
pub(crate) fn show_json(value: &impl Serialize) -> anyhow::Result<()> {
    let json = super::json(value)?;
    Ok(writeln!(stdout(), "{json}")?)
}

/// Data for programs, one value a line, where there may be many or more to come.
pub(crate) fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(bellwether_spine::text::escaped_json(&json).into_owned())
}

/// Stdout, for what is printed as it comes: an error ends it.
pub(crate) fn stdout() -> Stdout {
    Stdout(io::stdout().lock())
}

pub(crate) struct Stdout(StdoutLock<'static>);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(remembered)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(remembered)
    }
}

fn remembered(error: io::Error) -> io::Error {
    let kind = error.kind();
    if kind == ErrorKind::Interrupted {
        return error;
    }
    let why = format!("cannot print: {error}");
    let _ = FAILURE.set((kind, why.clone()));
    io::Error::new(kind, why)
}

/// Whether whoever read our output has read enough.
pub(crate) fn reader_has_gone() -> bool {
    FAILURE
        .get()
        .is_some_and(|(kind, _)| *kind == ErrorKind::BrokenPipe)
}

/// Prints the rest, and says why if something could not be printed.
pub(crate) fn finish() -> Result<(), &'static str> {
    let _ = stdout().flush();
    match FAILURE.get() {
        Some((kind, why)) if *kind != ErrorKind::BrokenPipe => Err(why),
        _ => Ok(()),
    }
}
