//! What programs do: one file for each kind and one `mod` line below.
//!
//! A file names its programs (`NAMES`) and tells what a call of them does (`run`): which effects it
//! has, which other commands it runs, and what it writes. Which words make a command worth parsing
//! derives from the list.

use crate::run::{Call, Runner};
use crate::stream::Stream;

pub(crate) type Command = fn(&mut Runner<'_>, &Call) -> Stream;

pub(crate) struct Kind {
    pub names: &'static [&'static str],
    pub run: Command,
    /// Whether a call of one is a reason to look closer; what only prints is not.
    pub matters: bool,
}

macro_rules! commands {
    (matter: $($name:ident),* ; print: $($prints:ident),* $(,)?) => {
        $(pub(crate) mod $name;)*
        $(pub(crate) mod $prints;)*

        pub(crate) const ALL: &[Kind] = &[
            $(Kind { names: $name::NAMES, run: $name::run, matters: true },)*
            $(Kind { names: $prints::NAMES, run: $prints::run, matters: false },)*
        ];
    };
}

commands![
    matter: archive, cloud, copy, delete, device, download, editor, find, git, interpreter, make, moving, other, own, packages, permission, remote, shell, system, task, wrapper, write, xargs;
    print: generator, output, paths
];

/// What a program does, when it is known. Names are taken without the case and the ending that Windows
/// and macOS do not mind.
pub(crate) fn find(name: &str) -> Option<Command> {
    let lower = name.to_ascii_lowercase();
    let name = lower.strip_suffix(".exe").unwrap_or(&lower);
    ALL.iter()
        .find(|kind| kind.names.contains(&name))
        .map(|kind| kind.run)
        .or_else(|| {
            (name.starts_with("mkfs.") || name.starts_with("newfs"))
                .then_some(device::run as Command)
        })
        .or_else(|| crate::foreign::Language::of_program(name).map(|_| interpreter::run as Command))
}

/// Whether a name is that of a program whose call is a reason to look closer.
pub(crate) fn is_known(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let name = lower.strip_suffix(".exe").unwrap_or(&lower);
    ALL.iter()
        .any(|kind| kind.matters && kind.names.contains(&name))
        || name.starts_with("mkfs.")
        || name.starts_with("newfs")
        || crate::foreign::Language::of_program(name).is_some()
}
