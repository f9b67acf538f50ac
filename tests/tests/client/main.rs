//! The real client, without a terminal and in one: what it tells our hook, and what it does with our answers.
//!
//! Every test has a home and a network of its own, so that they run side by side.

mod announcements;
mod answering;
mod config;
mod doctor;
mod flock;
mod gated;
mod guarded;
mod guard_consent;
mod guard_escapes;
mod guard_holds;
mod guard_modes;
mod guard_record;
mod http_hook;
mod install;
mod managed;
mod on_failure;
mod plugin_files;
mod plugin;
mod rig;
mod session;
mod tidy;
mod transcripts;
mod versions;
mod workflow;

/// The program that plays the rig's parts inside the client's network.
const RIG: &str = env!("CARGO_BIN_EXE_rig");
