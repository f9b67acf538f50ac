//! The documents that are made of the list of routes.

mod openapi;
mod reference;

pub use openapi::openapi;
pub use reference::reference;
