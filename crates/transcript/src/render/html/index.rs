//! A page over many sessions: what each was, with the way to its own page.

use std::fmt::Write as _;
use std::io::{self, Write};

use bellwether_prices::{Cost, Tokens};

use super::escape::Escaped;
use super::head;
use crate::render::figures::{self, Figures};
use crate::render::made_by;
use crate::session::Overview;

/// A page of a session: the name of its file, and what it says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexRow {
    pub file: String,
    pub overview: Overview,
}

/// The sessions of a folder, the newest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index(Vec<IndexRow>);

impl IndexRow {
    /// What the beginning of a page says of its session; `None` when it is no page of ours.
    pub fn read(file: &str, beginning: &str) -> Option<Self> {
        let sign = format!("<meta name=\"{}\" content=\"", head::SUMMARY);
        let (_, rest) = beginning.split_once(&sign)?;
        let (content, _) = rest.split_once('"')?;
        let overview = serde_json::from_str(&unescaped(content)).ok()?;
        Some(Self {
            file: file.to_owned(),
            overview,
        })
    }
}

impl Index {
    pub fn new(mut rows: Vec<IndexRow>) -> Self {
        rows.sort_by(|one, other| {
            let key = |row: &IndexRow| (row.overview.first_ms, row.file.clone());
            key(other).cmp(&key(one))
        });
        Self(rows)
    }

    pub fn write(&self, out: &mut impl Write, figures: &Figures) -> io::Result<()> {
        head::open(out, "Sessions", None)?;
        head::bar(out, "Filter the sessions", false)?;
        out.write_all(b"<main id=\"main\" class=\"index\"><h1>Sessions</h1>")?;
        self.numbers(out)?;
        out.write_all(
            b"<div class=\"table\" tabindex=\"0\"><table class=\"sessions\"><thead><tr>\
              <th data-sort=\"n\">When</th><th data-sort=\"s\">Session</th><th data-sort=\"s\">Project</th>\
              <th data-sort=\"n\" class=\"right\">Turns</th><th data-sort=\"n\" class=\"right\">Duration</th>\
              <th data-sort=\"n\" class=\"right\">Tokens</th><th data-sort=\"n\" class=\"right\">Cost</th>\
              <th data-sort=\"n\" class=\"right\">Stops</th></tr></thead><tbody>",
        )?;
        self.0
            .iter()
            .try_for_each(|row| write_row(out, row, figures))?;
        write!(
            out,
            "</tbody></table></div><p id=\"nothing\" hidden>No session fits.</p><footer><p>Made by {}. Costs are estimates.</p></footer></main>",
            Escaped(&made_by())
        )?;
        head::close(out)
    }

    fn numbers(&self, out: &mut impl Write) -> io::Result<()> {
        let (mut tokens, mut cost) = (Tokens::default(), Cost::default());
        for row in &self.0 {
            tokens += row.overview.tokens;
            cost += row.overview.cost;
        }
        let cost = figures::cost(&cost).unwrap_or_else(|| "unknown".to_owned());
        write!(
            out,
            "<dl class=\"numbers\"><div><dt>Sessions</dt><dd>{}</dd></div><div><dt>Tokens</dt><dd>{}</dd></div><div><dt>Cost, estimated</dt><dd>{cost}</dd></div></dl>",
            figures::whole(self.0.len() as u64),
            figures::short(tokens.total()),
        )
    }
}

/// A cell with a value to sort by; its name shows where there is no room for columns.
struct Cell<'a> {
    name: &'a str,
    value: String,
    html: String,
}

fn write_row(out: &mut impl Write, row: &IndexRow, figures: &Figures) -> io::Result<()> {
    let seen = &row.overview;
    let number = |name, value: u64, html: String| Cell {
        name,
        value: value.to_string(),
        html,
    };
    let title = if seen.title.is_empty() {
        &seen.session
    } else {
        &seen.title
    };
    let link = format!(
        "<a href=\"{}\">{}</a>",
        Escaped(&address(&row.file)),
        Escaped(title)
    );
    let text = |name, html: String, value: &str| Cell {
        name,
        value: value.to_lowercase(),
        html,
    };
    let duration = seen.duration_ms().unwrap_or(0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cost to sort by"
    )]
    let micros = (seen.cost.usd.clamp(0.0, 1e9) * 1e6) as u64;
    let cost = figures::cost(&seen.cost).unwrap_or_else(|| "–".to_owned());
    let cells = [
        number("When", seen.first_ms.unwrap_or(0), when(seen, figures)),
        text("Session", link, title),
        text(
            "Project",
            Escaped(seen.project()).to_string(),
            seen.project(),
        ),
        number("Turns", seen.turns as u64, seen.turns.to_string()),
        number("Duration", duration, figures::duration(duration)),
        number(
            "Tokens",
            seen.tokens.total(),
            figures::short(seen.tokens.total()),
        ),
        number("Cost", micros, cost),
        number("Stops", seen.stops as u64, stops(seen)),
    ];
    out.write_all(b"<tr>")?;
    for (place, cell) in cells.iter().enumerate() {
        let class = if place > 2 { " class=\"right\"" } else { "" };
        let Cell { name, value, html } = cell;
        write!(
            out,
            "<td{class} data-name=\"{name}\" data-value=\"{}\">{html}</td>",
            Escaped(value)
        )?;
    }
    out.write_all(b"</tr>\n")
}

fn when(seen: &Overview, figures: &Figures) -> String {
    let Some(at_ms) = seen.first_ms else {
        return "–".to_owned();
    };
    let (utc, shown) = (bellwether_spine::clock::utc(at_ms), figures.day_time(at_ms));
    format!("<time datetime=\"{utc}\">{}</time>", Escaped(&shown))
}

fn stops(seen: &Overview) -> String {
    match seen.stops {
        0 => "–".to_owned(),
        count => format!("<span class=\"mark stop\">{count}</span>"),
    }
}

/// The name of a file as an address beside the index.
fn address(file: &str) -> String {
    let mut address = String::from("./");
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            address.push(char::from(byte));
        } else {
            // Writing into a string does not fail.
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

/// What [`Escaped`] has written.
fn unescaped(text: &str) -> String {
    let signs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    signs.iter().fold(text.to_owned(), |text, (written, sign)| {
        text.replace(written, sign)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_what_it_is() {
        let overview = Overview {
            title: "a \"b\" <c> & 'd' &lt;".to_owned(),
            turns: 3,
            ..Overview::default()
        };
        let json = serde_json::to_string(&overview).unwrap();
        let mut page = Vec::new();
        head::open(&mut page, "x", Some(&json)).unwrap();
        let page = String::from_utf8(page).unwrap();
        let row = IndexRow::read("a.html", &page).unwrap();
        assert_eq!(row.overview, overview);
        assert_eq!(IndexRow::read("a.html", "<html>"), None);
        assert_eq!(address("a b\"?.html"), "./a%20b%22%3F.html");
    }
}
