//! A small process beside the runner. When the runner is killed, it ends what that left running and removes its folder.
//!
//! It is forked twice, so that whoever ends the runner's children does not end it, and it waits at a pipe whose other end
//! only the runner has. It ends only processes that carry the variable of their run, and removes a folder only once it has
//! the lock of its repository: so it is of no use against others. A new run that is faster clears away itself.

use std::fs::File;
use std::io::{PipeWriter, Read as _, Write as _};
use std::os::fd::OwnedFd;

use bellwether_spine::Home;
use bellwether_spine::launch::{self, Launch};

use super::sweep::end_marked;
use crate::GateError;
use crate::record::{self, Repository};

/// What the runner says when it has left nothing behind.
const DONE: u8 = b'.';

/// The runner's side of it.
#[derive(Debug)]
pub(crate) struct Guardian(PipeWriter);

impl Guardian {
    /// Starts one for a run. Its orphaned state must not make it our child again: this comes before `adopt`.
    pub(crate) fn start(
        home: &Home,
        repository: &Repository,
        run: &str,
    ) -> Result<Self, GateError> {
        let (reader, writer) = std::io::pipe().map_err(GateError::Pipe)?;
        let reader = OwnedFd::from(reader);
        Launch::of(&launch::program()?, home)
            .words(["gate", "guardian", "--run", run, "--repository"])
            .words([repository.key()])
            .handing(&reader)
            .start()?;
        Ok(Self(writer))
    }

    /// Tells it that nothing is left to do.
    pub(crate) fn dismiss(mut self) {
        // One that has gone needs no word.
        let _ = self.0.write_all(&[DONE]);
    }
}

/// The guardian's own life: `bellwether gate guardian`.
pub fn guard(home: &Home, run: &str, key: &str) -> Result<(), GateError> {
    let mut pipe = handed_pipe()?;
    let mut said = Vec::new();
    // An error is an end too.
    let _ = pipe.read_to_end(&mut said);
    if said.contains(&DONE) {
        return Ok(());
    }
    end_marked(run);
    record::clear_away(home, key, run)
}

fn handed_pipe() -> Result<File, GateError> {
    // By its name, because only that can fail without harm for who calls us by hand.
    File::open(format!("/dev/fd/{}", launch::HANDED_FD)).map_err(GateError::Pipe)
}
