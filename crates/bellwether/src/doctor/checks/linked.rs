//! How the hook is linked: a static one needs no loader, and cannot be given another library.

use std::io::{self, Read as _};
use std::path::Path;

use bellwether_spine::elf::{self, Linked};
use rustix::fs::{CWD, OFlags};

use super::{Finding, Setup};
use crate::doctor::file;

pub(super) const ABOUT: &str = "the hook is linked statically, so that it starts at once";

/// Linkers put the headers at the very beginning.
const BEGINNING: u64 = 64 << 10;

pub(super) fn run(setup: &Setup<'_>) -> Vec<Finding> {
    let hook = setup.hook_program();
    vec![match look(&hook) {
        Ok(Linked::Statically) => Finding::good("the hook is static"),
        Ok(Linked::Unknown) => Finding::good("programs of this system are always linked dynamically"),
        Ok(Linked::Dynamically) => Finding::warning(
            "the hook is linked dynamically: it takes about a third longer at every event, and obeys LD_PRELOAD from a project's settings",
        )
        .advise("install libc6-dev (on other systems: the static C library), then run ./install again"),
        Err(error) => Finding::note(format!("{}: {error}", hook.display())),
    }]
}

fn look(program: &Path) -> io::Result<Linked> {
    let mut bytes = Vec::new();
    file::open_regular(CWD, program, OFlags::empty())?
        .take(BEGINNING)
        .read_to_end(&mut bytes)?;
    Ok(elf::linked(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_test_is_dynamic() {
        assert_eq!(
            look(&std::env::current_exe().unwrap()).unwrap(),
            Linked::Dynamically
        );
    }
}
