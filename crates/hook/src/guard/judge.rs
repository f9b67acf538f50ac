//! STUB: stands in for the judge until it is merged. Files are judged for good; of commands only what
//! the person's own rules and two examples name.

use std::path::Path;

use bellwether_protocol::fields::Fields;
use bellwether_shell::{Act, Effect};
use bellwether_spine::Home;

use super::config::Config;
use super::machine::{self, Spot};
use super::users;
use super::verdict::{Finding, Judgement, Severity, Verdict};

/// A tool call.
pub struct Call<'a> {
    /// The tool.
    pub tool: &'a str,
    /// What it is called with.
    pub input: &'a Fields<'a>,
    /// The folder that it happens in.
    pub cwd: &'a Path,
    /// The project's folder.
    pub project: Option<&'a Path>,
    /// Where our files are.
    pub home: &'a Home,
}

/// STUB of `bellwether_shell::Analysis`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The parsed tree.
    pub tree: Vec<String>,
    /// The commands that would be run.
    pub commands: Vec<Ran>,
    /// What they would do.
    pub acts: Vec<Act>,
    /// Why it could not be parsed.
    pub syntax: Option<String>,
}

/// STUB of `bellwether_shell::Ran`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Its words.
    pub words: Vec<String>,
    /// The way to it.
    pub via: Vec<String>,
}

/// What was found about a tool call.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// What the guard says.
    pub judgement: Judgement,
    /// What a command would do.
    pub analysis: Option<Analysis>,
}

/// Judges a tool call.
pub fn judge(call: &Call<'_>, config: &Config) -> Judged {
    let spot = Spot {
        cwd: call.cwd,
        project: call.project,
        home: call.home,
    };
    let command: Option<std::borrow::Cow<'_, str>> = call.input.get("command");
    let Some(command) = command.filter(|_| call.tool == "Bash") else {
        let found = machine::on_tool(spot, config, call.tool, call.input);
        return Judged {
            judgement: users::changed(found, config),
            analysis: None,
        };
    };
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let mut findings = users::on_command(config, &words, &[]);
    let example = |verdict, reason: &str| Finding {
        rule: "own".into(),
        severity: Severity::High,
        verdict,
        reason: reason.into(),
        lost: None,
        instead: Some("do something else".into()),
        subject: command.clone().into_owned(),
        via: vec![],
    };
    match words.first().map(String::as_str) {
        Some("stub-deny") => findings.push(example(Verdict::Deny, "the stub denies it")),
        Some("stub-ask") => findings.push(example(Verdict::Ask, "the stub asks about it")),
        _ => {}
    }
    let acts = vec![Act {
        effect: Effect::Own {
            what: "an example".into(),
        },
        command: command.clone().into_owned(),
        via: vec![],
    }];
    Judged {
        judgement: users::changed(findings, config),
        analysis: Some(Analysis {
            tree: vec![format!("(command {command:?})")],
            commands: vec![Ran { words, via: vec![] }],
            acts,
            syntax: None,
        }),
    }
}
