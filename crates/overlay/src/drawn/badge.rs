//! Small counts: creatures that do not fit, and questions that wait.

use super::Look;
use super::canvas::Canvas;
use super::layout::Area;
use super::theme::{ALERT, ON_ALERT, opaque};
use crate::picture::Picture;
use crate::text::Style;

const FONT: (Style, f32) = (Style::Bold, 12.0);
const ALERT_FONT: (Style, f32) = (Style::Bold, 11.0);
/// Around it, so that its edge is not cut.
const AROUND: f32 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Badge {
    /// So many more than are shown.
    More(u32),
    /// So many questions wait.
    Questions(u32),
}

impl Badge {
    pub fn draw(self, look: &mut Look<'_>) -> Picture {
        let (text, (style, size), height) = match self {
            Self::More(count) => (format!("+{count}"), FONT, 24.0),
            // Beyond that nobody counts.
            Self::Questions(count) if count > 99 => ("99+".to_owned(), ALERT_FONT, 18.0),
            Self::Questions(count) => (count.to_string(), ALERT_FONT, 18.0),
        };
        let text_width = look.fonts.width(&text, style, size);
        let width = (text_width + height * 0.55).max(height);
        let (scale, theme) = (look.scale, look.theme);
        let mut canvas = Canvas::new(width + 2.0 * AROUND, height + 2.0 * AROUND, scale);
        let area = Area::new(AROUND, AROUND, width, height);
        let ink = match self {
            Self::More(_) => {
                canvas.fill_round(area, height / 2.0, opaque(theme.raised));
                canvas.edge(area, height / 2.0, 1.0, opaque(theme.line_strong));
                theme.text
            }
            Self::Questions(_) => {
                // A rim in the colour of cards sets it off from a creature of any colour.
                canvas.fill_round(area, height / 2.0, opaque(theme.raised));
                let inner = area.shrunk(1.5);
                canvas.fill_round(inner, inner.height / 2.0, opaque(ALERT));
                ON_ALERT
            }
        };
        let at = (area.x + (width - text_width) / 2.0, area.middle());
        canvas.text(look.fonts, &text, (style, size), at, opaque(ink));
        canvas.into_picture()
    }
}
