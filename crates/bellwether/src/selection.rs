//! Which events: the options that `events`, `export` and `purge` share.

use bellwether_flock::{
    ACTED_AS_PERSON, ANSWERED, EventType, Filter, Reader, SETTINGS_CHANGED, Severity,
    StoreReader as _,
};
use bellwether_protocol::event::Kind;
use bellwether_spine::{Home, clock};
use bellwether_workflow::MOVED;
use clap::Args;

use crate::{exit, output};

/// Which events are meant.
#[derive(Args, Debug, Default)]
pub(crate) struct Selection {
    /// Only events of the session whose id begins with S.
    #[arg(long, short, value_name = "S")]
    pub session: Option<String>,
    /// Only events of this agent.
    #[arg(long, short, value_name = "ID")]
    pub agent: Option<String>,
    /// Only events of this name, for instance `PreToolUse`.
    #[arg(long, short, value_name = "NAME")]
    pub event: Option<String>,
    /// Only events of this normalised type, for instance `tool_failed`.
    #[arg(long = "type", short = 't', value_name = "TYPE", value_parser = event_type)]
    pub kind: Option<EventType>,
    /// Only events about this tool, for instance `Bash`.
    #[arg(long, value_name = "TOOL")]
    pub tool: Option<String>,
    /// Only events of this project, by the name of its folder.
    #[arg(long, short, value_name = "NAME")]
    pub project: Option<String>,
    /// Only events of this severity or higher: debug, info, warn, error.
    #[arg(long, value_name = "LEVEL", value_parser = severity)]
    pub severity: Option<Severity>,
    /// Only events from then on: `30m`, `2h`, `7d` ago, or a time such as `2026-02-20T15:00:00Z`.
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub since: Option<u64>,
    /// Only events before then.
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    pub until: Option<u64>,
}

impl Selection {
    /// The same for the store. A name that no event has is a mistake.
    pub(crate) fn filter(&self, home: &Home) -> anyhow::Result<Filter> {
        if let Some(name) = &self.event {
            ensure_event(home, name)?;
        }
        Ok(Filter {
            session: self.session.clone(),
            agent: self.agent.clone(),
            name: self.event.clone(),
            kind: self.kind,
            tool: self.tool.clone(),
            workspace: self.project.clone(),
            severity: self.severity,
            since_ms: self.since,
            until_ms: self.until,
            ..Filter::default()
        })
    }
}

/// An event by its name, or the nearest one that there is.
pub(crate) fn event(name: &str) -> Result<Kind, String> {
    match Kind::from_name(name) {
        Kind::Other => {
            let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
            Err(match output::did_you_mean(name, &known).as_str() {
                "" => format!("no such event; there are {}", known.join(", ")),
                near => format!("no such event{near}"),
            })
        }
        kind => Ok(kind),
    }
}

/// Events that bellwether makes itself.
const OWN: [&str; 4] = [ANSWERED, SETTINGS_CHANGED, ACTED_AS_PERSON, MOVED];

/// A newer client may have sent events that we know nothing of but their name.
fn ensure_event(home: &Home, name: &str) -> anyhow::Result<()> {
    let Err(why) = event(name) else {
        return Ok(());
    };
    if OWN.contains(&name) {
        return Ok(());
    }
    let named = Filter {
        name: Some(name.to_owned()),
        ..Filter::default()
    };
    let stored = match Reader::open(&home.database()) {
        Ok(Some(reader)) => !reader.last(&named, 1)?.is_empty(),
        _ => false,
    };
    if stored {
        return Ok(());
    }
    Err(exit::usage(format!("--event {name}: {why}")))
}

fn event_type(name: &str) -> Result<EventType, String> {
    EventType::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = EventType::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("there are {}", names.join(", "))
    })
}

fn severity(name: &str) -> Result<Severity, String> {
    match name {
        "debug" => Ok(Severity::Debug),
        "info" => Ok(Severity::Info),
        "warn" => Ok(Severity::Warn),
        "error" => Ok(Severity::Error),
        _ => Err("there are debug, info, warn, error".to_owned()),
    }
}

/// A moment, told as so long ago or as a time.
fn moment(text: &str) -> Result<u64, String> {
    let wrong = || "give a number and s, m, h or d, for instance 2h, or a time in UTC".to_owned();
    if let Some(at_ms) = clock::parse_utc(text) {
        return Ok(at_ms);
    }
    let ago = clock::parse_length(text).ok_or_else(wrong)?;
    let ago_ms = u64::try_from(ago.as_millis()).map_err(|_| wrong())?;
    Ok(clock::wall_ms().saturating_sub(ago_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_in_two_ways() {
        assert_eq!(moment("1970-01-01T00:00:05Z"), Ok(5_000));
        let hour_ago = moment("1h").unwrap();
        assert!(clock::wall_ms() - hour_ago >= 3_600_000);
        for no in ["", "h", "5", "5w", "yesterday", "99999999999999999999s"] {
            assert!(moment(no).is_err(), "{no}");
        }
    }

    #[test]
    fn an_event_that_is_none_is_answered_with_the_nearest() {
        assert_eq!(event("Stop"), Ok(Kind::Stop));
        for near in ["stop", "Stp", "STOP"] {
            assert!(
                event(near).unwrap_err().ends_with("(did you mean `Stop`?)"),
                "{near}"
            );
        }
        assert!(event("xyz").unwrap_err().contains("there are "));
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let of = |name: &str| Selection {
            event: Some(name.to_owned()),
            ..Selection::default()
        };
        assert!(of("Stop").filter(&home).is_ok() && of(ANSWERED).filter(&home).is_ok());
        let wrong = of("Stpo").filter(&home).unwrap_err();
        assert_eq!(
            wrong.to_string(),
            "--event Stpo: no such event (did you mean `Stop`?)"
        );
    }

    #[test]
    fn wrong_words_are_answered_with_the_right_ones() {
        assert!(event_type("tool").unwrap_err().contains("tool_failed"));
        assert!(severity("fatal").unwrap_err().contains("error"));
        assert_eq!(event_type("tool_failed"), Ok(EventType::ToolFailed));
    }
}
