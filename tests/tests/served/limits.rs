//! HTTP: requests that are wrong, too long, too many or no requests at all.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use anyhow::Result;
use bellwether_tests::served::STARTED;
use bellwether_tests::{Random, Served};
use serde_json::json;

#[test]
fn methods_kinds_and_lengths_are_checked() -> Result<()> {
    let served = Served::start(&[])?;
    let answer = served.bare.get("/ingest")?;
    assert_eq!((answer.status, answer.header("allow")), (405, Some("post")));
    let answer = served.web.ask("PATCH", "/api/mutes").send()?;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("get, head, put, delete"))
    );
    let form = served
        .bare
        .ask("POST", "/ingest")
        .json(STARTED)
        .header("content-type", "application/x-www-form-urlencoded");
    let answer = form.send()?;
    assert_eq!(
        (answer.status, &answer.json()?["field"]),
        (415, &json!("Content-Type"))
    );
    assert_eq!(form.without("content-type").send()?.status, 415);
    let long = vec![b' '; 17 * 1024 * 1024];
    assert_eq!(served.bare.post("/ingest", &long)?.status, 413);
    assert_eq!(
        served
            .web
            .ask("PUT", "/api/mutes")
            .json(vec![b' '; 2 << 20])
            .send()?
            .status,
        413
    );
    assert_eq!(
        served
            .web
            .ask("GET", "/api/agents")
            .json("{}")
            .send()?
            .status,
        400,
        "it takes no body"
    );
    let head = served
        .bare
        .ask("GET", "/health")
        .header("x-long", &"x".repeat(64 * 1024))
        .send()?;
    assert_eq!(head.status, 431);
    for (path, field) in [
        ("/api/events?limit=0", "limit"),
        ("/api/events?colour=red", "colour"),
        ("/api/events?type=x", "type"),
        ("/api/events?limit=1&limit=2", "limit"),
        ("/api/events?search=%ff", "search"),
    ] {
        let answer = served.web.get(path)?;
        assert_eq!(
            (answer.status, answer.json()?["field"].as_str()),
            (400, Some(field)),
            "{path}"
        );
    }
    assert_eq!(served.web.get("/api/agents/nobody")?.status, 404);
    assert_eq!(served.web.get("/api/events/99")?.status, 404);
    Ok(())
}

/// A body that comes in pieces and says no length is measured as it comes.
#[test]
fn a_body_without_a_length_is_bounded_too() -> Result<()> {
    let served = Served::start(&[])?;
    let mut stream = TcpStream::connect(("127.0.0.1", served.web.port()))?;
    stream.write_all(b"POST /ingest HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")?;
    let piece = vec![b' '; 1 << 20];
    for _ in 0..32 {
        let sent = write!(stream, "{:x}\r\n", piece.len())
            .and_then(|()| stream.write_all(&piece))
            .and_then(|()| stream.write_all(b"\r\n"));
        if sent.is_err() {
            break;
        }
    }
    let mut answer = [0; 12];
    stream.read_exact(&mut answer)?;
    assert_eq!(&answer, b"HTTP/1.1 413");
    Ok(())
}

#[test]
fn too_many_connections_are_told_so_and_the_daemon_goes_on() -> Result<()> {
    let served = Served::start(&[])?;
    let open: Vec<TcpStream> = (0..256)
        .map(|_| TcpStream::connect(("127.0.0.1", served.web.port())))
        .collect::<Result<_, _>>()?;
    served.place.wait_for(
        "a refusal",
        || Ok(served.bare.get("/health")?.status == 503),
    )?;
    drop(open);
    served
        .place
        .wait_for("a place", || Ok(served.bare.get("/health")?.status == 200))
}

/// Requests with bytes changed, doubled and cut, one after another on a few hundred connections.
#[test]
fn hostile_bytes_do_no_harm() -> Result<()> {
    let mut served = Served::start(&[])?;
    let seed = Random::fresh_seed();
    println!("seed {seed}");
    let mut random = Random::new(seed);
    let whole = format!(
        "POST /ingest HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{STARTED}",
        STARTED.len()
    );
    for _ in 0..400 {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..=random.below(6) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = u8::try_from(random.below(256))?,
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, u8::try_from(random.below(256))?),
                _ => bytes.extend_from_within(at..),
            }
        }
        let mut stream = TcpStream::connect(("127.0.0.1", served.web.port()))?;
        stream.set_read_timeout(Some(std::time::Duration::from_secs(20)))?;
        // The daemon may refuse before it has everything.
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert!(!served.daemon.ended()?, "seed {seed}");
    assert_eq!(served.bare.get("/health")?.status, 200, "seed {seed}");
    let memory = bellwether_tests::process::resident_kb(served.daemon.pid()?)?;
    assert!(memory < 80_000, "{memory} kB, seed {seed}");
    Ok(())
}
