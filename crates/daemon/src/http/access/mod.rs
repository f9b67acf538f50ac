//! Who may ask: the same user, whoever holds the token, and no other site in a browser.

mod gate;
mod keys;
mod peer;

pub(crate) use gate::{Access, Caller, Shown, Site, admit, browser, cookie_name};
pub use keys::TokenView;
pub(crate) use keys::{COOKIE_LIVES_S, Keys};
pub(crate) use peer::{Peer, of as peer_of};
