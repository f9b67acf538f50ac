//! The flock: what the agents did and do. Normalised events, agents and their states, how they look,
//! what they used, and the store that keeps all of it.
//!
//! Architecture Invariant: this crate knows nothing of journal files, sockets, HTTP, transcripts or the
//! clock. The daemon hands it events and moments and takes out what it serves.

mod error;
mod event;
pub mod export;
mod heard;
mod keeper;
pub mod live;
pub mod normal;
mod people;
pub mod state;
mod guard_stop;
mod spending;
mod stand_in;
mod store;
mod tally;
mod timeline;
mod view;

pub use bellwether_creature::appearance;
pub use bellwether_creature::appearance::Appearance;
pub use error::StoreError;
pub use event::{Row, Stored};
pub use guard_stop::{GuardStop, StopHow};
pub use keeper::{Harvest, Keeper, Kept};
pub use live::{
    AgentNode, AgentRecord, AgentView, Change, Flock, ModelUsage, Refusal, SessionBrief,
    SessionName, SessionRecord, SessionView, Usage,
};
pub use normal::{
    ACTED_AS_PERSON, ANSWERED, BackgroundTask, EventType, Framed, Intake, Invalid, NormalizedEvent,
    OwnWay, SETTINGS_CHANGED, Sender, Severity, frame, intake, normalise,
};
pub use people::{AgentFilter, NoPlace, People, PersonPlace, Presence, has_all, search_terms};
pub use spending::{
    ProjectSpending, SessionFilter, SessionRow, SessionSort, SessionState, SessionTable, Spending,
    SpendingHour,
};
pub use stand_in::stand_in;
pub use state::Status;
pub use store::{
    Commit, Decision, DecisionFilter, Reader, Retention, Sqlite, Store, StoreReader, Tidied,
    VERSION,
};
pub use tally::{HOUR_MS, Tally, ToolStats, Work};
pub use timeline::{Lane, Span, SpanKind, Timeline, TimelineWindow};
pub use view::{
    AuditRow, Count, EventDetail, EventView, Filter, HourCount, Overview, Page, StatusCount,
};
