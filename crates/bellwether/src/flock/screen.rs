//! The live view: a table of agents that moves as they do.

use std::time::{Duration, Instant};

use bellwether_spine::{clock, text};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line as TextLine;
use ratatui::widgets::{Block, Cell, Paragraph, Row, Table, TableState, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::colour::Palette;
use super::line::{self, Line};
use super::{Seen, Source};

/// How often the flock is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Below this width only what matters most is shown.
const NARROW: u16 = 100;

/// Shows the flock until the person has seen enough.
pub(crate) fn run(source: &mut Source<'_>) -> anyhow::Result<()> {
    let mut view = View::new(source.look()?);
    let mut terminal = ratatui::try_init()?;
    let ended = show(&mut terminal, &mut view, source);
    ratatui::try_restore()?;
    ended
}

fn show(
    terminal: &mut DefaultTerminal,
    view: &mut View,
    source: &mut Source<'_>,
) -> anyhow::Result<()> {
    let mut looked = Instant::now();
    loop {
        terminal.draw(|frame| view.draw(frame))?;
        let left = LOOK_EVERY.saturating_sub(looked.elapsed());
        if event::poll(left)?
            && let Event::Key(key) = event::read()?
            && view.press(key) == Wish::Leave
        {
            return Ok(());
        }
        if looked.elapsed() >= LOOK_EVERY {
            view.seen = source.look()?;
            looked = Instant::now();
        }
    }
}

/// What a key means for whoever shows the view.
#[derive(Debug, PartialEq, Eq)]
enum Wish {
    Stay,
    Leave,
}

/// What is shown, and how.
struct View {
    seen: Seen,
    /// The agent that is looked at, by its id: lines move.
    chosen: Option<String>,
    with_gone: bool,
    with_detail: bool,
    palette: Palette,
    table: TableState,
}

impl View {
    fn new(seen: Seen) -> Self {
        Self {
            seen,
            chosen: None,
            with_gone: false,
            with_detail: false,
            palette: Palette::of_environment(),
            table: TableState::default(),
        }
    }

    fn lines(&self) -> Vec<Line> {
        line::all(&self.seen, self.with_gone, clock::wall_ms())
    }

    fn press(&mut self, key: KeyEvent) -> Wish {
        if key.kind == KeyEventKind::Release {
            return Wish::Stay;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return Wish::Leave,
            KeyCode::Esc if self.with_detail => self.with_detail = false,
            KeyCode::Esc | KeyCode::Char('q') => return Wish::Leave,
            KeyCode::Down | KeyCode::Char('j') => self.choose(1),
            KeyCode::Up | KeyCode::Char('k') => self.choose(-1),
            KeyCode::PageDown => self.choose(10),
            KeyCode::PageUp => self.choose(-10),
            KeyCode::Home | KeyCode::Char('g') => self.choose(isize::MIN),
            KeyCode::End | KeyCode::Char('G') => self.choose(isize::MAX),
            KeyCode::Enter | KeyCode::Char(' ') => self.with_detail = !self.with_detail,
            KeyCode::Char('a') => self.with_gone = !self.with_gone,
            _ => {}
        }
        Wish::Stay
    }

    /// Moves on by so many lines.
    fn choose(&mut self, by: isize) {
        let lines = self.lines();
        let last = lines.len().saturating_sub(1);
        let at = self.chosen_place(&lines).map_or(0, |at| {
            at.saturating_add_signed(by.clamp(-100_000, 100_000))
                .min(last)
        });
        self.chosen = lines.get(at).map(|line| line.id.clone());
    }

    fn chosen_place(&self, lines: &[Line]) -> Option<usize> {
        let chosen = self.chosen.as_ref()?;
        lines.iter().position(|line| line.id == *chosen)
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let lines = self.lines();
        let detail = if self.with_detail { 9 } else { 0 };
        let [head, body, below, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(3),
            Constraint::Length(detail),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        frame.render_widget(Paragraph::new(self.headline(&lines)), head);
        self.draw_table(frame, body, &lines);
        if self.with_detail {
            frame.render_widget(self.detail(), below);
        }
        let keys = "↑↓ choose  Enter details  a those who have gone  q leave";
        let dim = Style::new().add_modifier(Modifier::DIM);
        frame.render_widget(Paragraph::new(TextLine::styled(keys, dim)), foot);
    }

    fn headline(&self, lines: &[Line]) -> String {
        use bellwether_flock::Status::{PendingInput, Thinking, Working};
        let count = |of: &[bellwether_flock::Status]| {
            lines
                .iter()
                .filter(|line| of.contains(&line.status))
                .count()
        };
        format!(
            "{} sessions, {} agents: {} at work, {} waiting for you",
            self.seen.sessions.len(),
            lines.len(),
            count(&[Working, Thinking]),
            count(&[PendingInput]),
        )
    }

    fn draw_table(&mut self, frame: &mut Frame<'_>, area: Rect, lines: &[Line]) {
        if lines.is_empty() {
            let nobody = "nobody is here; agents appear when Claude Code does something";
            frame.render_widget(Paragraph::new(nobody).wrap(Wrap { trim: true }), area);
            return;
        }
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
    }

    /// Everything about the agent that is looked at.
    fn detail(&self) -> Paragraph<'static> {
        let chosen = self.chosen.as_deref().unwrap_or_default();
        let agent = find(&self.seen, chosen);
        let text = agent.map_or_else(
            || "choose an agent with ↑ and ↓".to_owned(),
            |agent| {
                let usage = &agent.usage;
                let optional = |words: &Option<String>| {
                    text::shown(words.as_deref().unwrap_or("-"), 300)
                };
                format!(
                    "id       {}\nsession  {}\nmodel    {}\nworks on {}\nsays     {}\nthinks   {}\nused     {} messages, {} tokens in, {} out, {} from the cache",
                    text::shown(&agent.agent_id, 100),
                    optional(&agent.session_id),
                    optional(&agent.model),
                    optional(&agent.current_task),
                    optional(&agent.bubble),
                    optional(&agent.thinking_text),
                    usage.messages,
                    usage.input_tokens,
                    usage.output_tokens,
                    usage.cache_read_tokens,
                )
            },
        );
        Paragraph::new(text).block(Block::bordered())
    }
}

fn find<'a>(seen: &'a Seen, id: &str) -> Option<&'a bellwether_flock::AgentView> {
    fn below<'a>(
        nodes: &'a [bellwether_flock::AgentNode],
        id: &str,
    ) -> Option<&'a bellwether_flock::AgentView> {
        nodes.iter().find_map(|node| {
            let here = (node.agent.agent_id == id).then_some(&node.agent);
            here.or_else(|| below(&node.children, id))
        })
    }
    seen.sessions
        .iter()
        .find_map(|session| below(&session.agents, id))
        .or_else(|| seen.gone.iter().find(|agent| agent.agent_id == id))
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
        [20, 13, 11, 0, 0]
    } else {
        [28, 13, 13, 14, 8]
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
        Cell::new(line.status.to_string()).style(palette.style(line.status)),
        Cell::new(line.since.clone()),
    ];
    if !narrow {
        cells.push(Cell::new(line.tools.clone()));
        cells.push(Cell::new(line.tokens.clone()));
    }
    cells.push(Cell::new(line.words.clone()));
    Row::new(cells)
}

#[cfg(test)]
mod tests {
    use bellwether_flock::{Flock, Sender, intake};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    fn view() -> View {
        let mut flock = Flock::default();
        for payload in [
            r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"mend","_meta":{"workspace_id":"shop"}}"#,
            r#"{"hook_event_name":"SubagentStart","session_id":"s","agent_id":"a1","agent_type":"Explore"}"#,
            r#"{"hook_event_name":"PermissionRequest","session_id":"s","tool_name":"Bash","tool_input":{"command":"rm it"}}"#,
        ] {
            let row = intake(payload, Sender::Other).row;
            flock.apply(&row, row.at_ms);
            flock.tick(row.at_ms + 1_600);
        }
        let mut view = View::new(Seen {
            sessions: flock.sessions(),
            gone: Vec::new(),
        });
        view.palette = Palette::Plain;
        view
    }

    fn drawn(view: &mut View, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| view.draw(frame)).unwrap();
        terminal.backend().to_string()
    }

    fn press(view: &mut View, code: KeyCode) -> Wish {
        view.press(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn it_fits_any_terminal() {
        let mut view = view();
        for (width, height) in [(80, 24), (200, 60), (40, 8), (10, 3), (1, 1)] {
            drawn(&mut view, width, height);
        }
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("1 waiting for you"), "{screen}");
        assert!(screen.contains("shop"), "{screen}");
        assert!(screen.contains("└ Explore"), "{screen}");
        assert!(screen.contains("pending_input"), "{screen}");
        assert!(screen.contains("Bash: rm it"), "{screen}");
    }

    #[test]
    fn keys_choose_show_and_leave() {
        let mut view = view();
        assert_eq!(press(&mut view, KeyCode::Down), Wish::Stay);
        assert_eq!(press(&mut view, KeyCode::Down), Wish::Stay);
        assert_eq!(view.chosen.as_deref(), Some("a1"));
        press(&mut view, KeyCode::Down);
        assert_eq!(
            view.chosen.as_deref(),
            Some("a1"),
            "there is no further line"
        );
        press(&mut view, KeyCode::Enter);
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("id       a1"), "{screen}");
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Stay);
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Leave);
        assert_eq!(press(&mut view, KeyCode::Char('q')), Wish::Leave);
    }

    #[test]
    fn an_empty_flock_says_so() {
        let screen = drawn(&mut View::new(Seen::default()), 80, 24);
        assert!(screen.contains("nobody is here"), "{screen}");
    }
}
