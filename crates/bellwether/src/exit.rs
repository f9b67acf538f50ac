//! Exit codes. Never 2: a client takes that for a decision of a hook.

use std::process::ExitCode;

use bellwether_spine::text;

/// It did not work.
pub(crate) const FAILED: u8 = 1;
/// The command line makes no sense (`EX_USAGE`).
pub(crate) const USAGE: u8 = 64;

/// Only the administrator may do it (`EX_NOPERM`).
pub(crate) const NO_PERMISSION: u8 = 77;

/// Only the administrator may do it; holds the command that does.
#[derive(Debug)]
pub(crate) struct NeedsRoot(pub(crate) String);

impl std::fmt::Display for NeedsRoot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "this is for the administrator of the machine: {}",
            self.0
        )
    }
}

impl std::error::Error for NeedsRoot {}

/// It did not work, and the person has been told all about it on stdout.
#[derive(Debug)]
pub(crate) struct AlreadyTold;

impl std::fmt::Display for AlreadyTold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there are problems")
    }
}

impl std::error::Error for AlreadyTold {}

/// Turns the outcome of a command into an exit code, telling the person what went wrong.
pub(crate) fn report(outcome: anyhow::Result<()>) -> ExitCode {
    let Err(error) = outcome else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    if !error.is::<AlreadyTold>() {
        eprintln!("bellwether: {}", text::shown_block(&format!("{error:#}")));
    }
    let code = if error.is::<NeedsRoot>() {
        NO_PERMISSION
    } else {
        FAILED
    };
    ExitCode::from(code)
}

/// Whoever read our output has read enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error
        .downcast_ref::<std::io::Error>()
        .map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
