//! Patches: the files that they change are named in them.

use crate::effect::{Effect, How};
use crate::git::{Before, Discarding, GitAct, GitEffect, Site};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[program(
    "patch gpatch",
    "p|strip= i|input= o|output= d|directory= B|D|F|g|r|V|x|Y|z= R|reverse dry-run",
    patched,
)];

/// The most files of a patch that are looked at.
const MOST: usize = 64;

/// `patch FILE < DIFF`, `patch -p1 -i DIFF`.
fn patched(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("dry-run") {
        return Stream::Nothing;
    }
    let named = options.value("output").or(options.operands.first());
    if let Some(file) = named {
        runner.overwrite(file, How::Edited, call);
        return Stream::Nothing;
    }
    let source = match options.value("input").or(options.operands.get(1)) {
        Some(file) => runner.read_from(file),
        None => call.stdin.clone(),
    };
    let strip = options
        .value("strip")
        .and_then(|strip| strip.known()?.parse().ok());
    if options.has("reverse")
        && let Some(act) = of_diff(&source)
    {
        let site = runner.folder().map(Site::of);
        let before = Before::default();
        runner.note(Effect::Git(GitEffect { site, act, before }), call);
    }
    in_folder(runner, options.value("directory"), |runner| {
        changed(runner, call, &source, strip);
    });
    Stream::Nothing
}

/// A diff of the work that `git apply` takes back.
pub(super) fn taken_back(runner: &mut Runner<'_>, call: &Call) -> Option<GitAct> {
    let mut sources = vec![call.stdin.clone()];
    for word in call
        .words
        .iter()
        .filter(|word| !word.lead().starts_with('-'))
    {
        if let Some(path) = runner.path(word)
            && let Some(made) = runner.made_content(&path)
        {
            sources.push(made.clone());
        }
    }
    sources.iter().find_map(of_diff)
}

/// What is lost when a diff is taken back: all that it was made of, unless that is committed or staged.
fn of_diff(source: &Stream) -> Option<GitAct> {
    let shown = source.text().shown();
    let diff = shown.strip_prefix("$(git diff")?;
    let diff = diff.lines().next()?.trim_end_matches(')');
    let elsewhere = ["..", "--cached", "--staged"];
    if elsewhere.iter().any(|word| diff.contains(word)) {
        return None;
    }
    let paths = diff.split_once(" -- ").map_or("", |(_, paths)| paths);
    Some(GitAct::Discard(Discarding {
        paths: paths.split_whitespace().map(Text::plain).collect(),
        from: None,
        maybe: false,
        submodules: false,
    }))
}

/// `git apply DIFF`.
pub(super) fn applied(runner: &mut Runner<'_>, call: &Call, verb: &str, words: &[Text]) {
    const APPLY: &str = "p= directory= C= exclude= include= whitespace= R|reverse check stat numstat summary cached";
    let Some(at) = words.iter().position(|word| word.is(verb)) else {
        return;
    };
    let before = words[..at].iter();
    if before
        .into_iter()
        .any(|word| !word.lead().starts_with('-') && !word.lead().contains('/'))
    {
        return;
    }
    let options = Options::read(&words[at + 1..], APPLY);
    let looks = ["check", "stat", "numstat", "summary", "cached"];
    if looks.iter().any(|look| options.has(look)) {
        return;
    }
    let strip = options
        .value("p")
        .and_then(|strip| strip.known()?.parse().ok());
    let strip = strip.or(Some(1));
    let sources = match options.operands.as_slice() {
        [] => vec![call.stdin.clone()],
        files => files.iter().map(|file| runner.read_from(file)).collect(),
    };
    in_folder(runner, options.value("directory"), |runner| {
        for source in &sources {
            changed(runner, call, source, strip);
        }
    });
}

fn in_folder(runner: &mut Runner<'_>, folder: Option<&Text>, run: impl FnOnce(&mut Runner<'_>)) {
    runner.apart(|runner| {
        if let Some(folder) = folder.and_then(|folder| runner.path(folder)) {
            runner.state.folders = vec![folder];
        }
        run(runner);
    });
}

/// Notes the files that a patch names; one that cannot be read may change any file of the folder.
fn changed(runner: &mut Runner<'_>, call: &Call, source: &Stream, strip: Option<usize>) {
    let text = source.text();
    let Some(patch) = text.known().filter(|_| matches!(source, Stream::Text(_))) else {
        if *source != Stream::Nothing {
            runner.fill_folder(None, &call.shown(), call);
        }
        return;
    };
    let starts = ["+++ ", "--- ", "rename to ", "copy to ", "Index: "];
    let names = patch.lines().filter_map(|line| {
        let start = starts.iter().find(|start| line.starts_with(**start))?;
        let name = line[start.len()..].split('\t').next()?.trim();
        (name != "/dev/null" && !name.is_empty()).then(|| stripped(name, start, strip))
    });
    for name in names.take(MOST) {
        runner.overwrite(&Text::plain(name), How::Edited, call);
    }
}

/// A name without its first folders; without a number, patch takes the last part only.
fn stripped(name: &str, start: &str, strip: Option<usize>) -> String {
    let whole = start.ends_with("to ");
    match strip {
        _ if whole => name.to_owned(),
        Some(count) => {
            let mut parts = name.splitn(count + 1, '/');
            parts.nth(count).unwrap_or(name).to_owned()
        }
        None => name.rsplit('/').next().unwrap_or(name).to_owned(),
    }
}
