//! The head of a page: what a session was, in numbers, and the way to each of its turns.

use std::io::{self, Write};

use bellwether_creature::{Appearance, Creature, Motion, Pose};
use bellwether_protocol::client::Client;

use super::escape::Escaped;
use super::{SCRIPT, STYLE, icons, policy};
use crate::item::Turn;
use crate::render::figures::{self, Figures};
use crate::render::made_by;
use crate::session::{ModelUse, Overview};

/// The name under which a page says what it is, for the index.
pub(super) const SUMMARY: &str = "bellwether-transcript";

/// The sign in a browser's tab.
const BELL: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='#d89a1e' stroke-width='1.5' stroke-linecap='round' stroke-linejoin='round'><path d='M3.5 11.5c1-1 1.25-2.25 1.25-4a3.25 3.25 0 0 1 6.5 0c0 1.75.25 3 1.25 4zM6.75 13.5h2.5M8 2.5v1.75'/></svg>";

/// Everything up to the first turn.
pub(super) fn write(
    out: &mut impl Write,
    overview: &Overview,
    outline: &[Turn],
    figures: &Figures,
) -> io::Result<()> {
    let title = title(overview);
    let summary = serde_json::to_string(overview).unwrap_or_default();
    open(out, &title, Some(&summary))?;
    bar(out, "Search the session", true)?;
    out.write_all(b"<div class=\"layout\">")?;
    contents(out, outline)?;
    out.write_all(b"<main id=\"main\">")?;
    about(out, overview, &title, figures)
}

/// Begins a document.
pub(super) fn open(out: &mut impl Write, title: &str, summary: Option<&str>) -> io::Result<()> {
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"referrer\" content=\"no-referrer\"><meta name=\"color-scheme\" content=\"light dark\">\
         <meta name=\"generator\" content=\"{}\"><link rel=\"icon\" href=\"data:image/svg+xml,{}\">",
        Escaped(policy()),
        Escaped(&made_by()),
        percent(BELL)
    )?;
    if let Some(summary) = summary {
        write!(
            out,
            "<meta name=\"{SUMMARY}\" content=\"{}\">",
            Escaped(summary)
        )?;
    }
    write!(
        out,
        "<title>{}</title><style>{STYLE}</style></head><body><a class=\"skip\" href=\"#main\">Skip to the content</a>{}",
        Escaped(title),
        icons::sprite()
    )
}

/// Ends a document.
pub(super) fn close(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<script>{SCRIPT}</script></body></html>")
}

/// What stays in sight: the search and the switches. All of it needs the script, which shows it.
pub(super) fn bar(out: &mut impl Write, search: &str, folds: bool) -> io::Result<()> {
    let button = |id: &str, icon: &str, name: &str, key: &str| {
        format!(
            "<button type=\"button\" id=\"{id}\" aria-label=\"{name}\" title=\"{name} ({key})\">{}</button>",
            icons::icon(icon)
        )
    };
    write!(
        out,
        "<header class=\"bar\" hidden><span class=\"brand\">{}<span>bellwether</span></span>\
         <div class=\"find\" role=\"search\">{}<input id=\"search\" type=\"search\" placeholder=\"{search}\" aria-label=\"{search}\" autocomplete=\"off\" spellcheck=\"false\">\
         <output id=\"found\" aria-live=\"polite\"></output>",
        icons::icon("bell"),
        icons::icon("search"),
    )?;
    if folds {
        out.write_all(button("before", "up", "Previous match", "Shift Enter").as_bytes())?;
        out.write_all(button("after", "down", "Next match", "Enter").as_bytes())?;
    }
    out.write_all(b"</div>")?;
    if folds {
        out.write_all(button("unfold", "unfold", "Unfold or fold everything", "u").as_bytes())?;
    }
    out.write_all(button("theme", "theme", "Dark or light", "t").as_bytes())?;
    out.write_all(b"</header>")
}

fn title(overview: &Overview) -> String {
    if !overview.title.is_empty() {
        return overview.title.clone();
    }
    format!("Session {}", beginning(&overview.session))
}

/// As much of a session's id as tells it from others.
fn beginning(session: &str) -> &str {
    session.get(..8).unwrap_or(session)
}

fn contents(out: &mut impl Write, outline: &[Turn]) -> io::Result<()> {
    out.write_all(
        b"<nav class=\"contents\" aria-label=\"Turns\"><details open><summary>Turns</summary><ol>",
    )?;
    for turn in outline {
        let class = if turn.is_rewound {
            " class=\"rewound\""
        } else {
            ""
        };
        write!(
            out,
            "<li{class}><a href=\"#t{0}\"><span class=\"no\">{0}</span><span class=\"what\">{1}</span>",
            turn.number,
            Escaped(&turn.title)
        )?;
        if turn.is_rewound {
            write!(
                out,
                "<span class=\"mark\" title=\"rewound\">{}<span class=\"sr\">rewound</span></span>",
                icons::icon("back")
            )?;
        } else if turn.stops > 0 {
            write!(
                out,
                "<span class=\"mark stop\" title=\"{0} stopped by the guard\">{1}<span class=\"sr\">{0} stopped by the guard</span></span>",
                turn.stops,
                icons::icon("guard")
            )?;
        } else if turn.failures > 0 {
            write!(
                out,
                "<span class=\"mark bad\" title=\"{0} failed\">{1}<span class=\"sr\">{0} failed</span></span>",
                turn.failures,
                icons::icon("bad")
            )?;
        }
        out.write_all(b"</a></li>")?;
    }
    out.write_all(b"</ol></details></nav>")
}

fn about(
    out: &mut impl Write,
    overview: &Overview,
    title: &str,
    figures: &Figures,
) -> io::Result<()> {
    write!(
        out,
        "<section class=\"head\">{}<div><h1 class=\"u\">{}</h1><p class=\"where\">",
        picture(Appearance::of(&overview.session), 72),
        Escaped(title)
    )?;
    let project = overview.project();
    let mut facts = Vec::new();
    facts.extend((!project.is_empty()).then(|| {
        format!(
            "<strong title=\"{}\">{}</strong>",
            Escaped(&overview.folder),
            Escaped(project)
        )
    }));
    facts.extend(
        overview
            .branch
            .as_ref()
            .map(|branch| format!("<code>{}</code>", Escaped(branch))),
    );
    facts.extend(overview.first_ms.map(|at| {
        format!(
            "<time datetime=\"{}\">{}</time>",
            bellwether_spine::clock::utc(at),
            Escaped(&figures.long(at))
        )
    }));
    facts.extend(overview.client_version.as_ref().map(|version| {
        let client = Client::default().product.wire().title;
        format!("{client} {}", Escaped(version))
    }));
    facts.push(format!(
        "<span class=\"id\" title=\"{}\">{}</span>",
        Escaped(&overview.session),
        Escaped(beginning(&overview.session))
    ));
    write!(out, "{}</p></div></section>", facts.join(" · "))?;
    numbers(out, overview)?;
    models(out, overview)
}

fn numbers(out: &mut impl Write, overview: &Overview) -> io::Result<()> {
    let count = |number: usize| figures::whole(number as u64);
    let mut cards = vec![("Turns", count(overview.turns), String::new())];
    cards.extend(
        overview
            .duration_ms()
            .map(|ms| ("Duration", figures::duration(ms), String::new())),
    );
    let failed = (overview.failures > 0).then(|| format!("{} failed", count(overview.failures)));
    cards.push((
        "Tool calls",
        count(overview.calls),
        failed.unwrap_or_default(),
    ));
    if overview.agents > 0 {
        cards.push(("Subagents", count(overview.agents), String::new()));
    }
    let output = format!("{} out", figures::short(overview.tokens.output));
    cards.push(("Tokens", figures::short(overview.tokens.total()), output));
    let cost = figures::cost(&overview.cost);
    cards.push((
        "Cost",
        cost.unwrap_or_else(|| "unknown".to_owned()),
        "estimated".to_owned(),
    ));
    if overview.stops > 0 {
        cards.push(("Guard", count(overview.stops), "stops".to_owned()));
    }
    out.write_all(b"<dl class=\"numbers\">")?;
    for (name, value, more) in cards {
        let class = if name == "Guard" {
            " class=\"guarded\""
        } else {
            ""
        };
        write!(out, "<div{class}><dt>{name}</dt><dd>{value}")?;
        if !more.is_empty() {
            write!(out, "<small>{more}</small>")?;
        }
        out.write_all(b"</dd></div>")?;
    }
    out.write_all(b"</dl>")
}

fn models(out: &mut impl Write, overview: &Overview) -> io::Result<()> {
    if overview.models.is_empty() {
        return Ok(());
    }
    out.write_all(
        b"<details class=\"models\"><summary>Tokens and cost by model</summary><div class=\"table\" tabindex=\"0\"><table><thead><tr><th>Model</th><th class=\"right\">Messages</th>\
          <th class=\"right\">Input</th><th class=\"right\">Cache written</th><th class=\"right\">Cache read</th><th class=\"right\">Output</th><th class=\"right\">Cost</th></tr></thead><tbody>",
    )?;
    overview
        .models
        .iter()
        .try_for_each(|model| row(out, model))?;
    write!(
        out,
        "</tbody></table></div><p class=\"gone\">An estimate by the prices of {}; a model without a known price has tokens only.</p>",
        Escaped(&overview.prices)
    )?;
    if let Some(usd) = overview.client_cost_usd.filter(|usd| *usd > 0.0) {
        let usd = figures::usd(usd);
        write!(
            out,
            "<p class=\"gone\">For this session the client says {usd}.</p>"
        )?;
    }
    if overview.unreadable > 0 {
        write!(
            out,
            "<p class=\"gone\">{} could not be read.</p>",
            figures::many(overview.unreadable, "line")
        )?;
    }
    out.write_all(b"</details>")
}

fn row(out: &mut impl Write, used: &ModelUse) -> io::Result<()> {
    let tokens = &used.tokens;
    let written = tokens.cache_write.saturating_add(tokens.cache_write_hour);
    let counts = [
        used.messages as u64,
        tokens.input,
        written,
        tokens.cache_read,
        tokens.output,
    ];
    let cells: Vec<String> = counts
        .map(|count| format!("<td class=\"right\">{}</td>", figures::whole(count)))
        .into();
    write!(
        out,
        "<tr><td>{}</td>{}<td class=\"right\">{}</td></tr>",
        Escaped(&used.model),
        cells.concat(),
        used.cost_usd
            .map_or_else(|| "unknown".to_owned(), figures::usd)
    )
}

/// The creature of a session's main agent, as the flock shows it.
fn picture(looks: Appearance, width: u16) -> String {
    drawn(&Creature::new(looks, Pose::Idle), width)
}

/// The creature of a subagent.
pub(super) fn child(session: &str, id: &str) -> String {
    let looks = Appearance::of(session).inherit(id);
    drawn(&Creature::new(looks, Pose::Idle).child(), 34)
}

fn drawn(creature: &Creature<'_>, width: u16) -> String {
    let svg = creature.with_motion(Motion::Still).svg();
    let height = width * bellwether_creature::HEIGHT / bellwether_creature::WIDTH;
    format!(
        "<img class=\"creature\" alt=\"\" width=\"{width}\" height=\"{height}\" src=\"data:image/svg+xml,{}\">",
        percent(&svg)
    )
}

/// A drawing as a part of an address.
fn percent(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len() + svg.len() / 4);
    for char in svg.chars() {
        match char {
            '%' => text.push_str("%25"),
            '#' => text.push_str("%23"),
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '"' => text.push_str("%22"),
            '&' => text.push_str("%26"),
            '\n' => text.push(' '),
            other => text.push(other),
        }
    }
    text
}
