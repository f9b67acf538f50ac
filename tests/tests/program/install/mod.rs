//! Installing and uninstalling as people meet it: what is printed, and what becomes of the file.

mod clients;
mod crowded;
mod files;
mod managed;
mod refused;
mod script;
