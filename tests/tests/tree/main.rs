//! The house rules that can be read off the tree, and off what was built from it.

mod formatted;
mod layers;
mod libraries;
mod linked;
mod packages;
