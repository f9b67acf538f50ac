//! Exit codes. Never 2: a client takes that for a decision of a hook.

use std::process::ExitCode;

/// It did not work.
pub(crate) const FAILED: u8 = 1;
/// The command line makes no sense (`EX_USAGE`).
pub(crate) const USAGE: u8 = 64;

/// Turns the outcome of a command into an exit code, telling the person what went wrong.
pub(crate) fn report(outcome: anyhow::Result<()>) -> ExitCode {
    let Err(error) = outcome else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("bellwether: {error:#}");
    ExitCode::from(FAILED)
}

/// Whoever read our output has read enough.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error
        .downcast_ref::<std::io::Error>()
        .map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}
