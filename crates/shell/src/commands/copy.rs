//! Programs that write over files by copying: `cp`, `install`, `ln`, `rsync`, `scp`.

use crate::effect::{Code, Effect, How, Reach};
use crate::run::{Call, Runner, Spec, overwriting};
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::{Fill, Text};

pub(super) const NAMES: &[&str] = &[
    "cp", "gcp", "install", "ln", "rsync", "scp", "rclone", "ditto",
];

/// The most files of one call that are followed.
const MOST_COPIED: usize = 256;

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "rsync" => rsync(runner, call),
        "scp" => scp(runner, call),
        "rclone" => rclone(runner, call),
        _ => copy(runner, call),
    }
    Stream::Nothing
}

fn copy(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "tSmog",
        words: &[
            "--target-directory",
            "--suffix",
            "--mode",
            "--owner",
            "--group",
        ],
        stops: false,
    });
    if arguments.has(&["--help", "--version"])
        || (call.name == "install" && arguments.has(&["d", "--directory"]))
    {
        return;
    }
    let mut operands = arguments.operands.clone();
    let to = match arguments.value(&["t", "--target-directory"]) {
        Some(to) => to.clone(),
        None if operands.len() > 1 => operands.pop().unwrap_or_default(),
        None => return,
    };
    for from in operands.iter().take(MOST_COPIED) {
        copied(runner, call, from, &to);
    }
    if operands.len() > MOST_COPIED {
        let what = format!("{} more", operands.len() - MOST_COPIED);
        runner.note(Effect::Run(Code::Beyond(what)), call);
    }
    if call.name == "ln" {
        link(runner, &operands, &to);
    }
}

/// Where a link leads is remembered: `ln -s ~ x; rm -rf x/`.
fn link(runner: &mut Runner<'_>, from: &[Text], to: &Text) {
    if let ([from], Some(path)) = (from, runner.path(to)) {
        let folder = path.parent().map(std::path::Path::to_path_buf);
        let led = from
            .known()
            .and_then(|from| crate::path::absolute(from, folder.as_deref()));
        if let Some(led) = led {
            runner.state.links.insert(path, led);
        }
    }
}

/// One file is written over, in a folder under its own name.
fn copied(runner: &mut Runner<'_>, call: &Call, from: &Text, to: &Text) {
    let mut target = within(runner, from, to);
    // A link takes the place of what is there.
    if call.name == "ln" {
        target.follows = false;
    }
    if call.name != "ln"
        && let Place::At(path) = &target.place
        && let Some(source) = runner.path(from)
        && let Ok(content) = runner.content(&source)
    {
        runner.state.files.insert(path.clone(), content);
    }
    if let (Place::At(path), Some(source)) = (&target.place, from.known()) {
        let name = source.rsplit('/').next().unwrap_or_default();
        if source.contains('/') && super::find(name).is_some() {
            runner.state.copies.insert(path.clone(), name.to_owned());
        }
    }
    if target.shown == "/dev/null" {
        return;
    }
    let how = if from.is("/dev/null") {
        How::Truncated
    } else {
        How::Written
    };
    runner.note(overwriting(target, how), call);
}

/// The file that is written: the target, or in it when it is a folder.
fn within(runner: &mut Runner<'_>, from: &Text, to: &Text) -> Target {
    let is_folder = to.shown().ends_with('/')
        || runner
            .path(to)
            .is_some_and(|path| matches!(runner.world.look(&path), crate::Entry::Folder));
    let name = from.known().map(|from| {
        from.trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default()
    });
    if !is_folder {
        return runner.written(to);
    }
    let mut inside = to.clone();
    if !inside.shown().ends_with('/') {
        inside.push_plain("/");
    }
    match name {
        Some(name) if !name.is_empty() => inside.push_plain(name),
        _ => inside.append(Text::hole("*", Fill::Name)),
    }
    runner.written(&inside)
}

fn rsync(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "efBTM",
        words: &[
            "--rsh",
            "--rsync-path",
            "--exclude",
            "--include",
            "--filter",
            "--files-from",
            "--exclude-from",
            "--include-from",
            "--backup-dir",
            "--suffix",
            "--temp-dir",
            "--compare-dest",
            "--copy-dest",
            "--link-dest",
            "--log-file",
            "--bwlimit",
            "--timeout",
            "--port",
            "--max-size",
            "--min-size",
        ],
        stops: false,
    });
    if let Some(shell) = arguments.value(&["e", "--rsh"]) {
        let shell = shell.clone();
        runner.apart(|runner| runner.source_text(&shell, &Stream::Nothing));
    }
    if arguments.has(&["n", "--dry-run", "--list-only"]) {
        return;
    }
    let deletes = arguments
        .options
        .iter()
        .any(|(option, _)| option.starts_with("--del"));
    let removes = arguments.has(&["--remove-source-files"]);
    let mut operands = arguments.operands.clone();
    let Some(to) = operands.pop() else { return };
    if deletes {
        if is_remote(&to) {
            runner.note(
                Effect::Remote {
                    what: format!("files in {} that are not in the source", to.shown()),
                },
                call,
            );
        } else {
            let target = inside(runner, &to);
            runner.note(
                Effect::Delete {
                    targets: vec![target],
                    reach: Reach::Trees,
                },
                call,
            );
        }
    }
    if removes {
        let targets = runner.targets(&operands);
        runner.note(
            Effect::Delete {
                targets,
                reach: Reach::Trees,
            },
            call,
        );
    }
    if let [from] = operands.as_slice()
        && !is_remote(from)
        && !is_remote(&to)
    {
        copied(runner, call, from, &to);
    }
}

/// What is in a folder goes; the folder itself stays.
fn inside(runner: &mut Runner<'_>, folder: &Text) -> Target {
    let mut target = runner.target(folder);
    if let Place::At(folder) = target.place {
        target.place = Place::Within {
            folder,
            pattern: "*".to_owned(),
            deep: false,
        };
        target.follows = true;
    }
    target
}

fn is_remote(text: &Text) -> bool {
    let shown = text.shown();
    let host = shown.split('/').next().unwrap_or_default();
    host.contains(':')
}

fn scp(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "cDFiJloPSX",
        words: &[],
        stops: false,
    });
    for option in arguments.values(&["o", "S"]) {
        super::remote::ssh_option(runner, option);
    }
    let mut operands = arguments.operands.clone();
    let Some(to) = operands.pop() else { return };
    if !is_remote(&to) {
        for from in &operands {
            copied(runner, call, from, &to);
        }
    }
}

/// `rclone sync`, `delete`, `purge`: they make the other side like this one.
fn rclone(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec::default());
    let deletes = arguments.operands.first().is_some_and(|word| {
        matches!(
            word.lead(),
            "sync" | "delete" | "purge" | "deletefile" | "bisync"
        )
    });
    if deletes && !arguments.has(&["n", "--dry-run", "i", "--interactive"]) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
}
