//! `bellwether guard allow`: what a rule is against, for a while. Only a person can say it.

use std::path::PathBuf;
use std::time::Duration;

use bellwether_hook::guard::allow::{Grant, Grants, What};
use bellwether_hook::guard::catalog;
use bellwether_hook::policy;
use bellwether_spine::{Home, Managed, SpineError, clock, text};
use clap::{ArgGroup, Args};
use serde_json::{Value, json};

use crate::guard::log;
use crate::{agreed, exit, managed, output, person};

/// Longer is for the configuration, where it can be seen.
const LONGEST: Duration = Duration::from_hours(24);
/// Longer than this counts as lasting.
const SHORT: Duration = Duration::from_mins(15);

#[derive(Args)]
#[command(
    group = ArgGroup::new("what").required(true).args(["command", "path", "id", "list", "revoke", "revoke_all"]),
    after_help = "\
Examples:
  bellwether guard allow 'git push --force origin main' --for 10m
  bellwether guard allow --path .env --for 1h
  bellwether guard allow --id 3f9a1c20be47         what `guard log` shows behind the time
  bellwether guard allow --list
  bellwether guard allow --revoke 3f9a1c20be47
  sudo bellwether guard allow 'git push --force origin main' --managed")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct Arguments {
    /// Exactly this command, all of it.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// This file, or all that is in this folder.
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,
    /// What was stopped under this id.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
    /// How long: 30s, 10m, 2h; at most 24h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration, default_value = "10m")]
    time: Duration,
    /// Only against this rule.
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// Only in this project.
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// List what is allowed now.
    #[arg(long)]
    list: bool,
    /// With --list: print JSON, an array of {id, what, rule, project, `since_ms`, `until_ms`}.
    #[arg(long, requires = "list")]
    json: bool,
    /// Take back what was allowed under this id.
    #[arg(long, value_name = "ID")]
    revoke: Option<String>,
    /// Take back all that was allowed.
    #[arg(long)]
    revoke_all: bool,
    /// For every user of this machine, where a policy holds: needs sudo.
    #[arg(long)]
    managed: bool,
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "give a time of at most a day, for instance 30s, 10m or 2h".to_owned();
    // It is a day at most, so days are no unit here.
    let time = clock::parse_length(text).filter(|_| !text.ends_with('d'));
    time.filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or_else(wrong)
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let shelf = Shelf::of(home, arguments)?;
    let mut grants = shelf.load();
    if arguments.json {
        return output::show_json(&as_json(&grants));
    }
    if arguments.list {
        list(&grants);
        return Ok(());
    }
    // Taking back makes the guard stricter: anyone may.
    if arguments.revoke_all || arguments.revoke.is_some() {
        let count = grants.revoke(arguments.revoke.as_deref());
        shelf.save(&grants)?;
        agreed::changed(home);
        tell!("{} taken back", output::many(count, "permission"));
        return Ok(());
    }
    if arguments.time > SHORT {
        person::confirm(home, "allowing something for so long")?;
    } else {
        person::require(home, "allowing something")?;
    }
    let grant = arguments.grant(home)?;
    tell!(
        "allowed until {}: {}",
        output::moment(grant.until_ms),
        shown(&grant)
    );
    grants.add(grant);
    shelf.save(&grants)?;
    shelf.warn();
    agreed::changed(home);
    Ok(())
}

/// Where it is kept what is allowed.
enum Shelf<'a> {
    Own(&'a Home),
    OfMachine(Managed),
}

impl<'a> Shelf<'a> {
    fn of(home: &'a Home, arguments: &Arguments) -> anyhow::Result<Self> {
        if !arguments.managed {
            return Ok(Self::Own(home));
        }
        let managed = Managed::default();
        if !arguments.list {
            managed::require_root("guard allow … --managed")?;
            let (policy, _) = policy::load(&managed);
            anyhow::ensure!(
                policy.temporary_allowances,
                "{} permits no temporary allowances (temporary_allowances: false)",
                managed.policy().display()
            );
        }
        Ok(Self::OfMachine(managed))
    }

    fn load(&self) -> Grants {
        match self {
            Self::Own(home) => Grants::load(home),
            Self::OfMachine(managed) => Grants::of_machine(managed),
        }
    }

    fn save(&self, grants: &Grants) -> Result<(), SpineError> {
        match self {
            Self::Own(home) => grants.save(home),
            Self::OfMachine(managed) => grants.save_for_machine(managed),
        }
    }

    /// Says so where somebody else decides.
    fn warn(&self) {
        if matches!(self, Self::Own(_)) && managed::is_registered(&Managed::default()) {
            note!(
                "bellwether: this machine is managed, so this has no effect; use `sudo bellwether guard allow … --managed`"
            );
        }
    }
}

impl Arguments {
    fn grant(&self, home: &Home) -> anyhow::Result<Grant> {
        let what = match (&self.command, &self.path, &self.id) {
            (Some(command), _, _) => What::command(command),
            (_, Some(path), _) => What::Path(std::path::absolute(path)?),
            (_, _, Some(id)) => {
                let entry = log::by_id(home, id)?;
                What::Command {
                    hash: entry.subject_hash,
                    shown: text::shown(&entry.subject, 200),
                }
            }
            _ => return Err(exit::usage("give a command, --path or --id")),
        };
        if let Some(rule) = &self.rule {
            let own = crate::config::load(home, None, &|_| None)
                .config
                .guard
                .rules;
            if !catalog::is_known(rule) && !own.contains_key(rule) {
                let rules: Vec<String> = catalog::all().into_iter().map(|rule| rule.id).collect();
                let known: Vec<&str> = rules.iter().chain(own.keys()).map(String::as_str).collect();
                return Err(exit::unknown(
                    "rule",
                    rule,
                    &known,
                    "bellwether guard rules",
                ));
            }
        }
        let since_ms = clock::wall_ms();
        let project = self.project.as_ref().map(std::path::absolute).transpose()?;
        Ok(Grant {
            what,
            rule: self.rule.clone(),
            project,
            since_ms,
            until_ms: since_ms + u64::try_from(self.time.as_millis())?,
        })
    }
}

fn as_json(grants: &Grants) -> Value {
    let rows = grants.iter().map(|grant| {
        json!({
            "id": grant.what.id(), "what": what(&grant.what), "rule": grant.rule,
            "project": grant.project, "since_ms": grant.since_ms, "until_ms": grant.until_ms,
        })
    });
    rows.collect()
}

fn list(grants: &Grants) {
    let mut count = 0;
    for grant in grants.iter() {
        tell!(
            "{}  until {}  {}",
            grant.what.id(),
            output::moment(grant.until_ms),
            shown(grant)
        );
        count += 1;
    }
    if count == 0 {
        tell!("nothing is allowed temporarily");
    }
}

fn what(what: &What) -> String {
    match what {
        What::Command { shown, .. } => text::shown(shown, 400),
        What::Path(path) => text::shown(&format!("changes of {}", path.display()), 400),
    }
}

fn shown(grant: &Grant) -> String {
    let what = what(&grant.what);
    let rule = grant
        .rule
        .as_ref()
        .map(|rule| format!(", against {rule} only"));
    let project = grant
        .project
        .as_ref()
        .map(|project| format!(", in {} only", project.display()));
    let all = format!(
        "{what}{}{}",
        rule.unwrap_or_default(),
        project.unwrap_or_default()
    );
    text::shown(&all, 300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_and_bounded() {
        assert_eq!(duration("10m").unwrap(), Duration::from_mins(10));
        assert_eq!(duration("24h").unwrap(), LONGEST);
        for wrong in [
            "",
            "10",
            "0s",
            "25h",
            "m",
            "-1m",
            "1d",
            "99999999999999999999h",
            "1é",
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
