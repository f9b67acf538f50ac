//! A call of a tool in a page: folded, with a line that says what it was and what became of it.

use std::io::{self, Write};

use super::escape::Escaped;
use super::{icons, words};
use crate::call::{Answered, Call, Change, Field, Input, Outcome, Question, Sign, Task};
use crate::image::Image;
use crate::render::figures;
use crate::stops::{Stop, StopHow};

/// What is open from the beginning: where the person was asked, and where the guard stepped in.
fn is_open(call: &Call) -> bool {
    let asks = matches!(call.input, Input::Questions { .. } | Input::Plan { .. });
    asks || call.stop.is_some()
}

/// Writes a call up to where what it started stands.
pub(super) fn begin(out: &mut impl Write, call: &Call, number: usize) -> io::Result<()> {
    let (class, state) = match call.outcome {
        Outcome::Done => ("done", ""),
        Outcome::Failed => ("failed", "failed"),
        Outcome::Refused => ("refused", "did not run"),
        Outcome::Unanswered => ("open-end", "no answer"),
    };
    let stopped = call.stop.as_ref().map_or("", |stop| match stop.how {
        StopHow::Refused => "stopped by the guard",
        StopHow::Asked => "asked by the guard",
    });
    let state = if stopped.is_empty() { state } else { stopped };
    let open = if is_open(call) { " open" } else { "" };
    write!(
        out,
        "<details class=\"call {class}{}\" id=\"c{number}\"{open}><summary>{}<span class=\"tool\">{}</span><span class=\"about{}\">{}</span>",
        if stopped.is_empty() { "" } else { " stopped" },
        icons::icon(icon(&call.input)),
        Escaped(&call.tool),
        if is_found_inside(&call.input) {
            ""
        } else {
            " u"
        },
        Escaped(&call.title),
    )?;
    if !state.is_empty() {
        write!(out, "<span class=\"state\">{state}</span>")?;
    }
    let facts = facts(call);
    if !facts.is_empty() {
        write!(out, "<span class=\"meta\">{facts}</span>")?;
    }
    out.write_all(b"</summary><div class=\"body\">")?;
    if let Some(stop) = &call.stop {
        stopped_by(out, stop)?;
    }
    input(out, &call.input)
}

/// Whether what the line says stands in what it folds, so that a search finds it once.
fn is_found_inside(input: &Input) -> bool {
    matches!(
        input,
        Input::Command { .. } | Input::Change(_) | Input::Questions { .. }
    )
}

/// Writes what came of it.
pub(super) fn end(out: &mut impl Write, call: &Call) -> io::Result<()> {
    if !call.answer.is_empty() && !is_told(call) {
        let class = if call.outcome == Outcome::Done {
            ""
        } else {
            " bad"
        };
        write!(out, "<div class=\"answer{class}\">")?;
        for part in &call.answer {
            match part {
                Answered::Text { text } if matches!(call.input, Input::Agent { .. }) => {
                    write!(out, "<div class=\"md u\">{}</div>", words::html(text))?;
                }
                Answered::Text { text } => output(out, text)?,
                Answered::Image(found) => image(out, found)?,
            }
        }
        out.write_all(b"</div>")?;
    }
    out.write_all(b"</div></details>\n")
}

/// What was done or chosen is shown already, and the client's answer only says that it was.
fn is_told(call: &Call) -> bool {
    let told = match &call.input {
        Input::Change(change) => !change.hunks.is_empty(),
        Input::Questions { questions } => questions.iter().all(|one| one.answer.is_some()),
        Input::Tasks { .. } => true,
        _ => false,
    };
    told && call.outcome == Outcome::Done
}

pub(super) fn image(out: &mut impl Write, image: &Image) -> io::Result<()> {
    match image.media {
        Some(media) => writeln!(
            out,
            "<img class=\"shot\" alt=\"An image of the transcript\" loading=\"lazy\" src=\"data:{media};base64,{}\">",
            Escaped(&image.data)
        ),
        None => writeln!(
            out,
            "<p class=\"gone\">An image of {} is left out.</p>",
            figures::bytes(image.bytes)
        ),
    }
}

fn icon(input: &Input) -> &'static str {
    match input {
        Input::Command { .. } => "command",
        Input::Change(_) => "change",
        Input::Read { .. } => "read",
        Input::Questions { .. } => "question",
        Input::Plan { .. } => "plan",
        Input::Tasks { .. } => "tasks",
        Input::Agent { .. } => "agent",
        Input::Fields { fields } if fields.iter().any(|field| looks_for(&field.name)) => "search",
        Input::Fields { .. } => "other",
    }
}

/// Whether a field says what is looked for.
fn looks_for(name: &str) -> bool {
    matches!(name, "pattern" | "query")
}

fn facts(call: &Call) -> String {
    let mut facts = Vec::new();
    if let Input::Change(change) = &call.input {
        facts.push(format!(
            "<span class=\"plus\">+{}</span> <span class=\"minus\">−{}</span>",
            change.added, change.removed
        ));
    }
    facts.extend(call.duration_ms.map(figures::duration));
    facts.join(" · ")
}

fn stopped_by(out: &mut impl Write, stop: &Stop) -> io::Result<()> {
    let what = match stop.how {
        StopHow::Refused => "The guard stopped this",
        StopHow::Asked => "The guard asked about this",
    };
    write!(
        out,
        "<div class=\"guard u\">{}<div><p><strong>{what}</strong> by the rule <code>{}</code></p><p>{}</p></div></div>",
        icons::icon("guard"),
        Escaped(&stop.rules.join(", ")),
        Escaped(&stop.reason)
    )
}

fn input(out: &mut impl Write, input: &Input) -> io::Result<()> {
    match input {
        Input::Command { text, about } => {
            if let Some(about) = about {
                write!(out, "<p class=\"for u\">{}</p>", Escaped(about))?;
            }
            write!(out, "<pre class=\"command u\">{}</pre>", Escaped(text))
        }
        Input::Change(change) => diff(out, change),
        // The line above says which file.
        Input::Read { .. } => Ok(()),
        Input::Questions { questions } => questions.iter().try_for_each(|one| question(out, one)),
        Input::Plan { text } => write!(out, "<div class=\"md plan u\">{}</div>", words::html(text)),
        Input::Tasks { tasks } => board(out, tasks),
        Input::Agent { agent, prompt } => {
            write!(out, "<p class=\"for\">{}</p>", Escaped(agent))?;
            write!(out, "<div class=\"md ask u\">{}</div>", words::html(prompt))
        }
        Input::Fields { fields } => table(out, fields),
    }
}

fn diff(out: &mut impl Write, change: &Change) -> io::Result<()> {
    write!(out, "<p class=\"path u\">{}</p>", Escaped(&change.path))?;
    if change.hunks.is_empty() {
        return Ok(());
    }
    out.write_all(b"<div class=\"diff u\">")?;
    for hunk in &change.hunks {
        out.write_all(b"<div class=\"hunk\">")?;
        for line in &hunk.lines {
            let (class, sign) = match line.sign {
                Sign::Same => ("same", " "),
                Sign::Added => ("plus", "+"),
                Sign::Removed => ("minus", "−"),
            };
            let number = line.new.or(line.old).map(|number| number.to_string());
            write!(
                out,
                "<div class=\"{class}\"><span class=\"no\" aria-hidden=\"true\">{}</span><span class=\"sign\">{sign}</span><span>{}</span></div>",
                number.unwrap_or_default(),
                Escaped(&line.text)
            )?;
        }
        out.write_all(b"</div>")?;
    }
    if change.cut {
        out.write_all(b"<p class=\"gone\">The rest of the change is left out.</p>")?;
    }
    out.write_all(b"</div>")
}

fn question(out: &mut impl Write, question: &Question) -> io::Result<()> {
    write!(
        out,
        "<div class=\"question u\"><p>{}</p><ul>",
        Escaped(&question.question)
    )?;
    let answer = question.answer.as_deref().unwrap_or_default();
    for (name, about) in &question.choices {
        let chosen = answer.split(", ").any(|one| one == name);
        let (class, tick) = if chosen {
            ("chosen", "●")
        } else {
            ("", "○")
        };
        write!(
            out,
            "<li class=\"{class}\"><span aria-hidden=\"true\">{tick}</span> <strong>{}</strong> {}{}</li>",
            Escaped(name),
            Escaped(about),
            if chosen {
                "<span class=\"sr\"> (chosen)</span>"
            } else {
                ""
            }
        )?;
    }
    out.write_all(b"</ul>")?;
    let is_own = !answer.is_empty()
        && !question
            .choices
            .iter()
            .any(|(name, _)| answer.contains(name.as_str()));
    if is_own {
        write!(out, "<p class=\"own\">Answer: {}</p>", Escaped(answer))?;
    }
    out.write_all(b"</div>")
}

fn board(out: &mut impl Write, tasks: &[Task]) -> io::Result<()> {
    out.write_all(b"<ul class=\"tasks u\">")?;
    for task in tasks {
        let (class, sign) = match task.status.as_str() {
            "completed" => ("done", "☑"),
            "in_progress" => ("now", "◐"),
            _ => ("", "☐"),
        };
        write!(
            out,
            "<li class=\"{class}\"><span aria-hidden=\"true\">{sign}</span> {}<span class=\"sr\"> ({})</span></li>",
            Escaped(&task.subject),
            Escaped(&task.status)
        )?;
    }
    out.write_all(b"</ul>")
}

fn table(out: &mut impl Write, fields: &[Field]) -> io::Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    out.write_all(b"<dl class=\"fields u\">")?;
    for field in fields {
        let name = if field.name.is_empty() {
            "input"
        } else {
            &field.name
        };
        write!(
            out,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            Escaped(name),
            Escaped(&field.value)
        )?;
    }
    out.write_all(b"</dl>")
}

/// What a tool printed. The numbers that it gives to the lines of a file stand apart from them.
fn output(out: &mut impl Write, text: &str) -> io::Result<()> {
    let Some(lines) = numbered(text) else {
        return write!(out, "<pre class=\"out u\">{}</pre>", Escaped(text));
    };
    out.write_all(b"<div class=\"listing u\">")?;
    for (number, line) in lines {
        write!(
            out,
            "<div><span class=\"no\" aria-hidden=\"true\">{number}</span><span>{}</span></div>",
            Escaped(line)
        )?;
    }
    out.write_all(b"</div>")
}

/// The lines of a file as the client prints them, each behind its number.
fn numbered(text: &str) -> Option<Vec<(&str, &str)>> {
    let line = |line| {
        let (number, rest) = str::split_once(line, ['\t', '→'])?;
        let number = number.trim_start();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some((number, rest))
    };
    let text = text.trim_end_matches('\n');
    if text.is_empty() || text.len() > 200_000 {
        return None;
    }
    text.split('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_of_a_file_is_known_by_its_numbers() {
        let lines = numbered("  1\talpha\n  2\t\n 10→b→c\n").unwrap();
        assert_eq!(lines, [("1", "alpha"), ("2", ""), ("10", "b→c")]);
        assert_eq!(numbered("1\ta\nb"), None);
        assert_eq!(numbered(""), None);
        assert_eq!(numbered("a\tb"), None);
    }
}
