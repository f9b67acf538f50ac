//! `bellwether guard`: why something was stopped, what would be, and what is allowed for a while.

mod allow;
mod explain;
mod log;
mod replay;
mod rules;
mod stats;
mod test;

use bellwether_spine::Home;
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// Show what a command would do and how the guard answers. Nothing is run.
    Explain(explain::Arguments),
    /// Check a table of commands against the expected verdicts.
    Test(test::Arguments),
    /// Show what was stopped, oldest first, and check that nothing was changed in that record.
    Log(log::Arguments),
    /// Show what would have been stopped in your past sessions. Nothing is run.
    Replay(replay::Arguments),
    /// Count what was stopped, by rule and by project, and how much of it was right.
    Stats(stats::Arguments),
    /// Allow something for a while that a rule forbids. For people only.
    Allow(allow::Arguments),
    /// List the rules, with what each says.
    Rules(rules::Arguments),
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments {
        Arguments::Explain(arguments) => explain::run(home, arguments),
        Arguments::Test(arguments) => test::run(home, arguments),
        Arguments::Log(arguments) => log::run(home, arguments),
        Arguments::Replay(arguments) => replay::run(home, arguments),
        Arguments::Stats(arguments) => stats::run(home, arguments),
        Arguments::Allow(arguments) => allow::run(home, arguments),
        Arguments::Rules(arguments) => rules::run(home, arguments),
    }
}
