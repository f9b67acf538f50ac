//! The routes: one file each, one word in the list below.

use bellwether_flock::PersonPlace;

use super::answer::Fault;
use super::parameter::{Kind, Parameter};
use super::route::Route;

macro_rules! routes {
    ($($name:ident),* $(,)?) => {
        $(mod $name;)*

        /// Every route.
        pub(crate) const ALL: &[Route] = &[$($name::ROUTE),*];

        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

routes![
    health,
    ingest,
    hook,
    open,
    page,
    asset,
    favicon,
    help_style,
    stream,
    creature,
    overview,
    agents,
    agent,
    sessions,
    session,
    transcript,
    events,
    event,
    search,
    timeline,
    stats,
    audit,
    audit_verify,
    announcements,
    mutes,
    mute,
    unmute,
    permissions,
    permission,
    sounds,
    sounds_test,
    settings,
    change_settings,
    status,
    document,
];

/// How many of a list are given at once.
const LIMIT: Parameter = Parameter {
    name: "limit",
    about: "how many at most",
    kind: Kind::Number {
        least: 1,
        most: 500,
        usual: Some(100),
    },
};

/// The part of a list that was not given yet.
const BEFORE: Parameter = Parameter {
    name: "before",
    about: "only those before this place: `next` of the page before",
    kind: PLACE,
};

/// A place in an order.
const PLACE: Kind = Kind::Number {
    least: 0,
    most: i64::MAX,
    usual: None,
};

/// A place in a list of agents or sessions.
const PERSON: Kind = Kind::Next(400);

/// The place in a list of agents or sessions that is asked for.
fn person(ask: &super::route::Ask, name: &'static str) -> Result<Option<PersonPlace>, Fault> {
    let place = ask.values.text(name).map(str::parse::<PersonPlace>);
    place.transpose().map_err(|_| {
        let text = format!("`{name}` must be `next` of the page before");
        Fault::bad(text).field(name)
    })
}

/// How many are asked for.
fn limit(ask: &super::route::Ask) -> usize {
    let limit = ask.values.number(LIMIT.name).unwrap_or(100);
    usize::try_from(limit).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/routes");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .filter(|name| name != "mod")
            .collect();
        let listed: BTreeSet<String> = super::NAMES.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(files, listed);
        assert_eq!(listed.len(), super::ALL.len(), "a route is listed twice");
    }
}
