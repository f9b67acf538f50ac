//! Text in the fonts of the system, those that the person's desktop would take.
//!
//! Invariants: nothing is looked for before the first text; a font's file is mapped only while its glyphs are drawn; where
//! there is no font, one line on stderr says so and nothing else fails. Scripts whose letters join or turn (Arabic,
//! Devanagari) are drawn letter by letter.

mod find;
mod fonts;
mod raster;
mod wrap;

pub use fonts::{Fonts, Style};
