//! Planned work that moves along as its tasks are completed.
//!
//! A flow is data: phases, and which may come after which. A feature is in one phase; the status file of its project says in
//! which, and how it got there. What is to happen is decided by pure functions on a [`Status`]; [`StatusFile`] is the only
//! code that touches a disk.
//!
//! Architecture Invariant: the hook links this crate. It knows no clock, no home folder, no event of a client, and nothing
//! heavier than `serde_json`.

mod engine;
mod error;
mod file;
mod flow;
mod history;
mod import;
mod moved;
mod papers;
mod policy;
mod rate;
mod status;
mod subject;
mod tasks;
mod team;
mod view;
mod words;

pub use engine::{Engine, Outcome};
pub use error::{FlowError, Refusal, WorkflowError};
pub use file::{Complaint, FOLDER, NAME, Opened, StatusFile};
pub use flow::{Flow, Phase, Shipped};
pub use import::{Imported, import};
pub use moved::{MOVED, Moved, MovedHow};
pub use papers::{Folder, Papers, Reading};
pub use policy::{Automation, Policy};
pub use rate::{Measured, speaks_for_redesign, stated};
pub use status::{By, Entry, Feature, Rate, RateFrom, Status, Waits, WaitsFor, What};
pub use subject::{Tagged, tagged};
pub use tasks::{OpenState, Progress, Task, TaskChange, TaskState};
pub use team::{Member, MemberState, Message};
pub use view::{FeatureView, MeasuredView, MemberView, StepView, TaskView, View};
pub use words::{Told, short, told};
