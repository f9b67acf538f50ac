//! Builds the programs and puts them into `target/dist/`, by `scripts/build`.

mod program;

use anyhow::{Context as _, Result};
use bellwether_spine::elf;

use crate::Outcome;
use crate::workspace::Workspace;
pub(crate) use program::{Dist, Profile, Program};

/// What `build` is asked for.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Build without optimisations
    #[arg(long)]
    debug: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome> {
    let profile = if arguments.debug {
        Profile::Debug
    } else {
        Profile::Release
    };
    programs(
        &Workspace::find()?,
        profile,
        &[Program::HOOK, Program::MAIN, Program::OVERLAY],
    )?;
    Ok(Outcome::Good)
}

/// Builds some programs, puts them in their place and says what became of them.
pub(crate) fn programs(
    workspace: &Workspace,
    profile: Profile,
    wanted: &[Program],
) -> Result<Dist> {
    let dist = Dist::new(workspace.leavings("dist")?);
    for program in wanted {
        program.build(workspace, profile)?;
        let place = dist.path(program);
        let bytes = std::fs::read(&place).with_context(|| format!("read {}", place.display()))?;
        let (size, linked) = (bytes.len().div_ceil(1000), elf::linked(&bytes));
        eprintln!("{}: {size} KB, {linked}", place.display());
    }
    Ok(dist)
}
