//! A daemon that serves HTTP: who may ask, what is taken, what is told, and what waits for an answer.
//!
//! Every test has a daemon and a port of its own.

mod access;
mod answering;
mod exported;
mod forward;
mod ingest;
mod limits;
mod overlay;
mod page;
mod schemathesis;
mod sessions;
mod settings;
mod stream;
mod waiting;
