//! Archivers: they overwrite what they unpack, and some run commands on the way.

use crate::effect::{Effect, How, Reach};
use crate::git::{Before, Discarding, GitAct, GitEffect, Site};
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;
use crate::world::Entry;

const TAR: &str = "I|F|use-compress-program|to-command|info-script|new-volume-script|rsh-command= \
    checkpoint-action= C|directory|cd= f|file= T|files-from= s|transform|xform= strip-components= \
    X|b|g|H|K|L|N|V|exclude|exclude-from|owner|group|mode|format|occurrence|blocking-factor= remove-files one-top-level? \
    x|extract|get O|to-stdout c|create t|list r|append u|update A|catenate d|diff wildcards";

pub(super) const PROGRAMS: &[Program] = &[
    program("tar gtar bsdtar", TAR, tar),
    program(
        "zip",
        "I|unzip-command|-TT= f|C|F|T|X|b|g|H|K|L|N|V= m|move",
        zip,
    )
    .does(&[Does::Runs(&["unzip-command"])]),
    program(
        "unzip funzip",
        "d= l t p c Z z v x= P= O= I= help version",
        unzip,
    )
    .idle("--help; --version; -l; -t; -p; -c; -Z; -z"),
    program("7z 7za 7zr 7zz p7zip", "o? w? p?", seven),
    program(
        "cpio gcpio",
        "I|F|file|rsh-command= D|directory= E|H|M|O|R|C|format|owner= i|extract p|pass-through o|create t|list",
        cpio,
    )
    .does(&[Does::Runs(&["file"])]),
    program("unrar rar unar dtrx", "o|output-directory= ad op?", unrar),
    program("jar", "x|extract f|file= C|dir= c|create t|list", jar),
    // What is packed keeps its content, under another name.
    program(
        "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lz4 unlz4 zstd unzstd lzop lzip brotli pigz pbzip2 compress \
         uncompress",
        "o|output= S|suffix= T|threads= c|stdout|to-stdout l|list t|test help version",
        packed,
    )
    .idle("--help; --version; --list; --test")
    .does(&[Does::Writes(&["output"])]),
];

fn tar(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let options = Options::read(&dashed(&call.words), TAR);
    for source in options.values("use-compress-program") {
        runner.apart(|runner| runner.source_text(source, &Stream::Nothing));
    }
    for action in options.values("checkpoint-action") {
        let source = action
            .strip_prefix("exec=")
            .unwrap_or_else(|| action.clone());
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
    if options.has("remove-files") {
        removed(runner, call, &options.operands);
    }
    if options.has("extract") && !options.has("to-stdout") {
        let renames = ["transform", "strip-components", "wildcards", "files-from"];
        let named = renames.iter().all(|name| !options.has(name));
        let members = options.operands.as_slice();
        let members = if named { members } else { &[] };
        let folder = topmost(options.value("directory"), options.value("one-top-level"));
        unpacked(runner, call, folder.as_ref(), members);
    } else if let Some(file) = options.value("file").filter(|file| !file.is("-"))
        && ["create", "append", "update", "catenate"]
            .iter()
            .any(|name| options.has(name))
    {
        runner.overwrite(file, How::Written, call);
    }
    Stream::Unknown(call.shown())
}

/// `tar -C DIR --one-top-level=FOLDER`: all of it goes into one folder.
fn topmost(folder: Option<&Text>, top: Option<&Text>) -> Option<Text> {
    let Some(top) = top.filter(|top| !top.shown().is_empty()) else {
        return folder.cloned();
    };
    let mut path = match folder {
        Some(folder) if !top.lead().starts_with('/') => {
            let mut path = folder.clone();
            path.push_plain("/");
            path
        }
        _ => Text::default(),
    };
    path.append(top.clone());
    Some(path)
}

/// The first word of tar may be options without a dash: `tar xzf FILE`.
fn dashed(words: &[Text]) -> Vec<Text> {
    let mut words = words.to_vec();
    if let Some(first) = words.first_mut()
        && let Some(letters) = first.known()
        && !letters.starts_with('-')
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        *first = Text::plain(format!("-{letters}"));
    }
    words
}

/// What is unpacked into a folder: the members that are named, or who knows what.
fn unpacked(runner: &mut Runner<'_>, call: &Call, folder: Option<&Text>, members: &[Text]) {
    let plain = |member: &Text| {
        let known = member.known();
        known.is_some_and(|member| !member.contains(['*', '?', '[']))
    };
    if call.stdin.text().shown().contains("git archive") {
        over_work(runner, call, folder);
    }
    if members.is_empty() || !members.iter().all(plain) {
        return runner.fill_folder(folder, &call.shown(), call);
    }
    for member in members {
        let mut file = folder.cloned().unwrap_or_else(|| Text::plain("."));
        file.push_plain("/");
        file.append(member.clone());
        // A member may be a folder, with who knows what in it.
        let to = runner.written(&file);
        runner.note(
            Effect::Overwrite {
                target: to.clone(),
                how: How::Written,
            },
            call,
        );
        runner.fill(to, &call.shown(), call);
    }
}

/// `git archive HEAD | tar x`: what is committed comes over what is changed.
fn over_work(runner: &mut Runner<'_>, call: &Call, folder: Option<&Text>) {
    let folder = match folder {
        Some(folder) => runner.path(folder),
        None => runner.folder(),
    };
    // Where no repository is, no changes of one are.
    let there = folder.filter(|folder| {
        let mut above = folder.ancestors();
        runner.world.look(folder) == Entry::Folder
            && above.any(|above| runner.world.look(&above.join(".git")) != Entry::Missing)
    });
    let act = GitAct::Discard(Discarding {
        paths: vec![Text::plain(".")],
        from: None,
        maybe: false,
        submodules: false,
    });
    if there.is_some() {
        let (site, before) = (there.map(Site::of), Before::default());
        runner.note(Effect::Git(GitEffect { site, act, before }), call);
    }
}

fn unzip(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let members = options.operands.get(1..).unwrap_or_default();
    if !options.operands.is_empty() {
        unpacked(runner, call, options.value("d"), members);
    }
    Stream::Unknown(call.shown())
}

/// `7z x FILE -oFOLDER`.
fn seven(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match options.operands.as_slice() {
        [verb, _, members @ ..] if verb.is("x") || verb.is("e") => {
            unpacked(runner, call, options.value("o"), members);
        }
        [verb, file, packed @ ..] if verb.is("a") || verb.is("u") || verb.is("d") => {
            runner.overwrite(file, How::Written, call);
            if call.words.iter().any(|word| word.is("-sdel")) {
                removed(runner, call, packed);
            }
        }
        _ => {}
    }
    Stream::Unknown(call.shown())
}

fn cpio(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("pass-through") {
        runner.fill_folder(options.operands.first(), &call.shown(), call);
    } else if options.has("extract") && !options.has("list") {
        runner.fill_folder(options.value("directory"), &call.shown(), call);
    }
    Stream::Unknown(call.shown())
}

/// `unrar x FILE FOLDER/`.
fn unrar(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let operands = options.operands.as_slice();
    let folder = match operands {
        [verb, _, .., folder] if verb.is("x") || verb.is("e") => Some(folder),
        [verb, ..] if ["l", "lb", "t", "v", "p", "a"].contains(&verb.lead()) => {
            return Stream::Unknown(call.shown());
        }
        _ => options.value("output-directory"),
    };
    runner.fill_folder(folder, &call.shown(), call);
    Stream::Unknown(call.shown())
}

fn jar(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let options = Options::read(&dashed(&call.words), "x|extract f|file= C|dir= c t u i");
    if options.has("extract") {
        runner.fill_folder(options.value("dir"), &call.shown(), call);
    }
    Stream::Unknown(call.shown())
}

fn packed(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if !options.has("stdout") {
        runner.displace(&options.operands, "packs", call);
    }
    Stream::Unknown(call.shown())
}

fn zip(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some(file) = options.operands.first().filter(|file| !file.is("-")) {
        runner.overwrite(file, How::Written, call);
    }
    if options.has("move") {
        removed(runner, call, options.operands.get(1..).unwrap_or_default());
    }
    Stream::Unknown(call.shown())
}

/// What was packed goes.
fn removed(runner: &mut Runner<'_>, call: &Call, operands: &[Text]) {
    let targets = runner.targets(operands);
    let reach = Reach::Trees;
    runner.note(Effect::Delete { targets, reach }, call);
}
