//! How the live view is drawn.

use bellwether_flock::Status;
use bellwether_spine::{clock, text};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line as TextLine;
use ratatui::widgets::{Block, Cell, Clear, Paragraph, Row, Table, Wrap};

use super::colour::Palette;
use super::line::Line;
use super::order::{Order, needs_you};
use super::screen::View;
use super::{detail, keys, words};
use crate::output::many;

/// Below this width only what matters most is shown: what an agent does is worth more room than its counts.
const NARROW: u16 = 120;
/// The lines of the table that are no agents: its titles.
const TITLES: u16 = 1;
/// The size of the help with its frame.
const HELP: (u16, u16) = (72, 15);

impl View {
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let lines = self.lines();
        let facts = self.with_detail.then(|| self.facts());
        let tall = facts.as_ref().map_or(0, |facts| facts.lines().count() + 2);
        let most = frame.area().height / 2;
        let [head, body, below, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(3),
            Constraint::Length(u16::try_from(tall).unwrap_or(most).min(most)),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        frame.render_widget(Paragraph::new(self.headline(&lines)), head);
        self.draw_table(frame, body, &lines);
        if let Some(facts) = facts {
            let facts = Paragraph::new(facts).wrap(Wrap { trim: false });
            frame.render_widget(facts.block(Block::bordered()), below);
        }
        let dim = Style::new().add_modifier(Modifier::DIM);
        let keys = if self.typing {
            TextLine::raw(keys::typing(&self.choice.filter))
        } else {
            TextLine::styled(keys::line(foot.width, self.choice.with_gone), dim)
        };
        frame.render_widget(Paragraph::new(keys), foot);
        if self.with_help {
            draw_help(frame);
        }
    }

    fn headline(&self, lines: &[Line]) -> String {
        let count = |of: fn(Status) -> bool| lines.iter().filter(|line| of(line.status)).count();
        let at_work = count(|status| matches!(status, Status::Working | Status::Thinking));
        let waiting = match count(needs_you) {
            1 => "1 needs you".to_owned(),
            waiting => format!("{waiting} need you"),
        };
        let counts = format!(
            "{}, {}: {at_work} working, {waiting}",
            many(self.seen.sessions.len(), "session"),
            many(lines.len(), "agent"),
        );
        let order = Some(self.choice.order).filter(|order| *order != Order::default());
        let filter = Some(&self.choice.filter).filter(|it| !it.is_empty() && !self.typing);
        let parts = [
            Some(counts),
            order.map(|order| order.name().to_owned()),
            filter.map(|filter| format!("only “{}”", text::shown(filter, 60))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(" · ")
    }

    fn draw_table(&mut self, frame: &mut Frame<'_>, area: Rect, lines: &[Line]) {
        if lines.is_empty() {
            let nobody = if self.choice.filter.is_empty() {
                "no agents; they appear when Claude Code runs"
            } else {
                "no agent matches the filter; Esc clears it"
            };
            frame.render_widget(Paragraph::new(nobody).wrap(Wrap { trim: true }), area);
            return;
        }
        let overflows = lines.len() > usize::from(area.height.saturating_sub(TITLES));
        let mark = u16::from(overflows && area.height > TITLES + 1);
        let [area, below] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(mark)]).areas(area);
        let narrow = area.width < NARROW;
        let palette = self.palette;
        let rows = lines.iter().map(|line| row(line, narrow, palette));
        let names = titles(narrow);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let table = Table::new(rows, widths(narrow))
            .header(Row::new(names.iter().copied()).style(bold))
            .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
        self.table.select(self.chosen_place(lines));
        frame.render_stateful_widget(table, area, &mut self.table);
        let shown = usize::from(area.height.saturating_sub(TITLES));
        let more = more(self.table.offset(), shown, lines.len());
        frame.render_widget(Paragraph::new(more), below);
    }

    /// Everything about the agent that is looked at.
    fn facts(&self) -> String {
        let chosen = self.chosen.as_deref().unwrap_or_default();
        let lines = detail::lines(&self.seen, chosen, clock::wall_ms());
        lines.map_or_else(
            || "this agent is not there any more; choose another with ↑ and ↓".to_owned(),
            |lines| lines.join("\n"),
        )
    }
}

/// How many lines there are beyond those that fit.
fn more(above: usize, shown: usize, all: usize) -> String {
    let below = all.saturating_sub(above + shown);
    let marks = [("↑", above, "above"), ("↓", below, "below")];
    let marks = marks.into_iter().filter(|(_, count, _)| *count > 0);
    let marks: Vec<String> = marks
        .map(|(sign, count, place)| format!("{sign} {count} more {place}"))
        .collect();
    marks.join(" · ")
}

fn draw_help(frame: &mut Frame<'_>) {
    let area = frame.area();
    let (width, height) = (HELP.0.min(area.width), HELP.1.min(area.height));
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let help = Paragraph::new(keys::help())
        .wrap(Wrap { trim: false })
        .block(Block::bordered().title(" help "));
    frame.render_widget(Clear, place);
    frame.render_widget(help, place);
}

fn titles(narrow: bool) -> &'static [&'static str] {
    if narrow {
        &["AGENT", "STATE", "FOR", "WHAT"]
    } else {
        &["AGENT", "STATE", "FOR", "TOOLS", "TOKENS", "WHAT"]
    }
}

fn widths(narrow: bool) -> Vec<Constraint> {
    let all = if narrow {
        [20, 11, 11, 0, 0]
    } else {
        [28, 11, 13, 16, 8]
    };
    let fixed = all.into_iter().filter(|width| *width > 0);
    fixed
        .map(Constraint::Length)
        .chain([Constraint::Min(10)])
        .collect()
}

fn row(line: &Line, narrow: bool, palette: Palette) -> Row<'static> {
    let mut cells = vec![
        Cell::new(line.name.clone()),
        Cell::new(words::of(line.status)).style(palette.style(line.status)),
        Cell::new(line.since.clone()),
    ];
    if !narrow {
        cells.push(Cell::new(line.tools.clone()));
        cells.push(Cell::new(line.tokens.clone()));
    }
    cells.push(Cell::new(line.words.clone()));
    Row::new(cells)
}
