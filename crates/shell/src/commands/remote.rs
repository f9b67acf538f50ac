//! Commands that run somewhere else or later: `ssh`, containers, `tmux`, `at`, `crontab`.

use super::wrapper::joined;
use crate::effect::Effect;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "ssh",
    "mosh",
    "autossh",
    "sshpass",
    "kubectl",
    "oc",
    "tmux",
    "screen",
    "at",
    "batch",
    "crontab",
    "expect",
    "adb",
    "vagrant",
    "wsl",
    "lxc",
    "incus",
    "multipass",
    "heroku",
    "fly",
    "flyctl",
    "ansible",
    "zellij",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "ssh" | "mosh" | "autossh" => ssh(runner, call),
        "sshpass" => {
            let operands = call
                .arguments(&Spec {
                    letters: "pfdPe",
                    words: &[],
                    stops: true,
                })
                .operands;
            return runner.run_words(&operands, call);
        }
        "at" | "batch" => piped(runner, call),
        "crontab" => crontab(runner, call),
        "tmux" | "screen" | "zellij" => typed(runner, call),
        "kubectl" | "oc" | "vagrant" | "heroku" | "fly" | "flyctl" => {
            after_dashes(runner, call);
            super::cloud::run(runner, call);
        }
        "ansible" => {
            let arguments = call.arguments(&Spec {
                letters: "amiumf",
                words: &["--args", "--module-name"],
                stops: false,
            });
            if let Some(source) = arguments.value(&["a", "--args"]).cloned() {
                elsewhere(runner, call, &source);
            }
        }
        _ => after_dashes(runner, call),
    }
    Stream::Unknown(call.shown())
}

/// What runs on another machine is judged as if it ran in an unknown folder of that machine.
fn elsewhere(runner: &mut Runner<'_>, call: &Call, source: &Text) {
    let by = format!("{} …", call.name);
    runner.through(&by, |runner| {
        runner.apart(|runner| {
            runner.state.folders = Vec::new();
            runner.state.files.clear();
            runner.source_text(source, &Stream::Nothing)
        })
    });
}

fn ssh(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "BbcDEeFIiJLlmOopQRSWwP",
        words: &["--ssh"],
        stops: true,
    });
    for option in arguments.values(&["o"]) {
        ssh_option(runner, option);
    }
    match arguments.operands.get(1..) {
        Some(words) if !words.is_empty() => {
            let words = match words {
                [first, rest @ ..] if first.is("--") => rest,
                words => words,
            };
            let source = joined(words);
            let by = format!("{} …", call.name);
            let input = call.stdin.clone();
            runner.through(&by, |runner| {
                runner.apart(|runner| {
                    runner.state.folders = Vec::new();
                    runner.source_text(&source, &input)
                })
            });
        }
        // Without a command the other side reads its shell's input.
        _ => match call.stdin.clone() {
            Stream::Text(text) => elsewhere(runner, call, &text),
            Stream::Nothing => {}
            input => {
                runner.run_stream("sh", &call.shown(), &input, call);
            }
        },
    }
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
fn piped(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "fqt",
        words: &[],
        stops: false,
    });
    let input = match arguments.value(&["f"]) {
        Some(file) => runner.read_from(&file.clone()),
        None => call.stdin.clone(),
    };
    let call = Call {
        words: Vec::new(),
        stdin: Stream::Nothing,
        ..call.clone()
    };
    runner.run_stream("sh", &call.shown(), &input, &call);
}

fn crontab(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "u",
        words: &[],
        stops: false,
    });
    if arguments.has(&["r"]) {
        runner.note(
            Effect::System {
                what: "all of the person's scheduled jobs".to_owned(),
            },
            call,
        );
    }
    if arguments
        .operands
        .first()
        .is_some_and(|file| file.is("/dev/null"))
    {
        runner.note(
            Effect::System {
                what: "all of the person's scheduled jobs".to_owned(),
            },
            call,
        );
        return;
    }
    let input = match arguments.operands.first() {
        Some(file) if !file.is("-") => runner.read_from(&file.clone()),
        Some(_) => call.stdin.clone(),
        None => return,
    };
    for line in input.text().lines() {
        let Some(known) = line.known() else { continue };
        // Five fields of time, then the command.
        let fields = known.split_whitespace().count();
        if fields > 5 && !known.trim_start().starts_with('#') {
            let command: Vec<&str> = known.split_whitespace().skip(5).collect();
            let command = command.join(" ");
            runner.apart(|runner| runner.source(&command, &Stream::Nothing));
        }
    }
}

/// What is typed into another terminal, or started in one.
fn typed(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&Spec {
        letters: "tcnsxyFfLSpXek",
        words: &[],
        stops: true,
    });
    let verb = arguments
        .operands
        .first()
        .map(Text::shown)
        .unwrap_or_default();
    let rest = Call {
        words: arguments.operands.get(1..).unwrap_or_default().to_vec(),
        ..call.clone()
    };
    let inner = rest.arguments(&Spec {
        letters: "tcnsxyFfeN",
        words: &[],
        stops: false,
    });
    let texts: Vec<Text> = match (call.name.as_str(), verb.as_str()) {
        (
            "tmux",
            "send-keys" | "send" | "new-session" | "new" | "new-window" | "neww" | "split-window"
            | "splitw" | "run-shell" | "run" | "respawn-pane" | "if-shell" | "display-popup"
            | "popup",
        ) => inner
            .operands
            .into_iter()
            .filter(|word| !matches!(word.lead(), "Enter" | "C-m" | "Space" | "C-c"))
            .collect(),
        ("screen", _) => {
            let stuffed = call.words.iter().position(|word| word.is("stuff"));
            if let Some(at) = stuffed {
                call.words[at + 1..].to_vec()
            } else {
                runner.run_words(&arguments.operands, call);
                Vec::new()
            }
        }
        ("zellij", "run") => vec![joined(&inner.operands)],
        _ => Vec::new(),
    };
    let texts = if texts.len() > 1 && texts.iter().all(|text| text.split_blanks().len() < 2) {
        vec![joined(&texts)]
    } else {
        texts
    };
    for text in texts {
        let text = match text.known() {
            Some(known) => Text::plain(
                known
                    .trim_end_matches(['\n', '\r'])
                    .trim_end_matches("^M")
                    .trim_end_matches("\\n"),
            ),
            None => text,
        };
        runner.apart(|runner| runner.source_text(&text, &Stream::Nothing));
    }
}

/// `kubectl exec pod -- command`, `vagrant ssh -c 'command'`.
fn after_dashes(runner: &mut Runner<'_>, call: &Call) {
    let runs = call.words.iter().any(|word| {
        matches!(
            word.lead(),
            "exec" | "ssh" | "run" | "shell" | "debug" | "-e"
        )
    });
    let source = call
        .words
        .windows(2)
        .find(|pair| matches!(pair[0].lead(), "-c" | "--command" | "-C"))
        .map(|pair| pair[1].clone());
    if let Some(source) = source.filter(|_| runs) {
        return elsewhere(runner, call, &source);
    }
    if call.name == "wsl"
        && call
            .words
            .first()
            .is_some_and(|word| !word.lead().starts_with('-'))
    {
        return inside(runner, call, &call.words);
    }
    let at = call
        .words
        .iter()
        .position(|word| word.is("--"))
        .or_else(|| {
            call.words
                .iter()
                .position(|word| matches!(word.lead(), "shell" | "-e"))
                .filter(|_| matches!(call.name.as_str(), "adb" | "wsl"))
        });
    if let Some(at) = at.filter(|_| runs || call.name == "wsl") {
        let words = call.words[at + 1..].to_vec();
        inside(runner, call, &words);
    }
}

fn inside(runner: &mut Runner<'_>, call: &Call, words: &[Text]) {
    let by = format!("{} …", call.name);
    runner.through(&by, |runner| {
        runner.apart(|runner| {
            runner.state.folders = Vec::new();
            runner.run_words(words, call)
        })
    });
}

/// The options of containers that take a value.
const CONTAINER: Spec = Spec {
    letters: "vewuphlmcaI",
    words: &[
        "--volume",
        "--mount",
        "--env",
        "--workdir",
        "--user",
        "--name",
        "--network",
        "--publish",
        "--entrypoint",
        "--env-file",
        "--platform",
        "--label",
        "--memory",
        "--cpus",
        "--hostname",
    ],
    stops: true,
};

/// `docker exec`, `docker run`: a container's own files are its own, but what is mounted is ours.
pub(super) fn container(runner: &mut Runner<'_>, call: &Call) {
    let arguments = call.arguments(&CONTAINER);
    let operands = match arguments.operands.as_slice() {
        [first, rest @ ..] if first.is("compose") => rest,
        operands => operands,
    };
    let Some(verb) = operands.first().map(Text::shown) else {
        return;
    };
    if !matches!(verb.as_str(), "run" | "exec") {
        return;
    }
    let rest = Call {
        words: operands[1..].to_vec(),
        ..call.clone()
    };
    let inner = rest.arguments(&CONTAINER);
    let mounts: Vec<String> = inner
        .values(&["v", "--volume"])
        .iter()
        .filter_map(|mount| mount.shown().split(':').next().map(str::to_owned))
        .chain(inner.values(&["--mount"]).iter().filter_map(|mount| {
            let mount = mount.shown();
            mount.split(',').find_map(|part| {
                part.strip_prefix("source=")
                    .or_else(|| part.strip_prefix("src="))
                    .map(str::to_owned)
            })
        }))
        .collect();
    let words = inner.operands.get(1..).unwrap_or_default().to_vec();
    // Without a mount it can only lose what is in the container, which `run` makes anew.
    if mounts.is_empty() && verb == "run" {
        return;
    }
    if mounts.is_empty() {
        return inside(runner, call, &words);
    }
    mounted(runner, call, &inner, mounts, &words);
}

/// What the container sees as its own paths is ours below the mount.
fn mounted(
    runner: &mut Runner<'_>,
    call: &Call,
    inner: &crate::run::Arguments,
    mounts: Vec<String>,
    words: &[Text],
) {
    for mount in mounts {
        let seen = inner
            .values(&["v", "--volume"])
            .iter()
            .find_map(|volume| {
                let volume = volume.shown();
                let (from, to) = volume.split_once(':')?;
                (from == mount).then(|| to.split(':').next().unwrap_or_default().to_owned())
            })
            .unwrap_or_default();
        let words: Vec<Text> = words
            .iter()
            .map(|word| match (word.known(), seen.as_str()) {
                (Some(known), seen) if !seen.is_empty() && known.contains(seen) => {
                    Text::plain(known.replace(seen, &mount))
                }
                _ => word.clone(),
            })
            .collect();
        // What it is started in is below what is mounted.
        let folder = runner.path(&Text::plain(mount));
        let by = format!("{} …", call.name);
        runner.through(&by, |runner| {
            runner.apart(|runner| {
                runner.state.folders = folder.into_iter().collect();
                runner.run_words(&words, call)
            })
        });
    }
}
