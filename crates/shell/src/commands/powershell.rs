//! Commands of PowerShell and of Windows' own shell. Case does not count there, and options may be cut short.

use super::device;
use crate::effect::{Code, Effect, How, Reach};
use crate::options::Options;
use crate::program::{Does, Program, nothing, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::{Fill, Text};

pub(super) const PROGRAMS: &[Program] = &[
    program("remove-item ri rd erase del", "", removed),
    program(
        "format-volume clear-disk initialize-disk remove-partition reset-physicaldisk clear-volume",
        "",
        wiped,
    ),
    program("stop-computer restart-computer", "", nothing).does(&[Does::System(
        "the machine is stopped, with everything that runs on it",
        "",
    )]),
    program("clear-content clc", "", emptied),
    program("get-childitem gci", "", listed).prints(),
    program(
        "set-content out-file add-content new-item tee-object",
        "",
        written,
    ),
    program("move-item mi move rename-item rni ren", "", moved),
    program("copy-item cpi copy xcopy robocopy", "", copied),
    program("invoke-expression", "", evaluated),
    program("invoke-webrequest iwr invoke-restmethod irm", "", fetched),
    program("start-process saps", "", started),
    program("cmd", "", windows),
];

/// The words that are no options: neither `-Force` nor `/s`. The value of a named parameter counts as one.
fn operands(call: &Call) -> Vec<Text> {
    let is_option = |word: &Text| {
        let lead = word.lead();
        lead.starts_with('-') || (lead.starts_with('/') && lead.len() == 2)
    };
    let words = call.words.iter().filter(|word| !is_option(word));
    words.map(home).collect()
}

/// `$env:USERPROFILE` is the home, and so is `$HOME`.
fn home(word: &Text) -> Text {
    match word.known() {
        Some(known) => Text::plain(drive(&known.replace('\\', "/"))),
        None => word.clone(),
    }
}

/// A drive as Linux under Windows has it: `C:/x` is `/mnt/c/x`.
fn drive(path: &str) -> String {
    match path.split_once(':') {
        Some((letter, rest)) if letter.len() == 1 && letter.chars().all(char::is_alphabetic) => {
            format!("/mnt/{}{rest}", letter.to_ascii_lowercase())
        }
        _ => path.to_owned(),
    }
}

/// What deletes in Windows' own shell.
const DELETES: [&str; 4] = ["rmdir", "rd", "del", "erase"];

/// `cmd /c COMMAND`.
fn windows(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let is_switch = |word: &Text| word.is("/c") || word.is("/C") || word.is("/k") || word.is("/K");
    match call.words.iter().position(is_switch) {
        Some(at) => {
            let words: Vec<Text> = call.words[at + 1..]
                .iter()
                .flat_map(|word| match word.known() {
                    Some(known) => known.split_whitespace().map(Text::plain).collect(),
                    None => vec![word.clone()],
                })
                .collect();
            // Its names for what PowerShell does, and not those of Unix.
            match words.split_first() {
                Some((first, rest))
                    if DELETES
                        .iter()
                        .any(|name| first.lead().eq_ignore_ascii_case(name)) =>
                {
                    let words = [&[Text::plain("remove-item")], rest].concat();
                    runner.run_words(&words, call)
                }
                _ => runner.run_words(&words, call),
            }
        }
        None => Stream::Unknown(call.shown()),
    }
}

/// Whether a parameter is given, maybe cut short: `-Rec`.
fn has(call: &Call, name: &str) -> bool {
    call.words.iter().any(|word| {
        let lead = word.lead().to_ascii_lowercase();
        let short = lead.strip_prefix('-').unwrap_or_default();
        (!short.is_empty() && name.starts_with(short)) || (lead == "/s" && name == "recurse")
    })
}

fn removed(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    if has(call, "whatif") {
        return Stream::Nothing;
    }
    let reach = if has(call, "recurse") {
        Reach::Trees
    } else {
        Reach::Entries
    };
    let mut operands = operands(call);
    // `Get-ChildItem src | Remove-Item`.
    if let (true, Stream::Text(found)) = (operands.is_empty(), &call.stdin) {
        operands.push(found.clone());
    }
    let targets = runner.targets(&operands);
    if !targets.is_empty() {
        runner.note(Effect::Delete { targets, reach }, call);
    }
    Stream::Nothing
}

/// What is found in a folder.
fn listed(_: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let folder = operands(call).into_iter().next();
    let mut found = folder.unwrap_or_else(|| Text::plain("."));
    found.push_plain("/");
    found.append(Text::hole("{}", Fill::Below(Some("*".to_owned()))));
    Stream::Text(found)
}

fn wiped(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    if !has(call, "whatif") {
        device::note(runner, call, options);
        let (device, how) = (call.shown(), call.name.clone());
        runner.note(Effect::Device { device, how }, call);
    }
    Stream::Nothing
}

fn emptied(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    for file in operands(call) {
        runner.overwrite(&file, How::Truncated, call);
    }
    Stream::Nothing
}

fn written(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    if let Some(file) = operands(call).first() {
        runner.overwrite(file, How::Written, call);
    }
    Stream::Nothing
}

fn moved(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    if let [from, to, ..] = operands(call).as_slice() {
        let (from, to) = (vec![runner.target(from)], runner.target(to));
        runner.note(Effect::Move { from, to }, call);
    }
    Stream::Nothing
}

fn copied(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    if let [from, to, ..] = operands(call).as_slice() {
        let target = super::copy::within(runner, from, to);
        runner.lay(from, &target, call);
        runner.note(crate::run::overwriting(target, How::Written), call);
    }
    Stream::Nothing
}

/// What is made of a text or comes from a pipe is run.
fn evaluated(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    for source in &call.words {
        runner.apart(|runner| runner.source_text(source, &Stream::Nothing));
    }
    let fetches = |word: &Text| {
        let shown = word.shown().to_ascii_lowercase();
        shown.contains("downloadstring") || shown.contains("iwr") || shown.contains("irm")
    };
    if call.words.iter().any(fetches) {
        let code = Code::Downloaded(call.shown());
        runner.note(Effect::Run(code), call);
    }
    runner.run_stream("sh", &call.shown(), &call.stdin, call)
}

fn fetched(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let at = call
        .words
        .iter()
        .position(|word| word.lead().eq_ignore_ascii_case("-outfile"));
    if let Some(file) = at.and_then(|at| call.words.get(at + 1)) {
        runner.wrote(file, false);
        return Stream::Nothing;
    }
    Stream::Download(call.shown())
}

fn started(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    runner.run_words(&operands(call), call);
    Stream::Nothing
}
