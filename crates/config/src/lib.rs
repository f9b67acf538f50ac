//! The configuration: files, presets and the environment become one [`Config`].
//!
//! Each section's struct stands next to the code that reads it; `sections.rs` is the list of them. The hook does not link
//! this crate: it reads the snapshot that [`Loaded::save`] makes.

mod change;
mod confirm;
mod daemon;
mod edit;
mod keys;
pub mod known;
mod layers;
mod load;
mod overlay;
mod parts;
mod phases;
mod policy;
mod range;
mod schema;
mod sections;
pub mod settable;
mod templates;
mod yaml;

pub use change::{Edit, Plan, Unchanged, UnchangedBy, change};
pub use confirm::{confirm, confirm_first, unconfirmed};
pub use daemon::Daemon;
pub use keys::{Environment, Keys, KeysError};
pub use load::{Ignored, Loaded, ProjectFile, ProjectTrust, Why, load, problems_of};
pub use overlay::{Overlay, OverlayBackend, OverlayMotion, OverlayPlace};
pub use parts::{Hearing, announce_settings, debug_folder, shown_settings};
pub use policy::policy;
pub use schema::{reference, schema};
pub use sections::Config;
