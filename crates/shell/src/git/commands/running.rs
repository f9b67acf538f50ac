//! Subcommands that run other commands.

use super::push;
use crate::git::act::GitAct;
use crate::git::call::{Git, Started};
use crate::options::Options;
use crate::text::Text;

const CLONE: &str = "u|upload-pack= c|config= o|origin= b|branch= depth= reference= template= \
    separate-git-dir= j|jobs= filter= shallow-since= shallow-exclude= recurse-submodules? \
    server-option= bundle-uri= q|quiet v|verbose n|no-checkout l|local s|shared bare mirror";

/// The most submodules whose folders are looked up.
const MOST: usize = 16;

pub(super) fn submodule(git: &mut Git<'_>, words: &[Text]) {
    let quiet = |word: &&Text| ["-q", "--quiet", "--cached"].iter().any(|one| word.is(one));
    let start = words.iter().take_while(quiet).count();
    let Some((name, rest)) = words[start..].split_first() else {
        return;
    };
    match name.known() {
        Some("foreach") => foreach(git, rest),
        Some(sub @ ("deinit" | "update")) => {
            let options = Options::read(rest, "f|force all reference= depth= j|jobs=");
            if options.has("force") && !options.help {
                let by = format!("git submodule {sub} --force");
                git.act(GitAct::DropSubmodules { by });
            }
        }
        _ => {}
    }
}

fn foreach(git: &mut Git<'_>, words: &[Text]) {
    let option = |word: &&Text| {
        ["-q", "--quiet", "--recursive"]
            .iter()
            .any(|one| word.is(one))
    };
    let start = words.iter().take_while(option).count();
    let ran = match &words[start..] {
        [] => return,
        [text] => Started::Script {
            text: text.clone(),
            arguments: Vec::new(),
        },
        words => Started::Words(words.to_vec()),
    };
    let by = "git submodule foreach";
    let folders = submodules(git);
    if folders.is_empty() || folders.len() > MOST {
        return git.run(ran, None, by);
    }
    for folder in folders {
        let folder = git.root().map(|root| root.join(folder));
        git.run(ran.clone(), folder, by);
    }
}

/// The folders of the submodules, as `.gitmodules` has them.
fn submodules(git: &Git<'_>) -> Vec<String> {
    let text = git.text(".gitmodules").unwrap_or_default();
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("path"))
        .filter_map(|line| line.trim_start().strip_prefix('='))
        .map(|path| path.trim().to_owned())
        .collect()
}

/// `git bisect run`.
pub(super) fn bisect(git: &mut Git<'_>, words: &[Text]) {
    if let Some((name, rest)) = words.split_first()
        && name.is("run")
        && !rest.is_empty()
    {
        let folder = git.folder().map(ToOwned::to_owned);
        git.run(Started::Words(rest.to_vec()), folder, "git bisect run");
    }
}

/// `git difftool -x`.
pub(super) fn difftool(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, "x|extcmd= t|tool= y|no-prompt d|dir-diff g|gui");
    if let Some(command) = options.value("extcmd").filter(|_| !options.help) {
        git.script(command.clone(), Vec::new(), "git difftool --extcmd");
    }
}

/// `git grep -O`.
pub(super) fn grep(git: &mut Git<'_>, words: &[Text]) {
    // Other options that take a word must be known, so that their words are not read as options.
    let described = "O|open-files-in-pager? e= f= A|after-context= B|before-context= C|context= m|max-count= \
        threads= max-depth= parent-basename= h";
    if let Some(command) = Options::read(words, described).value("open-files-in-pager") {
        git.script(
            command.clone(),
            Vec::new(),
            "git grep --open-files-in-pager",
        );
    }
}

/// `git clone`: its settings and its helpers may be commands.
pub(super) fn clone(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, CLONE);
    if options.help {
        return;
    }
    for setting in options.values("config") {
        if let Some((key, value)) = setting.split_once('=')
            && let Some(command) = crate::git::config::command(&key.to_ascii_lowercase(), &value)
        {
            git.script(command, Vec::new(), "git clone --config");
        }
    }
    if let Some(command) = options.value("upload-pack") {
        git.script(command.clone(), Vec::new(), "git clone --upload-pack");
    }
    push::external(git, &options.operands);
    match options.operands.as_slice() {
        [_, folder, ..] => git.fills(folder),
        [from] => {
            let from = from.shown();
            let name = from.trim_end_matches('/').rsplit(['/', ':']).next();
            let name = name.unwrap_or_default();
            git.fills(&Text::plain(name.strip_suffix(".git").unwrap_or(name)));
        }
        [] => {}
    }
    if let Some(folder) = options.value("separate-git-dir") {
        git.fills(folder);
    }
}

/// Commands that print, and can be told a file for that.
pub(super) fn printed(git: &mut Git<'_>, words: &[Text]) {
    if let Some(file) = Options::read(words, "output=").value("output") {
        git.writes(file);
    }
}

/// `git bundle create FILE`.
pub(super) fn bundle(git: &mut Git<'_>, words: &[Text]) {
    let options = Options::read(words, "version= q|quiet progress");
    if let [verb, file, ..] = options.operands.as_slice()
        && verb.is("create")
    {
        git.writes(file);
    }
}

/// Commands that start a program on the other side, which may be this machine.
pub(super) fn remote(git: &mut Git<'_>, words: &[Text]) {
    let described = "upload-pack= receive-pack= exec= remote= o|output= prefix= format= add-file=";
    let options = Options::read(words, described);
    if let Some(file) = options.value("output") {
        git.writes(file);
    }
    for name in ["upload-pack", "receive-pack", "exec"] {
        if let Some(command) = options.value(name).filter(|_| !options.help) {
            git.script(command.clone(), Vec::new(), &format!("git --{name}"));
        }
    }
    push::external(git, &options.operands);
}
