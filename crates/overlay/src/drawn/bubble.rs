//! What an agent says or asks, beside its creature.

mod block;
mod buttons;
#[cfg(test)]
mod tests;

use super::canvas::Canvas;
use super::card::{self, MARGIN, Tail};
use super::layout::Area;
use super::mark::Mark;
use super::{Look, Theme};
use crate::geometry::{Point, Rect, Size};
use crate::picture::Picture;
use block::Block;

/// Between a card's edge and what is on it.
const INSET: (f32, f32) = (13.0, 11.0);
const NARROWEST: f32 = 64.0;
/// What is only said stays small; what is to be decided gets room.
const SAYING: f32 = 220.0;
const ASKING: f32 = 320.0;

/// What a bubble is about, told by its colour and by its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    #[default]
    Calm,
    Work,
    Ask,
    Bad,
    Good,
    Refused,
}

/// What a button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    Allow,
    Deny,
    Terminal,
}

/// How far the answer to a question is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Answering {
    /// Nobody has answered, or there is nothing to answer.
    #[default]
    Open,
    /// It has no buttons for yes and no.
    OnlyInTerminal,
    Sending(Deed),
    Answered(Deed),
    AnsweredInTerminal,
    /// What a person can make of it; without words it did not arrive.
    Failed(Option<String>),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bubble {
    /// Whose it is: the agent, the project.
    pub title: String,
    pub text: String,
    /// What is to be run, letter by letter.
    pub command: Option<String>,
    /// What a question can be answered with.
    pub choices: Vec<String>,
    pub tone: Tone,
    pub buttons: Vec<Deed>,
    /// The button that the pointer is on.
    pub hovered: Option<Deed>,
    pub answering: Answering,
    /// How many further questions wait behind this one.
    pub more: u32,
}

/// A bubble whose size is known and whose tail is not: where it stands depends on how large it is.
#[derive(Debug)]
pub struct Laid<'a> {
    bubble: &'a Bubble,
    /// What is on it, from top to bottom, each with its place.
    blocks: Vec<(Area, Block<'a>)>,
    body: Area,
    scale: f32,
}

/// A bubble as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub picture: Picture,
    /// The card without shadow and tail: what catches the mouse.
    pub card: Rect,
    /// Where the tail ends.
    pub tip: Option<Point>,
    /// What is done by a click, and where.
    pub deeds: Vec<(Rect, Deed)>,
}

impl Bubble {
    /// Lays out what is on it.
    pub fn lay_out<'a>(&'a self, look: &mut Look<'_>) -> Laid<'a> {
        let asks = !self.buttons.is_empty() || self.command.is_some() || !self.choices.is_empty();
        let widest = if asks { ASKING } else { SAYING };
        let blocks = block::of(self, look, widest);
        let inner = blocks
            .iter()
            .map(|block| block.width(look))
            .fold(NARROWEST, f32::max)
            .min(widest);
        let mut placed = Vec::new();
        let (left, top) = (MARGIN + INSET.0, MARGIN + INSET.1);
        let mut y = top;
        for block in blocks {
            if !placed.is_empty() {
                y += block.gap();
            }
            let area = Area::new(left, y, inner, block.height());
            y = area.bottom();
            placed.push((area, block));
        }
        let body = Area::new(MARGIN, MARGIN, inner + 2.0 * INSET.0, y - MARGIN + INSET.1);
        Laid {
            bubble: self,
            blocks: placed,
            body,
            scale: look.scale,
        }
    }
}

impl Laid<'_> {
    /// How large the picture will be, shadow and tail included, whatever side the tail is on.
    pub fn size(&self) -> Size {
        self.canvas().size()
    }

    /// Whether all of the command is seen. Nobody should allow what they were not shown.
    pub fn shows_whole_command(&self) -> bool {
        let is_whole =
            |(_, block): &(Area, Block<'_>)| !matches!(block, Block::Command { is_cut: true, .. });
        self.blocks.iter().all(is_whole)
    }

    /// The card within it.
    pub fn card(&self) -> Rect {
        self.canvas().pixels_of(self.body)
    }

    pub fn draw(&self, look: &mut Look<'_>, tail: Option<Tail>) -> Shown {
        let mut canvas = self.canvas();
        let theme = look.theme;
        let edge = edge(self.bubble.tone, theme);
        let tip = card::draw(&mut canvas, self.body, tail, theme, edge);
        let mut deeds = Vec::new();
        for (area, block) in &self.blocks {
            block.draw(&mut canvas, *area, look, &mut deeds);
        }
        Shown {
            card: canvas.pixels_of(self.body),
            tip: tip.map(|tip| canvas.point_of(tip)),
            deeds: deeds
                .into_iter()
                .map(|(area, deed)| (canvas.pixels_of(area), deed))
                .collect(),
            picture: canvas.into_picture(),
        }
    }

    fn canvas(&self) -> Canvas {
        let (width, height) = (self.body.right() + MARGIN, self.body.bottom() + MARGIN);
        Canvas::new(width, height, self.scale)
    }
}

impl Shown {
    /// What a click at a point of the picture does.
    pub fn deed_at(&self, point: Point) -> Option<Deed> {
        let hit = self.deeds.iter().find(|(area, _)| area.contains(point));
        hit.map(|(_, deed)| *deed)
    }
}

/// The colour and the width of a card's edge.
const fn edge(tone: Tone, theme: &Theme) -> (u32, f32) {
    match tone {
        Tone::Ask => (theme.ask, 1.5),
        Tone::Bad | Tone::Refused => (theme.bad, 1.0),
        Tone::Calm | Tone::Work | Tone::Good => (theme.line_strong, 1.0),
    }
}

impl Tone {
    const fn colour(self, theme: &Theme) -> u32 {
        match self {
            Self::Calm => theme.calm,
            Self::Work => theme.work,
            Self::Ask => theme.ask,
            Self::Bad | Self::Refused => theme.bad,
            Self::Good => theme.good,
        }
    }

    const fn mark(self) -> Mark {
        match self {
            Self::Calm | Self::Work => Mark::Dot,
            Self::Ask => Mark::Ask,
            Self::Bad => Mark::Bad,
            Self::Good => Mark::Good,
            Self::Refused => Mark::Refused,
        }
    }
}
