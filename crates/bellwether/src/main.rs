//! `bellwether`: everything but the small static hook.
//!
//! `bellwether hook` is the same code as `bellwether-hook`, reached before anything else is set up.

// They panic when nobody reads: `output` prints.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod output;

mod agreed;
mod commands;
mod demo;
mod doctor;
mod exit;
mod explain;
mod flock;
mod forward;
mod gate;
mod guard;
mod installation;
mod limited;
mod managed;
mod person;
mod registration;
mod replay;
mod selection;
mod service;
mod settings;
mod speaking;
mod transcript;
mod wait;
mod workflow;

use std::process::ExitCode;

use bellwether_config as config;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == "hook") {
        return commands::hook(words.collect());
    }
    commands::run()
}
