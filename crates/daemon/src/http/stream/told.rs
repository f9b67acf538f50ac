//! What the stream tells: the name of each event, and the shape of its data. The documents are made of this.

use bellwether_flock::{AgentView, EventView};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::http::permission::PermissionView;
use crate::http::route::shape;
use crate::http::view::AnnouncementView;
use crate::permissions::How;

/// An event of the stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told {
    pub name: &'static str,
    /// What its data is, in markdown.
    pub about: &'static str,
    pub data: fn(&mut SchemaGenerator) -> Schema,
}

/// An event whose data has the shape of `T`.
const fn told<T: JsonSchema>(name: &'static str, about: &'static str) -> Told {
    Told {
        name,
        about,
        data: shape::<T>,
    }
}

pub(super) const READY: Told = told::<StreamReady>(
    "ready",
    "`{\"id\", \"version\"}`: the stream has begun behind this id",
);
pub(super) const UPDATED: Told = told::<AgentView>(
    "mascot://agent-update",
    "an agent that does or says something else",
);
pub(super) const DEPARTED: Told =
    told::<AgentView>("mascot://agent-departed", "an agent that has gone");
pub(super) const EVENT: Told =
    told::<EventView>("event", "an event that was stored, as in `/api/events`");
pub(super) const ANNOUNCEMENT: Told = told::<AnnouncementView>(
    "announcement",
    "what was announced, or why not, as in `/api/announcements`",
);
pub(super) const PERMISSION: Told = told::<PermissionView>(
    "permission",
    "a permission request that begins to wait, as in `/api/permissions`",
);
pub(super) const SETTLED: Told = told::<PermissionSettled>(
    "permission-settled",
    "`{\"id\", \"how\"}`: it is `allowed`, `denied`, answered in the `terminal`, `expired` or `gone`",
);
pub(super) const WORKFLOW: Told = told::<WorkflowChanged>(
    "workflow",
    "`{\"workspace_id\", \"summary\"}`: planned work has moved; `/api/workflow` shows where it stands",
);
pub(super) const SETTINGS: Told = told::<SettingsChanged>(
    "settings",
    "`{}`: the person's settings have changed, or what is muted; read what you need of them again",
);
pub(super) const GAP: Told = told::<StreamGap>(
    "gap",
    "`{\"after\", \"why\"}`: what came behind this id cannot be sent any more; read the API again and go on from here",
);

pub(crate) const ALL: &[Told] = &[
    READY,
    told::<AgentView>(
        "mascot://agent-appeared",
        "an agent that has come, as in `/api/agents`",
    ),
    UPDATED,
    DEPARTED,
    EVENT,
    ANNOUNCEMENT,
    PERMISSION,
    SETTLED,
    WORKFLOW,
    SETTINGS,
    GAP,
];

/// The stream has begun.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StreamReady {
    /// The id behind which it begins.
    pub id: String,
    /// The version of the daemon.
    pub version: &'static str,
}

/// Something cannot be sent any more.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StreamGap {
    /// The id behind which it came.
    pub after: String,
    /// Why it cannot be sent.
    pub why: &'static str,
}

/// Planned work has moved.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WorkflowChanged {
    /// The project's short name.
    pub workspace_id: Option<String>,
    /// What has happened, in a line.
    pub summary: Option<String>,
}

/// Settings have changed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SettingsChanged {}

/// A permission request does not wait any more.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PermissionSettled {
    /// How it was settled.
    pub how: How,
    /// The request's id.
    pub id: String,
}
