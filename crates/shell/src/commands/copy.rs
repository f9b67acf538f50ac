//! Programs that write over files by copying: `cp`, `install`, `ln`, `rsync`, `scp`.

use crate::effect::{Code, Effect, How, Reach};
use crate::options::Options;
use crate::program::{Does, Program, nothing, program};
use crate::run::{Call, Runner, overwriting};
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::{Fill, Text};

const COPY: &str =
    "t|target-directory= S|suffix= m|mode= o|owner= g|group= d|directory help version";

pub(super) const PROGRAMS: &[Program] = &[
    program("cp gcp ditto", COPY, copy).idle("--help; --version"),
    program("install", COPY, copy).idle("--help; --version; --directory"),
    program("ln", COPY, link).idle("--help; --version"),
    program(
        "rsync",
        "e|rsh= f|filter|B|T|temp-dir|M|rsync-path|exclude|include|files-from|exclude-from|include-from|\
         backup-dir|suffix|compare-dest|copy-dest|link-dest|log-file|bwlimit|timeout|port|max-size|\
         min-size= n|dry-run list-only remove-source-files \
         delete|del|delete-before|delete-during|delete-delay|delete-after|delete-excluded|delete-missing-args",
        rsync,
    )
    .does(&[Does::Runs(&["rsh"])]),
    program("scp", "o|S= c|D|F|i|J|l|P|X=", scp),
    program("rclone", "n|dry-run i|interactive", nothing).does(&[Does::Remote(
        "sync|delete|purge|deletefile|bisync !--dry-run !--interactive",
    )]),
];

/// The most files of one call that are followed.
const MOST_COPIED: usize = 256;

fn copy(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some((from, to)) = places(options) {
        each(runner, call, &from, &to, Way::Copied);
    }
    Stream::Nothing
}

fn link(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some((from, to)) = places(options) {
        each(runner, call, &from, &to, Way::Linked);
        remember(runner, &from, &to);
    }
    Stream::Nothing
}

/// What is copied, and where to.
fn places(options: &Options) -> Option<(Vec<Text>, Text)> {
    let mut operands = options.operands.clone();
    let to = match options.value("target-directory") {
        Some(to) => to.clone(),
        None if operands.len() > 1 => operands.pop()?,
        None => return None,
    };
    Some((operands, to))
}

/// How a file comes to its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Copied,
    Linked,
}

fn each(runner: &mut Runner<'_>, call: &Call, from: &[Text], to: &Text, way: Way) {
    for from in from.iter().take(MOST_COPIED) {
        copied(runner, call, from, to, way);
    }
    if from.len() > MOST_COPIED {
        let what = format!("{} more", from.len() - MOST_COPIED);
        runner.note(Effect::Run(Code::Beyond(what)), call);
    }
}

/// Where a link leads is remembered: `ln -s ~ x; rm -rf x/`.
fn remember(runner: &mut Runner<'_>, from: &[Text], to: &Text) {
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
fn copied(runner: &mut Runner<'_>, call: &Call, from: &Text, to: &Text, way: Way) {
    let mut target = within(runner, from, to);
    // A link takes the place of what is there.
    if way == Way::Linked {
        target.follows = false;
    }
    if way == Way::Copied
        && let Place::At(path) = &target.place
        && let Some(source) = runner.path(from)
        && let Ok(content) = runner.content(&source)
    {
        runner.state.files.insert(path.clone(), content);
    }
    if let (Place::At(path), Some(source)) = (&target.place, from.known()) {
        let name = source.rsplit('/').next().unwrap_or_default();
        if source.contains('/') && crate::lookup::find(name).is_some() {
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

fn rsync(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if !options.has("dry-run") && !options.has("list-only") {
        synchronise(runner, call, options);
    }
    Stream::Nothing
}

fn synchronise(runner: &mut Runner<'_>, call: &Call, options: &Options) {
    let mut operands = options.operands.clone();
    let Some(to) = operands.pop() else { return };
    if options.has("delete") {
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
    if options.has("remove-source-files") {
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
        copied(runner, call, from, &to, Way::Copied);
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

fn scp(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    for option in options.values("o") {
        super::remote::ssh_option(runner, option);
    }
    let mut operands = options.operands.clone();
    if let Some(to) = operands.pop().filter(|to| !is_remote(to)) {
        for from in &operands {
            copied(runner, call, from, &to, Way::Copied);
        }
    }
    Stream::Nothing
}
