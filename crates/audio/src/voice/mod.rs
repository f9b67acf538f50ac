//! Voices: what turns a line into sound.
//!
//! A [`Chain`] asks its engines in the person's order until one speaks. An engine is one file in
//! `engines/` and one line in its list.

mod cache;
mod chain;
mod cloud;
mod engine;
pub mod engines;
mod feed;
mod keys;
mod line;
mod pace;
mod pico;
mod program;
mod session;
mod settings;
mod standing;
mod stream;
mod system;
mod tongue;

pub use cache::Cache;
pub use chain::{Chain, Spoken};
pub use engine::{Engine, Known, Lack};
pub use engines::EngineName;
pub use keys::Keys;
pub use line::Line;
pub use session::pitch_of;
pub use settings::{CacheSettings, Settings};
pub(crate) use standing::Standing;
pub use tongue::Tongue;
