//! Programs that only print names: of folders, of temporary files, of the day.

use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::{Fill, Text};

pub(super) const PROGRAMS: &[Program] = &[
    program("pwd", "", here).prints(),
    program("mktemp tempfile", "p|tmpdir= suffix= t", temporary).prints(),
    program("basename", "", base).prints(),
    program("dirname", "", folder).prints(),
    program("realpath readlink", "", real).prints(),
    program("which", "", program_path).prints(),
    program("ls", "", list).prints(),
    program(
        "date whoami hostname uname nproc id uuidgen seq arch logname",
        "",
        name,
    )
    .prints(),
];

fn here(runner: &mut Runner<'_>, _: &Call, _: &Options) -> Stream {
    match runner.folder() {
        Some(folder) => Stream::plain(folder.display().to_string()),
        None => Stream::Unknown("$(pwd)".to_owned()),
    }
}

fn base(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    first(&options.operands, |path| {
        let name = path.trim_end_matches('/').rsplit('/').next();
        name.map(str::to_owned)
    })
    .unwrap_or_else(|| name(runner, call, options))
}

fn folder(_: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    first(&options.operands, |path| {
        match path.trim_end_matches('/').rsplit_once('/') {
            Some(("", _)) => Some("/".to_owned()),
            Some((folder, _)) => Some(folder.to_owned()),
            None => Some(".".to_owned()),
        }
    })
    .unwrap_or_else(|| Stream::Unknown(call.shown()))
}

fn real(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let first = options.operands.first();
    match first.and_then(|path| runner.path(path)) {
        Some(path) => {
            let real = runner.world.real(&path).unwrap_or(path);
            Stream::plain(real.display().to_string())
        }
        None => Stream::Unknown(call.shown()),
    }
}

fn program_path(runner: &mut Runner<'_>, _: &Call, options: &Options) -> Stream {
    match options.operands.first() {
        Some(name) => runner.found_in_path(name),
        None => Stream::Nothing,
    }
}

fn first(operands: &[Text], take: impl FnOnce(&str) -> Option<String>) -> Option<Stream> {
    take(operands.first()?.known()?).map(Stream::plain)
}

/// Something that is surely one name.
fn name(_: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    Stream::Text(Text::hole(format!("$({})", call.shown()), Fill::Name))
}

/// A new file or folder, in the folder for such.
fn temporary(runner: &mut Runner<'_>, _: &Call, options: &Options) -> Stream {
    let out = temporary_name(runner, options);
    if let Some(path) = runner.path(&out.text()) {
        runner.state.made.push(path);
    }
    out
}

fn temporary_name(runner: &mut Runner<'_>, options: &Options) -> Stream {
    let given = options.value("tmpdir").and_then(Text::known);
    let folder = given.map(str::to_owned).or_else(|| {
        let variable = runner.variable("TMPDIR")?;
        variable.known().map(str::to_owned)
    });
    let folder = folder.unwrap_or_else(|| "/tmp".to_owned());
    match options.operands.first().and_then(Text::known) {
        Some(template)
            if !template.contains('/') && (options.has("tmpdir") || options.has("t")) =>
        {
            Stream::plain(format!("{folder}/{template}"))
        }
        Some(template) => Stream::plain(template),
        None => Stream::plain(format!("{}/tmp.XXXXXXXXXX", folder.trim_end_matches('/'))),
    }
}

/// The names in a folder: something below it.
fn list(runner: &mut Runner<'_>, _: &Call, options: &Options) -> Stream {
    let operands = &options.operands;
    let mut all = Text::default();
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            all.push_plain("\n");
        }
        all.append(operand.clone());
        let is_folder = runner
            .path(operand)
            .is_some_and(|path| runner.world.look(&path) == crate::Entry::Folder);
        if is_folder {
            // Without its folder: `ls` prints names only.
            all = Text::hole("$(ls)", Fill::Name);
        }
    }
    if operands.is_empty() {
        all = Text::hole("$(ls)", Fill::Name);
    }
    Stream::Text(all)
}
