//! Programs that move.

use crate::effect::Effect;
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::target::Place;

pub(super) const NAMES: &[&str] = &["mv", "rename"];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let spec = Spec {
        letters: "tS",
        words: &["--target-directory", "--suffix"],
        stops: false,
    };
    let arguments = call.arguments(&spec);
    if call.name != "mv" || arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let mut operands = arguments.operands.clone();
    let to = match arguments.value(&["t", "--target-directory"]) {
        Some(to) => to.clone(),
        None if operands.len() > 1 => operands.pop().unwrap_or_default(),
        None => return Stream::Nothing,
    };
    let from = runner.targets(&operands);
    let to = runner.target(&to);
    // What was written on the way goes along.
    if let ([Place::At(from)], Place::At(to)) = (
        from.iter()
            .map(|target| target.place.clone())
            .collect::<Vec<_>>()
            .as_slice(),
        &to.place,
    ) && let Some(content) = runner.state.files.remove(from)
    {
        runner.state.files.insert(to.clone(), content);
    }
    runner.note(Effect::Move { from, to }, call);
    Stream::Nothing
}
