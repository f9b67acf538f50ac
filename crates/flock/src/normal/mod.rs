//! Normalised events: what a payload means, whichever client and version sent it.
//!
//! The store keeps records as they came; a normalised event is made from a record whenever one is
//! wanted, so what we understand later is understood of old events too. Pure: no clock, no files.

mod dialog;
mod event_type;
mod fingerprint;
mod identity;
mod intake;
mod invalid;
mod meaning;
pub(crate) mod moment;
mod normalise;
mod payload;
mod words;

pub use dialog::{Choice, Dialog, Edit, Question};
pub use event_type::{CATALOGUE, EventType};
pub use fingerprint::{Came, Fingerprint, Window};
pub(crate) use identity::role;
pub use identity::{Role, agent_id};
pub use intake::{
    ACTED_AS_PERSON, ANSWERED, Framed, Intake, OwnWay, SETTINGS_CHANGED, Sender, frame, intake,
};
pub(crate) use intake::{check, own_moment};
pub use invalid::Invalid;
pub use meaning::{After, BackgroundTask, Ending, Meaning, NewAgent, Settles, TaskRef};
pub(crate) use normalise::normalise_or_say;
pub use normalise::{EventSource, NormalizedEvent, Severity, normalise};
pub(crate) use words::search_words;
