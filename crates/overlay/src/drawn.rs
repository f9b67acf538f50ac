//! What is drawn beside the creatures: bubbles, badges and the menu, in the colours of the page.
//!
//! Architecture Invariant: drawing knows no window system and no daemon. It gives a picture, and where in it something can be
//! clicked. Sizes are those of a plain screen, multiplied by the screen's scale; without a font all of it is drawn
//! but the words.

mod badge;
mod bubble;
mod canvas;
mod card;
mod layout;
mod mark;
mod menu;
mod sign;
mod theme;

pub use badge::Badge;
pub use bubble::{Answering, Bubble, Deed, Laid, Shown, Tone};
pub use card::{Side, Tail};
pub use menu::{Menu, Row, ShownMenu};
pub use sign::Sign;
pub use theme::Theme;

use crate::text::Fonts;
use crate::words::Words;

/// How something is to be drawn.
#[derive(Debug)]
pub struct Look<'a> {
    pub theme: &'static Theme,
    /// That of the screen.
    pub scale: f32,
    pub words: &'static Words,
    pub fonts: &'a mut Fonts,
}
