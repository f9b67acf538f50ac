//! The page: what a browser is given, with its key and without.

use anyhow::{Context as _, Result};
use bellwether_tests::Served;

/// The addresses in the page that lead to the daemon itself.
fn named(page: &str) -> Vec<&str> {
    let parts = page.split('"');
    parts
        .filter(|part| part.starts_with('/') && part.contains('.'))
        .collect()
}

#[test]
fn the_page_and_all_that_it_names_is_served() -> Result<()> {
    let served = Served::start(&[])?;
    let page = served.web.get("/")?;
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let named = named(&page.body);
    assert!(!named.is_empty(), "{page:?}");
    for path in named {
        let answer = served.web.get(path)?;
        assert_eq!(answer.status, 200, "{path}");
        let kind = answer.header("content-type").unwrap_or_default();
        let wanted = match path.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => kind,
        };
        assert_eq!(kind, wanted, "{path}");
        if path.starts_with("/assets/") {
            let kept = answer.header("cache-control").unwrap_or_default();
            assert!(kept.contains("immutable"), "{path}: {kept}");
            assert_eq!(served.bare.get(path)?.status, 401, "{path}");
        }
        let tag = answer.header("etag").context("no tag")?;
        let again = served.web.ask("GET", path).header("if-none-match", tag);
        let again = again.send()?;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
    }
    let packed = served.web.ask("GET", "/").header("accept-encoding", "gzip");
    let packed = packed.send()?;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_ne!(packed.header("etag"), page.header("etag"));
    assert_eq!(served.web.get("/assets/none.js")?.status, 404);
    assert_eq!(served.web.get("/assets/..%2F..%2FCargo.toml")?.status, 404);
    Ok(())
}

#[test]
fn whoever_has_no_key_is_told_how_to_get_one() -> Result<()> {
    let served = Served::start(&[])?;
    for (path, languages, words) in [
        ("/", "", "This page needs its key"),
        ("/", "ko-KR,ko;q=0.9,en;q=0.8", "키가 필요합니다"),
        ("/open?code=used", "en", "This page needs its key"),
    ] {
        let asked = served.bare.ask("GET", path);
        let answer = asked.header("accept-language", languages).send()?;
        assert_eq!(answer.status, 401, "{path}");
        assert!(
            answer.body.contains(words) && answer.body.contains("bellwether open"),
            "{answer:?}"
        );
        assert!(answer.header("www-authenticate").is_some());
        assert!(answer.header("content-security-policy").is_some());
        for style in named(&answer.body) {
            assert_eq!(served.bare.get(style)?.status, 200, "{style}");
        }
    }
    Ok(())
}

#[test]
fn an_address_leads_to_its_place_and_looking_does_not_use_it_up() -> Result<()> {
    let served = Served::start(&[])?;
    let start = r#"{"hook_event_name":"SessionStart","session_id":"5e55-1","cwd":"/p"}"#;
    assert_eq!(served.bare.post("/ingest", start)?.status, 200);
    for (word, place) in [("timeline", "/#/timeline"), ("5e55", "/#/sessions/5e55-1")] {
        let printed = served.place.cli(["open", word, "--print"]).output()?;
        let address = String::from_utf8(printed.stdout)?;
        let path = address
            .trim()
            .strip_prefix(&format!("http://127.0.0.1:{}", served.web.port()))
            .with_context(|| format!("{address:?} {:?}", printed.stderr))?;
        let looked = served.bare.ask("HEAD", path).send()?;
        assert_eq!((looked.status, looked.body.as_str()), (200, ""));
        assert!(looked.header("set-cookie").is_none());
        let opened = served.bare.get(path)?;
        assert!(opened.header("set-cookie").is_some(), "{opened:?}");
        assert!(
            opened.body.contains(&format!("url={place}\"")),
            "{opened:?}"
        );
    }
    let wrong = served.place.cli(["open", "nowhere", "--print"]).output()?;
    assert_eq!(wrong.status.code(), Some(64));
    assert!(String::from_utf8(wrong.stderr)?.contains("the views are flock, timeline"));
    Ok(())
}

#[test]
fn every_path_that_answers_get_answers_head() -> Result<()> {
    let served = Served::start(&[])?;
    let document = served.web.json("/api/openapi.json")?;
    for (path, methods) in document["paths"].as_object().context("no paths")? {
        if methods.get("get").is_none() || path.contains('{') {
            continue;
        }
        let head = served.web.ask("HEAD", path).send()?;
        assert_eq!(head.body, "", "{path}");
        // An endless one is not read to its end, and a moment may lie between two readings.
        if path == "/events/stream" {
            assert_eq!(head.status, 200);
            continue;
        }
        let get = served.web.get(path)?;
        if path != "/open" {
            assert_eq!(head.status, get.status, "{path}");
        }
        assert_eq!(
            head.header("content-type"),
            get.header("content-type"),
            "{path}"
        );
    }
    let head = served.bare.ask("HEAD", "/health").send()?;
    assert_eq!(head.header("content-length"), Some("2"));
    assert_eq!(served.web.ask("HEAD", "/ingest").send()?.status, 405);
    Ok(())
}
