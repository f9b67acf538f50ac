//! What is registered with the client: where, for which version of it, and with which words.

mod choices;
mod client;
mod coverage;
pub(crate) mod plugin;
mod target;
mod wanted;

pub(crate) use choices::Choices;
pub(crate) use client::{Installed, at_hand, newest};
pub(crate) use coverage::{Covered, How, coverage};
pub(crate) use plugin::OwnPlugin;
pub(crate) use target::{Scope, Target, TargetArguments};
pub(crate) use wanted::{OnFailure, Wanted, Way, program};

#[cfg(test)]
mod tests;
