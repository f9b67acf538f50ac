//! The commands as people and scripts meet them: what is printed, with which exit code, and what becomes of files.

mod command_line;
mod config;
mod doctor;
mod explain;
mod guard;
mod help;
mod hostile_variables;
mod install;
mod output;
mod person;
mod ways;
