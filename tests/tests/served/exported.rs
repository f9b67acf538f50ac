//! HTTP: a session as a page, also when what makes the page dies on the way.

use std::ffi::OsStr;
use std::io::Read as _;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::{Served, fixture, process};
use serde_json::json;

/// More than fits into all pipes and sockets on the way, so that whoever makes it has to wait for its reader.
const LONG: u64 = 64 << 20;
/// As long as a reader's first look.
const LOOK: usize = 16 * 1024;

/// A daemon that knows a session with a transcript.
fn with_transcript(size: u64) -> Result<Served> {
    let served = Served::start(&[])?;
    let folder = served.place.client_folder().join("projects/-p");
    std::fs::create_dir_all(&folder)?;
    let transcript = folder.join("long.jsonl");
    fixture::long_transcript(&transcript, size)?;
    let event = json!({
        "hook_event_name": "SessionStart", "session_id": "long", "source": "startup", "cwd": "/p",
        "transcript_path": transcript,
    });
    let sent = served.bare.post("/ingest", event.to_string())?;
    ensure!(sent.status == 200, "{sent:?}");
    Ok(served)
}

/// The process that makes an export for this daemon.
fn maker(served: &Served) -> Result<rustix::process::Pid> {
    let home = served.place.root().as_os_str();
    let ours = process::with_words(&[OsStr::new("--home"), home])?;
    let makers = process::with_words(&[OsStr::new("transcript"), OsStr::new("export")])?;
    let mut makers = makers.into_iter().filter(|pid| ours.contains(pid));
    makers.next().context("nobody makes an export")
}

#[test]
fn a_session_comes_whole_as_a_page_and_as_markdown() -> Result<()> {
    let served = with_transcript(1 << 20)?;
    let page = served.web.get("/api/sessions/long/export")?;
    assert_eq!(page.status, 200, "{}", page.head);
    assert!(
        page.body.trim_end().ends_with("</html>\n\r\n0"),
        "it has no end"
    );
    let notes = served.web.get("/api/sessions/long/export?format=md")?;
    assert!(notes.body.contains("Costs are estimates."), "it has no end");
    for whole in [page, notes] {
        assert!(!whole.body.contains("cut short"));
    }
    Ok(())
}

#[test]
fn an_export_that_breaks_off_says_so_and_is_no_whole_answer() -> Result<()> {
    let served = with_transcript(LONG)?;
    for (format, notice) in [
        (
            "html",
            "<p class=\"note bad cut\" role=\"alert\"><span>This export is cut short",
        ),
        ("md", "> **This export is cut short"),
    ] {
        let path = format!("/api/sessions/long/export?format={format}");
        let mut stream = served.web.ask("GET", &path).begin()?;
        let mut first = vec![0; LOOK];
        stream.read_exact(&mut first)?;
        ensure!(first.starts_with(b"HTTP/1.1 200"), "it does not begin");
        process::kill(maker(&served)?);
        let mut rest = Vec::new();
        // However the connection ends.
        let _ = stream.read_to_end(&mut rest);
        let rest = String::from_utf8_lossy(&rest);
        assert!(rest.contains(notice), "{format}: nothing is said");
        assert!(!rest.ends_with("\r\n0\r\n\r\n"), "{format}: it looks whole");
        assert!(
            !rest.contains("Costs are estimates."),
            "{format}: it was whole"
        );
    }
    Ok(())
}
