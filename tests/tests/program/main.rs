//! The commands as people and scripts meet them: what is printed, with which exit code, and what becomes of files.

mod command_line;
mod config;
mod doctor;
mod explain;
mod formatting;
mod gate;
mod gated;
mod guard;
mod guard_consent;
mod guard_past;
mod help;
mod hostile_variables;
mod install;
mod output;
mod overlay;
mod person;
mod plugin;
mod session_start;
mod transcript;
mod upgrade;
mod ways;
mod workflow;
