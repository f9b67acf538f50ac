//! One installation: its hook and its daemon, from an event on stdin to a row in the store, whatever comes between.
//!
//! Every test has an installation of its own, and the processes that it starts are gone with it.

mod announcer;
mod demo;
mod disks;
mod second_client;
mod stand_ins;
mod endurance;
mod exports;
mod fed;
mod lifecycle;
mod payloads;
mod processes;
mod store;
mod tampered;
mod unit;
mod updated;
