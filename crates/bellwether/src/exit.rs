//! Exit codes. Never 2: a client takes that for a decision of a hook.

use std::process::ExitCode;

use bellwether_spine::text;

use crate::output;

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
            "only the administrator of this machine can do this: {}",
            self.0
        )
    }
}

impl std::error::Error for NeedsRoot {}

/// The command line makes no sense: why, and what would.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// What is wrong with the command line, where clap does not see it.
pub(crate) fn usage(why: impl Into<String>) -> anyhow::Error {
    Usage(why.into()).into()
}

/// The same of a name that is not known, with the nearest one that is.
pub(crate) fn unknown(what: &str, word: &str, known: &[&str], see: &str) -> anyhow::Error {
    usage(format!(
        "there is no {what} `{}`{}: see `{see}`",
        text::shown(word, 80),
        output::did_you_mean(word, known)
    ))
}

/// It did not work, and the person has been told all about it on stdout.
#[derive(Debug)]
pub(crate) struct AlreadyTold;

impl std::fmt::Display for AlreadyTold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("problems were found")
    }
}

impl std::error::Error for AlreadyTold {}

/// Turns the outcome of a command into an exit code, telling the person what went wrong.
pub(crate) fn report(outcome: anyhow::Result<()>) -> ExitCode {
    let printed = output::finish();
    match (outcome, printed) {
        (Ok(()), Ok(())) => ExitCode::SUCCESS,
        (Ok(()), Err(why)) => {
            note!("bellwether: {why}");
            ExitCode::from(FAILED)
        }
        (Err(error), _) if output::reader_has_gone() && is_closed_pipe(&error) => ExitCode::SUCCESS,
        (Err(error), _) => {
            if !error.is::<AlreadyTold>() {
                note!("bellwether: {}", text::shown_block(&told(&error)));
            }
            ExitCode::from(code(&error))
        }
    }
}

fn code(error: &anyhow::Error) -> u8 {
    if error.is::<NeedsRoot>() {
        NO_PERMISSION
    } else if error.is::<Usage>() {
        USAGE
    } else {
        FAILED
    }
}

/// An error with its causes. Many name their cause themselves: nothing is said twice.
pub(crate) fn told(error: &anyhow::Error) -> String {
    let causes = error.chain().map(ToString::to_string);
    let told = causes.reduce(|told, cause| {
        if told.contains(&cause) {
            told
        } else {
            format!("{told}: {cause}")
        }
    });
    told.unwrap_or_default()
}

/// Whether it is for want of a reader that nothing could be printed.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain();
    causes.any(|cause| {
        let error = cause.downcast_ref::<std::io::Error>();
        error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let system = || std::io::Error::from_raw_os_error(30);
        let named = bellwether_spine::SpineError::Io {
            action: "open",
            path: "/x".into(),
            source: system(),
        };
        let said = told(&anyhow::Error::new(named).context("nothing was changed"));
        assert_eq!(
            said,
            "nothing was changed: cannot open /x: Read-only file system (os error 30)"
        );
        let apart = Err::<(), _>(system())
            .context("cannot open /x")
            .unwrap_err();
        assert_eq!(
            told(&apart),
            "cannot open /x: Read-only file system (os error 30)"
        );
    }

    #[test]
    fn what_was_typed_wrong_is_a_matter_of_usage() {
        assert_eq!(code(&usage("no")), USAGE);
        assert_eq!(code(&anyhow::anyhow!("no")), FAILED);
        let wrong = unknown(
            "effect",
            "bel",
            &["bell", "chime"],
            "bellwether sounds list",
        );
        assert_eq!(
            wrong.to_string(),
            "there is no effect `bel` (did you mean `bell`?): see `bellwether sounds list`"
        );
    }
}
