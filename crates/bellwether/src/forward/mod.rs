//! The forwarder of seed 004: what is added to an event, where it is sent, and what is started for it.

mod app;
mod collector;
mod event;

pub(crate) use app::App;
pub(crate) use collector::Collector;
pub(crate) use event::enriched;

pub(crate) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A variable under its own name or under the seed's.
fn either(variables: Variables<'_>, name: &str) -> Option<String> {
    variables(&format!("BELLWETHER_{name}")).or_else(|| variables(&format!("MASCOT_{name}")))
}
