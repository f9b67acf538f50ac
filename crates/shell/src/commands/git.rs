//! git: read in its own module, since it is a world of its own.

use crate::effect::Effect;
use crate::git;
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::{Fill, Text};

pub(super) const NAMES: &[&str] = &["git", "hub", "g"];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let _ = (runner, call, git::read as usize, Effect::Bomb, Fill::Name, Text::default());
    Stream::Unknown(call.shown())
}
