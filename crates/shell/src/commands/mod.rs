//! What programs do: a table of them, one file for each kind and one `mod` line below.
//!
//! A file has its rows (`PROGRAMS`): names, options, what calls do, and code only for what a row cannot
//! say. A name that stands in two rows does not compile. [`crate::lookup`] finds the row of a name.

mod archive;
mod client;
mod cloud;
mod container;
mod copy;
mod database;
pub(crate) mod delete;
pub(crate) mod device;
mod download;
mod editor;
mod find;
mod generator;
mod git;
mod imported;
mod interpreter;
mod make;
mod moving;
mod other;
pub(crate) mod output;
pub(crate) mod own;
mod packages;
mod patch;
mod paths;
mod permission;
mod powershell;
mod remote;
pub(crate) mod shell;
mod system;
mod task;
mod versions;
mod wrapper;
mod write;
mod xargs;

use crate::program::Program;

macro_rules! table {
    ($($name:ident),* $(,)?) => {
        pub(crate) const TABLE: &[&[Program]] = &[$($name::PROGRAMS),*];
    };
}

bellwether_listed::modules!(table, "src/commands/mod.rs");
