//! What is registered with the client: where, for which version of it, and with which words.

mod client;
mod target;
mod wanted;

pub(crate) use client::{Installed, newest};
pub(crate) use target::{Scope, Target, TargetArguments};
pub(crate) use wanted::{OnFailure, Wanted, Way, program};
