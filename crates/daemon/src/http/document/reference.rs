//! The reference page of the API, in markdown.

use std::fmt::Write as _;

use super::super::access::Access;
use super::super::parameter::Kind;
use super::super::route::{Gives, Route};
use super::super::routes;
use super::super::stream::{TOLD, Told};
use super::openapi::refusals;

/// What holds for every route.
const BEGINNING: &str = include_str!("reference.md");
/// Where in it the events of the live stream stand.
const TOLD_HERE: &str = "<!-- the events of the stream -->\n";

pub fn reference() -> String {
    let mut page = BEGINNING.replace(TOLD_HERE, &told());
    for route in routes::ALL {
        describe(route, &mut page);
    }
    page
}

/// The rows of the table of what the live stream tells.
fn told() -> String {
    let row = |told: &Told| format!("| `{}` | {} |\n", told.name, told.about);
    TOLD.iter().map(row).collect()
}

fn describe(route: &Route, page: &mut String) {
    let _ = writeln!(
        page,
        "\n### `{} {}`\n\n{}.",
        route.method.name(),
        route.path,
        route.about
    );
    if !route.more.is_empty() {
        let _ = writeln!(page, "{}", route.more);
    }
    let who = match route.access {
        Access::SameUser => "the daemon's own user",
        Access::Key => "whoever holds a token or a browser's cookie",
        Access::Anybody => "anybody",
    };
    let what = match route.gives {
        Gives::Json(_) => "JSON",
        Gives::Text => "text",
        Gives::Page => "a page",
        Gives::File(_) => "a file",
        Gives::Events(_) => "a stream of events",
    };
    let _ = write!(page, "\nFor {who}. Gives {what}");
    match route.takes {
        Some(takes) => {
            let _ = writeln!(page, "; takes JSON of at most {} MiB.", takes.most >> 20);
        }
        None => page.push_str(".\n"),
    }
    if !route.parameters.is_empty() {
        page.push_str("\n| parameter | | |\n|---|---|---|\n");
    }
    for parameter in route.parameters {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} |",
            parameter.name,
            kind(parameter.kind),
            parameter.about
        );
    }
    let refusals: Vec<String> = refusals(route)
        .iter()
        .filter(|(status, _)| route.refuses.iter().any(|(own, _)| own == status))
        .map(|(status, about)| format!("`{status}` when {about}"))
        .collect();
    if !refusals.is_empty() {
        let _ = writeln!(page, "\nAnswers {}.", refusals.join("; "));
    }
}

fn kind(kind: Kind) -> String {
    match kind {
        Kind::Path => "in the path".to_owned(),
        Kind::Text(most) => format!("text of at most {most} characters"),
        Kind::Next(_) => "`next` of another page".to_owned(),
        Kind::Number { least, most, usual } => {
            let most = if most == i64::MAX {
                String::new()
            } else {
                format!(" to {most}")
            };
            let usual = usual.map_or_else(String::new, |usual| format!(", {usual} when not given"));
            format!("number from {least}{most}{usual}")
        }
        Kind::Decimal { least, most, usual } => {
            format!("number from {least} to {most}, decimals allowed, {usual} when not given")
        }
        Kind::Word(words) => quoted(words),
        Kind::Words(words) => format!("some of {}, with commas between them", quoted(words)),
    }
}

fn quoted(words: &[&str]) -> String {
    let words = words.iter().map(|word| format!("`{word}`"));
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_in_the_tree_is_of_this_code() {
        let written = include_str!("../../../../../docs/api.md");
        assert!(
            written == super::reference(),
            "docs/api.md is old: run `cargo xtask docs`"
        );
    }
}
