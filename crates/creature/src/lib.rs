//! Creatures: how an agent looks, and its drawing as SVG for the page, for exports and for the desktop.
//!
//! Architecture Invariant: a drawing is a pure function of looks, pose and movement. It is plain SVG with
//! colours in hexadecimal and no text, so that every renderer draws the same, and it needs no style sheet:
//! the one inside a moving drawing only adds the movement.
//!
//! What can be drawn stands in lists: `bodies`, `hairs`, `outfits`, `accessories`, `faces`, `markings`,
//! `props`. A new drawing is one function and one line in its list; the lists' lengths are the
//! [`SlotCounts`](appearance::SlotCounts).

mod accessories;
pub mod appearance;
mod bodies;
mod colour;
mod creature;
mod faces;
mod figure;
mod gallery;
mod hairs;
mod limbs;
mod markings;
mod motion;
mod movement;
mod number;
mod outfits;
mod palette;
mod pose;
mod props;
mod stance;
mod stances;
#[cfg(test)]
mod tests;
mod xml;

pub use appearance::Appearance;
pub use creature::{Age, Creature, HEIGHT, WIDTH};
pub use gallery::{Gallery, Row};
pub use motion::{Cycle, Motion};
pub use pose::Pose;
