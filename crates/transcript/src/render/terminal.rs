//! A session in a terminal. Colours only where they are wanted; every text is without anything that steers already.

use std::io::{self, Write};

use super::figures::{self, Figures};
use super::{REWOUND, Render};
use crate::call::{Answered, Call, Change, Input, Outcome, Sign};
use crate::item::{AgentHead, Item, MessageHead, Note, NoteKind, Prompt, Turn};
use crate::session::Overview;
use crate::stops::StopHow;

/// Whether colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Colours,
}

/// So many lines of what a tool printed or a change did are shown, unless all are wanted.
const LINES: usize = 8;

#[derive(Debug, Clone, Copy)]
enum Tone {
    Bold,
    Dim,
    Prompt,
    Tool,
    Good,
    Bad,
    Ask,
}

pub struct Terminal<W> {
    out: W,
    figures: Figures,
    paint: Paint,
    /// How many lines of an output are shown.
    lines: usize,
    calls: Vec<Call>,
    depth: usize,
}

impl<W: Write> Terminal<W> {
    pub fn new(out: W, figures: Figures, paint: Paint) -> Self {
        Self {
            out,
            figures,
            paint,
            lines: LINES,
            calls: Vec::new(),
            depth: 0,
        }
    }

    /// Shows outputs whole.
    #[must_use]
    pub fn whole(self) -> Self {
        Self {
            lines: usize::MAX,
            ..self
        }
    }

    fn tone(&self, tone: Tone, text: &str) -> String {
        if self.paint == Paint::Plain || text.is_empty() {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Bold => "1",
            Tone::Dim => "2",
            Tone::Prompt => "1;36",
            Tone::Tool => "35",
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Ask => "33",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        let bars = self.tone(Tone::Dim, &"│ ".repeat(self.depth));
        writeln!(self.out, "{bars}{text}")
    }

    fn lines_of(&mut self, text: &str, before: &str, tone: Option<Tone>) -> io::Result<()> {
        for line in text.trim_end().lines() {
            let line = tone.map_or_else(|| line.to_owned(), |tone| self.tone(tone, line));
            self.line(&format!("{before}{line}"))?;
        }
        Ok(())
    }

    /// What a tool printed: its first lines.
    fn output(&mut self, text: &str, tone: Tone) -> io::Result<()> {
        let text = text.trim_end();
        let count = text.lines().count();
        let shown: Vec<&str> = text.lines().take(self.lines).collect();
        self.lines_of(&shown.join("\n"), "    ", Some(tone))?;
        if count > shown.len() {
            let more = figures::many(count - shown.len(), "more line");
            let more = self.tone(Tone::Dim, &format!("… {more}"));
            self.line(&format!("    {more}"))?;
        }
        Ok(())
    }

    fn turn(&mut self, turn: &Turn) -> io::Result<()> {
        let mut facts = vec![format!("{}", turn.number)];
        facts.extend(turn.at_ms.map(|at| self.figures.clock(at)));
        facts.extend(turn.duration_ms.filter(|ms| *ms > 0).map(figures::duration));
        facts.extend((!turn.tokens.is_zero()).then(|| figures::tokens(&turn.tokens)));
        facts.extend(figures::cost(&turn.cost));
        let line = format!("── {} ──", facts.join(" · "));
        let line = self.tone(Tone::Dim, &line);
        writeln!(self.out)?;
        self.line(&line)?;
        if turn.is_rewound {
            let rewound = self.tone(Tone::Dim, REWOUND);
            self.line(&rewound)?;
        }
        Ok(())
    }

    fn prompt(&mut self, prompt: &Prompt) -> io::Result<()> {
        self.lines_of(&prompt.text, "❯ ", Some(Tone::Prompt))?;
        for image in &prompt.images {
            let text = format!("[an image of {}]", figures::bytes(image.bytes));
            self.line(&text)?;
        }
        Ok(())
    }

    fn begin_call(&mut self, call: &Call) -> io::Result<()> {
        let (sign, state) = match call.outcome {
            Outcome::Done => (self.tone(Tone::Good, "●"), ""),
            Outcome::Failed => (self.tone(Tone::Bad, "✗"), " failed"),
            Outcome::Refused => (self.tone(Tone::Bad, "⊘"), " did not run"),
            Outcome::Unanswered => (self.tone(Tone::Ask, "○"), " no answer"),
        };
        let tool = self.tone(Tone::Tool, &call.tool);
        let state = self.tone(Tone::Bad, state);
        let duration = call.duration_ms.map(figures::duration).unwrap_or_default();
        let duration = self.tone(Tone::Dim, &duration);
        let line = format!("{sign} {tool} {}{state} {duration}", call.title);
        self.line(line.trim_end())?;
        if let Some(stop) = &call.stop {
            let what = match stop.how {
                StopHow::Refused => "the guard stopped this",
                StopHow::Asked => "the guard asked about this",
            };
            let text = format!("    {what}: {} ({})", stop.reason, stop.rules.join(", "));
            let text = self.tone(Tone::Bad, &text);
            self.line(&text)?;
        }
        self.input(&call.input)
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        match input {
            Input::Command { text, .. } if text.contains('\n') => self.output(text, Tone::Tool),
            Input::Change(change) => self.diff(change),
            Input::Questions { questions } => {
                for one in questions {
                    let answer = one.answer.as_deref().unwrap_or("no answer");
                    // The line above has the question, if there is only one.
                    let question = match questions.len() {
                        1 => String::new(),
                        _ => format!("{} ", one.question),
                    };
                    let text = format!("    {question}→ {answer}");
                    let text = self.tone(Tone::Ask, &text);
                    self.line(&text)?;
                }
                Ok(())
            }
            Input::Plan { text } => self.lines_of(text, "    ", None),
            Input::Tasks { tasks } => {
                for task in tasks {
                    let tick = if task.status == "completed" {
                        "☑"
                    } else {
                        "☐"
                    };
                    self.line(&format!("    {tick} {}", task.subject))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn diff(&mut self, change: &Change) -> io::Result<()> {
        let lines = change.hunks.iter().flat_map(|hunk| &hunk.lines);
        let count = lines.clone().count();
        for line in lines.take(self.lines.max(1)) {
            let (sign, tone) = match line.sign {
                Sign::Same => (' ', Tone::Dim),
                Sign::Added => ('+', Tone::Good),
                Sign::Removed => ('-', Tone::Bad),
            };
            let text = self.tone(tone, &format!("{sign} {}", line.text));
            self.line(&format!("    {text}"))?;
        }
        if count > self.lines {
            let more = figures::many(count - self.lines, "more line");
            let more = self.tone(Tone::Dim, &format!("    … {more}"));
            self.line(&more)?;
        }
        Ok(())
    }

    fn end_call(&mut self, call: &Call) -> io::Result<()> {
        // What a change did was shown, and the client only says that it is done.
        let is_told = matches!(
            call.input,
            Input::Change(_) | Input::Questions { .. } | Input::Tasks { .. }
        );
        if is_told && call.outcome == Outcome::Done {
            return Ok(());
        }
        let tone = if call.outcome == Outcome::Done {
            Tone::Dim
        } else {
            Tone::Bad
        };
        for part in &call.answer {
            match part {
                Answered::Text { text } => self.output(text, tone)?,
                Answered::Image(image) => {
                    let text = format!("    [an image of {}]", figures::bytes(image.bytes));
                    self.line(&text)?;
                }
            }
        }
        Ok(())
    }

    fn agent(&mut self, agent: &AgentHead) -> io::Result<()> {
        let kind = if agent.kind.is_empty() {
            "Subagent"
        } else {
            &agent.kind
        };
        let kind = self.tone(Tone::Bold, kind);
        self.line(&format!("╭ {kind} {}", agent.about))?;
        self.depth += 1;
        Ok(())
    }

    fn note(&mut self, note: &Note) -> io::Result<()> {
        let tone = match note.kind {
            NoteKind::Failed | NoteKind::Guard => Tone::Bad,
            NoteKind::Interrupted | NoteKind::Hook => Tone::Ask,
            _ => Tone::Dim,
        };
        let text = self.tone(tone, &format!("· {}", note.text));
        self.line(&text)?;
        match &note.detail {
            Some(detail) => self.output(detail, Tone::Dim),
            None => Ok(()),
        }
    }

    fn message(&mut self, _: &MessageHead) -> io::Result<()> {
        if self.depth == 0 {
            writeln!(self.out)
        } else {
            Ok(())
        }
    }
}

impl<W: Write> Render for Terminal<W> {
    fn begin(&mut self, overview: &Overview, _: &[Turn]) -> io::Result<()> {
        let title = self.tone(Tone::Bold, &overview.title);
        self.line(&title)?;
        let mut facts = vec![overview.session.clone(), overview.folder.clone()];
        facts.extend(overview.first_ms.map(|at| self.figures.day_time(at)));
        facts.retain(|fact| !fact.is_empty());
        let first = self.tone(Tone::Dim, &facts.join(" · "));
        self.line(&first)?;
        let mut facts = vec![
            figures::many(overview.turns, "turn"),
            figures::many(overview.calls, "tool call"),
            figures::tokens(&overview.tokens),
        ];
        facts.extend(figures::cost(&overview.cost).map(|cost| format!("{cost} (estimated)")));
        facts.extend(
            (overview.stops > 0).then(|| figures::many(overview.stops, "stop") + " by the guard"),
        );
        facts.extend(
            (overview.unreadable > 0)
                .then(|| figures::many(overview.unreadable, "unreadable line")),
        );
        let second = self.tone(Tone::Dim, &facts.join(" · "));
        self.line(&second)
    }

    fn item(&mut self, item: &Item) -> io::Result<()> {
        match item {
            Item::Turn(turn) => self.turn(turn),
            Item::Prompt(prompt) => self.prompt(prompt),
            Item::Message(head) => self.message(head),
            Item::Words(words) => self.lines_of(&words.text, "", None),
            Item::Thinking(words) => self.output(&words.text, Tone::Dim),
            Item::Image(image) => {
                let text = format!("[an image of {}]", figures::bytes(image.bytes));
                self.line(&text)
            }
            Item::Call(call) => {
                self.begin_call(call)?;
                self.calls.push((**call).clone());
                Ok(())
            }
            Item::CallEnd => match self.calls.pop() {
                Some(call) => self.end_call(&call),
                None => Ok(()),
            },
            Item::Agent(agent) => self.agent(agent),
            Item::AgentEnd => {
                self.depth = self.depth.saturating_sub(1);
                let end = self.tone(Tone::Dim, "╰");
                self.line(&end)
            }
            Item::Note(note) => self.note(note),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
