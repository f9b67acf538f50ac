//! Tools that start a command in an environment of their own: `bundle exec`, `mise exec --`,
//! `nix-shell --run`, `nodemon --exec`.

use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const TASK: &str = "c|s|x|run|command|exec= e|ext= w|watch= d= shell=";

const TRIED: &str = "c|s|x|run|command|exec= d|dry-run skip-publish";

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "bundle mise rtx nix nix-shell dotenvx dotenv doppler op infisical cargo-watch \
         watchexec nodemon concurrently onchange chokidar aws-vault rvm asdf devbox pipenv \
         turbo tsx-watch wait-on start-server-and-test act guix devenv devcontainer chamber teller \
         honcho foreman sops",
        TASK,
        task::<0>,
    )
    .does(&[Does::Remote(
        "secrets|configs|item|vault|document|projects|environments|activity delete",
    )]),
    program("direnv", TASK, task::<1>),
    program("rye nx", TRIED, task::<0>).does(&[Does::Publish(
        "publish; release publish; release !--dry-run",
    )]),
    program("cross-env env-cmd sem shx rtk", TASK, prefixed::<0>),
    program("faketime envchain", TASK, prefixed::<1>),
    program("npm-run-all run-s run-p", TASK, scripts),
];

/// What such a tool does that is a subcommand of another program.
pub(super) fn run(runner: &mut Runner<'_>, call: &Call) {
    task::<0>(runner, call, &call.options(TASK));
}

/// The command stands behind `--` or a verb, and some operands: `direnv exec DIR command`. Without either, each
/// word with blanks in it is a command line.
fn task<const BEFORE: usize>(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    given(runner, call, options);
    if let Some(words) = behind_verb(call) {
        runner.run_words(words.get(BEFORE..).unwrap_or_default(), call);
        return Stream::Nothing;
    }
    let lines = options.operands.iter();
    for line in lines.filter(|word| word.split_blanks().len() > 1) {
        runner.apart(|runner| runner.source_text(line, &Stream::Nothing));
    }
    Stream::Nothing
}

/// The command stands behind some operands and variables: `cross-env X=1 command`.
fn prefixed<const BEFORE: usize>(
    runner: &mut Runner<'_>,
    call: &Call,
    options: &Options,
) -> Stream {
    given(runner, call, options);
    let words = behind_verb(call).unwrap_or_else(|| {
        let words = call.words.get(BEFORE..).unwrap_or_default();
        let variables = words.iter().take_while(|word| word.lead().contains('='));
        &words[variables.count()..]
    });
    runner.run_words(words, call);
    Stream::Nothing
}

/// Each operand is a script of package.json.
fn scripts(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    given(runner, call, options);
    for name in &options.operands {
        super::packages::run_script(runner, call, &name.shown());
    }
    Stream::Nothing
}

/// Runs what an option gives.
fn given(runner: &mut Runner<'_>, call: &Call, options: &Options) {
    for source in options.values("run") {
        // `nix develop -c rm -rf x`: the words behind are the command's own.
        let at = call.words.iter().position(|word| word == source);
        let rest = at.map_or(&[][..], |at| &call.words[at + 1..]);
        if source.split_blanks().len() > 1 || rest.is_empty() {
            runner.apart(|runner| runner.source_text(source, &Stream::Nothing));
        } else {
            let words: Vec<Text> = std::iter::once(source).chain(rest).cloned().collect();
            runner.run_words(&words, call);
        }
    }
}

fn behind_verb(call: &Call) -> Option<&[Text]> {
    let position = |is: fn(&Text) -> bool| call.words.iter().position(is);
    let at = position(|word| word.is("--"))
        .or_else(|| position(|word| matches!(word.lead(), "exec" | "run" | "x")))?;
    Some(&call.words[at + 1..])
}
