//! The agent programs whose hooks we understand: how each one is read, answered and registered.
//!
//! [`Client`] is a program and its version. It is the one way to what differs between programs; each
//! of them describes itself in a [`Wire`].

#[cfg(test)]
mod border;
pub mod catalog;
pub mod feature;
pub mod matcher;
mod products;
mod running;
pub mod stand_in;
mod version;
mod wire;

use std::fmt;

pub use products::Product;
pub use running::{
    Running, Seen, ToldVersion, VersionPlace, client_that_runs, manifest_version, marks,
};
pub use version::{Support, Version};
pub use wire::{Environment, Rendered, Tools, Variables, Wire};

use crate::error::ParseError;
use crate::event::{Event, Kind, Tool, ToolKind};
use crate::fields::Fields;
use crate::reply::Reply;
use catalog::Entry;
use feature::Feature;
use stand_in::StandIn;

/// A program that calls our hooks, of one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client {
    pub product: Product,
    pub version: Version,
}

/// Who says nothing about itself is what most are.
impl Default for Client {
    fn default() -> Self {
        Self::unknown(Product::default())
    }
}

impl Client {
    pub const fn new(product: Product, version: Version) -> Self {
        Self { product, version }
    }

    /// A client whose version nobody told us.
    pub const fn unknown(product: Product) -> Self {
        Self::new(product, Version::UNKNOWN)
    }

    /// The newest version of the client that was read and run.
    pub fn newest(product: Product) -> Self {
        Self::new(product, product.wire().newest)
    }

    /// Reads what the client wrote to a hook.
    ///
    /// The only error is a text that is not one JSON object: an unknown event is of [`Kind::Other`],
    /// unknown fields are ignored, and a field of the wrong type is missing.
    pub fn parse(self, text: &str) -> Result<Event<'_>, ParseError> {
        self.parse_as(text, None)
    }

    /// The same of a hook whose registration names the event: old clients do not. A payload that names its event
    /// itself is believed.
    pub fn parse_as(self, text: &str, named: Option<Kind>) -> Result<Event<'_>, ParseError> {
        Fields::parse(text).map(|fields| self.read_as(&fields, named))
    }

    /// The same for whoever has read the text's fields.
    pub fn read<'a>(self, fields: &Fields<'a>) -> Event<'a> {
        self.read_as(fields, None)
    }

    fn read_as<'a>(self, fields: &Fields<'a>, named: Option<Kind>) -> Event<'a> {
        let mut event = (self.product.wire().read)(fields, named);
        if let Some(tool) = &mut event.tool {
            tool.told_apart = self.tells_apart(tool.does, fields);
        }
        event
    }

    /// Whether what a tool does to the list of tasks is also told by an event: by the client's own, or by the one that
    /// stands in for it. Who sends events under the old name has neither.
    fn tells_apart(self, does: ToolKind, fields: &Fields<'_>) -> bool {
        let kind = match does {
            ToolKind::TaskNew => Kind::TaskCreated,
            ToolKind::TaskMove => Kind::TaskCompleted,
            _ => return false,
        };
        let name = fields.get::<&serde_json::value::RawValue>("hook_event_name");
        let has_stand_in = || self.stand_ins().any(|one| one.kind == kind);
        name.is_some() && (self.entry(kind).is_some() || has_stand_in())
    }

    /// Writes a reply to an event of that kind. What this version cannot be told is dropped; a
    /// question that it cannot put to the person becomes a refusal.
    pub fn render(self, kind: Kind, reply: &Reply) -> Rendered {
        (self.product.wire().render)(kind, self.version, reply)
    }

    /// Writes an event as this client would send it, for a fact that it has told in another way.
    pub fn write(self, event: &Event<'_>) -> Option<String> {
        self.product.wire().write.map(|write| write(event))
    }

    /// What stands in for the events that this version does not have.
    pub fn stand_ins(self) -> impl Iterator<Item = &'static StandIn> {
        let all = self.product.wire().stand_ins.iter();
        all.filter(move |one| self.entry(one.kind).is_none())
    }

    /// The call of a tool of this client.
    pub fn tool<'a>(
        self,
        name: &'a str,
        input: Option<&'a serde_json::value::RawValue>,
    ) -> Tool<'a> {
        let tools = &self.product.wire().tools;
        Tool {
            name: name.into(),
            input,
            does: tools.kind(name),
            folders: tools.folders,
            ..Tool::default()
        }
    }

    /// What a tool of this name does.
    pub fn tool_kind(self, name: &str) -> ToolKind {
        self.product.wire().tools.kind(name)
    }

    /// The names of the tools that do this.
    pub fn tools_for(self, does: ToolKind) -> &'static [&'static str] {
        let listed = self.product.wire().tools.listed.iter();
        let mut names = listed.filter(|(kind, _)| *kind == does);
        names.next().map_or(&[], |(_, names)| names)
    }

    /// Every event that this client has in some version.
    pub fn catalog(self) -> &'static [Entry] {
        self.product.wire().catalog
    }

    /// What this version knows about an event; `None` when it does not have it.
    pub fn entry(self, kind: Kind) -> Option<&'static Entry> {
        let known = |entry: &&Entry| entry.kind == kind && entry.support.has(self.version);
        self.catalog().iter().find(known)
    }

    /// The kind of event that this client calls by that name.
    pub fn kind_of(self, name: &str) -> Kind {
        let entry = self.catalog().iter().find(|entry| entry.name == name);
        entry.map_or(Kind::Other, |entry| entry.kind)
    }

    pub fn has(self, feature: Feature) -> bool {
        let support = (self.product.wire().feature)(feature);
        support.is_some_and(|support| support.has(self.version))
    }

    /// The first version that has it.
    pub fn since(self, feature: Feature) -> Option<Version> {
        (self.product.wire().feature)(feature).map(|support| support.since)
    }

    /// Whether a person sits in front of a session with these variables.
    pub fn is_attended(self, env: Environment<'_>) -> bool {
        self.product.wire().variables.is_attended(env)
    }

    /// Whether colours in a message are seen as such: in a terminal, and not in an editor or where somebody wants none.
    pub fn shows_colours(self, env: Environment<'_>) -> bool {
        let Variables {
            entrypoint,
            interactive,
            ..
        } = &self.product.wire().variables;
        let in_terminal = entrypoint.and_then(env).as_deref() == Some(interactive);
        let is_wanted = env("NO_COLOR").is_none() && env("TERM").is_none_or(|term| term != "dumb");
        self.has(Feature::Colours) && in_terminal && is_wanted
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.product.wire().title, self.version)
    }
}
