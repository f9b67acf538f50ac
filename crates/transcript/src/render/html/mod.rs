//! A session as one page for a browser: everything that it needs is inside, and it asks nobody for anything.

mod call;
mod escape;
mod head;
mod icons;
mod index;
mod policy;
mod words;

use std::io::{self, Write};

use super::figures::{self, Figures};
use super::{REWOUND, Render, made_by};
use crate::call::Call;
use crate::item::{AgentHead, Item, MessageHead, Note, NoteKind, Prompt, PromptFrom, Turn};
use crate::session::Overview;

use escape::Escaped;
pub use index::{Index, IndexRow};
pub use policy::policy;
pub(crate) use words::{is_safe, options};

const STYLE: &str = include_str!("../../../assets/page.css");
const SCRIPT: &str = include_str!("../../../assets/page.js");

/// Agents beyond this have no picture of their own.
const PICTURES: usize = 100;

pub struct Html<W> {
    out: W,
    figures: Figures,
    session: String,
    /// The calls that are open, and how many agents are open inside of each.
    calls: Vec<Call>,
    /// How many calls were begun: they are linked to by their numbers.
    begun: usize,
    agents: usize,
    in_turn: bool,
    /// Whether a message is open, in each agent that is open and outside of all.
    messages: Vec<bool>,
}

impl<W: Write> Html<W> {
    pub fn new(out: W, figures: Figures) -> Self {
        Self {
            out,
            figures,
            session: String::new(),
            calls: Vec::new(),
            begun: 0,
            agents: 0,
            in_turn: false,
            messages: vec![false],
        }
    }

    /// The writer, once all is written.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn turn(&mut self, turn: &Turn) -> io::Result<()> {
        self.close_turn()?;
        self.in_turn = true;
        let number = turn.number;
        let class = if turn.is_rewound {
            "turn rewound"
        } else {
            "turn"
        };
        write!(
            self.out,
            "<section class=\"{class}\" id=\"t{number}\"><h2><a href=\"#t{number}\"><span class=\"sr\">Turn </span>{number}</a>"
        )?;
        self.when(turn.at_ms)?;
        let mut facts = Vec::new();
        facts.extend(turn.duration_ms.filter(|ms| *ms > 0).map(figures::duration));
        facts.extend((turn.calls > 0).then(|| figures::many(turn.calls, "call")));
        facts.extend((!turn.tokens.is_zero()).then(|| figures::tokens(&turn.tokens)));
        facts.extend(figures::cost(&turn.cost));
        write!(
            self.out,
            "<span class=\"facts\">{}</span></h2>",
            facts.join(" · ")
        )?;
        if turn.is_rewound {
            let icon = icons::icon("back");
            writeln!(
                self.out,
                "<p class=\"note ask\">{icon}<span>{REWOUND}</span></p>"
            )?;
        }
        Ok(())
    }

    fn close_turn(&mut self) -> io::Result<()> {
        self.close_message()?;
        if std::mem::take(&mut self.in_turn) {
            self.out.write_all(b"</section>\n")?;
        }
        Ok(())
    }

    /// What comes before the first turn stands in one without a number.
    fn ensure_turn(&mut self) -> io::Result<()> {
        if self.in_turn {
            return Ok(());
        }
        self.in_turn = true;
        self.out.write_all(b"<section class=\"turn\">")
    }

    fn when(&mut self, at_ms: Option<u64>) -> io::Result<()> {
        let Some(at_ms) = at_ms else { return Ok(()) };
        write!(
            self.out,
            "<time datetime=\"{}\">{}</time>",
            bellwether_spine::clock::utc(at_ms),
            Escaped(&self.figures.clock(at_ms))
        )
    }

    fn prompt(&mut self, prompt: &Prompt) -> io::Result<()> {
        self.close_message()?;
        let (class, icon, who) = match prompt.from {
            PromptFrom::Person => ("you", "person", "You"),
            PromptFrom::Command => ("you", "slash", "You, by a command"),
            PromptFrom::Task => ("task", "clock", "A background task"),
            PromptFrom::Agent => ("agent", "agent", "The agent that started it"),
        };
        write!(
            self.out,
            "<div class=\"prompt {class}\">{}<div class=\"text\"><p class=\"who\">{who}</p><div class=\"md u\">{}</div>",
            icons::icon(icon),
            words::html(&prompt.text)
        )?;
        for image in &prompt.images {
            call::image(&mut self.out, image)?;
        }
        self.out.write_all(b"</div></div>\n")
    }

    fn message(&mut self, head: &MessageHead) -> io::Result<()> {
        self.close_message()?;
        if let Some(open) = self.messages.last_mut() {
            *open = true;
        }
        self.out
            .write_all(b"<div class=\"message\"><p class=\"by\">")?;
        self.when(head.at_ms)?;
        let mut facts = Vec::new();
        facts.extend((!head.model.is_empty()).then(|| head.model.clone()));
        facts.extend((!head.tokens.is_zero()).then(|| figures::tokens(&head.tokens)));
        facts.extend(head.cost_usd.map(figures::usd));
        write!(self.out, "<span>{}</span></p>", Escaped(&facts.join(" · ")))
    }

    fn close_message(&mut self) -> io::Result<()> {
        let open = self.messages.last_mut().map(std::mem::take);
        if open == Some(true) {
            self.out.write_all(b"</div>\n")?;
        }
        Ok(())
    }

    fn agent(&mut self, agent: &AgentHead) -> io::Result<()> {
        if self.calls.is_empty() {
            self.close_message()?;
        }
        self.agents += 1;
        let kind = if agent.kind.is_empty() {
            "Subagent"
        } else {
            &agent.kind
        };
        let mut facts = Vec::new();
        facts.extend(agent.duration_ms.map(figures::duration));
        facts.push(figures::many(agent.calls, "call"));
        facts.extend((!agent.tokens.is_zero()).then(|| figures::tokens(&agent.tokens)));
        facts.extend(figures::cost(&agent.cost));
        let picture = if self.agents <= PICTURES && !agent.id.is_empty() {
            head::child(&self.session, &agent.id)
        } else {
            icons::icon("agent")
        };
        write!(
            self.out,
            "<details class=\"agent\"><summary>{picture}<span class=\"tool\">{}</span><span class=\"about\">{}</span><span class=\"meta\">{}</span></summary><div class=\"inner\">",
            Escaped(kind),
            Escaped(&agent.about),
            facts.join(" · "),
        )?;
        self.messages.push(false);
        Ok(())
    }

    fn agent_end(&mut self) -> io::Result<()> {
        self.close_message()?;
        if self.messages.len() > 1 {
            self.messages.pop();
        }
        self.out.write_all(b"</div></details>\n")
    }

    fn note(&mut self, note: &Note) -> io::Result<()> {
        if self.calls.is_empty() {
            self.close_message()?;
        }
        let (class, icon) = match note.kind {
            NoteKind::Client | NoteKind::LeftOut => ("plain", "info"),
            NoteKind::Command => ("plain", "slash"),
            NoteKind::Shell => ("plain", "command"),
            NoteKind::Compacted => ("plain", "fold"),
            NoteKind::Interrupted => ("ask", "stop"),
            NoteKind::Failed => ("bad", "bad"),
            NoteKind::Hook => ("ask", "hook"),
            NoteKind::Guard => ("bad", "guard"),
        };
        let icon = icons::icon(icon);
        let text = Escaped(&note.text);
        match &note.detail {
            None => writeln!(
                self.out,
                "<p class=\"note {class} u\">{icon}<span>{text}</span></p>"
            ),
            Some(detail) => writeln!(
                self.out,
                "<details class=\"note {class}\"><summary>{icon}<span class=\"u\">{text}</span></summary><pre class=\"out u\">{}</pre></details>",
                Escaped(detail)
            ),
        }
    }

    fn write_item(&mut self, item: &Item) -> io::Result<()> {
        match item {
            Item::Turn(turn) => self.turn(turn),
            Item::Prompt(prompt) => self.prompt(prompt),
            Item::Message(head) => self.message(head),
            Item::Words(words) => {
                let html = words::html(&words.text);
                writeln!(self.out, "<div class=\"md u\">{html}</div>")
            }
            Item::Thinking(words) => writeln!(
                self.out,
                "<details class=\"thinking\"><summary>{}<span>Thinking</span></summary><div class=\"md u\">{}</div></details>",
                icons::icon("think"),
                words::html(&words.text)
            ),
            Item::Image(image) => call::image(&mut self.out, image),
            Item::Call(call) => {
                self.begun += 1;
                call::begin(&mut self.out, call, self.begun)?;
                self.calls.push((**call).clone());
                Ok(())
            }
            Item::CallEnd => match self.calls.pop() {
                Some(call) => call::end(&mut self.out, &call),
                None => Ok(()),
            },
            Item::Agent(agent) => self.agent(agent),
            Item::AgentEnd => self.agent_end(),
            Item::Note(note) => self.note(note),
        }
    }
}

impl<W: Write> Render for Html<W> {
    fn begin(&mut self, overview: &Overview, outline: &[Turn]) -> io::Result<()> {
        self.session.clone_from(&overview.session);
        head::write(&mut self.out, overview, outline, &self.figures)
    }

    fn item(&mut self, item: &Item) -> io::Result<()> {
        if !matches!(item, Item::Turn(_)) {
            self.ensure_turn()?;
        }
        self.write_item(item)
    }

    fn end(&mut self) -> io::Result<()> {
        self.close_turn()?;
        write!(
            self.out,
            "<footer><p>Made by {} from the client’s own transcript. Secrets are masked. Costs are estimates.</p></footer></main></div>",
            Escaped(&made_by())
        )?;
        head::close(&mut self.out)?;
        self.out.flush()
    }
}
