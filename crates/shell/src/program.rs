//! One row of the table of programs: their names, their options, and what calls of them do.

use crate::calls;
use crate::commands::device;
use crate::effect::{Effect, Reach};
use crate::foreign::Language;
use crate::options::Options;
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::target::{Place, Target};

/// What only code can tell of a call: what it runs and writes beyond its row, and what it prints.
pub(crate) type Follow = fn(&mut Runner<'_>, &Call, &Options) -> Stream;

/// Programs that are called alike.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// Their names, with blanks between them.
    pub names: &'static str,
    /// Their options, as [`crate::options`] describes them.
    options: &'static str,
    /// Calls that do nothing.
    idle: &'static str,
    /// Calls that only tell what would be done.
    dry: &'static str,
    does: &'static [Does],
    follow: Follow,
    /// Whether a call is a reason to look closer; what only prints is not.
    pub matters: bool,
    /// The language that they run, when it is one that is read.
    pub language: Option<Language>,
}

/// What calls do. Where they must fit a pattern ([`crate::calls`]), it comes last.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    /// They publish, unless they are only tried.
    Publish(&'static str),
    /// They destroy something elsewhere.
    Remote(&'static str),
    /// They throw work away that stands here, and nothing can tell how much.
    Discards(&'static str),
    /// They do this to the machine.
    System(&'static str, &'static str),
    /// They do this to bellwether.
    Own(&'static str, &'static str),
    /// They write over the disks that are their operands.
    Device(&'static str),
    /// The values of these options are command lines that they run.
    Runs(&'static [&'static str]),
    /// The values of these options are files that they write.
    Writes(&'static [&'static str]),
}

/// What stands before a call that is shown in place of what it throws away.
pub const DISCARDED: &str = "what is thrown away by ";

/// A pattern that fits no call.
const NEVER: &str = "--?";

/// A row: names, options, and the code for what the rest of the row does not say.
pub(crate) const fn program(names: &'static str, options: &'static str, follow: Follow) -> Program {
    Program {
        names,
        options,
        idle: NEVER,
        dry: NEVER,
        does: &[],
        follow,
        matters: true,
        language: None,
    }
}

/// What a program prints of which nothing more is known.
pub(crate) fn unknown(_: &mut Runner<'_>, call: &Call, _: &Options) -> Stream {
    Stream::Unknown(call.shown())
}

/// What a program prints that prints nothing, or nothing that could do harm.
pub(crate) fn nothing(_: &mut Runner<'_>, _: &Call, _: &Options) -> Stream {
    Stream::Nothing
}

impl Program {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.names.split(' ').any(|known| known == name)
    }

    pub(crate) const fn idle(self, idle: &'static str) -> Self {
        Self { idle, ..self }
    }

    pub(crate) const fn dry(self, dry: &'static str) -> Self {
        Self { dry, ..self }
    }

    pub(crate) const fn does(self, does: &'static [Does]) -> Self {
        Self { does, ..self }
    }

    /// Programs that only print.
    pub(crate) const fn prints(self) -> Self {
        Self {
            matters: false,
            ..self
        }
    }

    pub(crate) const fn language(self, language: Language) -> Self {
        Self {
            language: Some(language),
            ..self
        }
    }

    /// Notes what a call does.
    pub(crate) fn run(&self, runner: &mut Runner<'_>, call: &Call) -> Stream {
        let options = call.options(self.options);
        if calls::fit(self.idle, &options) {
            return Stream::Nothing;
        }
        if calls::fit(self.dry, &options) {
            return Stream::Unknown(call.shown());
        }
        for does in self.does {
            does.note(runner, call, &options);
        }
        (self.follow)(runner, call, &options)
    }

    /// Notes what the row says of a call that a file of the same name answers.
    pub(crate) fn tell(&self, runner: &mut Runner<'_>, call: &Call) {
        let options = call.options(self.options);
        let idle = calls::fit(self.idle, &options) || calls::fit(self.dry, &options);
        let told = self.does.iter();
        for does in told.filter(|does| !idle && matches!(does, Does::Publish(_) | Does::Remote(_)))
        {
            does.note(runner, call, &options);
        }
    }
}

/// Options with which nothing is published.
const TRIED: [&str; 5] = ["dry-run", "list", "no-publish", "snapshot", "draft"];

/// Programs whose database is another one when they are told that they are tested.
const TESTED: [&str; 9] = [
    "rails",
    "rake",
    "mix",
    "artisan",
    "php",
    "console",
    "symfony",
    "sequelize",
    "sequelize-cli",
];

/// Whether a call is about a database that tests make anew: `RAILS_ENV=test rails db:drop`, `--env=testing`.
fn is_tested(call: &Call) -> bool {
    const VARIABLES: [&str; 5] = ["RAILS_ENV", "RACK_ENV", "MIX_ENV", "NODE_ENV", "APP_ENV"];
    let test = |value: &str| matches!(value, "test" | "testing");
    let by_variable = call
        .variables
        .iter()
        .any(|(name, value)| VARIABLES.contains(&name.as_str()) && value.known().is_some_and(test));
    let by_option = call.words.iter().filter_map(|word| word.known());
    let by_option = by_option.filter_map(|word| word.strip_prefix("--env="));
    TESTED.contains(&call.name.as_str()) && (by_variable || by_option.into_iter().any(test))
}

impl Does {
    fn note(self, runner: &mut Runner<'_>, call: &Call, options: &Options) {
        let fits = |pattern| calls::fit(pattern, options);
        match self {
            Self::Publish(pattern)
                if fits(pattern) && !TRIED.iter().any(|tried| options.has(tried)) =>
            {
                runner.note(Effect::Publish { what: call.shown() }, call);
            }
            Self::Remote(pattern) if fits(pattern) && !is_tested(call) => {
                runner.note(Effect::Remote { what: call.shown() }, call);
            }
            Self::Discards(pattern) if fits(pattern) => {
                let target = Target {
                    shown: format!("{DISCARDED}{}", call.shown()),
                    place: Place::Unknown { below: None },
                    follows: false,
                    given: false,
                    end: String::new(),
                };
                let (targets, reach) = (vec![target], Reach::Trees);
                runner.note(Effect::Delete { targets, reach }, call);
            }
            Self::System(what, pattern) if fits(pattern) => {
                let what = what.to_owned();
                runner.note(Effect::System { what }, call);
            }
            Self::Own(what, pattern) if fits(pattern) => {
                let what = what.to_owned();
                runner.note(Effect::Own { what }, call);
            }
            Self::Device(pattern) if fits(pattern) => device::note(runner, call, options),
            Self::Runs(names) => {
                for source in names.iter().flat_map(|name| options.values(name)) {
                    runner.apart(|runner| runner.source_text(source, &Stream::Nothing));
                }
            }
            Self::Writes(names) => {
                for file in names.iter().flat_map(|name| options.values(name)) {
                    runner.wrote(file, false);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::TABLE;

    /// The options that a row asks for.
    fn asked(program: &Program) -> Vec<&'static str> {
        let mut patterns = vec![program.idle, program.dry];
        let mut asked = Vec::new();
        for does in program.does {
            match does {
                Does::Publish(pattern)
                | Does::Remote(pattern)
                | Does::Discards(pattern)
                | Does::Device(pattern) => {
                    patterns.push(pattern);
                }
                Does::System(_, pattern) | Does::Own(_, pattern) => patterns.push(pattern),
                Does::Runs(names) | Does::Writes(names) => asked.extend_from_slice(names),
            }
        }
        let parts = patterns.iter().filter(|pattern| **pattern != NEVER);
        let parts = parts.flat_map(|pattern| pattern.split([' ', ';']));
        let options = parts.map(|part| part.trim_start_matches('!'));
        let options = options.filter(|part| part.starts_with('-'));
        asked.extend(options.map(|option| option.trim_start_matches('-')));
        asked
    }

    #[test]
    fn a_row_asks_only_for_options_that_it_describes() {
        let mut missing = Vec::new();
        for program in TABLE.iter().flat_map(|rows| rows.iter()) {
            let known = crate::options::names(program.options);
            let asked = asked(program).into_iter();
            let unknown = asked.filter(|option| !known.contains(option));
            missing.extend(unknown.map(|option| format!("{}: {option}", program.names)));
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}
