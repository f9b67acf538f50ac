//! Commands that run somewhere else or later: `ssh`, containers, `tmux`, `at`, `crontab`.

use super::wrapper::{joined, wrapped};
use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "ssh mosh autossh",
        "+ o= B|b|c|D|E|e|F|I|i|J|L|l|m|O|p|Q|R|S|W|w|P|ssh=",
        ssh,
    ),
    program("sshpass", "+ p|f|d|P|e=", wrapped::<0>),
    program("at batch", "f= q|t=", piped),
    program("crontab", "u= r", crontab),
    program("tmux", TERMINAL, tmux),
    program("screen", TERMINAL, screen),
    program("zellij", TERMINAL, zellij),
    program("ansible", "a|args= m|i|u|f|module-name=", ansible),
    program("kubectl oc", "force replicas= prune dry-run? help", kubernetes).does(&[Does::Remote(
        "..delete|drain !--dry-run !--help !..help; apply --prune !--dry-run !--help; ..replace --force !--dry-run !--help !..help",
    )]),
    program("vagrant", "help", after_dashes).does(&[Does::Remote("..destroy !--help !..help")]),
    program("heroku fly flyctl", "help", after_dashes)
        .does(&[Does::Remote("..destroy|*:destroy|*:reset !--help !..help")]),
    program(
        "pdsh clush pssh parallel-ssh dsh mussh",
        "+ w|x|l|u|f|t|g|h|H|o|e|p|X|O|user|hosts|host|group|timeout= a i P|print A v q",
        on_many,
    ),
    program("salt salt-ssh salt-call", "L|G|E|N|C", salt),
    program("sftp", "b|batch= B|D|F|i|J|l|P|S|s|o|c|R|X=", transfer),
    program("lftp ncftp", "e|c|command= f|batch= u|p=", transfer),
    program("adb", "", adb),
    program("wsl", "", wsl),
    program("lxc incus multipass", "help", after_dashes)
        .does(&[Does::Remote("..delete|purge !--help !..help")]),
];

/// What runs on another machine is judged as if it ran in an unknown folder of that machine.
fn elsewhere(runner: &mut Runner<'_>, call: &Call, source: &Text) {
    let by = format!("{} …", call.name);
    away(runner, &by, |runner| {
        runner.state.files.clear();
        runner.source_text(source, &Stream::Nothing)
    });
}

/// Runs something in an unknown folder of another machine.
fn away(runner: &mut Runner<'_>, by: &str, run: impl FnOnce(&mut Runner<'_>) -> Stream) {
    runner.elsewhere(|runner| {
        runner.through(by, |runner| {
            runner.apart(|runner| {
                runner.state.folders = Vec::new();
                run(runner)
            })
        })
    });
}

fn ssh(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    for option in options.values("o") {
        ssh_option(runner, option);
    }
    match options.operands.get(1..) {
        Some(words) if !words.is_empty() => {
            let words = match words {
                [first, rest @ ..] if first.is("--") => rest,
                words => words,
            };
            let source = joined(words);
            let by = format!("{} …", call.name);
            away(runner, &by, |runner| {
                runner.source_text(&source, &call.stdin)
            });
        }
        // Without a command the other side reads its shell's input.
        _ => match call.stdin.clone() {
            Stream::Text(text) => elsewhere(runner, call, &text),
            Stream::Nothing => {}
            input => {
                runner.elsewhere(|runner| runner.run_stream("sh", &call.shown(), &input, call));
            }
        },
    }
    Stream::Unknown(call.shown())
}

/// `-o ProxyCommand=…` runs here.
pub(super) fn ssh_option(runner: &mut Runner<'_>, option: &Text) {
    if let Some((name, source)) = option.split_once('=')
        && matches!(
            name.to_ascii_lowercase().as_str(),
            "proxycommand" | "localcommand" | "knownhostscommand" | "remotecommand"
        )
    {
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
}

/// The commands of `at` come on its input, or in a file.
fn piped(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let input = match options.value("f") {
        Some(file) => runner.read_from(file),
        None => call.stdin.clone(),
    };
    let inner = Call {
        words: Vec::new(),
        stdin: Stream::Nothing,
        ..call.clone()
    };
    runner.elsewhere(|runner| runner.run_stream("sh", &inner.shown(), &input, &inner));
    Stream::Unknown(call.shown())
}

fn crontab(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let file = options.operands.first();
    let empties = file.is_some_and(|file| file.is("/dev/null"));
    if options.has("r") || empties {
        let what = "all of the person's scheduled jobs".to_owned();
        runner.note(Effect::System { what }, call);
    }
    let input = match file {
        Some(file) if !file.is("-") => runner.read_from(file),
        Some(_) => call.stdin.clone(),
        None => Stream::Nothing,
    };
    if file.is_some() && !empties && input != Stream::Nothing {
        let what = call.shown();
        runner.note(Effect::Startup { what }, call);
    }
    for line in input.text().lines() {
        let Some(known) = line.known() else { continue };
        // Five fields of time, then the command.
        let fields = known.split_whitespace().count();
        if fields > 5 && !known.trim_start().starts_with('#') {
            let command: Vec<&str> = known.split_whitespace().skip(5).collect();
            let command = command.join(" ");
            runner.elsewhere(|runner| {
                runner.apart(|runner| runner.source(&command, &Stream::Nothing))
            });
        }
    }
    Stream::Unknown(call.shown())
}

/// The options of programs that start others in a terminal of their own.
const TERMINAL: &str = "+ t|c|n|s|x|y|F|f|L|S|p|X|e|k=";
/// Those behind their verb.
const VERB: &str = "t|c|n|s|x|y|F|f|e|N=";

fn tmux(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    const TYPING: [&str; 14] = [
        "send-keys",
        "send",
        "new-session",
        "new",
        "new-window",
        "neww",
        "split-window",
        "splitw",
        "run-shell",
        "run",
        "respawn-pane",
        "if-shell",
        "display-popup",
        "popup",
    ];
    const KEYS: [&str; 4] = ["Enter", "C-m", "Space", "C-c"];
    if let [verb, rest @ ..] = options.operands.as_slice()
        && TYPING.iter().any(|typing| verb.is(typing))
    {
        let mut texts = Options::read(rest, VERB).operands;
        texts.retain(|word| !KEYS.contains(&word.lead()));
        typed(runner, &texts);
    }
    Stream::Unknown(call.shown())
}

fn screen(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match call.words.iter().position(|word| word.is("stuff")) {
        Some(at) => typed(runner, &call.words[at + 1..]),
        None => {
            runner.run_words(&options.operands, call);
        }
    }
    Stream::Unknown(call.shown())
}

fn zellij(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let [verb, rest @ ..] = options.operands.as_slice()
        && verb.is("run")
    {
        typed(runner, &[joined(&Options::read(rest, VERB).operands)]);
    }
    Stream::Unknown(call.shown())
}

/// Runs what is typed into another terminal. Words without blanks are one line together.
fn typed(runner: &mut Runner<'_>, texts: &[Text]) {
    let line = [joined(texts)];
    let together = texts.len() > 1 && texts.iter().all(|text| text.split_blanks().len() < 2);
    for text in if together { &line } else { texts } {
        let text = match text.known() {
            Some(known) => Text::plain(
                known
                    .trim_end_matches(['\n', '\r'])
                    .trim_end_matches("^M")
                    .trim_end_matches("\\n"),
            ),
            None => text.clone(),
        };
        runner.apart(|runner| runner.source_text(&text, &Stream::Nothing));
    }
}

fn ansible(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some(source) = options.value("args") {
        if source.shown().contains("state=absent") {
            runner.note(Effect::Remote { what: call.shown() }, call);
        }
        elsewhere(runner, call, source);
    }
    Stream::Unknown(call.shown())
}

/// `kubectl exec pod -- command`, `vagrant ssh -c 'command'`.
fn after_dashes(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    // Before the dashes `-c` names a container, and there is a command behind them.
    let dashes = call.words.iter().any(|word| word.is("--"));
    if runs(call) && (dashes || !given(runner, call)) {
        behind(runner, call, &["--"]);
    }
    Stream::Unknown(call.shown())
}

/// `kubectl scale --replicas=0` takes something down.
fn kubernetes(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let scales = options.operands.iter().any(|word| word.is("scale"));
    let to_none = options.value("replicas").is_some_and(|count| count.is("0"));
    if scales && to_none && !options.has("dry-run") {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    after_dashes(runner, call, options)
}

/// `pdsh -w HOSTS COMMAND`, `pssh -h FILE 'COMMAND'`: the same on many machines.
fn on_many(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some(source) = options.value("command") {
        elsewhere(runner, call, source);
    }
    elsewhere(runner, call, &joined(&options.operands));
    Stream::Unknown(call.shown())
}

/// `salt TARGET cmd.run 'COMMAND'`.
fn salt(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let [_, verb, source, ..] = options.operands.as_slice()
        && (verb.lead().starts_with("cmd.") || verb.is("state.single"))
    {
        elsewhere(runner, call, source);
    }
    Stream::Unknown(call.shown())
}

/// A client for files on another machine, by its lines: `rm /srv/data/*`.
fn transfer(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    const VERBS: [&str; 8] = [
        "rm", "mrm", "rmdir", "mdelete", "delete", "dele", "del", "glob",
    ];
    let mut lines: Vec<String> = options.values("command").map(Text::shown).collect();
    lines.push(call.stdin.text().shown());
    if let Some(file) = options.value("batch") {
        lines.push(runner.read_from(file).text().shown());
    }
    let mut commands = lines.iter().flat_map(|lines| lines.split(['\n', ';']));
    let deletes = commands.any(|command| {
        let mut words = command.split_whitespace();
        let verb = words.next().unwrap_or_default().trim_start_matches('-');
        VERBS.contains(&verb)
            || (verb == "mirror" && words.any(|word| matches!(word, "--delete" | "-e")))
    });
    if deletes {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    Stream::Unknown(call.shown())
}

fn adb(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    if runs(call) && !given(runner, call) {
        behind(runner, call, &["--", "shell", "-e"]);
    }
    Stream::Unknown(call.shown())
}

/// `wsl command`, `wsl -e command`.
fn wsl(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let first = call.words.first();
    let is_given = runs(call) && given(runner, call);
    match first {
        _ if is_given => {}
        Some(first) if !first.lead().starts_with('-') => inside(runner, call, &call.words),
        _ => behind(runner, call, &["--", "shell", "-e"]),
    }
    Stream::Unknown(call.shown())
}

/// Whether a call runs something inside.
fn runs(call: &Call) -> bool {
    const VERBS: [&str; 6] = ["exec", "ssh", "run", "shell", "debug", "-e"];
    call.words.iter().any(|word| VERBS.contains(&word.lead()))
}

/// Runs the command line that an option gives; whether there is one.
fn given(runner: &mut Runner<'_>, call: &Call) -> bool {
    let mut pairs = call.words.windows(2);
    let pair = pairs.find(|pair| matches!(pair[0].lead(), "-c" | "--command" | "-C"));
    if let Some([_, source]) = pair {
        elsewhere(runner, call, source);
    }
    pair.is_some()
}

/// Runs the words behind the first of these marks that is there.
fn behind(runner: &mut Runner<'_>, call: &Call, marks: &[&str]) {
    let position = |mark: &&str| call.words.iter().position(|word| word.is(mark));
    if let Some(at) = marks.iter().find_map(position) {
        inside(runner, call, &call.words[at + 1..]);
    }
}

pub(super) fn inside(runner: &mut Runner<'_>, call: &Call, words: &[Text]) {
    let by = format!("{} …", call.name);
    away(runner, &by, |runner| runner.run_words(words, call));
}
