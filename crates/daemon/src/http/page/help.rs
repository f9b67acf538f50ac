//! What somebody without a key is shown: how to get one. In the language that the browser asks for.

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, HeaderMap, HeaderValue, VARY};

use crate::http::answer::{Answer, ask_for_key, whole};

/// How it looks; served to everybody, as it says nothing.
pub(crate) const STYLE: &str = include_str!("help.css");

/// The page, in each language that there is.
const PAGES: [(&str, &str); 2] = [
    ("en", include_str!("help.en.html")),
    ("ko", include_str!("help.ko.html")),
];

/// The page in the language that the browser likes best.
pub(crate) fn help(asked: &HeaderMap) -> Answer {
    let said = asked
        .get(ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok());
    let (language, page) = PAGES[preferred(said.unwrap_or_default())];
    let bytes = Bytes::from_static(page.as_bytes());
    let mut answer = whole(StatusCode::UNAUTHORIZED, "text/html; charset=utf-8", bytes);
    let headers = answer.headers_mut();
    ask_for_key(headers);
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language));
    headers.insert(VARY, HeaderValue::from_static("accept-language"));
    answer
}

/// Which of the pages is liked best; the first when none is.
fn preferred(said: &str) -> usize {
    let mut best = (0, 0.0);
    for word in said.split(',') {
        let (tag, weight) = word.split_once(';').unwrap_or((word, ""));
        let weight = weight.split_once('=').map_or("1", |(_, weight)| weight);
        let weight: f32 = weight.trim().parse().unwrap_or(0.0);
        let primary = tag.trim().split('-').next().unwrap_or_default();
        let found = PAGES
            .iter()
            .position(|(language, _)| primary.eq_ignore_ascii_case(language));
        if let Some(found) = found.filter(|_| weight > best.1) {
            best = (found, weight);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_that_is_liked_best_is_spoken() {
        for (said, language) in [
            ("", "en"),
            ("de-DE,de;q=0.9", "en"),
            ("ko", "ko"),
            ("ko-KR,ko;q=0.9,en-US;q=0.8", "ko"),
            ("de,en;q=0.5,ko;q=0.4", "en"),
            ("en;q=0.3, KO-kr;q=0.7", "ko"),
            ("ko;q=0,en;q=0.1", "en"),
            (";;=,ko;q=x", "en"),
        ] {
            assert_eq!(PAGES[preferred(said)].0, language, "{said}");
        }
    }

    #[test]
    fn every_page_says_what_to_do_and_needs_no_milder_policy() {
        for (language, page) in PAGES {
            assert!(page.contains("<code>bellwether open</code>"), "{language}");
            assert!(page.contains(&format!("<html lang=\"{language}\"")));
            assert!(page.contains("href=\"/help.css\""));
            assert!(
                !page.contains("<style") && !page.contains("<script") && !page.contains("style=")
            );
        }
    }
}
