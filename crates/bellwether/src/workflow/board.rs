//! The board: a column for each phase with its features, as text or live in the terminal.

use std::time::{Duration, Instant};

use bellwether_spine::text;
use bellwether_workflow::{FeatureView, View};
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Wrap};

use super::{Place, shown};
use crate::output;

/// So many steps of the history are shown.
pub(crate) const STEPS: usize = 6;
/// How often the file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Of a name so much is shown.
const NAME: usize = 60;
/// A column narrower than this says nothing.
const NARROWEST: u16 = 12;

/// The board as text: a block for each phase.
pub(crate) fn plain(view: &View) -> String {
    let phases = view.phases.iter().map(|phase| {
        let cards: Vec<String> = in_phase(view, phase)
            .map(|feature| format!("  {}\n", card(view, feature).join("\n    ")))
            .collect();
        format!("{phase} ({})\n{}", cards.len(), cards.concat())
    });
    let team = shown::team(view).into_iter().map(|line| line + "\n");
    phases.chain(team).collect()
}

/// Shows the board until the person has seen enough.
pub(crate) fn live(place: &Place<'_>) -> anyhow::Result<()> {
    let mut view = place.desk.view(STEPS);
    let mut terminal = ratatui::try_init()?;
    let mut looked = Instant::now();
    let ended = loop {
        let drawn = terminal.draw(|frame| match &view {
            Ok(view) => draw(frame, view),
            Err(error) => frame.render_widget(
                Paragraph::new(text::shown_block(&error.to_string())).wrap(Wrap { trim: false }),
                frame.area(),
            ),
        });
        if let Err(error) = drawn {
            break Err(error.into());
        }
        match leaves(LOOK_EVERY.saturating_sub(looked.elapsed())) {
            Ok(false) => {}
            Ok(true) => break Ok(()),
            Err(error) => break Err(error),
        }
        if looked.elapsed() >= LOOK_EVERY {
            view = place.desk.view(STEPS);
            looked = Instant::now();
        }
    };
    ratatui::try_restore()?;
    ended
}

/// Waits for a key; whether it means that the person has seen enough.
fn leaves(patience: Duration) -> anyhow::Result<bool> {
    if !event::poll(patience)? {
        return Ok(false);
    }
    let Event::Key(key) = event::read()? else {
        return Ok(false);
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let quits = match key.code {
        KeyCode::Char('c' | 'd') => control,
        KeyCode::Char('q') | KeyCode::Esc => true,
        _ => false,
    };
    Ok(quits && key.kind != KeyEventKind::Release)
}

fn in_phase<'a>(view: &'a View, phase: &'a str) -> impl Iterator<Item = &'a FeatureView> {
    view.features
        .iter()
        .filter(move |feature| feature.phase == phase)
}

/// What a card says: the name, what it needs, who is at it, its figures.
fn card(view: &View, feature: &FeatureView) -> Vec<String> {
    let mut lines = vec![text::shown(&feature.name, NAME)];
    lines.extend(Some(shown::note(feature)).filter(|note| !note.is_empty()));
    let at_it = view
        .tasks
        .iter()
        .filter(|task| task.begun && task.feature.as_ref() == Some(&feature.name));
    lines.extend(at_it.map(|task| {
        let who = task.owner.as_deref().unwrap_or("somebody");
        format!("{} is at it", text::shown(who, NAME))
    }));
    let mut figures = vec![format!(
        "{}/{} tasks",
        feature.progress.done, feature.progress.total
    )];
    if feature.rate.is_some() {
        figures.push(shown::rate(feature));
    }
    if feature.iterations > 0 {
        figures.push(format!(
            "round {}/{}",
            feature.iterations, view.max_iterations
        ));
    }
    lines.push(figures.join(", "));
    lines
}

fn draw(frame: &mut Frame<'_>, view: &View) {
    let below = u16::try_from(view.history.len() + view.team.len() + 4).unwrap_or(u16::MAX);
    let below = below.min(frame.area().height / 2);
    let parts = Layout::vertical([
        Constraint::Min(3),
        Constraint::Length(below),
        Constraint::Length(1),
    ]);
    let [columns, footer, keys] = parts.areas(frame.area());
    draw_columns(frame, view, columns);
    let mut lines = shown::team(view);
    lines.extend(
        view.complaints
            .iter()
            .map(|it| format!("line {}: {}", it.line, it.text)),
    );
    lines.extend(view.history.iter().map(shown::step));
    let lines: Vec<Line<'_>> = lines
        .iter()
        .map(|line| Line::raw(text::shown_block(line)))
        .collect();
    frame.render_widget(Paragraph::new(lines), footer);
    let said = format!(
        "{}, {} · q quit · `bellwether workflow next` lets a feature go on",
        view.flow, view.automation
    );
    frame.render_widget(Paragraph::new(said), keys);
}

/// As many columns as there is room for; the others are left to the text of `status`.
fn draw_columns(frame: &mut Frame<'_>, view: &View, area: Rect) {
    let fitting = usize::from((area.width / NARROWEST).max(1));
    let phases = &view.phases[..view.phases.len().min(fitting)];
    let widths = phases.iter().map(|_| Constraint::Fill(1));
    let columns = Layout::horizontal(widths).split(area);
    for (phase, column) in phases.iter().zip(columns.iter()) {
        let mut lines = Vec::new();
        let mut count = 0;
        for feature in in_phase(view, phase) {
            lines.extend(card_lines(view, feature));
            count += 1;
        }
        let block = Block::bordered().title(format!(" {phase} {count} "));
        let cards = Paragraph::new(lines)
            .wrap(Wrap { trim: false })
            .block(block);
        frame.render_widget(cards, *column);
    }
}

fn card_lines(view: &View, feature: &FeatureView) -> Vec<Line<'static>> {
    let needs = feature.waits.as_ref().is_some_and(|waits| waits.is_person);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let marked = match (needs, output::in_colour()) {
        (true, true) => bold.fg(Color::Yellow),
        (true, false) => bold.add_modifier(Modifier::REVERSED),
        (false, _) => bold,
    };
    let mut lines = card(view, feature).into_iter();
    let name = lines
        .next()
        .map(|name| Line::from(Span::styled(name, marked)));
    let rest = lines.map(Line::raw);
    name.into_iter()
        .chain(rest)
        .chain([Line::raw("")])
        .collect()
}

#[cfg(test)]
mod tests {
    use bellwether_hook::workflow::{Config, Desk};
    use bellwether_workflow::{Automation, WorkflowError};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    fn view(folder: &std::path::Path) -> View {
        let config = Config {
            automation: Automation::FullAuto,
            ..Config::default()
        };
        let desk = Desk::new(folder.to_owned(), config).unwrap();
        desk.file.create(&desk.flow).unwrap();
        let done = desk.change(Duration::from_secs(5), None, |engine, status| {
            for (id, subject) in [
                ("1", "[Plan] login"),
                ("2", "[Design] login"),
                ("3", "[Plan] search"),
            ] {
                engine.create(status, "s", id, subject);
            }
            engine.complete(status, "s", "1", None);
            engine.complete(status, "s", "2", None);
            Ok::<_, WorkflowError>(())
        });
        done.unwrap();
        desk.view(STEPS).unwrap()
    }

    #[test]
    fn it_fits_any_terminal_and_says_who_needs_you() {
        let folder = tempfile::tempdir().unwrap();
        let view = view(folder.path());
        let drawn = |width: u16, height: u16| {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(frame, &view)).unwrap();
            terminal.backend().to_string()
        };
        for (width, height) in [(80, 24), (200, 60), (40, 8), (10, 3), (1, 1)] {
            drawn(width, height);
        }
        let screen = drawn(160, 30);
        for words in [
            "design 1",
            "plan 1",
            "needs you",
            "login",
            "search",
            "q quit",
            "3 tasks",
        ] {
            assert!(screen.contains(words), "{words}: {screen}");
        }
        let text = plain(&view);
        assert!(
            text.contains("design (1)\n  login\n    needs you: review it, then do begins\n"),
            "{text}"
        );
        assert!(text.contains("report (0)\n"), "{text}");
    }
}
