//! Archivers: they overwrite what they unpack, and some run commands on the way.

use crate::effect::{Effect, Reach};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &["tar", "gtar", "bsdtar", "zip", "7z", "cpio"];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let arguments = call.arguments(&Spec {
        letters: "fCIFTXbgHKLNV",
        words: &[
            "--file",
            "--directory",
            "--use-compress-program",
            "--to-command",
            "--checkpoint-action",
            "--info-script",
            "--new-volume-script",
            "--rsh-command",
            "--unzip-command",
        ],
        stops: false,
    });
    for option in [
        "I",
        "F",
        "--use-compress-program",
        "--to-command",
        "--checkpoint-action",
        "--info-script",
        "--new-volume-script",
        "--rsh-command",
        "--unzip-command",
    ] {
        if option == "F" && !call.name.ends_with("tar") {
            continue;
        }
        let sources: Vec<Text> = arguments.values(&[option]).into_iter().cloned().collect();
        for source in sources {
            let source = source.strip_prefix("exec=").unwrap_or(source);
            runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
        }
    }
    if call.name == "zip"
        && let Some(at) = call.words.iter().position(|word| word.is("-TT"))
        && let Some(source) = call.words.get(at + 1)
    {
        let source = source.clone();
        runner.apart(|runner| runner.source_text(&source, &Stream::Nothing));
    }
    let removes = arguments.has(&["--remove-files"])
        || (call.name == "zip" && arguments.has(&["m", "--move"]));
    if removes {
        let operands: Vec<Text> = arguments
            .operands
            .iter()
            .skip(usize::from(call.name == "zip"))
            .cloned()
            .collect();
        let targets = runner.targets(&operands);
        runner.note(
            Effect::Delete {
                targets,
                reach: Reach::Trees,
            },
            call,
        );
    }
    Stream::Unknown(call.shown())
}
