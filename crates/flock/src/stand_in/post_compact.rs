//! A session that was compacted begins anew.

use std::borrow::Cow;

use bellwether_protocol::event::{Event, Kind};

use super::{Place, Told};

pub(super) const KIND: Kind = Kind::PostCompact;
pub(super) const PLACE: Place = Place::After;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    let is_compacted = told.event.detail.as_deref() == Some("compact");
    if !told.lacks(KIND) || !told.is(Kind::SessionStart) || !is_compacted {
        return Vec::new();
    }
    let trigger = told.session.compacting.as_deref().unwrap_or("auto");
    vec![Event {
        detail: Some(Cow::Borrowed(trigger)),
        ..told.beside(KIND)
    }]
}
