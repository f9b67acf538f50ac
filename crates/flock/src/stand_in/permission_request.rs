//! A notification says that the person is asked, and the last call that has not ended says about what.

use bellwether_protocol::client::Client;
use bellwether_protocol::event::{Event, Kind};

use super::{Place, Told};

pub(super) const KIND: Kind = Kind::PermissionRequest;
pub(super) const PLACE: Place = Place::Before;

pub(super) fn tell<'a>(told: &Told<'a>) -> Vec<Event<'a>> {
    let about = told.event.notification_type.as_deref();
    if !told.lacks(KIND) || !told.is(Kind::Notification) || about != Some("permission_prompt") {
        return Vec::new();
    }
    let named = told.event.message.as_deref().and_then(tool_named);
    let call = told.session.asked_about(named);
    let (name, input) = match (call, named) {
        (Some(call), _) => (call.tool.as_str(), call.input.as_deref()),
        (None, Some(named)) => (named, None),
        (None, None) => return Vec::new(),
    };
    vec![Event {
        tool: Some(Client::default().tool(name, input)),
        ..told.beside(KIND)
    }]
}

/// The tool that a notification names, at its end.
fn tool_named(message: &str) -> Option<&str> {
    let (_, name) = message.trim_end_matches('.').rsplit_once(" to use ")?;
    Some(name.trim()).filter(|name| !name.is_empty() && !name.contains(' '))
}
