//! A menu: rows one below the other, without another menu in it.

use super::Look;
use super::canvas::Canvas;
use super::card::{self, MARGIN};
use super::layout::Area;
use super::mark::{MARK, Mark};
use super::theme::opaque;
use crate::geometry::{Point, Rect};
use crate::picture::Picture;
use crate::text::Style;

const FONT: (Style, f32) = (Style::Plain, 13.0);
const ROW: f32 = 30.0;
const LINE: f32 = 11.0;
/// Between the card's edge and its rows.
const EDGE: f32 = 6.0;
const PAD: f32 = 10.0;
const GAP: f32 = 9.0;
/// A label is cut beyond this.
const WIDEST: f32 = 300.0;
const NARROWEST: f32 = 150.0;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    Entry {
        label: String,
        /// Whether it is on, for one that can be.
        check: Option<bool>,
        enabled: bool,
    },
    /// A line between what does not belong together.
    Line,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Menu {
    pub rows: Vec<Row>,
    /// The row that the pointer is on.
    pub hovered: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMenu {
    pub picture: Picture,
    /// The card without its shadow: what catches the mouse.
    pub card: Rect,
    /// The rows that can be chosen.
    rows: Vec<(Rect, usize)>,
}

impl ShownMenu {
    /// The row at a point of the picture, if it can be chosen.
    pub fn row_at(&self, point: Point) -> Option<usize> {
        let hit = self.rows.iter().find(|(area, _)| area.contains(point));
        hit.map(|(_, row)| *row)
    }
}

impl Row {
    pub fn entry(label: impl Into<String>) -> Self {
        Self::Entry {
            label: label.into(),
            check: None,
            enabled: true,
        }
    }

    pub fn checked(label: impl Into<String>, is_on: bool) -> Self {
        Self::Entry {
            label: label.into(),
            check: Some(is_on),
            enabled: true,
        }
    }

    /// The same, that nobody can choose now.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        if let Self::Entry { enabled, .. } = &mut self {
            *enabled = false;
        }
        self
    }

    const fn height(&self) -> f32 {
        match self {
            Self::Entry { .. } => ROW,
            Self::Line => LINE,
        }
    }

    const fn can_be_chosen(&self) -> bool {
        matches!(self, Self::Entry { enabled: true, .. })
    }

    const fn has_check(&self) -> bool {
        matches!(self, Self::Entry { check: Some(_), .. })
    }
}

impl Menu {
    pub fn draw(&self, look: &mut Look<'_>) -> ShownMenu {
        // All labels stand below each other, also beside those with a check mark.
        let indent = if self.rows.iter().any(Row::has_check) {
            MARK + GAP
        } else {
            0.0
        };
        let widest = self
            .rows
            .iter()
            .map(|row| row.width(look))
            .fold(0.0, f32::max);
        let inner = (widest + indent + 2.0 * PAD).clamp(NARROWEST, WIDEST);
        let height: f32 = self.rows.iter().map(Row::height).sum();
        let body = Area::new(MARGIN, MARGIN, inner + 2.0 * EDGE, height + 2.0 * EDGE);
        let mut canvas = Canvas::new(body.right() + MARGIN, body.bottom() + MARGIN, look.scale);
        let edge = (look.theme.line_strong, 1.0);
        card::draw(&mut canvas, body, None, look.theme, edge);
        let mut rows = Vec::new();
        let mut y = body.y + EDGE;
        for (number, row) in self.rows.iter().enumerate() {
            let area = Area::new(body.x + EDGE, y, inner, row.height());
            row.draw(
                &mut canvas,
                area,
                look,
                (indent, self.hovered == Some(number)),
            );
            if row.can_be_chosen() {
                rows.push((canvas.pixels_of(area), number));
            }
            y = area.bottom();
        }
        ShownMenu {
            card: canvas.pixels_of(body),
            picture: canvas.into_picture(),
            rows,
        }
    }
}

impl Row {
    fn width(&self, look: &mut Look<'_>) -> f32 {
        match self {
            Self::Entry { label, .. } => look.fonts.width(label, FONT.0, FONT.1),
            Self::Line => 0.0,
        }
    }

    fn draw(
        &self,
        canvas: &mut Canvas,
        area: Area,
        look: &mut Look<'_>,
        (indent, is_hovered): (f32, bool),
    ) {
        let theme = look.theme;
        let Self::Entry {
            label,
            check,
            enabled,
        } = self
        else {
            let line = Area::new(area.x + 4.0, area.middle() - 0.5, area.width - 8.0, 1.0);
            return canvas.fill_round(line, 0.0, opaque(theme.line));
        };
        let is_lit = is_hovered && *enabled;
        let (ground, ink) = if is_lit {
            (theme.accent, theme.on_accent)
        } else if *enabled {
            (theme.raised, theme.text)
        } else {
            (theme.raised, theme.line_strong)
        };
        if is_lit {
            canvas.fill_round(area, 8.0, opaque(ground));
        }
        if *check == Some(true) {
            let at = (area.x + PAD, area.middle() - MARK / 2.0);
            let ink = if is_lit { ink } else { theme.accent };
            Mark::Check.draw(canvas, at, opaque(ink), opaque(ground));
        }
        let room = area.width - 2.0 * PAD - indent;
        let at = (area.x + PAD + indent, area.middle());
        if let Some(line) = look.fonts.wrap(label, FONT, room, 1).first() {
            canvas.text(look.fonts, line, FONT, at, opaque(ink));
        }
    }
}
