//! `bellwether mute` and `unmute`: silence for a while, or for ever.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use bellwether_announce::{Muted, Mutes, quiet};
use bellwether_spine::{Home, clock};
use clap::Args;
use jiff::civil::Time;
use jiff::{ToSpan as _, Zoned};

use crate::output;

#[derive(Args)]
pub(crate) struct Mute {
    /// For how long: 30m, 2h, 90s, 1d. Without it, and without `--until`, until `unmute`.
    #[arg(value_name = "TIME", value_parser = length)]
    length: Option<Duration>,
    /// Until this time of the day, for instance 18:00.
    #[arg(long, value_name = "HH:MM", value_parser = minute, conflicts_with = "length")]
    until: Option<u16>,
    /// Only this project: the current folder, or the one named.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Unmute {
    /// Only this project: the current folder, or the one named. Without it, everything.
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
}

fn length(text: &str) -> Result<Duration, String> {
    let length = clock::parse_length(text).filter(|length| !length.is_zero());
    length.ok_or_else(|| "give a number and s, m, h or d, for instance 30m".to_owned())
}

fn minute(text: &str) -> Result<u16, String> {
    quiet::minute(text).ok_or_else(|| "give a time of the day, for instance 18:00".to_owned())
}

pub(crate) fn mute(home: &Home, arguments: &Mute) -> anyhow::Result<()> {
    let now_ms = clock::wall_ms();
    let until_ms = match (arguments.length, arguments.until) {
        (Some(length), _) => Some(now_ms.saturating_add(u64::try_from(length.as_millis())?)),
        (None, Some(minute)) => Some(next(minute, &Zoned::now())?),
        (None, None) => None,
    };
    let project = folder(arguments.project.as_ref())?;
    let mut mutes = Mutes::load(home);
    mutes.tidy(now_ms);
    mutes.mute(project.as_deref(), until_ms);
    mutes.save(home)?;
    tell!("muted {}", told(&Muted { until_ms, project }));
    Ok(())
}

pub(crate) fn unmute(home: &Home, arguments: &Unmute) -> anyhow::Result<()> {
    let project = folder(arguments.project.as_ref())?;
    let mut mutes = Mutes::load(home);
    mutes.tidy(clock::wall_ms());
    let lifted = mutes.unmute(project.as_deref());
    if lifted {
        mutes.save(home)?;
    }
    let left = Left::of(&mutes, project.as_deref(), clock::wall_ms());
    tell!("{}", unmuted(lifted, project.as_deref(), &left));
    Ok(())
}

/// What is still muted when a mute was lifted.
#[derive(Debug, Default)]
struct Left {
    /// What keeps the project silent all the same.
    here: Option<Muted>,
    elsewhere: Vec<Muted>,
}

impl Left {
    fn of(mutes: &Mutes, project: Option<&Path>, now_ms: u64) -> Self {
        let here = mutes.of(project, now_ms);
        let elsewhere = mutes
            .all(now_ms)
            .filter(|muted| Some(muted) != here.as_ref());
        Self {
            elsewhere: elsewhere.collect(),
            here,
        }
    }
}

fn unmuted(lifted: bool, project: Option<&Path>, left: &Left) -> String {
    let place = project.map_or_else(String::new, |folder| format!(" in {}", folder.display()));
    let line = match (&left.here, lifted) {
        (Some(muted), true) => format!(
            "the mute{place} is lifted, but announcements are still muted {}",
            told(muted)
        ),
        (Some(muted), false) => format!(
            "nothing was muted{place} alone; announcements are still muted {}",
            told(muted)
        ),
        (None, true) => format!("announcements are on again{place}"),
        (None, false) => format!("nothing was muted{place}"),
    };
    if left.elsewhere.is_empty() {
        return line;
    }
    let others: Vec<String> = left.elsewhere.iter().map(told).collect();
    format!("{line}; still muted: {}", others.join(", "))
}

/// Where and until when something is muted.
pub(crate) fn told(muted: &Muted) -> String {
    let place = muted.project.as_ref().map_or_else(
        || "everywhere".to_owned(),
        |project| format!("in {}", project.display()),
    );
    match muted.until_ms {
        Some(until) => format!("{place} until {}", output::moment(until)),
        None => format!("{place} until `bellwether unmute`"),
    }
}

fn folder(named: Option<&PathBuf>) -> anyhow::Result<Option<PathBuf>> {
    let found = named.map(|folder| {
        let found = folder.canonicalize();
        found.with_context(|| format!("cannot find {}", folder.display()))
    });
    found.transpose()
}

/// The next time that the clock shows a minute of the day, in milliseconds since 1970.
fn next(minute: u16, now: &Zoned) -> anyhow::Result<u64> {
    let (hour, minute) = (i8::try_from(minute / 60)?, i8::try_from(minute % 60)?);
    let time = Time::new(hour, minute, 0, 0)?;
    let today = now.with().time(time).build()?;
    let at = if today > *now {
        today
    } else {
        today.checked_add(1.day())?
    };
    Ok(u64::try_from(at.timestamp().as_millisecond())?)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn lengths_of_time() {
        assert_eq!(length("30m"), Ok(Duration::from_mins(30)));
        assert_eq!(length("2h"), Ok(Duration::from_hours(2)));
        assert_eq!(length("90s"), Ok(Duration::from_secs(90)));
        for wrong in [
            "",
            "m",
            "0m",
            "5",
            "-1h",
            "1w",
            "99999999999999999d",
            "５m",
            "1é",
        ] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_still_muted_is_said() {
        let (shop, api) = (Path::new("/p/shop"), Path::new("/p/api"));
        let lift = |mutes: &mut Mutes, project: Option<&Path>| {
            let lifted = mutes.unmute(project);
            unmuted(lifted, project, &Left::of(mutes, project, 0))
        };
        let until = output::moment(60_000);
        let mut mutes = Mutes::default();
        assert_eq!(lift(&mut mutes, None), "nothing was muted");
        mutes.mute(None, Some(60_000));
        mutes.mute(Some(shop), None);
        assert_eq!(
            lift(&mut mutes, Some(shop)),
            format!(
                "the mute in /p/shop is lifted, but announcements are still muted everywhere until {until}"
            )
        );
        assert_eq!(
            lift(&mut mutes, Some(shop)),
            format!(
                "nothing was muted in /p/shop alone; announcements are still muted everywhere until {until}"
            )
        );
        assert_eq!(lift(&mut mutes, None), "announcements are on again");
        mutes.mute(Some(shop), None);
        mutes.mute(Some(api), Some(60_000));
        assert_eq!(
            lift(&mut mutes, Some(shop)),
            format!("announcements are on again in /p/shop; still muted: in /p/api until {until}")
        );
        assert_eq!(
            lift(&mut mutes, Some(shop)),
            format!("nothing was muted in /p/shop; still muted: in /p/api until {until}")
        );
        mutes.mute(Some(Path::new("/p")), None);
        let told = lift(&mut mutes, Some(api));
        assert!(
            told.starts_with(
                "the mute in /p/api is lifted, but announcements are still muted in /p until"
            ),
            "{told}"
        );
    }

    #[test]
    fn a_time_that_is_past_comes_again_tomorrow() {
        let at: Timestamp = "2026-11-16T17:30:00Z".parse().unwrap();
        let now = at.to_zoned(TimeZone::UTC);
        let began = u64::try_from(at.as_millisecond()).unwrap();
        let in_minutes = |minute| (next(minute, &now).unwrap() - began) / 60_000;
        assert_eq!(in_minutes(18 * 60), 30);
        assert_eq!(in_minutes(17 * 60 + 30), 24 * 60);
        assert_eq!(in_minutes(17 * 60), 23 * 60 + 30);
    }
}
