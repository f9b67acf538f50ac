//! The folder of a session is told with every event.

use std::borrow::Cow;

use bellwether_protocol::event::{Event, Kind};

use super::{Place, Told};

pub(super) const KIND: Kind = Kind::CwdChanged;
pub(super) const PLACE: Place = Place::Before;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    let (Some(old), Some(new)) = (told.session.cwd.as_deref(), told.event.cwd.as_deref()) else {
        return Vec::new();
    };
    // An agent may work in a folder of its own.
    if !told.lacks(KIND) || told.event.agent.is_some() || old == new {
        return Vec::new();
    }
    vec![Event {
        from_path: Some(Cow::Borrowed(old)),
        path: told.event.cwd.clone(),
        ..told.beside(KIND)
    }]
}
