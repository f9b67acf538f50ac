//! The commands: one file each, with its line, its variant for the parser and its arm below. The compiler says which is
//! missing.

mod announce;
mod character;
mod completions;
pub(crate) mod config;
mod creature;
mod daemon;
mod demo;
mod doctor;
mod events;
mod explain;
mod export;
mod flock;
mod forward;
mod gate;
mod guard;
mod install;
mod man;
pub(crate) mod mute;
mod open;
mod overlay;
mod purge;
mod say;
mod sounds;
mod status;
mod transcript;
mod uninstall;
mod unit;
mod upgrade;
mod versions;
mod voices;
mod workflow;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use bellwether_spine::Home;
use clap::{Parser, Subcommand};

use crate::{exit, wait};

/// Tells you what your Claude Code agents need, and stops what would destroy your work.
///
/// Claude Code starts `bellwether-hook` at every event; the hook answers within about a
/// millisecond, writes the event to a journal and wakes the daemon, which stores it.
#[derive(Parser)]
#[command(name = "bellwether", version, max_term_width = 100)]
struct Cli {
    /// Keep every file of bellwether under this folder instead of the usual ones.
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "BELLWETHER_HOME",
        hide_env_values = true,
        help_heading = "Everywhere"
    )]
    home: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Register the hook with Claude Code, leaving everything else in its settings as it is.
    Install(install::Arguments),
    /// Remove the hook from Claude Code's settings.
    Uninstall(uninstall::Arguments),
    /// Bring what is registered up to date for the installed Claude Code, and keep what was chosen.
    Upgrade(upgrade::Arguments),
    /// Show which events a version of Claude Code has, and what replaces the others.
    Versions(versions::Arguments),
    /// Show the state of the daemon, the journal and the store.
    Status(status::Arguments),
    /// Show what the agents did: the stored events, oldest first.
    Events(events::Arguments),
    /// Show every agent and what it does, live.
    Flock(flock::Arguments),
    /// Write stored events for other programs. Secrets are masked.
    Export(export::Arguments),
    /// Remove stored events, with their payloads.
    Purge(purge::Arguments),
    /// Show what was announced lately, or what recorded events would announce.
    Announce(announce::Arguments),
    /// Be silent for a while, or until `unmute`.
    Mute(mute::Mute),
    /// Make announcements again.
    Unmute(mute::Unmute),
    /// Say something aloud, as announcements are said.
    Say(say::Arguments),
    /// List the effects, play them or a file, and export them.
    #[command(subcommand)]
    Sounds(sounds::Arguments),
    /// List the voices, and try them.
    #[command(subcommand)]
    Voices(voices::Arguments),
    /// List the characters that can rewrite what is said, and try them.
    #[command(subcommand)]
    Character(character::Arguments),
    /// Draw an agent as SVG, or a gallery of them.
    Creature(creature::Arguments),
    /// Open the page in a browser.
    Open(open::Arguments),
    /// Show your agents on the desktop.
    Overlay(overlay::Arguments),
    /// Show a minute with several agents: on the page and by sound, through the real hook.
    Demo(demo::Arguments),
    /// Send an event from stdin to a collector over HTTP, starting it if need be.
    Forward(forward::Arguments),
    /// Read sessions afterwards: in the terminal, as a page, as Markdown.
    #[command(subcommand)]
    Transcript(transcript::Arguments),
    /// Check the installation, say what to do about problems, and fix them with `--fix`.
    Doctor(doctor::Arguments),
    /// Show, as JSON, what would be done with an event, and do nothing.
    Explain(explain::Arguments),
    /// Explain why something was stopped, show the record, allow something for a while.
    #[command(subcommand)]
    Guard(guard::Arguments),
    /// Check what is about to be committed, and show what is checked and was found.
    #[command(subcommand)]
    Gate(gate::Arguments),
    /// Show where planned work stands, and let it go on.
    Workflow(workflow::Arguments),
    /// Show, check and trust the configuration.
    Config(config::Arguments),
    /// Start, stop or look at the daemon. Hooks start it by themselves.
    #[command(subcommand)]
    Daemon(daemon::Arguments),
    /// Print a completion script for your shell.
    Completions(completions::Arguments),
    /// Print the manual page, or write one for every command.
    Man(man::Arguments),
    /// Handle one event from stdin, as `bellwether-hook` does. Always exits 0, but for `--wait`: that speaks the
    /// agent's last message and ends when it has been heard.
    #[command(disable_help_flag = true)]
    Hook {
        /// What `bellwether-hook --help` lists.
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "OPTIONS"
        )]
        words: Vec<OsString>,
    },
}

/// Runs the command that the command line names.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { exit::USAGE } else { 0 });
        }
    };
    match cli.command {
        // `main` takes the usual way; this is the one with an option before the word `hook`.
        Command::Hook { words } => {
            let home = cli
                .home
                .into_iter()
                .flat_map(|home| ["--home".into(), home.into_os_string()]);
            hook(home.chain(words).collect())
        }
        command => exit::report(command.run(cli.home)),
    }
}

/// Handles one event, at once or until it has been heard.
pub(crate) fn hook(words: Vec<OsString>) -> ExitCode {
    if wait::is_meant(&words) {
        wait::run(&words)
    } else {
        ExitCode::from(bellwether_hook::run(words))
    }
}

impl Command {
    fn run(self, home: Option<PathBuf>) -> anyhow::Result<()> {
        let home = Home::find(home.map(std::path::absolute).transpose()?)?;
        match self {
            Self::Install(arguments) => install::run(&home, &arguments),
            Self::Uninstall(arguments) => uninstall::run(&home, &arguments),
            Self::Upgrade(arguments) => upgrade::run(&home, &arguments),
            Self::Versions(arguments) => versions::run(&arguments),
            Self::Status(arguments) => status::run(&home, &arguments),
            Self::Events(arguments) => events::run(&home, &arguments),
            Self::Flock(arguments) => flock::run(&home, &arguments),
            Self::Export(arguments) => export::run(&home, &arguments),
            Self::Purge(arguments) => purge::run(&home, &arguments),
            Self::Announce(arguments) => announce::run(&home, &arguments),
            Self::Mute(arguments) => mute::mute(&home, &arguments),
            Self::Unmute(arguments) => mute::unmute(&home, &arguments),
            Self::Say(arguments) => say::run(&home, &arguments),
            Self::Sounds(arguments) => sounds::run(&home, &arguments),
            Self::Voices(arguments) => voices::run(&home, &arguments),
            Self::Character(arguments) => character::run(&home, &arguments),
            Self::Creature(arguments) => creature::run(&arguments),
            Self::Open(arguments) => open::run(&home, &arguments),
            Self::Overlay(arguments) => overlay::run(&home, &arguments),
            Self::Demo(arguments) => demo::run(&home, &arguments),
            Self::Forward(arguments) => forward::run(&home, &arguments),
            Self::Transcript(arguments) => transcript::run(&home, &arguments),
            Self::Doctor(arguments) => doctor::run(&home, &arguments),
            Self::Explain(arguments) => explain::run(&home, &arguments),
            Self::Guard(arguments) => guard::run(&home, &arguments),
            Self::Gate(arguments) => gate::run(&home, &arguments),
            Self::Workflow(arguments) => workflow::run(&home, &arguments),
            Self::Config(arguments) => config::run(&home, &arguments),
            Self::Daemon(arguments) => daemon::run(&home, &arguments),
            Self::Completions(arguments) => completions::run(&arguments),
            Self::Man(arguments) => man::run(&arguments),
            Self::Hook { .. } => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    /// Commands without `--json`, and why.
    const WITHOUT_JSON: &[(&str, &str)] = &[
        ("install", "shows what it did, or a diff"),
        ("uninstall", "shows what it did, or a diff"),
        ("export", "has formats of its own"),
        ("mute", "says what it did; `status --json` has the mutes"),
        ("unmute", "says what it did"),
        ("say", "speaks"),
        ("sounds export", "writes files"),
        ("transcript export", "writes files"),
        ("sounds decode", "is for ourselves"),
        ("character show", "prints JSON anyway"),
        ("creature", "draws"),
        ("demo", "is for people"),
        ("forward", "prints nothing"),
        ("explain", "prints JSON anyway"),
        ("gate guardian", "is for ourselves"),
        ("config unset", "says what it did"),
        ("config edit", "is for people"),
        ("config trust", "is for people"),
        ("config confirm", "is for people"),
        ("config compile", "says what it did"),
        ("config key set", "says what it did"),
        ("config key remove", "says what it did"),
        ("config schema", "prints JSON anyway"),
        ("workflow init", "is for people"),
        ("daemon run", "prints nothing"),
        ("daemon unit", "prints a file for a service manager"),
        ("completions", "prints a script"),
        ("man", "prints a manual page"),
        ("hook", "answers a client"),
    ];

    /// Every command that does something, by its words.
    fn leaves(command: &clap::Command, words: &str, found: &mut Vec<(String, clap::Command)>) {
        let mut inner = command.get_subcommands().peekable();
        if inner.peek().is_none() {
            found.push((words.trim_start().to_owned(), command.clone()));
        }
        for command in inner {
            leaves(command, &format!("{words} {}", command.get_name()), found);
        }
    }

    #[test]
    fn whatever_prints_data_prints_it_as_json_and_says_so() {
        let mut found = Vec::new();
        leaves(&Cli::command(), "", &mut found);
        assert!(found.len() > 40, "{}", found.len());
        for (words, command) in &found {
            let json = command.get_arguments().find(|one| one.get_id() == "json");
            let without = WITHOUT_JSON.iter().any(|(known, _)| known == words);
            assert_ne!(json.is_some(), without, "{words}");
            let help = json.and_then(clap::Arg::get_help).map(ToString::to_string);
            assert!(
                json.is_none() || help.is_some_and(|help| help.contains("JSON")),
                "{words}"
            );
        }
        for (known, _) in WITHOUT_JSON {
            assert!(
                found.iter().any(|(words, _)| words == known),
                "{known} is no command"
            );
        }
    }

    #[test]
    fn help_is_given_for_every_command_by_its_words() {
        let mut found = Vec::new();
        leaves(&Cli::command(), "", &mut found);
        for (words, _) in found.iter().filter(|(_, command)| !command.is_hide_set()) {
            let line = ["bellwether", "help"].into_iter().chain(words.split(' '));
            let Err(said) = Cli::try_parse_from(line) else {
                panic!("help {words} runs something");
            };
            assert_eq!(said.kind(), clap::error::ErrorKind::DisplayHelp, "{words}");
            assert!(
                said.to_string()
                    .contains(&format!("Usage: bellwether {words}")),
                "{said}"
            );
        }
        let wrong = Cli::try_parse_from(["bellwether", "help", "config", "sett"]).err();
        assert!(wrong.is_some_and(|wrong| wrong.use_stderr()));
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
