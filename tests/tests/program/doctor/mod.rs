//! The doctor: each check once in good health and once with something to find, and each fix proved by a second look.

mod daemon;
mod home;
mod machine;
mod plugins;
mod programs;
mod registration;
mod report;
mod settings;
