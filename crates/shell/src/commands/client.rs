//! Clients that are started by one: without our hooks they would do what this one may not.

use crate::effect::Effect;
use crate::options::Options;
use crate::program::{Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const PROGRAMS: &[Program] = &[program("claude", "", started)];

fn started(runner: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    let mut words = call.words.iter().map(Text::shown);
    if words.any(|word| word.contains("disableAllHooks")) {
        let what = "a client without hooks".to_owned();
        runner.note(Effect::Own { what }, call);
    }
    Stream::Unknown(call.shown())
}
