//! Programs that run another program: `sudo`, `env`, `timeout`, `nohup`, `watch` and many more.

use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

/// How a wrapper finds the command in its words.
struct Wrapper {
    names: &'static [&'static str],
    spec: Spec,
    /// How many operands stand before the command.
    before: usize,
}

const fn wrapper(
    names: &'static [&'static str],
    letters: &'static str,
    words: &'static [&'static str],
    before: usize,
) -> Wrapper {
    Wrapper {
        names,
        spec: Spec {
            letters,
            words,
            stops: true,
        },
        before,
    }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper(
        &["sudo", "doas", "run0"],
        "ugCDhpRrTtU",
        &[
            "--user", "--group", "--chdir", "--host", "--prompt", "--role", "--type", "--chroot",
        ],
        0,
    ),
    wrapper(
        &[
            "nohup",
            "setsid",
            "caffeinate",
            "linux32",
            "linux64",
            "dbus-run-session",
            "eatmydata",
            "proxychains",
            "proxychains4",
            "torsocks",
            "fakeroot",
            "tsp",
            "unbuffer",
            "catchsegv",
            "winpty",
            "rlwrap",
        ],
        "",
        &[],
        0,
    ),
    wrapper(
        &["xvfb-run"],
        "enspw",
        &["--server-num", "--server-args"],
        0,
    ),
    wrapper(&["pkexec"], "", &["--user"], 0),
    wrapper(&["chronic", "ts", "ifne", "errno", "mispipe"], "", &[], 0),
    wrapper(&["nice"], "n", &["--adjustment"], 0),
    wrapper(&["ionice"], "cnpPu", &["--class", "--classdata"], 0),
    wrapper(&["chrt"], "TPD", &[], 1),
    wrapper(&["taskset"], "", &[], 1),
    wrapper(
        &["timeout", "gtimeout"],
        "ks",
        &["--kill-after", "--signal"],
        1,
    ),
    wrapper(&["stdbuf"], "ioe", &["--input", "--output", "--error"], 0),
    wrapper(&["time", "gtime"], "fo", &["--format", "--output"], 0),
    wrapper(&["strace", "ltrace"], "abeEIoOpPsSuUX", &["--output"], 0),
    wrapper(&["perf"], "eo", &[], 1),
    wrapper(
        &["valgrind", "hyperfine", "entr"],
        "nrmwPDL",
        &["--runs", "--warmup"],
        0,
    ),
    wrapper(&["chroot"], "", &["--userspec", "--groups"], 1),
    wrapper(
        &["unshare", "nsenter", "firejail", "bwrap"],
        "SGRwt",
        &["--target", "--root", "--wd"],
        0,
    ),
    wrapper(
        &["systemd-run", "systemd-inhibit", "systemd-cat"],
        "puMHtE",
        &[
            "--unit",
            "--property",
            "--uid",
            "--gid",
            "--description",
            "--slice",
            "--machine",
            "--setenv",
            "--what",
            "--who",
            "--why",
            "--mode",
            "--on-active",
            "--working-directory",
        ],
        0,
    ),
    wrapper(
        &["flock"],
        "wEFc",
        &["--timeout", "--wait", "--conflict-exit-code"],
        1,
    ),
    wrapper(
        &["prlimit", "numactl", "cpulimit", "softlimit"],
        "plceimN",
        &[],
        0,
    ),
    wrapper(
        &["corepack", "rustup-run", "mise-exec", "direnv-exec"],
        "",
        &[],
        0,
    ),
    wrapper(&["uvx", "pipx"], "", &[], 0),
    wrapper(
        &[
            "setpriv",
            "runuser-exec",
            "capsh",
            "catatonit",
            "tini",
            "dumb-init",
        ],
        "",
        &[],
        0,
    ),
];

pub(super) const NAMES: &[&str] = &[
    "sudo",
    "doas",
    "run0",
    "nohup",
    "setsid",
    "caffeinate",
    "linux32",
    "linux64",
    "dbus-run-session",
    "xvfb-run",
    "eatmydata",
    "proxychains",
    "proxychains4",
    "torsocks",
    "fakeroot",
    "tsp",
    "unbuffer",
    "catchsegv",
    "winpty",
    "rlwrap",
    "nice",
    "ionice",
    "chrt",
    "taskset",
    "timeout",
    "gtimeout",
    "stdbuf",
    "time",
    "gtime",
    "strace",
    "ltrace",
    "perf",
    "valgrind",
    "hyperfine",
    "entr",
    "chroot",
    "unshare",
    "nsenter",
    "firejail",
    "bwrap",
    "systemd-run",
    "systemd-inhibit",
    "systemd-cat",
    "flock",
    "prlimit",
    "numactl",
    "cpulimit",
    "softlimit",
    "setpriv",
    "capsh",
    "catatonit",
    "tini",
    "dumb-init",
    "env",
    "watch",
    "su",
    "pkexec",
    "chronic",
    "ifne",
    "runuser",
    "script",
    "ssh-agent",
    "corepack",
    "uvx",
    "pipx",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "env" => return env(runner, call),
        "watch" => return watch(runner, call),
        "su" | "runuser" | "script" => return with_command(runner, call),
        "hyperfine" => return shells(runner, call),
        "entr" if call.words.iter().any(|word| word.is("-s")) => return shells(runner, call),
        _ => {}
    }
    let Some(wrapper) = WRAPPERS
        .iter()
        .find(|wrapper| wrapper.names.contains(&call.name.as_str()))
    else {
        let operands = call.arguments(&stopping()).operands;
        return runner.run_words(&operands, call);
    };
    let arguments = call.arguments(&wrapper.spec);
    // `flock file -c 'command'`.
    if call.name == "flock"
        && let Some(source) = arguments.value(&["c"])
    {
        return runner.source_text(&source.clone(), &call.stdin);
    }
    if arguments.operands.is_empty() && arguments.has(&["s", "i", "--shell", "--login"]) {
        let input = call.stdin.clone();
        return runner.run_stream("sh", &call.shown(), &input, call);
    }
    let folder = arguments.value(&["D", "--chdir"]).cloned();
    let (variables, words) = split(arguments.operands.get(wrapper.before..).unwrap_or_default());
    let call = Call {
        variables: [call.variables.clone(), variables].concat(),
        ..call.clone()
    };
    runner.apart(|runner| {
        if call.name == "sudo"
            && let Some(folder) = folder
            && let Some(folder) = runner.path(&folder)
        {
            runner.state.folders = vec![folder];
        }
        // `flock file -c …` and `sudo -- …` have their mark behind the first operand.
        let words = match words.first() {
            Some(first) if first.is("-c") && words.len() > 1 => {
                return runner.source_text(&words[1], &call.stdin);
            }
            Some(first) if first.is("--") => &words[1..],
            _ => &words[..],
        };
        runner.run_words(words, &call)
    })
}

fn stopping() -> Spec {
    Spec {
        stops: true,
        ..Spec::default()
    }
}

/// Variables that stand before a command: `sudo X=1 rm`.
fn split(words: &[Text]) -> (Vec<(String, Text)>, Vec<Text>) {
    let mut variables = Vec::new();
    let mut words = words.iter();
    for word in words.by_ref() {
        match word.split_once('=') {
            Some((name, value)) if is_name(name) => variables.push((name.to_owned(), value)),
            _ => {
                let rest = std::iter::once(word).chain(words).cloned().collect();
                return (variables, rest);
            }
        }
    }
    (variables, Vec::new())
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn env(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "uCSPa",
        words: &[
            "--unset",
            "--chdir",
            "--split-string",
            "--argv0",
            "--block-signal",
        ],
        stops: true,
    });
    let mut words: Vec<Text> = match arguments.value(&["S", "--split-string"]) {
        Some(line) => line.split_blanks(),
        None => Vec::new(),
    };
    let operands = arguments.operands.iter().skip_while(|word| word.is("-"));
    words.extend(operands.cloned());
    let (variables, words) = split(&words);
    let clears = arguments.has(&["i", "--ignore-environment"]);
    runner.apart(|runner| {
        if clears {
            runner.state.variables.retain(|name, _| name == "HOME");
        }
        if let Some(folder) = arguments.value(&["C", "--chdir"])
            && let Some(folder) = runner.path(folder)
        {
            runner.state.folders = vec![folder];
        }
        let variables = [call.variables.clone(), variables].concat();
        runner.run_words_with(&words, variables, call.stdin.clone())
    })
}

/// `watch 'command line'`: a shell runs it unless `-x` is said.
fn watch(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "nq",
        words: &["--interval", "--equexit"],
        stops: true,
    });
    if arguments.has(&["x", "--exec"]) {
        return runner.run_words(&arguments.operands, call);
    }
    let source = joined(&arguments.operands);
    runner.apart(|runner| runner.source_text(&source, &Stream::Nothing))
}

/// `su ann -c 'command line'`, `script -c`, `runuser -u ann -- command`.
fn with_command(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "cgGsuEImoOT",
        words: &[
            "--command",
            "--session-command",
            "--shell",
            "--group",
            "--user",
        ],
        stops: false,
    });
    let given = arguments.values(&["c", "--command", "--session-command"]);
    if let Some(source) = given.first() {
        let source = (*source).clone();
        return runner.apart(|runner| runner.source_text(&source, &call.stdin));
    }
    if call.name == "runuser" && arguments.has(&["u", "--user"]) {
        return runner.run_words(&arguments.operands, call);
    }
    match &call.stdin {
        Stream::Nothing => Stream::Nothing,
        input if call.name == "su" => {
            let input = input.clone();
            runner.run_stream("sh", &call.shown(), &input, call)
        }
        _ => Stream::Nothing,
    }
}

/// Each operand is a command line.
fn shells(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "wmMrpsSCcDLPnNu",
        words: &[
            "--warmup",
            "--runs",
            "--min-runs",
            "--prepare",
            "--setup",
            "--cleanup",
            "--export-json",
            "--export-markdown",
        ],
        stops: false,
    });
    for source in arguments.operands.clone() {
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
    Stream::Unknown(call.shown())
}

pub(super) fn joined(words: &[Text]) -> Text {
    let mut line = Text::default();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            line.push_plain(" ");
        }
        line.append(word.clone());
    }
    line
}
