//! Programs that fetch from the network: what they print or save nobody here has seen.

use crate::run::{Arguments, Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "curl", "wget", "http", "https", "xh", "aria2c", "fetch", "lynx", "links", "nc", "ncat",
    "netcat", "socat", "telnet", "ftp",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    match call.name.as_str() {
        "nc" | "ncat" | "netcat" | "socat" => return listener(runner, call),
        _ => {}
    }
    let arguments = call.arguments(&spec(&call.name));
    if arguments.has(&["--version"]) || (call.words.len() == 1 && arguments.has(&["--help", "h"])) {
        return Stream::Nothing;
    }
    let from = arguments
        .operands
        .iter()
        .map(Text::shown)
        .find(|operand| !matches!(operand.as_str(), "GET" | "POST" | "PUT"))
        .unwrap_or_else(|| call.shown());
    if arguments.has(&["--offline"]) {
        return Stream::Unknown(call.shown());
    }
    let deletes = arguments
        .value(&["X", "--request"])
        .is_some_and(|method| method.shown().eq_ignore_ascii_case("DELETE"));
    let here = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"]
        .iter()
        .any(|host| from.contains(host));
    if deletes && !here {
        runner.note(crate::effect::Effect::Remote { what: call.shown() }, call);
    }
    let stream = match from.strip_prefix("file://") {
        Some(file) => runner.read_from(&Text::plain(file)),
        None => Stream::Download(from.clone()),
    };
    match saved(call, &arguments, &from) {
        Saved::Printed => stream,
        Saved::In(file) => {
            if let Some(path) = runner.wrote(&file, false) {
                runner.keep_content(path, stream, false);
            }
            Stream::Nothing
        }
    }
}

enum Saved {
    Printed,
    In(Text),
}

fn saved(call: &Call, arguments: &Arguments, from: &str) -> Saved {
    let named = from
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or("index.html")
        .to_owned();
    let own_name = || {
        Saved::In(Text::plain(if named.is_empty() {
            "index.html"
        } else {
            &named
        }))
    };
    match call.name.as_str() {
        "wget" => match arguments.value(&["O", "--output-document"]) {
            Some(file) if file.is("-") => Saved::Printed,
            Some(file) => Saved::In(file.clone()),
            None => own_name(),
        },
        "aria2c" => match arguments.value(&["o", "--out"]) {
            Some(file) => Saved::In(file.clone()),
            None => own_name(),
        },
        "http" | "https" | "xh" => match arguments.value(&["o", "--output"]) {
            Some(file) => Saved::In(file.clone()),
            None if arguments.has(&["d", "--download"]) => own_name(),
            None => Saved::Printed,
        },
        _ => match arguments.value(&["o", "--output"]) {
            Some(file) if file.is("-") => Saved::Printed,
            Some(file) => Saved::In(file.clone()),
            None if arguments.has(&["O", "--remote-name", "J"]) => own_name(),
            None => Saved::Printed,
        },
    }
}

fn spec(name: &str) -> Spec {
    match name {
        "curl" => Spec {
            letters: "ABbCcDdEeFHhKmNoPQrTtUuwXxYyz",
            words: &[
                "--output",
                "--header",
                "--data",
                "--data-raw",
                "--data-binary",
                "--data-urlencode",
                "--user",
                "--request",
                "--user-agent",
                "--cookie",
                "--cookie-jar",
                "--referer",
                "--form",
                "--upload-file",
                "--url",
                "--proxy",
                "--cacert",
                "--cert",
                "--key",
                "--max-time",
                "--connect-timeout",
                "--retry",
                "--retry-delay",
                "--write-out",
                "--dump-header",
                "--proxy-header",
                "--range",
                "--resolve",
                "--interface",
                "--config",
                "--json",
            ],
            stops: false,
        },
        "wget" => Spec {
            letters: "OoaPUTtwQeiBDRAlX",
            words: &[
                "--output-document",
                "--output-file",
                "--directory-prefix",
                "--user-agent",
                "--header",
                "--timeout",
                "--tries",
                "--post-data",
                "--user",
                "--password",
            ],
            stops: false,
        },
        _ => Spec {
            letters: "oap",
            words: &["--output", "--out"],
            stops: false,
        },
    }
}

/// A socket: what it sends may be run, and it may run a shell for whoever calls.
fn listener(runner: &mut Runner<'_>, call: &Call) -> Stream {
    use crate::effect::{Code, Effect};
    let shown = call.shown();
    let arguments = call.arguments(&Spec {
        letters: "ecpswqiIoOxX",
        words: &["--exec", "--sh-exec", "--lua-exec"],
        stops: false,
    });
    let program = arguments
        .value(&["e", "c", "--exec", "--sh-exec"])
        .map(Text::shown);
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
