//! Programs that fetch from the network: what they print or save nobody here has seen.

use crate::effect::{Code, Effect};
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

const NETCAT: &str = "e|c|exec|sh-exec= lua-exec= p|s|w|q|i|I|o|O|x|X=";

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "curl",
        "o|output= O|J|remote-name X|request= A|b|C|c|D|d|E|e|F|H|K|m|P|Q|r|T|t|U|u|w|x|Y|y|z|header|\
         data|data-raw|data-binary|data-urlencode|user|user-agent|cookie|cookie-jar|referer|form|\
         upload-file|url|proxy|cacert|cert|key|max-time|connect-timeout|retry|retry-delay|write-out|\
         dump-header|proxy-header|proto|proto-redir|proto-default|ciphers|noproxy|limit-rate|max-redirs|retry-max-time|range|resolve|interface|config|json= unix-socket|abstract-unix-socket= h|help version",
        curl,
    )
    .idle("--version !..*; --help !..*"),
    program(
        "wget",
        "O|output-document= method= o|a|P|U|T|t|w|Q|e|i|B|D|R|A|l|X|output-file|directory-prefix|\
         user-agent|header|timeout|tries|post-data|user|password= h|help version",
        wget,
    )
    .idle("--version !..*; --help !..*"),
    program("aria2c", "o|out= a|p= h|help version", aria).idle("--version !..*; --help !..*"),
    program(
        "http https xh",
        "o|output= d|download offline a|p= h|help version",
        httpie,
    )
    .idle("--version !..*; --help !..*")
    .dry("--offline"),
    program(
        "lynx links elinks w3m",
        "cfg|lss|auth|-cfg|-lss|-auth= h|help version",
        curl,
    )
    .idle("--version !..*; --help !..*"),
    program(
        "fetch telnet ftp",
        "o|output= O|J|remote-name a|p= h|help version",
        curl,
    )
    .idle("--version !..*; --help !..*"),
    program("nc ncat netcat socat", NETCAT, listener),
];

fn curl(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    // `-Q 'DELE FILE'` of FTP, and searches that delete what they find.
    let deletes = call.words.iter().any(|word| {
        let shown = word.shown();
        shown.starts_with("DELE ")
            || shown.starts_with("RMD ")
            || shown.contains("/_delete_by_query")
    });
    if deletes {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    let from = fetched(runner, call, options, options.value("request"));
    let file = match options.value("output") {
        Some(file) => Some(file.clone()).filter(|file| !file.is("-")),
        None => options.has("remote-name").then(|| own_name(&from)),
    };
    saved(runner, &from, file)
}

fn wget(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let from = fetched(runner, call, options, options.value("method"));
    let file = match options.value("output-document") {
        Some(file) => Some(file.clone()).filter(|file| !file.is("-")),
        None => Some(own_name(&from)),
    };
    saved(runner, &from, file)
}

fn aria(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let from = fetched(runner, call, options, None);
    let file = options.value("out").cloned();
    saved(runner, &from, file.or_else(|| Some(own_name(&from))))
}

fn httpie(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let method = options.operands.first();
    let from = fetched(runner, call, options, method);
    let file = options.value("output").cloned();
    let own = || options.has("download").then(|| own_name(&from));
    saved(runner, &from, file.or_else(own))
}

/// Where it is fetched from; a method that deletes there is noted.
fn fetched(
    runner: &mut Runner<'_>,
    call: &Call,
    options: &Options,
    method: Option<&Text>,
) -> String {
    const METHODS: [&str; 4] = ["GET", "POST", "PUT", "DELETE"];
    const HERE: [&str; 4] = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"];
    let mut operands = options.operands.iter().map(Text::shown);
    let from = operands
        .find(|operand| !METHODS.contains(&operand.as_str()))
        .unwrap_or_else(|| call.shown());
    let deletes = method.is_some_and(|method| method.shown().eq_ignore_ascii_case("DELETE"));
    // An agent's own server is its own to try; a store that is told to forget all of it is not, nor is what runs containers.
    let all = from.ends_with("/_all") || from.ends_with("/*");
    let path = from.split('?').next().unwrap_or_default();
    let prunes = path.ends_with("/prune") && method.is_some_and(|method| !method.is("GET"));
    let to_engine = options.values("unix-socket").any(is_engine)
        || ENGINES.iter().any(|port| from.contains(port));
    if to_engine && (deletes || prunes) {
        runner.note(Effect::Remote { what: call.shown() }, call);
        return from;
    }
    if deletes && (all || !HERE.iter().any(|host| from.contains(host))) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    from
}

/// Where those who run containers listen to the network.
const ENGINES: [&str; 2] = [":2375/", ":2376/"];

/// Whether a socket is that of somebody who runs containers.
fn is_engine(socket: &Text) -> bool {
    let socket = socket.shown();
    let names = ["docker.sock", "podman.sock", "containerd.sock", "crio.sock"];
    names.iter().any(|name| socket.ends_with(name))
}

/// What is fetched, printed or saved in a file.
fn saved(runner: &mut Runner<'_>, from: &str, file: Option<Text>) -> Stream {
    let stream = match from.strip_prefix("file://") {
        Some(file) => runner.read_from(&Text::plain(file)),
        None => Stream::Download(from.to_owned()),
    };
    let Some(file) = file else {
        return stream;
    };
    if let Some(path) = runner.wrote(&file, false) {
        runner.keep_content(path, stream, false);
    }
    Stream::Nothing
}

/// The name that a file has in its address.
fn own_name(from: &str) -> Text {
    let path = from.split(['?', '#']).next().unwrap_or_default();
    let name = path.trim_end_matches('/').rsplit('/').next();
    let name = name.filter(|name| !name.is_empty());
    Text::plain(name.unwrap_or("index.html"))
}

/// A socket: what it sends may be run, and it may run a shell for whoever calls.
fn listener(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let shown = call.shown();
    let said = call.stdin.text().shown().to_ascii_lowercase();
    if ["flushall", "flushdb", "flush_all"]
        .iter()
        .any(|word| said.trim_start().starts_with(word))
    {
        runner.note(Effect::Remote { what: said }, call);
    }
    let program = options.value("exec").map(Text::shown);
    let socat = call
        .words
        .iter()
        .map(Text::shown)
        .find_map(|word| {
            let upper = word.to_ascii_uppercase();
            ["EXEC:", "SYSTEM:", "SHELL"]
                .iter()
                .find(|kind| upper.starts_with(*kind))
                .map(|kind| word[kind.len()..].trim_start_matches(':').to_owned())
        })
        .map(|program| {
            if program.is_empty() {
                "sh".to_owned()
            } else {
                program
            }
        });
    if let Some(program) = program.or(socat) {
        let program = program
            .split(',')
            .next()
            .unwrap_or_default()
            .trim_matches(['\'', '"']);
        let last = program
            .split_whitespace()
            .find(|word| !matches!(*word, "exec" | "nice" | "-n"));
        if last.is_some_and(crate::run::is_shell) {
            runner.note(
                Effect::Run(Code::Downloaded(format!("whoever connects ({shown})"))),
                &shown,
            );
        }
        return Stream::Unknown(shown);
    }
    Stream::Download(shown)
}
