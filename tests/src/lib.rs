//! The rig: the real client, driven offline.
//!
//! A test makes a [`Home`], registers hooks with [`Settings`], and plays a [`Scenario`] to the client, either
//! [`Headless`] or [`Interactive`]ly in a [`Terminal`]. The model is a fake API that answers with the scenario's turns.
//!
//! Invariants: the client sees only the rig's HOME, an environment built from nothing and a network namespace with
//! nothing but loopback; what a run started is gone when its `Home` is dropped, or when the test process dies.

pub mod answered;
pub mod beside;
pub mod client;
pub mod dialect;
pub mod doctor;
pub mod endurance;
pub mod env;
pub mod events;
pub mod fake_api;
pub mod fake_cloud;
pub mod fixture;
pub mod generations;
pub mod headless;
pub mod home;
pub mod inside;
pub mod installation;
pub mod jsonl;
pub mod key;
pub mod managed;
pub mod namespace;
pub mod obedient;
pub mod overlay;
pub mod planned;
pub mod process;
pub mod processes;
pub mod programs;
pub mod progress;
pub mod project;
pub mod random;
pub mod recogniser;
pub mod recorder;
pub mod run;
pub mod running;
pub mod scenario;
pub mod scenarios;
pub mod served;
pub mod settings;
pub mod sound;
pub mod stand_in;
pub mod story;
pub mod sway;
pub mod terminal;
pub mod tools;
pub mod traybar;
pub mod trace;
pub mod typing;
pub mod user;
pub mod wait;
pub mod watched;
pub mod web;
pub mod world;
pub mod xserver;

mod cue;
mod http;
mod message;

pub use answered::{Answered, DIALOG};
pub use beside::Beside;
pub use headless::{Headless, Outcome};
pub use home::Home;
pub use installation::Installation;
pub use planned::Planned;
pub use programs::Programs;
pub use progress::Progress;
pub use project::Project;
pub use random::Random;
pub use recorder::Record;
pub use scenario::Scenario;
pub use served::Served;
pub use settings::{Hook, Settings};
pub use sound::SoundServer;
pub use stand_in::StandIn;
pub use sway::Sway;
pub use terminal::{Interactive, Terminal};
pub use tools::Tools;
pub use user::User;
pub use watched::Watched;
pub use web::Web;
pub use xserver::XServer;
