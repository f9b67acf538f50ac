//! Secrets in addresses: passwords before the `@`, and paths that let anyone in who knows them.

use super::table::URLS;
use super::value::{bare_end, is_reference};
use super::{MASKED, Step, key};

/// The password, or the token that stands alone, before the `@` of a URL.
pub(super) fn login(text: &str, start: usize) -> Step {
    let stop = |char: char| {
        matches!(char, '/' | '?' | '#' | '"' | '\'' | '`' | '\\' | '<' | '>')
            || char.is_whitespace()
    };
    let end = text[start..]
        .find(stop)
        .map_or(text.len(), |found| start + found);
    let Some(at_sign) = text[start..end].rfind('@') else {
        return Step::past(start);
    };
    let user = &text[start..start + at_sign];
    let from = match user.find(':') {
        Some(colon) => colon + 1,
        None if user.len() >= 20 || key::is_key(user) => 0,
        None => return Step::past(start),
    };
    let secret = &user[from..];
    let known = secret.is_empty() || secret == MASKED || secret.starts_with('$');
    Step {
        secret: (!known).then_some((start + from, start + at_sign)),
        next: start + at_sign,
    }
}

/// The secret path behind a host, which stands from `at` to `end`.
pub(super) fn path(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let host = &text[at..end];
    let from = URLS.iter().find_map(|(own, path)| {
        let before = host.strip_suffix(own)?;
        let fits = (before.is_empty() || before.ends_with('.')) && text[end..].starts_with(path);
        fits.then_some(end + path.len())
    })?;
    let to = bare_end(text, from);
    (from < to && !is_reference(&text[from..])).then_some((from, to))
}
