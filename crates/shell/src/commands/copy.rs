//! Programs that write over files by copying: `cp`, `install`, `ln`, `rsync`, `scp`.

use crate::effect::{Code, Effect, How, Reach};
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner, overwriting};
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::{Fill, Text};

const COPY: &str = "t|target-directory= T|no-target-directory S|suffix= m|mode= o|owner= g|group= \
    R|r|a|recursive|archive l|link s|symbolic-link parents help version";

pub(super) const PROGRAMS: &[Program] = &[
    program("cp gcp", COPY, copy).idle("--help; --version"),
    program("ditto", COPY, ditto).idle("--help; --version"),
    program(
        "install ginstall",
        "t|target-directory= T|no-target-directory S|suffix= m|mode= o|owner= g|group= d|directory help version",
        install,
    )
    .idle("--help; --version"),
    program(
        "ln",
        "t|target-directory= T|no-target-directory S|suffix= s|symbolic f|force n|no-dereference r|relative \
         help version",
        link,
    )
    .idle("--help; --version"),
    program(
        "stow xstow",
        "t|target= d|dir= D|delete R|restow n|no|simulate help version",
        stow,
    )
    .idle("--help; --version; --no"),
    program(
        "rsync",
        "e|rsh= R|relative f|filter|B|T|temp-dir|M|rsync-path|exclude|include|files-from|exclude-from|include-from|\
         backup-dir|suffix|compare-dest|copy-dest|link-dest|log-file|bwlimit|timeout|port|max-size|\
         min-size= n|dry-run list-only remove-source-files \
         delete|del|delete-before|delete-during|delete-delay|delete-after|delete-excluded|delete-missing-args",
        rsync,
    )
    .does(&[Does::Runs(&["rsh"])]),
    program("scp", "o|S= c|D|F|i|J|l|P|X=", scp),
    program("rclone", "n|dry-run i|interactive", rclone).does(&[Does::Remote(
        "sync|delete|purge|deletefile|bisync|cleanup|rmdirs|move|moveto|dedupe !--dry-run !--interactive",
    )]),
];

/// The most files of one call that are followed.
const MOST_COPIED: usize = 256;

fn copy(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let Some((from, to)) = places(runner, options) else {
        return Stream::Nothing;
    };
    // `cp -l` gives every file a second name.
    if options.has("link") {
        runner.displace(&from, "gives a second name to", call);
    }
    let reach = if options.has("recursive") {
        Reach::Trees
    } else {
        Reach::Entries
    };
    let way = Way::Copied(reach);
    each(runner, call, options, (&from, &to), way);
    Stream::Nothing
}

fn ditto(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some((from, to)) = places(runner, options) {
        for from in &from {
            let to = runner.written(&to);
            runner.lay(from, &to, call);
        }
        each(
            runner,
            call,
            options,
            (&from, &to),
            Way::Copied(Reach::Trees),
        );
    }
    Stream::Nothing
}

/// `install -d` makes folders, and gives those that are there other rights.
fn install(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("directory") {
        let targets = runner.targets(&options.operands);
        let what = options.value("mode").map(Text::shown);
        if let Some(what) = what.filter(|_| !targets.is_empty()) {
            let reach = Reach::Entries;
            runner.note(
                Effect::Permission {
                    targets,
                    reach,
                    what,
                },
                call,
            );
        }
        return Stream::Nothing;
    }
    if let Some((from, to)) = places(runner, options) {
        each(
            runner,
            call,
            options,
            (&from, &to),
            Way::Copied(Reach::Entries),
        );
    }
    Stream::Nothing
}

fn link(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let Some((from, to)) = places(runner, options) else {
        return Stream::Nothing;
    };
    if !options.has("symbolic") {
        runner.displace(&from, "gives a second name to", call);
    }
    each(runner, call, options, (&from, &to), Way::Linked);
    remember(runner, &from, &to);
    Stream::Nothing
}

/// `stow -d DIR -t TARGET PACKAGE`: a link for each file of a package.
fn stow(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let to = options.value("target").cloned();
    let folder = options.value("dir").cloned();
    for package in &options.operands {
        let (mut from, mut above) = (package.clone(), Text::plain(".."));
        if let Some(folder) = &folder {
            from = folder.clone();
            from.push_plain("/");
            from.append(package.clone());
            above = folder.clone();
            above.push_plain("/..");
        }
        let to = runner.written(to.as_ref().unwrap_or(&above));
        runner.lay(&from, &to, call);
    }
    Stream::Nothing
}

/// `rclone copy FROM TO`: what is in a folder comes into another.
fn rclone(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    const VERBS: [&str; 6] = ["copy", "sync", "move", "copyto", "moveto", "bisync"];
    match options.operands.as_slice() {
        [verb, from, to, ..] if VERBS.contains(&verb.lead()) && !is_remote(to) => {
            let to = runner.written(to);
            if is_remote(from) {
                runner.fill(to, &from.shown(), call);
            } else {
                runner.lay(from, &to, call);
            }
        }
        [verb, _, to, ..] if verb.is("mount") => {
            runner.displace(std::slice::from_ref(to), "covers", call);
        }
        _ => {}
    }
    Stream::Nothing
}

/// What is copied, and where to.
fn places(runner: &mut Runner<'_>, options: &Options) -> Option<(Vec<Text>, Text)> {
    let mut operands = options.operands.clone();
    let to = match options.value("target-directory") {
        Some(to) => {
            let mut to = to.clone();
            if !to.shown().ends_with('/') {
                to.push_plain("/");
            }
            to
        }
        None if operands.len() > 1 => operands.pop()?,
        None => return None,
    };
    Some((runner.all_matching(&operands), to))
}

/// How a file comes to its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With all that is in it, or only if it is a file.
    Copied(Reach),
    Linked,
}

fn each(
    runner: &mut Runner<'_>,
    call: &Call,
    options: &Options,
    (from, to): (&[Text], &Text),
    way: Way,
) {
    for from in from.iter().take(MOST_COPIED) {
        let target = match (options.has("no-target-directory"), options.has("parents")) {
            (true, _) => runner.written(to),
            (_, true) => below(runner, to, from.clone()),
            _ => within(runner, from, to),
        };
        copied(runner, call, from, target, way);
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

/// One file comes to its place.
fn copied(runner: &mut Runner<'_>, call: &Call, from: &Text, mut target: Target, way: Way) {
    // A link takes the place of what is there.
    if way == Way::Linked {
        target.follows = false;
    }
    let is_folder = |runner: &mut Runner<'_>| {
        let path = runner.path(from);
        path.is_none_or(|path| runner.world.look(&path) != crate::Entry::File)
    };
    if way != Way::Copied(Reach::Entries) || !is_folder(runner) {
        runner.lay(from, &target, call);
    }
    if matches!(way, Way::Copied(_))
        && let Place::At(path) = &target.place
        && let Some(source) = runner.path(from)
        && let Ok(content) = runner.content(&source)
    {
        runner.put_content(path.clone(), content);
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

/// What is in a folder under a name.
fn below(runner: &mut Runner<'_>, to: &Text, name: Text) -> Target {
    let mut inside = to.clone();
    if !inside.shown().ends_with('/') {
        inside.push_plain("/");
    }
    inside.append(name);
    runner.written(&inside)
}

/// The file that is written: the target, or in it when it is a folder.
pub(super) fn within(runner: &mut Runner<'_>, from: &Text, to: &Text) -> Target {
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
    let name = match name {
        Some(name) if !name.is_empty() => Text::plain(name),
        _ => Text::hole("*", Fill::Name),
    };
    below(runner, to, name)
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
    if is_remote(&to) {
        return;
    }
    for from in runner.all_matching(&operands) {
        let target = synchronised(runner, &from, &to, options.has("relative"));
        if is_remote(&from) {
            runner.fill(target, &from.shown(), call);
        } else {
            copied(runner, call, &from, target, Way::Copied(Reach::Trees));
        }
    }
}

/// Where something of rsync's comes to stand: with a slash behind it, what is in it.
fn synchronised(runner: &mut Runner<'_>, from: &Text, to: &Text, relative: bool) -> Target {
    let shown = from.shown();
    if relative {
        let name = shown.rsplit("/./").next().unwrap_or(&shown).to_owned();
        return below(runner, to, Text::plain(name));
    }
    if shown.ends_with('/') || shown.ends_with("/.") || shown == "." {
        return runner.written(to);
    }
    within(runner, from, to)
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
            let target = within(runner, from, &to);
            if is_remote(from) {
                runner.fill(target, &from.shown(), call);
            } else {
                copied(runner, call, from, target, Way::Copied(Reach::Trees));
            }
        }
    }
    Stream::Nothing
}
