//! Programs that only print names: of folders, of temporary files, of the day.

use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::{Fill, Text};

pub(super) const NAMES: &[&str] = &[
    "pwd", "mktemp", "basename", "dirname", "realpath", "readlink", "which", "date", "whoami",
    "hostname", "uname", "nproc", "id", "uuidgen", "seq", "ls", "tempfile", "arch", "logname",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let operands = call.arguments(&Spec::default()).operands;
    match call.name.as_str() {
        "pwd" => match runner.folder() {
            Some(folder) => Stream::plain(folder.display().to_string()),
            None => Stream::Unknown("$(pwd)".to_owned()),
        },
        "mktemp" | "tempfile" => temporary(runner, call),
        "basename" => first(&operands, |path| {
            path.trim_end_matches('/')
                .rsplit('/')
                .next()
                .map(str::to_owned)
        })
        .unwrap_or_else(|| name(call)),
        "dirname" => first(&operands, |path| {
            match path.trim_end_matches('/').rsplit_once('/') {
                Some(("", _)) => Some("/".to_owned()),
                Some((folder, _)) => Some(folder.to_owned()),
                None => Some(".".to_owned()),
            }
        })
        .unwrap_or_else(|| Stream::Unknown(call.shown())),
        "realpath" | "readlink" => match operands.first().and_then(|path| runner.path(path)) {
            Some(path) => {
                let real = runner.world.real(&path).unwrap_or(path);
                Stream::plain(real.display().to_string())
            }
            None => Stream::Unknown(call.shown()),
        },
        "which" => match operands.first() {
            Some(name) => runner.found_in_path(&name.clone()),
            None => Stream::Nothing,
        },
        "ls" => list(runner, &operands),
        _ => name(call),
    }
}

fn first(operands: &[Text], take: impl FnOnce(&str) -> Option<String>) -> Option<Stream> {
    take(operands.first()?.known()?).map(Stream::plain)
}

/// Something that is surely one name.
fn name(call: &Call) -> Stream {
    Stream::Text(Text::hole(format!("$({})", call.shown()), Fill::Name))
}

/// A new file or folder, in the folder for such.
fn temporary(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let out = temporary_name(runner, call);
    if let Some(path) = runner.path(&out.text()) {
        runner.state.made.push(path);
    }
    out
}

fn temporary_name(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "p",
        words: &["--suffix"],
        stops: false,
    });
    let folder = arguments
        .value(&["p", "--tmpdir"])
        .and_then(Text::known)
        .map(str::to_owned)
        .or_else(|| {
            runner
                .variable("TMPDIR")
                .and_then(|text| text.known().map(str::to_owned))
        })
        .unwrap_or_else(|| "/tmp".to_owned());
    match arguments.operands.first().and_then(Text::known) {
        Some(template) if template.contains('/') => Stream::plain(template),
        Some(template) if arguments.has(&["t", "--tmpdir", "p"]) => {
            Stream::plain(format!("{folder}/{template}"))
        }
        Some(template) => Stream::plain(template),
        None => Stream::plain(format!("{}/tmp.XXXXXXXXXX", folder.trim_end_matches('/'))),
    }
}

/// The names in a folder: something below it.
fn list(runner: &mut Runner<'_>, operands: &[Text]) -> Stream {
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
