//! Programs that move.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, nothing, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::Place;

pub(super) const PROGRAMS: &[Program] = &[
    program(
        "mv gmv",
        "t|target-directory= T|no-target-directory S|suffix= help version",
        moved,
    )
    .idle("--help; --version"),
    program("rename", "", nothing),
];

fn moved(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let mut operands = options.operands.clone();
    let to = match options.value("target-directory") {
        Some(to) => {
            let mut folder = to.clone();
            folder.push_plain("/");
            folder
        }
        None if operands.len() > 1 => operands.pop().unwrap_or_default(),
        None => return Stream::Nothing,
    };
    for from in runner.all_matching(&operands) {
        let target = if options.has("no-target-directory") {
            runner.written(&to)
        } else {
            super::copy::within(runner, &from, &to)
        };
        runner.lay(&from, &target, call);
    }
    let from = runner.targets(&operands);
    let to = runner.target(&to);
    // What was written on the way goes along.
    if let [only] = from.as_slice()
        && let (Place::At(from), Place::At(to)) = (&only.place, &to.place)
        && let Some(content) = runner.state.files.remove(from)
    {
        runner.put_content(to.clone(), content);
    }
    runner.note(Effect::Move { from, to }, call);
    Stream::Nothing
}
