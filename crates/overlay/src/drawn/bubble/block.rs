//! The parts of a bubble, one below the other.

use super::buttons::{self, Buttons};
use super::{Answering, Bubble, Deed, Tone};
use crate::drawn::Look;
use crate::drawn::canvas::Canvas;
use crate::drawn::layout::Area;
use crate::drawn::mark::MARK;
use crate::drawn::theme::{Theme, opaque};
use crate::text::Style;

type Font = (Style, f32);

const TITLE: Font = (Style::Bold, 12.0);
const TEXT: Font = (Style::Plain, 13.0);
const COMMAND: Font = (Style::Mono, 12.0);
const NOTE: Font = (Style::Plain, 12.0);
/// A line of text is so many times as high as its font.
const LEADING: f32 = 1.4;
/// Between the mark and the title.
const GAP: f32 = 7.0;
/// Around a command.
const PAD: (f32, f32) = (9.0, 7.0);

const TEXT_LINES: usize = 4;
const COMMAND_LINES: usize = 6;
const CHOICES: usize = 5;

#[derive(Debug)]
pub(super) enum Block<'a> {
    Title {
        tone: Tone,
        line: Option<String>,
    },
    Lines {
        lines: Vec<String>,
        font: Font,
        ink: Ink,
    },
    Command {
        lines: Vec<String>,
        is_cut: bool,
    },
    /// The lines of each.
    Choices(Vec<Vec<String>>),
    Buttons(Buttons<'a>),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Ink {
    Text,
    Muted,
    Good,
    Bad,
}

/// What is on a bubble that is at most this wide inside.
pub(super) fn of<'a>(bubble: &'a Bubble, look: &mut Look<'_>, widest: f32) -> Vec<Block<'a>> {
    let mut wrap = |text: &str, font, width, most| look.fonts.wrap(text, font, width, most);
    let title = wrap(&bubble.title, TITLE, widest - MARK - GAP, 1).pop();
    let mut blocks = vec![Block::Title {
        tone: bubble.tone,
        line: title,
    }];
    let lines = wrap(&bubble.text, TEXT, widest, TEXT_LINES);
    push_lines(&mut blocks, lines, TEXT, Ink::Text);
    if let Some(command) = &bubble.command {
        // One line more than is shown tells whether there is more.
        let room = widest - 2.0 * PAD.0;
        let is_cut = wrap(command, COMMAND, room, COMMAND_LINES + 1).len() > COMMAND_LINES;
        let lines = wrap(command, COMMAND, room, COMMAND_LINES);
        if !lines.is_empty() {
            blocks.push(Block::Command { lines, is_cut });
        }
    }
    let choices = bubble.choices.iter().take(CHOICES);
    let choices: Vec<_> = choices
        .map(|choice| wrap(choice, TEXT, widest - MARK - GAP, 2))
        .collect();
    if choices.iter().any(|lines| !lines.is_empty()) {
        blocks.push(Block::Choices(choices));
    }
    if !bubble.buttons.is_empty() && !bubble.answering.is_over() {
        blocks.push(Block::Buttons(Buttons::of(bubble)));
    }
    if let Some((note, ink)) = note(&bubble.answering, look) {
        let lines = look.fonts.wrap(&note, NOTE, widest, 3);
        push_lines(&mut blocks, lines, NOTE, ink);
    }
    if bubble.more > 0 {
        let lines = vec![look.words.further_questions(bubble.more)];
        push_lines(&mut blocks, lines, NOTE, Ink::Muted);
    }
    blocks
}

fn push_lines(blocks: &mut Vec<Block<'_>>, lines: Vec<String>, font: Font, ink: Ink) {
    if !lines.is_empty() {
        blocks.push(Block::Lines { lines, font, ink });
    }
}

/// What is said about the answer.
fn note(answering: &Answering, look: &Look<'_>) -> Option<(String, Ink)> {
    let words = look.words;
    let (note, ink) = match answering {
        Answering::Open => return None,
        Answering::OnlyInTerminal => (words.answer_in_terminal, Ink::Muted),
        Answering::Sending(_) => (words.sending, Ink::Muted),
        Answering::Answered(Deed::Allow) => (words.allowed, Ink::Good),
        Answering::Answered(Deed::Deny) => (words.denied, Ink::Muted),
        Answering::Answered(Deed::Terminal) | Answering::AnsweredInTerminal => {
            (words.answered_in_terminal, Ink::Muted)
        }
        Answering::Failed(why) => (why.as_deref().unwrap_or(words.answer_failed), Ink::Bad),
    };
    Some((note.to_owned(), ink))
}

impl Answering {
    const fn is_over(&self) -> bool {
        matches!(self, Self::Answered(_) | Self::AnsweredInTerminal)
    }
}

impl Block<'_> {
    /// Above it, where something is.
    pub(super) const fn gap(&self) -> f32 {
        match self {
            Self::Title { .. } => 0.0,
            Self::Lines { .. } => 5.0,
            Self::Command { .. } | Self::Choices(_) => 7.0,
            Self::Buttons(_) => 11.0,
        }
    }

    pub(super) fn height(&self) -> f32 {
        match self {
            Self::Title { .. } => MARK + 4.0,
            Self::Lines { lines, font, .. } => high(lines.len(), *font),
            Self::Command { lines, .. } => high(lines.len(), COMMAND) + 2.0 * PAD.1,
            Self::Choices(choices) => choices
                .iter()
                .map(|lines| high(lines.len().max(1), TEXT))
                .sum(),
            Self::Buttons(_) => buttons::HEIGHT,
        }
    }

    pub(super) fn width(&self, look: &mut Look<'_>) -> f32 {
        match self {
            Self::Title { line, .. } => MARK + GAP + widest(line, TITLE, look),
            Self::Lines { lines, font, .. } => widest(lines, *font, look),
            Self::Command { lines, .. } => widest(lines, COMMAND, look) + 2.0 * PAD.0,
            Self::Choices(choices) => MARK + GAP + widest(choices.iter().flatten(), TEXT, look),
            Self::Buttons(buttons) => buttons.width(look),
        }
    }

    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        area: Area,
        look: &mut Look<'_>,
        deeds: &mut Vec<(Area, Deed)>,
    ) {
        let theme = look.theme;
        match self {
            Self::Title { tone, line } => draw_title(canvas, area, look, (*tone, line.as_deref())),
            Self::Lines { lines, font, ink } => {
                draw_lines(
                    canvas,
                    (area.x, area.y),
                    look,
                    (lines, *font, ink.colour(theme)),
                );
            }
            Self::Command { lines, .. } => {
                canvas.fill_round(area, 8.0, opaque(theme.field));
                canvas.edge(area, 8.0, 1.0, opaque(theme.line));
                let at = (area.x + PAD.0, area.y + PAD.1);
                draw_lines(canvas, at, look, (lines, COMMAND, theme.text));
            }
            Self::Choices(choices) => draw_choices(canvas, area, look, choices),
            Self::Buttons(buttons) => buttons.draw(canvas, area, look, deeds),
        }
    }
}

impl Ink {
    const fn colour(self, theme: &Theme) -> u32 {
        match self {
            Self::Text => theme.text,
            Self::Muted => theme.muted,
            Self::Good => theme.good,
            Self::Bad => theme.bad,
        }
    }
}

fn draw_title(
    canvas: &mut Canvas,
    area: Area,
    look: &mut Look<'_>,
    (tone, line): (Tone, Option<&str>),
) {
    let theme = look.theme;
    let (colour, ground) = (opaque(tone.colour(theme)), opaque(theme.raised));
    let at = (area.x, area.middle() - MARK / 2.0);
    tone.mark().draw(canvas, at, colour, ground);
    let ink = if tone == Tone::Ask {
        theme.text
    } else {
        theme.muted
    };
    let at = (area.x + MARK + GAP, area.middle());
    canvas.text(look.fonts, line.unwrap_or_default(), TITLE, at, opaque(ink));
}

fn draw_choices(canvas: &mut Canvas, area: Area, look: &mut Look<'_>, choices: &[Vec<String>]) {
    let theme = look.theme;
    let mut y = area.y;
    for lines in choices {
        let line = high(1, TEXT);
        let dot = Area::new(area.x + 4.0, y + line / 2.0 - 2.5, 5.0, 5.0);
        canvas.fill_round(dot, 2.5, opaque(theme.accent));
        draw_lines(
            canvas,
            (area.x + MARK + GAP, y),
            look,
            (lines, TEXT, theme.text),
        );
        y += high(lines.len().max(1), TEXT);
    }
}

fn draw_lines(
    canvas: &mut Canvas,
    (x, y): (f32, f32),
    look: &mut Look<'_>,
    (lines, font, colour): (&[String], Font, u32),
) {
    let mut middle = y + high(1, font) / 2.0;
    for line in lines {
        canvas.text(look.fonts, line, font, (x, middle), opaque(colour));
        middle += high(1, font);
    }
}

/// How high lines are.
fn high(lines: usize, (_, size): Font) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "there are a few")]
    let lines = lines as f32;
    lines * (size * LEADING).round()
}

fn widest<'a>(
    lines: impl IntoIterator<Item = &'a String>,
    (style, size): Font,
    look: &mut Look<'_>,
) -> f32 {
    let widths = lines
        .into_iter()
        .map(|line| look.fonts.width(line, style, size));
    widths.fold(0.0, f32::max)
}
