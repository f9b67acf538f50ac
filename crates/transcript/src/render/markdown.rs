//! A session as Markdown: turns as headings, tool calls folded where Markdown can fold, nothing that a viewer would run or
//! fetch.

use std::io::{self, Write};

use pulldown_cmark::{Event, Parser, Tag};

use super::figures::{self, Figures};
use super::{REWOUND, Render, made_by};
use crate::call::{Answered, Call, Change, Input, Outcome, Sign};
use crate::image::Image;
use crate::item::{AgentHead, Item, Note, Prompt, PromptFrom, Turn};
use crate::render::html::{is_safe, options};
use crate::session::Overview;
use crate::stops::StopHow;

/// Taking the sting out of one thing may show another; a text that has more is shown as it was typed.
const ROUNDS: usize = 6;

pub struct Markdown<W> {
    out: W,
    figures: Figures,
    calls: Vec<Call>,
}

impl<W: Write> Markdown<W> {
    pub fn new(out: W, figures: Figures) -> Self {
        Self {
            out,
            figures,
            calls: Vec::new(),
        }
    }

    /// The writer, once all is written.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn turn(&mut self, turn: &Turn) -> io::Result<()> {
        let mut facts = Vec::new();
        facts.extend(turn.at_ms.map(|at| self.figures.clock(at)));
        facts.extend(turn.duration_ms.filter(|ms| *ms > 0).map(figures::duration));
        facts.extend((!turn.tokens.is_zero()).then(|| figures::tokens(&turn.tokens)));
        facts.extend(figures::cost(&turn.cost));
        writeln!(self.out, "\n## {} · {}\n", turn.number, facts.join(" · "))?;
        if turn.is_rewound {
            writeln!(self.out, "*{REWOUND}*\n")?;
        }
        Ok(())
    }

    fn prompt(&mut self, prompt: &Prompt) -> io::Result<()> {
        let who = match prompt.from {
            PromptFrom::Person | PromptFrom::Command => "You",
            PromptFrom::Task => "A background task",
            PromptFrom::Agent => "The agent that started it",
        };
        writeln!(self.out, "**{who}**\n")?;
        for line in safe(&prompt.text).lines() {
            writeln!(self.out, "> {line}")?;
        }
        for image in &prompt.images {
            self.image(image)?;
        }
        writeln!(self.out)
    }

    fn image(&mut self, image: &Image) -> io::Result<()> {
        writeln!(
            self.out,
            "\n*An image of {}.*\n",
            figures::bytes(image.bytes)
        )
    }

    fn begin_call(&mut self, call: &Call) -> io::Result<()> {
        let state = match (&call.stop, call.outcome) {
            (Some(stop), _) if stop.how == StopHow::Refused => " — **stopped by the guard**",
            (Some(_), _) => " — **asked by the guard**",
            (None, Outcome::Done) => "",
            (None, Outcome::Failed) => " — **failed**",
            (None, Outcome::Refused) => " — **did not run**",
            (None, Outcome::Unanswered) => " — no answer",
        };
        writeln!(
            self.out,
            "<details><summary><b>{}</b> {}{}</summary>\n",
            element(&call.tool),
            element(&call.title),
            state.replace("**", "")
        )?;
        if let Some(stop) = &call.stop {
            let rules = stop.rules.join(", ");
            writeln!(
                self.out,
                "**The guard, by {}:** {}\n",
                plain(&rules),
                plain(&stop.reason)
            )?;
        }
        self.input(&call.input)
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        match input {
            Input::Command { text, .. } => self.fence("sh", text),
            Input::Change(change) => self.fence("diff", &diff(change)),
            Input::Read { path } => writeln!(self.out, "{}\n", plain(path)),
            Input::Questions { questions } => {
                for question in questions {
                    writeln!(self.out, "{}\n", plain(&question.question))?;
                    for (name, about) in &question.choices {
                        writeln!(self.out, "- {}: {}", plain(name), plain(about))?;
                    }
                    let answer = question.answer.as_deref().unwrap_or("none");
                    writeln!(self.out, "\n**Answer:** {}\n", plain(answer))?;
                }
                Ok(())
            }
            Input::Plan { text } | Input::Agent { prompt: text, .. } => {
                writeln!(self.out, "{}\n", safe(text))
            }
            Input::Tasks { tasks } => {
                for task in tasks {
                    let tick = if task.status == "completed" { "x" } else { " " };
                    writeln!(self.out, "- [{tick}] {}", plain(&task.subject))?;
                }
                writeln!(self.out)
            }
            Input::Fields { fields } => {
                let lines: Vec<String> = fields
                    .iter()
                    .map(|field| format!("{}: {}", field.name, field.value))
                    .collect();
                self.fence("", &lines.join("\n"))
            }
        }
    }

    fn end_call(&mut self, call: &Call) -> io::Result<()> {
        for part in &call.answer {
            match part {
                Answered::Text { text } => self.fence("", text)?,
                Answered::Image(image) => self.image(image)?,
            }
        }
        writeln!(self.out, "</details>\n")
    }

    fn fence(&mut self, language: &str, text: &str) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        writeln!(self.out, "{}\n", fenced(language, text))
    }

    fn agent(&mut self, agent: &AgentHead) -> io::Result<()> {
        let kind = if agent.kind.is_empty() {
            "Subagent"
        } else {
            &agent.kind
        };
        let facts = [
            Some(figures::many(agent.calls, "call")),
            figures::cost(&agent.cost),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        writeln!(
            self.out,
            "<details><summary><b>{}</b> {} ({})</summary>\n",
            element(kind),
            element(&agent.about),
            facts.join(" · ")
        )
    }

    fn note(&mut self, note: &Note) -> io::Result<()> {
        writeln!(self.out, "*{}*\n", plain(&note.text))?;
        self.fence("", note.detail.as_deref().unwrap_or_default())
    }
}

impl<W: Write> Render for Markdown<W> {
    fn begin(&mut self, overview: &Overview, _: &[Turn]) -> io::Result<()> {
        writeln!(
            self.out,
            "<!-- bellwether-transcript -->\n\n# {}\n",
            plain(&overview.title)
        )?;
        let mut facts = vec![
            ("Session", overview.session.clone()),
            ("Project", overview.folder.clone()),
        ];
        facts.extend(overview.first_ms.map(|at| ("When", self.figures.long(at))));
        facts.extend(
            overview
                .duration_ms()
                .map(|ms| ("Duration", figures::duration(ms))),
        );
        facts.push(("Turns", overview.turns.to_string()));
        facts.push(("Tool calls", overview.calls.to_string()));
        facts.push(("Tokens", figures::tokens(&overview.tokens)));
        let cost = figures::cost(&overview.cost).unwrap_or_else(|| "unknown".to_owned());
        facts.push((
            "Cost",
            format!("{cost} (an estimate by the prices of {})", overview.prices),
        ));
        if overview.stops > 0 {
            facts.push(("Stopped by the guard", overview.stops.to_string()));
        }
        writeln!(self.out, "| | |\n|---|---|")?;
        for (name, value) in facts {
            writeln!(self.out, "| {name} | {} |", plain(&value))?;
        }
        Ok(())
    }

    fn item(&mut self, item: &Item) -> io::Result<()> {
        match item {
            Item::Turn(turn) => self.turn(turn),
            Item::Prompt(prompt) => self.prompt(prompt),
            Item::Message(_) => Ok(()),
            Item::Words(words) => writeln!(self.out, "{}\n", safe(&words.text)),
            Item::Thinking(words) => writeln!(
                self.out,
                "<details><summary>Thinking</summary>\n\n{}\n\n</details>\n",
                safe(&words.text)
            ),
            Item::Image(image) => self.image(image),
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
            Item::AgentEnd => writeln!(self.out, "</details>\n"),
            Item::Note(note) => self.note(note),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(
            self.out,
            "---\n\nMade by {}. Secrets are masked. Costs are estimates.",
            made_by()
        )?;
        self.out.flush()
    }
}

/// A change as everybody writes one.
fn diff(change: &Change) -> String {
    let mut text = format!("--- {0}\n+++ {0}\n", change.path);
    for hunk in &change.hunks {
        for line in &hunk.lines {
            text.push(match line.sign {
                Sign::Same => ' ',
                Sign::Added => '+',
                Sign::Removed => '-',
            });
            text.push_str(&line.text);
            text.push('\n');
        }
    }
    if change.cut {
        text.push_str("[the rest is left out]\n");
    }
    text
}

/// A text between fences that nothing in it closes.
fn fenced(language: &str, text: &str) -> String {
    let mut longest = 2;
    let mut run = 0;
    for char in text.chars() {
        run = if char == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    format!(
        "{fence}{language}\n{}\n{fence}",
        text.trim_end_matches('\n')
    )
}

/// Words on one line in which nothing is Markdown.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (place, char) in text.char_indices() {
        match char {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => plain.extend(['\\', char]),
            '#' | '>' | '+' | '-' | '=' if place == 0 => plain.extend(['\\', char]),
            '<' => plain.push_str("&lt;"),
            '&' => plain.push_str("&amp;"),
            '\n' => plain.push(' '),
            other => plain.push(other),
        }
    }
    // Some viewers follow an address wherever it stands.
    plain.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// Words inside an element of HTML.
fn element(text: &str) -> String {
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    escaped.replace('\n', " ")
}

/// Markdown in which HTML is text, images are not fetched and links lead to the web or to a mailbox.
fn safe(markdown: &str) -> String {
    let mut text = markdown.to_owned();
    for _ in 0..ROUNDS {
        let places = stings(&text);
        if places.is_empty() {
            return text;
        }
        for place in places.into_iter().rev() {
            let sign = text[place..].chars().next().unwrap_or(' ');
            let harmless = match sign {
                '<' => "&lt;".to_owned(),
                '&' => "&amp;".to_owned(),
                other => format!("\\{other}"),
            };
            text.replace_range(place..place + sign.len_utf8(), &harmless);
        }
    }
    fenced("", markdown)
}

/// Where the signs stand that make something of a text which a viewer would run, fetch or follow to a bad place.
fn stings(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        let part = &text[range.clone()];
        let find = |sign: char| part.find(sign).map(|at| range.start + at);
        match event {
            Event::Html(_) | Event::InlineHtml(_) => {
                let signs = part.match_indices(['<', '&']);
                places.extend(signs.map(|(at, _)| range.start + at));
            }
            Event::Start(Tag::Image { .. }) => places.extend(find('[')),
            Event::Start(Tag::Link { dest_url, .. }) if !is_safe(&dest_url) => {
                let sign = if part.starts_with('<') { '<' } else { '[' };
                places.extend(find(sign));
            }
            _ => {}
        }
    }
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_viewer_would_run_or_fetch_is_text() {
        for hostile in [
            "<script>x()</script>",
            "a <img src=x onerror=x()> b",
            "[a](javascript:x())",
            "<javascript:x()>",
            "![a](https://x/y.png)",
            "[a]: javascript:x()\n\n[a] and [b][a]",
            "<div>\n<b>x</b>\n</div>\n\n[![a](x)](javascript:y)",
            "</details></summary>",
            "<!-- x",
            "[a](data:text/html,x)",
        ] {
            let text = safe(hostile);
            for event in Parser::new_ext(&text, options()) {
                let bad = match event {
                    Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => true,
                    Event::Start(Tag::Link { dest_url, .. }) => !is_safe(&dest_url),
                    _ => false,
                };
                assert!(!bad, "{hostile} -> {text}");
            }
        }
        let plain_markdown = "# A\n\n- *b* [c](https://d) `<e>`\n\n```\n<f>\n```";
        assert_eq!(safe(plain_markdown), plain_markdown);
    }

    #[test]
    fn a_line_is_a_line_and_a_fence_is_not_closed_from_inside() {
        for text in [
            "[a](javascript:b)",
            "<b>",
            "# a",
            "![a](b)",
            "`a`",
            "| a |",
            "https://a.b",
        ] {
            let line = format!("x {}", plain(text));
            let is_plain = |event: &Event<'_>| {
                matches!(
                    event,
                    Event::Start(Tag::Paragraph) | Event::End(_) | Event::Text(_)
                )
            };
            let mut events = Parser::new_ext(&line, options());
            assert!(events.all(|event| is_plain(&event)), "{text}");
        }
        assert_eq!(fenced("sh", "a ``` b\n"), "````sh\na ``` b\n````");
    }
}
