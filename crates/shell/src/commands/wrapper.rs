//! Programs that run another program: `sudo`, `env`, `timeout`, `nohup`, `watch` and many more.

use crate::options::Options;
use crate::program::{Does, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "sudo doas run0",
        "+ D|chdir= i|s|login|shell u|g|C|h|p|R|r|T|t|U|user|group|host|prompt|role|type|chroot=",
        wrapped::<0>,
    ),
    program(
        "nohup setsid caffeinate linux32 linux64 dbus-run-session eatmydata proxychains \
         proxychains4 torsocks fakeroot tsp unbuffer catchsegv winpty rlwrap chronic ifne \
         corepack uvx setpriv capsh catatonit tini dumb-init ccache sccache distcc bear nocache \
         dbus-launch k3s microk8s k0s gamemoderun host-spawn distrobox-host-exec heaptrack choom runcon",
        "+",
        wrapped::<0>,
    ),
    program("gosu su-exec setuidgid s6-setuidgid envdir", "+", wrapped::<1>),
    program("chpst", "+ u|U|e|n|l|L|m|d|o|p|f|c|r|t=", wrapped::<0>),
    program(
        "flatpak-spawn",
        "+ directory|env|env-fd|unset-env|forward-fd|app-path|usr-path=",
        wrapped::<0>,
    ),
    program("proot", "+ r|S|R|b|w|q|k|rootfs|bind|cwd|pwd|qemu=", wrapped::<0>),
    program("setarch", "+", architecture),
    program("scl", "+", collected),
    program(
        "pyenv rbenv nodenv goenv jenv plenv phpenv nvm fnm volta n pipx toolbox distrobox apptainer singularity",
        "",
        versioned,
    ),
    program("ssh-agent", "+ a|t|P=", wrapped::<0>),
    program("xvfb-run", "+ e|n|s|p|w|server-num|server-args=", wrapped::<0>),
    program("pkexec", "+ user=", wrapped::<0>),
    program("nice", "+ n|adjustment=", wrapped::<0>),
    program("ionice", "+ c|n|p|P|u|class|classdata=", wrapped::<0>),
    program("chrt", "+ T|P|D=", wrapped::<1>),
    program("taskset", "+", wrapped::<1>),
    program("timeout gtimeout", "+ k|s|kill-after|signal=", wrapped::<1>),
    program("stdbuf", "+ i|o|e|input|output|error=", wrapped::<0>),
    program("time gtime", "+ o|output= f|format= a|append p|portability v|verbose", wrapped::<0>).does(OUTPUT),
    program(
        "strace ltrace",
        "+ o|output= a|b|e|E|I|O|p|P|s|S|u|U|X=",
        wrapped::<0>,
    )
    .does(OUTPUT),
    program("perf", "+ o|output= e=", wrapped::<1>).does(OUTPUT),
    program("valgrind", "+ output|log-file= n|r|m|w|P|D|L=", wrapped::<0>).does(OUTPUT),
    // The loader of programs, which runs the one that it is given.
    program(
        "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld64.so.2 \
         ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld-musl-i386.so.1 ld-musl-armhf.so.1",
        "+ library-path|preload|argv0|audit|inhibit-rpath|glibc-hwcaps-prepend|glibc-hwcaps-mask=",
        wrapped::<0>,
    ),
    program("chroot", "+ userspec|groups=", wrapped::<1>),
    program(
        "bwrap",
        "",
        bubble,
    ),
    program(
        "unshare nsenter firejail",
        "+ i|s|login|shell S|G|R|w|t|target|root|wd=",
        wrapped::<0>,
    ),
    program(
        "systemd-run systemd-inhibit",
        "+ p|u|M|H|E|unit|property|uid|gid|description|slice|machine|setenv|what|who|why|mode|on-active|\
         working-directory=",
        wrapped::<0>,
    ),
    program("systemd-cat", "+ p|t|identifier|priority=", wrapped::<0>),
    program(
        "flock",
        "+ c|command= w|E|timeout|wait|conflict-exit-code=",
        wrapped::<1>,
    ),
    program(
        "prlimit numactl cpulimit softlimit",
        "+ p|l|c|e|i|m|N=",
        wrapped::<0>,
    ),
    program(
        "env",
        "+ S|split-string= C|chdir= i|ignore-environment u|P|a|unset|argv0|block-signal=",
        env,
    ),
    program("watch", "+ x|exec n|q|interval|equexit=", watch),
    program("su", COMMAND, su),
    program("sg", COMMAND, with_command),
    program(
        "script scriptlive scriptreplay",
        "c|command= output= B|I|O|T|log-io|log-in|log-out|log-timing= E|m|o=",
        recorded,
    )
    .does(&[Does::Writes(&["log-io"])]),
    program("runuser", COMMAND, runuser),
    program("entr", "+ s n|r|m|w|P|D|L=", entr),
    program("rustup", "+", toolchain),
    program("mispipe", "", lines),
    program(
        "hyperfine",
        "p|s|c|C|prepare|setup|cleanup|conclude= w|m|M|r|S|D|L|P|n|u|warmup|runs|min-runs|max-runs|shell|\
         export-json|export-markdown=",
        lines,
    )
    .does(&[Does::Runs(&["prepare"])]),
];

const OUTPUT: &[Does] = &[Does::Writes(&["output"])];
const COMMAND: &str = "c|command|session-command= u|user= g|G|s|E|I|m|o|O|T|shell|group=";

/// A command behind options and some operands.
pub(super) fn wrapped<const BEFORE: usize>(
    runner: &mut Runner<'_>,
    call: &Call,
    options: &Options,
) -> Stream {
    // `flock file -c 'command'`.
    if let Some(source) = options.value("command") {
        return runner.source_text(source, &call.stdin);
    }
    if options.operands.is_empty() && (options.has("login") || call.words.iter().any(is_shell)) {
        return runner.run_stream("sh", &call.shown(), &call.stdin, call);
    }
    let operands = options.operands.get(BEFORE..).unwrap_or_default();
    let (variables, words) = split(operands);
    let call = Call {
        variables: [call.variables.clone(), variables].concat(),
        ..call.clone()
    };
    runner.apart(|runner| {
        if let Some(folder) = options.value("chdir")
            && let Some(folder) = runner.path(folder)
        {
            runner.state.folders = vec![folder];
        }
        // `flock file -c …` and `sudo -- …` have their mark behind the first operand.
        match words.as_slice() {
            [first, source, ..] if first.is("-c") => runner.source_text(source, &call.stdin),
            [first, words @ ..] if first.is("--") => runner.run_words(words, &call),
            words => runner.run_words(words, &call),
        }
    })
}

/// `setarch [ARCHITECTURE] -R COMMAND`: the name of an architecture may be left out.
fn architecture(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let first = options.operands.first();
    if first
        .and_then(Text::known)
        .is_some_and(crate::lookup::is_known)
    {
        return wrapped::<0>(runner, call, options);
    }
    wrapped::<1>(runner, call, options)
}

/// `bwrap --bind FROM TO … COMMAND`: options with one or two values, of which there are many.
fn bubble(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    const TWO: [&str; 11] = [
        "--bind",
        "--bind-try",
        "--dev-bind",
        "--dev-bind-try",
        "--ro-bind",
        "--ro-bind-try",
        "--symlink",
        "--setenv",
        "--file",
        "--bind-data",
        "--chmod",
    ];
    const NONE: [&str; 5] = [
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        "--as-pid-1",
        "--",
    ];
    let mut words = call.words.as_slice();
    while let Some((word, rest)) = words.split_first() {
        let lead = word.lead();
        if !lead.starts_with("--") {
            break;
        }
        let values = match lead {
            _ if TWO.contains(&lead) => 2,
            _ if NONE.contains(&lead)
                || lead.starts_with("--unshare")
                || lead.starts_with("--share") =>
            {
                0
            }
            _ => 1,
        };
        words = rest.get(values..).unwrap_or_default();
    }
    runner.run_words(words, call)
}

/// An option that asks for a shell, whose commands come on the input.
fn is_shell(word: &Text) -> bool {
    matches!(word.lead(), "-i" | "-s" | "--login" | "--shell")
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

fn env(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let mut words: Vec<Text> = match options.value("split-string") {
        Some(line) => line.split_blanks(),
        None => Vec::new(),
    };
    let operands = options.operands.iter().skip_while(|word| word.is("-"));
    words.extend(operands.cloned());
    let (variables, words) = split(&words);
    let clears = options.has("ignore-environment");
    runner.apart(|runner| {
        if clears {
            runner.state.variables.retain(|name, _| name == "HOME");
        }
        if let Some(folder) = options.value("chdir")
            && let Some(folder) = runner.path(folder)
        {
            runner.state.folders = vec![folder];
        }
        let variables = [call.variables.clone(), variables].concat();
        let cleared = runner.clears;
        runner.clears |= clears;
        let out = runner.run_words_with(&words, variables, call.stdin.clone());
        runner.clears = cleared;
        out
    })
}

/// `watch 'command line'`: a shell runs it unless `-x` is said.
fn watch(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("exec") {
        return runner.run_words(&options.operands, call);
    }
    let source = joined(&options.operands);
    runner.apart(|runner| runner.source_text(&source, &Stream::Nothing))
}

/// `script -c 'command line'`.
fn with_command(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match options.values("command").next() {
        Some(source) => runner.apart(|runner| runner.source_text(source, &call.stdin)),
        None => Stream::Nothing,
    }
}

/// `script -c 'command line' FILE`; elsewhere `script FILE command`.
fn recorded(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if let Some((file, command)) = options.operands.split_first() {
        runner.wrote(file, false);
        runner.run_words(command, call);
    }
    with_command(runner, call, options)
}

/// `su ann -c 'command line'`; without one, a shell reads the input.
fn su(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.value("command").is_some() {
        return with_command(runner, call, options);
    }
    runner.run_stream("sh", &call.shown(), &call.stdin, call)
}

/// `runuser -u ann -- command`.
fn runuser(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("user") && !options.has("command") {
        return runner.run_words(&options.operands, call);
    }
    with_command(runner, call, options)
}

/// `entr -s 'command line'`, `entr command`.
fn entr(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if options.has("s") {
        return lines(runner, call, options);
    }
    wrapped::<0>(runner, call, options)
}

/// `rustup run TOOLCHAIN command`; what it prints else is made to be evaluated.
fn toolchain(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match options.operands.as_slice() {
        [verb, rest @ ..] if verb.is("run") => {
            let inner = Options::read(rest, "+");
            let words = inner.operands.get(1..).unwrap_or_default();
            let words = words.strip_prefix(&[Text::plain("--")]).unwrap_or(words);
            runner.run_words(words, call)
        }
        _ => Stream::Nothing,
    }
}

/// `pyenv exec command`, `nvm exec 18 command`, `volta run --node 18 command`, `distrobox enter box -- command`.
fn versioned(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let position = |is: fn(&Text) -> bool| call.words.iter().position(is);
    let verb = position(|word| matches!(word.lead(), "exec" | "run" | "enter"));
    let Some(at) = position(|word| word.is("--")).or(verb) else {
        // What they print else is made to be evaluated.
        return Stream::Nothing;
    };
    let inner = Options::read(
        &call.words[at + 1..],
        "+ node|npm|yarn|pnpm|using|spec|python|container|name|c|n=",
    );
    let words = inner.operands.as_slice();
    let version = words.iter().take_while(|word| is_version(word)).count();
    let is_node = call.name == "nvm" && call.words[at].is("run");
    let program = is_node.then(|| Text::plain("node"));
    let rest = &call.words[at + 1..];
    let words: Vec<Text> = if is_node {
        // What follows the version is for node, its options too.
        let version = rest.iter().take_while(|word| is_version(word)).count();
        program
            .into_iter()
            .chain(rest[version..].iter().cloned())
            .collect()
    } else {
        words[version..].to_vec()
    };
    runner.run_words(&words, call);
    Stream::Nothing
}

/// A version of a language, or a name that stands for one, before a command.
fn is_version(word: &Text) -> bool {
    let lead = word.lead();
    let number = lead.strip_prefix('v').unwrap_or(lead);
    number.starts_with(|first: char| first.is_ascii_digit())
        || matches!(lead, "default" | "system" | "stable" | "current")
        || lead.starts_with("lts")
}

/// `scl enable COLLECTION 'command line'`.
fn collected(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    match options.operands.as_slice() {
        [verb, .., source] if verb.is("enable") || verb.is("run") => {
            runner.apart(|runner| runner.source_text(source, &call.stdin))
        }
        _ => Stream::Unknown(call.shown()),
    }
}

/// Each operand is a command line.
fn lines(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    for source in &options.operands {
        runner.apart(|runner| runner.source_text(source, &Stream::Nothing));
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
