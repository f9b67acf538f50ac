//! The bell of bellwether, with what it has to say: for the tray.

use resvg::tiny_skia::PathBuilder;
use resvg::usvg;

use super::canvas::Canvas;
use super::layout::Area;
use super::theme::{ALERT, ON_ALERT, opaque, shade};
use crate::picture::Picture;
use crate::text::{Fonts, Style};

/// The one that the page has in its tab.
const BELL: &str = include_str!("../../../../web/public/favicon.svg");
/// As wide and high is what is drawn; trays ask for other sizes of it.
const SIDE: f32 = 22.0;
/// The bell's ground, which sets the dot off from it.
const GROUND: u32 = 0x16_1f_45;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sign {
    /// How many agents need the person.
    pub waiting: u32,
    /// Nothing is heard for a while, as the person wished.
    pub muted: bool,
    /// The daemon cannot be reached.
    pub lost: bool,
}

impl Sign {
    /// Draws it as wide and high as this.
    pub fn draw(self, pixels: u8, fonts: &mut Fonts) -> Picture {
        let mut canvas = Canvas::new(SIDE, SIDE, f32::from(pixels) / SIDE);
        if let Ok(bell) = usvg::Tree::from_str(BELL, &usvg::Options::default()) {
            canvas.drawing(&bell, Area::new(0.0, 0.0, SIDE, SIDE));
        }
        if self.muted {
            slash(&mut canvas);
        }
        if self.lost {
            canvas.fade(0.4);
        } else if self.waiting > 0 {
            dot(&mut canvas, self.waiting, fonts);
        }
        canvas.into_picture()
    }
}

fn slash(canvas: &mut Canvas) {
    let mut path = PathBuilder::new();
    path.move_to(4.5, 17.5);
    path.line_to(17.5, 4.5);
    if let Some(path) = path.finish() {
        canvas.stroke(&path, 4.2, opaque(GROUND));
        canvas.stroke(&path, 1.8, shade(ON_ALERT, 0.9));
    }
}

/// The number in a red dot; nobody reads two digits at this size.
fn dot(canvas: &mut Canvas, waiting: u32, fonts: &mut Fonts) {
    let (text, size) = if waiting > 9 {
        ("9+".to_owned(), 9.0)
    } else {
        (waiting.to_string(), 10.0)
    };
    let font = (Style::Bold, size);
    let width = fonts.width(&text, font.0, font.1);
    let area = Area::new(
        SIDE - (width + 4.0).max(12.0),
        0.0,
        (width + 4.0).max(12.0),
        12.0,
    );
    canvas.fill_round(area, 6.0, opaque(GROUND));
    let inner = area.shrunk(0.9);
    canvas.fill_round(inner, inner.height / 2.0, opaque(ALERT));
    let at = (area.x + (area.width - width) / 2.0, area.middle());
    canvas.text(fonts, &text, font, at, opaque(ON_ALERT));
}
