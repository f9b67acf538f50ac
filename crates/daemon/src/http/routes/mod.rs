//! The routes: one file each, one `mod` line below.

use bellwether_flock::PersonPlace;

use super::answer::Fault;
use super::parameter::{Kind, Parameter};
use super::route::Route;

macro_rules! routes {
    ($($name:ident),* $(,)?) => {
        pub(crate) const ALL: &[Route] = &[$($name::ROUTE),*];
    };
}

mod health;
mod ingest;
mod hook;
mod open;
mod new_address;
mod page;
mod asset;
mod favicon;
mod help_style;
mod stream;
mod creature;
mod overlay;
mod overview;
mod agents;
mod agent;
mod sessions;
mod session;
mod session_table;
mod costs;
mod transcript;
mod session_export;
mod events;
mod event;
mod search;
mod timeline;
mod stats;
mod audit;
mod audit_verify;
mod announcements;
mod mutes;
mod mute;
mod unmute;
mod permissions;
mod permission;
mod workflow;
mod workflow_next;
mod sounds;
mod sounds_test;
mod settings;
mod change_settings;
mod confirm_settings;
mod status;
mod document;

bellwether_listed::modules!(routes, "src/http/routes/mod.rs");

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
