//! What is heard: recordings of a real sound server that plays to nobody, voices, and services that are ours.
//!
//! Every test that plays starts a server of its own.

mod announcements;
mod characters;
mod demo;
mod effects;
mod files;
mod hook_wait;
mod keys;
mod spoken;
mod voices;
