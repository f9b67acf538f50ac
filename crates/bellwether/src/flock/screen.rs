//! The live view: a table of agents that moves as they do.

use std::time::{Duration, Instant};

use bellwether_spine::clock;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::widgets::TableState;

use super::colour::Palette;
use super::line::{self, Line};
use super::order::Choice;
use super::{Seen, Source};

/// How often the flock is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A filter is no longer than this.
const FILTER: usize = 60;

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
pub(super) struct View {
    pub(super) seen: Seen,
    /// The agent that is looked at, by its id: lines move.
    pub(super) chosen: Option<String>,
    pub(super) choice: Choice,
    /// Whether a filter is being typed.
    pub(super) typing: bool,
    pub(super) with_detail: bool,
    pub(super) with_help: bool,
    pub(super) palette: Palette,
    pub(super) table: TableState,
}

impl View {
    fn new(seen: Seen) -> Self {
        Self {
            seen,
            chosen: None,
            choice: Choice::default(),
            typing: false,
            with_detail: false,
            with_help: false,
            palette: Palette::of_environment(),
            table: TableState::default(),
        }
    }

    pub(super) fn lines(&self) -> Vec<Line> {
        line::all(&self.seen, &self.choice, clock::wall_ms())
    }

    fn press(&mut self, key: KeyEvent) -> Wish {
        if key.kind == KeyEventKind::Release {
            return Wish::Stay;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return Wish::Leave,
            code if self.typing => self.type_filter(code),
            KeyCode::Esc => return self.close(),
            KeyCode::Char('q') => return Wish::Leave,
            KeyCode::Char('?') => self.with_help = !self.with_help,
            KeyCode::Char('/') => self.typing = true,
            KeyCode::Char('s') => self.choice.order = self.choice.order.next(),
            KeyCode::Char('a') => self.choice.with_gone = !self.choice.with_gone,
            KeyCode::Enter | KeyCode::Char(' ') => self.toggle_detail(),
            code => self.walk(code),
        }
        Wish::Stay
    }

    /// With nobody chosen, the one on top is looked at.
    fn toggle_detail(&mut self) {
        self.with_detail = !self.with_detail;
        if self.chosen.is_none() {
            self.choose(0);
        }
    }

    fn walk(&mut self, code: KeyCode) {
        match code {
            KeyCode::Down | KeyCode::Char('j') => self.choose(1),
            KeyCode::Up | KeyCode::Char('k') => self.choose(-1),
            KeyCode::PageDown => self.choose(10),
            KeyCode::PageUp => self.choose(-10),
            KeyCode::Home | KeyCode::Char('g') => self.choose(isize::MIN),
            KeyCode::End | KeyCode::Char('G') => self.choose(isize::MAX),
            _ => {}
        }
    }

    /// Closes what was opened last; with nothing open, the view.
    fn close(&mut self) -> Wish {
        if self.with_help {
            self.with_help = false;
        } else if self.with_detail {
            self.with_detail = false;
        } else if self.choice.filter.is_empty() {
            return Wish::Leave;
        } else {
            self.choice.filter.clear();
        }
        Wish::Stay
    }

    fn type_filter(&mut self, code: KeyCode) {
        let filter = &mut self.choice.filter;
        match code {
            KeyCode::Enter => self.typing = false,
            KeyCode::Esc => {
                self.typing = false;
                filter.clear();
            }
            KeyCode::Backspace => drop(filter.pop()),
            KeyCode::Char(letter) if filter.chars().count() < FILTER => filter.push(letter),
            KeyCode::Down | KeyCode::Up => self.walk(code),
            _ => {}
        }
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

    pub(super) fn chosen_place(&self, lines: &[Line]) -> Option<usize> {
        let chosen = self.chosen.as_ref()?;
        lines.iter().position(|line| line.id == *chosen)
    }
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
        plain_view(&flock)
    }

    fn plain_view(flock: &Flock) -> View {
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
        assert!(screen.contains("1 needs you"), "{screen}");
        assert!(screen.contains("shop"), "{screen}");
        assert!(screen.contains("└ Explore"), "{screen}");
        assert!(!screen.contains("pending_input"), "{screen}");
        assert!(screen.contains("Bash: rm it"), "{screen}");
        assert!(
            screen.contains("a show finished · q quit · ? help"),
            "{screen}"
        );
        let narrow = drawn(&mut view, 40, 12);
        assert!(
            narrow.contains("a show finished · q quit · ? help"),
            "{narrow}"
        );
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
        assert!(screen.contains("id        a1"), "{screen}");
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Stay);
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Leave);
        assert_eq!(press(&mut view, KeyCode::Char('q')), Wish::Leave);
    }

    #[test]
    fn an_empty_flock_says_so() {
        let screen = drawn(&mut View::new(Seen::default()), 80, 24);
        assert!(screen.contains("no agents"), "{screen}");
    }

    /// Sessions of these projects, each with its last payload.
    fn crowd(last: &[(&str, &str)]) -> View {
        let mut flock = Flock::default();
        for (project, more) in last {
            let begin = format!(
                r#"{{"hook_event_name":"UserPromptSubmit","session_id":"{project}","prompt":"go","_meta":{{"workspace_id":"{project}"}}}}"#
            );
            for payload in [begin, more.replace("SESSION", project)] {
                let row = intake(&payload, Sender::Other).row;
                flock.apply(&row, row.at_ms);
                flock.tick(row.at_ms + 1_600);
            }
        }
        plain_view(&flock)
    }

    const READS: &str = r#"{"hook_event_name":"PreToolUse","session_id":"SESSION","tool_name":"Read","tool_use_id":"t","tool_input":{"file_path":"notes.txt"}}"#;
    const ASKS: &str = r#"{"hook_event_name":"PermissionRequest","session_id":"SESSION","cwd":"/home/dev/SESSION","tool_name":"Bash","tool_input":{"command":"git push --force"}}"#;
    const QUESTION: &str = r#"{"hook_event_name":"PermissionRequest","session_id":"SESSION","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which way?"}]}}"#;

    fn names(view: &View) -> Vec<String> {
        view.lines().into_iter().map(|line| line.name).collect()
    }

    fn type_words(view: &mut View, words: &str) {
        for letter in words.chars() {
            press(view, KeyCode::Char(letter));
        }
    }

    #[test]
    fn those_who_need_you_are_on_top_in_every_order() {
        let mut view = crowd(&[("bakery", READS), ("zoo", ASKS), ("apiary", READS)]);
        assert_eq!(names(&view)[0], "zoo");
        for order in ["last active first", "by name", "most tool calls first"] {
            press(&mut view, KeyCode::Char('s'));
            assert_eq!(names(&view)[0], "zoo", "{order}");
            let screen = drawn(&mut view, 80, 24);
            assert!(screen.contains(order), "{screen}");
            if order == "by name" {
                assert_eq!(names(&view), ["zoo", "apiary", "bakery"]);
            }
        }
    }

    #[test]
    fn a_filter_is_typed_kept_and_cleared() {
        let mut view = crowd(&[("apiary", READS), ("bakery", READS), ("zoo", ASKS)]);
        press(&mut view, KeyCode::Char('/'));
        type_words(&mut view, "notesq");
        press(&mut view, KeyCode::Backspace);
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("filter: notes"), "{screen}");
        assert_eq!(names(&view), ["apiary", "bakery"]);
        press(&mut view, KeyCode::Enter);
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("only “notes”"), "{screen}");
        press(&mut view, KeyCode::Char('/'));
        type_words(&mut view, " nowhere");
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("no agent matches"), "{screen}");
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Stay);
        assert_eq!(names(&view).len(), 3);
        type_words(&mut view, "/needs you");
        assert_eq!(names(&view), ["zoo"], "states are found by their words");
        press(&mut view, KeyCode::Enter);
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Stay, "it clears");
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Leave);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let projects: Vec<String> = (10..30).map(|number| format!("p{number}")).collect();
        let last: Vec<(&str, &str)> = projects.iter().map(|name| (name.as_str(), READS)).collect();
        let mut view = crowd(&last);
        let screen = drawn(&mut view, 80, 12);
        assert!(screen.contains("↓ 12 more below"), "{screen}");
        assert!(!screen.contains("above"), "{screen}");
        press(&mut view, KeyCode::End);
        press(&mut view, KeyCode::End);
        let screen = drawn(&mut view, 80, 12);
        assert!(screen.contains("↑ 12 more above"), "{screen}");
        assert!(
            screen.contains("p29") && !screen.contains("below"),
            "{screen}"
        );
        assert!(!drawn(&mut view, 80, 40).contains("more"));
    }

    #[test]
    fn the_detail_has_folder_command_and_question() {
        let mut view = crowd(&[("farm", ASKS), ("inn", QUESTION)]);
        for session in &mut view.seen.sessions {
            let id = session.session.session_id.clone();
            session.session.project_dir = Some(format!("/home/dev/{id}"));
        }
        press(&mut view, KeyCode::Enter);
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("state     needs you for"), "{screen}");
        assert!(
            screen.contains("asks      Bash: git push --force"),
            "{screen}"
        );
        assert!(screen.contains("folder    /home/dev/farm"), "{screen}");
        press(&mut view, KeyCode::Down);
        let screen = drawn(&mut view, 80, 24);
        assert!(screen.contains("asks      Which way?"), "{screen}");
    }

    #[test]
    fn help_names_every_key_and_closes() {
        let mut view = crowd(&[("zoo", ASKS)]);
        press(&mut view, KeyCode::Char('?'));
        for (width, height) in [(80, 24), (40, 10), (5, 2)] {
            drawn(&mut view, width, height);
        }
        let screen = drawn(&mut view, 80, 24);
        for word in [
            "always on top",
            "show only agents",
            "sort:",
            "finished",
            "quit",
        ] {
            assert!(screen.contains(word), "{word}: {screen}");
        }
        assert_eq!(press(&mut view, KeyCode::Esc), Wish::Stay);
        assert!(!drawn(&mut view, 80, 24).contains("always on top"));
    }

    #[test]
    fn what_the_guard_refused_is_seen() {
        let mut flock = Flock::default();
        let record = r#"{"v":1,"meta":{"id":"0197f0f0-0000-7000-8000-000000000001","at_ms":5,"workspace_id":"zoo","guard":{"said":"deny","rules":["delete-home"]}},"payload":{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"rm -rf ~"}}}"#;
        let row = bellwether_flock::Row::from_record(record.as_bytes()).unwrap();
        flock.apply(&row, 5);
        flock.tick(1_600);
        let mut view = View::new(Seen {
            sessions: flock.sessions(),
            gone: Vec::new(),
        });
        let screen = drawn(&mut view, 120, 24);
        assert!(
            screen.contains("refused (delete-home) Bash: rm -rf ~"),
            "{screen}"
        );
        assert!(screen.contains("0 (1 refused)"), "{screen}");
    }
}
