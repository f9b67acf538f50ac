//! The client's `settings.json`: read, checked, and changed so that everything else in it stays byte
//! for byte.
//!
//! [`Document`] is the read model, [`check::rejections`] what a client would not take,
//! [`register`] and [`unregister`] are the two changes we make, and [`file`] how a file is read and replaced.

pub(crate) mod check;
pub(crate) mod document;
mod edit;
pub(crate) mod flag;
mod foreign;
pub(crate) mod json;
mod ours;
mod register;
mod remove;
mod style;

pub(crate) use bellwether_spine::{HOOK, file};
pub(crate) use document::{Document, Entry};
pub(crate) use ours::{Runs, shell_quoted};
pub(crate) use register::{Change, Handler, Refusal, holds_others, register, unregister};
pub(crate) use remove::Left;
