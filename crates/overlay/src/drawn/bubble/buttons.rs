//! What a bubble can be answered with.

use super::{Answering, Bubble, Deed};
use crate::drawn::Look;
use crate::drawn::canvas::Canvas;
use crate::drawn::layout::Area;
use crate::drawn::mark::{MARK, Mark};
use crate::drawn::theme::{Theme, opaque};
use crate::text::Style;
use crate::words::Words;

pub(super) const HEIGHT: f32 = 30.0;
const RADIUS: f32 = 9.0;
const BETWEEN: f32 = 8.0;
const PAD: f32 = 11.0;
const GAP: f32 = 6.0;
const LABEL: (Style, f32) = (Style::Bold, 12.0);

#[derive(Debug)]
pub(super) struct Buttons<'a> {
    deeds: &'a [Deed],
    hovered: Option<Deed>,
    /// Which one was pressed: all of them wait then.
    pressed: Option<Deed>,
}

#[derive(Debug, Clone, Copy)]
struct Colours {
    ground: u32,
    edge: u32,
    ink: u32,
}

impl<'a> Buttons<'a> {
    pub(super) fn of(bubble: &'a Bubble) -> Self {
        let pressed = match &bubble.answering {
            Answering::Sending(deed) => Some(*deed),
            _ => None,
        };
        Self {
            deeds: &bubble.buttons,
            hovered: bubble.hovered,
            pressed,
        }
    }

    pub(super) fn width(&self, look: &mut Look<'_>) -> f32 {
        let widths = self.deeds.iter().map(|deed| width(*deed, look) + BETWEEN);
        widths.sum::<f32>() - BETWEEN
    }

    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        area: Area,
        look: &mut Look<'_>,
        deeds: &mut Vec<(Area, Deed)>,
    ) {
        let mut x = area.x;
        for deed in self.deeds {
            let button = Area::new(x, area.y, width(*deed, look), HEIGHT);
            self.draw_one(canvas, button, look, *deed);
            if self.pressed.is_none() {
                deeds.push((button, *deed));
            }
            x = button.right() + BETWEEN;
        }
    }

    fn draw_one(&self, canvas: &mut Canvas, area: Area, look: &mut Look<'_>, deed: Deed) {
        let colours = self.colours(deed, look.theme);
        canvas.fill_round(area, RADIUS, opaque(colours.ground));
        canvas.edge(area, RADIUS, 1.0, opaque(colours.edge));
        let at = (area.x + PAD, area.middle() - MARK / 2.0);
        let ink = opaque(colours.ink);
        mark(deed).draw(canvas, at, ink, opaque(colours.ground));
        let at = (area.x + PAD + MARK + GAP, area.middle());
        canvas.text(look.fonts, label(deed, look.words), LABEL, at, ink);
    }

    fn colours(&self, deed: Deed, theme: &Theme) -> Colours {
        let is_hovered = self.hovered == Some(deed) && self.pressed.is_none();
        let is_strong = match self.pressed {
            Some(pressed) => pressed == deed,
            None => deed == Deed::Allow,
        };
        if self.pressed.is_some_and(|pressed| pressed != deed) {
            return Colours {
                ground: theme.raised,
                edge: theme.line,
                ink: theme.line_strong,
            };
        }
        if is_strong {
            let lit = if is_hovered { theme.text } else { theme.accent };
            return Colours {
                ground: lit,
                edge: lit,
                ink: if is_hovered {
                    theme.raised
                } else {
                    theme.on_accent
                },
            };
        }
        Colours {
            ground: if is_hovered {
                theme.line
            } else {
                theme.raised_2
            },
            edge: if is_hovered { theme.accent } else { theme.line },
            ink: theme.text,
        }
    }
}

const fn mark(deed: Deed) -> Mark {
    match deed {
        Deed::Allow => Mark::Check,
        Deed::Deny => Mark::Cross,
        Deed::Terminal => Mark::Prompt,
    }
}

const fn label(deed: Deed, words: &'static Words) -> &'static str {
    match deed {
        Deed::Allow => words.allow,
        Deed::Deny => words.deny,
        Deed::Terminal => words.to_terminal,
    }
}

fn width(deed: Deed, look: &mut Look<'_>) -> f32 {
    let label = look.fonts.width(label(deed, look.words), LABEL.0, LABEL.1);
    let gap = if label > 0.0 { GAP } else { 0.0 };
    PAD + MARK + gap + label + PAD
}
