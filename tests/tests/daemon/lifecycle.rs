//! The daemon: one a home, healthy, upgraded in place, gone when idle.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_spine::trouble::Troubles;
use bellwether_tests::installation::free_port;
use bellwether_tests::{Installation, Programs, fixture};

use super::fed::{feed, status};

fn get(port: u16, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn a_started_daemon_answers_on_its_port() -> Result<()> {
    let place = Installation::fresh()?;
    let port = free_port()?;
    assert!(
        place
            .cli(["daemon", "start", "--port", &port.to_string()])
            .output()?
            .status
            .success()
    );
    let answer = get(port, "/health")?;
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("\r\n\r\nok"),
        "{answer}"
    );
    assert_eq!(status(&place)?["daemon"]["port"], port);
    Ok(())
}

#[test]
fn a_busy_port_is_said_and_the_rest_works() -> Result<()> {
    let place = Installation::fresh()?;
    let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    assert!(
        place
            .cli(["daemon", "start", "--port", &port])
            .output()?
            .status
            .success()
    );
    feed(&place, "a")?;
    place.settle()?;
    let status = status(&place)?;
    assert_eq!(status["store"]["events"], 2);
    let trouble = status["daemon"]["http_trouble"]
        .as_str()
        .context("nothing is said")?;
    assert!(
        trouble.contains(&port) && trouble.contains("in use"),
        "{trouble}"
    );
    Ok(())
}

#[test]
fn a_second_daemon_of_a_home_does_not_run() -> Result<()> {
    let place = Installation::fresh()?;
    let _first = place.start_daemon(&[])?;
    let mut second = place.spawn_daemon(&[])?;
    place.wait_for("the second daemon to give up", || second.ended())?;
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

/// Takes the state folder away from a running daemon.
type TakeAway = fn(&Installation) -> Result<()>;

/// The daemon may write a file into the folder while it is being emptied: then there is more to delete.
fn delete(place: &Installation) -> Result<()> {
    use std::io::ErrorKind::{DirectoryNotEmpty, NotFound};
    place.wait_for(
        "the state folder to be deleted",
        || match std::fs::remove_dir_all(place.home().state()) {
            Err(error) if error.kind() == DirectoryNotEmpty => Ok(false),
            Err(error) if error.kind() != NotFound => Err(error.into()),
            _ => Ok(true),
        },
    )
}

fn move_aside(place: &Installation) -> Result<()> {
    let aside = place.root().join("aside");
    Ok(std::fs::rename(place.home().state(), aside)?)
}

fn delete_lock(place: &Installation) -> Result<()> {
    Ok(std::fs::remove_file(place.home().lock())?)
}

#[test]
fn a_daemon_whose_state_folder_is_gone_leaves_it_to_the_next() -> Result<()> {
    let ways: [(TakeAway, &[&str]); 3] = [
        (delete, &["after", "later"]),
        (move_aside, &["after", "later"]),
        (delete_lock, &["after", "before", "later"]),
    ];
    for (take_away, stored) in ways {
        let port = free_port()?;
        let place = Installation::fresh_with(&format!("daemon: {{port: {port}}}\n"))?;
        feed(&place, "before")?;
        place.wait_for("the first event", || place.is_among_last("before"))?;
        take_away(&place)?;
        feed(&place, "after")?;
        place.wait_for("the second event", || place.is_among_last("after"))?;
        place.wait_for("one daemon", || Ok(place.daemons()?.len() == 1))?;
        feed(&place, "later")?;
        place.wait_for("the last event", || place.is_among_last("later"))?;
        assert_eq!(place.daemons()?.len(), 1);
        let markers = place.markers()?;
        assert!(markers.values().all(|count| *count == 1), "{markers:?}");
        assert_eq!(markers.keys().collect::<Vec<_>>(), stored);
        place.wait_for("the port", || Ok(get(port, "/health").is_ok()))?;
        assert_eq!(status(&place)?["daemon"]["port"], port);
        let stopped = place.at_terminal(["daemon", "stop"]).output()?;
        assert!(stopped.status.success(), "{stopped:?}");
        assert!(place.daemons()?.is_empty());
    }
    Ok(())
}

/// Sends one event to a port; `None` when nobody answers there any more.
fn post(port: u16) -> Option<String> {
    let body = r#"{"hook_event_name":"Stop","session_id":"s"}"#;
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let length = body.len();
    write!(
        stream,
        "POST /ingest HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

/// The port can still be reached when the sockets are gone with the folder.
#[test]
fn what_a_daemon_without_its_folder_takes_is_stored() -> Result<()> {
    for take_away in [delete, move_aside] as [TakeAway; 2] {
        // A daemon that has found out has left already; then there is nobody to send anything to.
        for _ in 0..5 {
            let place = Installation::fresh()?;
            let (first, port) = place.start_serving(&[])?;
            let pid = first.pid()?;
            // What it was woken for while it began is over.
            std::thread::sleep(std::time::Duration::from_millis(200));
            take_away(&place)?;
            let Some(answer) = post(port) else { continue };
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            place.wait_for("the event", || Ok(place.count()? == 1))?;
            assert_eq!(place.daemons()?, [pid], "it serves the new folder");
            break;
        }
    }
    Ok(())
}

#[test]
fn an_idle_daemon_leaves_and_the_next_event_brings_it_back() -> Result<()> {
    let place = Installation::fresh()?;
    let mut daemon = place.start_daemon(&["--idle-exit", "0.2"])?;
    feed(&place, "a")?;
    place.wait_for("the daemon to leave", || daemon.ended())?;
    assert!(!place.home().wake_socket().exists());
    assert_eq!(place.count()?, 1);
    feed(&place, "b")?;
    place.wait_for("the event to be stored", || place.is_among_last("b"))?;
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

/// A newer program in the place of the running one: here a script that leaves a sign and then runs the real one.
#[test]
fn a_newer_hook_makes_the_daemon_its_successor() -> Result<()> {
    let built = Programs::built()?;
    let folder = tempfile::tempdir()?;
    let (old, sign) = (folder.path().join("bellwether"), folder.path().join("sign"));
    std::fs::copy(built.main(), &old)?;
    std::fs::copy(built.hook(), folder.path().join("bellwether-hook"))?;
    let place = Installation::new(&Programs::in_folder(folder.path().to_owned())?)?;
    feed(&place, "before")?;
    place.wait_for("the first event", || place.is_among_last("before"))?;
    let process = status(&place)?["daemon"]["pid"].clone();

    // A hook that only says it is newer is not believed.
    let newer = UnixDatagram::unbound()?;
    newer.send_to(b"99.0.0", place.home().wake_socket())?;
    feed(&place, "between")?;
    place.wait_for("the second event", || place.is_among_last("between"))?;
    assert!(!sign.exists());

    let script = format!(
        "#!/bin/sh\necho new >> '{}'\nexec '{}' \"$@\"\n",
        sign.display(),
        built.main().display()
    );
    std::fs::write(folder.path().join("fresh"), script)?;
    std::fs::set_permissions(
        folder.path().join("fresh"),
        std::fs::Permissions::from_mode(0o755),
    )?;
    std::fs::rename(folder.path().join("fresh"), &old)?;
    newer.send_to(b"99.0.0", place.home().wake_socket())?;
    place.wait_for("the successor", || Ok(sign.exists()))?;
    feed(&place, "after")?;
    place.wait_for("the last event", || place.is_among_last("after"))?;
    assert_eq!(std::fs::read_to_string(&sign)?, "new\n");
    assert_eq!(
        status(&place)?["daemon"]["pid"],
        process,
        "the same process goes on under the lock"
    );
    assert_eq!(place.markers()?.len(), 3);
    Ok(())
}

#[test]
fn events_can_be_followed_over_a_restart() -> Result<()> {
    let place = Installation::fresh()?;
    feed(&place, "one")?;
    let mut follower = place
        .cli(["events", "--follow", "--json"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut lines = BufReader::new(follower.stdout.take().context("no stdout")?).lines();
    let mut next = || -> Result<String> {
        let line = lines.next().context("the follower has ended")??;
        Ok(fixture::marker(&line).context("no marker")?.to_owned())
    };
    assert_eq!(next()?, "one");
    feed(&place, "two")?;
    assert_eq!(next()?, "two");
    for daemon in place.daemons()? {
        bellwether_tests::process::kill(daemon);
    }
    feed(&place, "three")?;
    assert_eq!(next()?, "three");
    follower.kill()?;
    follower.wait()?;
    Ok(())
}

#[test]
fn sigterm_ends_the_daemon_after_everything_is_stored() -> Result<()> {
    let place = Installation::fresh()?;
    let mut daemon = place.start_daemon(&[])?;
    for number in 0..20 {
        feed(&place, &number.to_string())?;
    }
    let pid = daemon.pid()?.as_raw_nonzero().to_string();
    assert!(Command::new("kill").arg(pid).status()?.success());
    place.wait_for("the daemon to end", || daemon.ended())?;
    assert_eq!(place.count()?, 20);
    assert!(!place.home().wake_socket().exists() && !place.home().control_socket().exists());
    Ok(())
}

#[test]
fn a_journal_that_cannot_be_read_neither_spins_nor_holds_the_daemon() -> Result<()> {
    let place = Installation::fresh()?;
    let mut daemon = place.start_daemon(&[])?;
    feed(&place, "a")?;
    place.wait_for("the event", || place.is_among_last("a"))?;
    std::fs::rename(place.home().journal(), place.root().join("away"))?;
    std::fs::write(place.home().journal(), "a file")?;
    let _ = bellwether_spine::wake::send(place.home());
    place.wait_for("the trouble", || {
        Ok(!Troubles(place.home()).recent().is_empty())
    })?;
    let trouble = &Troubles(place.home()).recent()[0];
    assert_eq!(trouble.code, "journal_not_read", "{trouble:?}");
    let log = std::fs::read_to_string(place.home().log())?;
    assert!(
        log.lines().count() < 20,
        "it tries again only after a pause:\n{log}"
    );
    assert!(
        place
            .at_terminal(["daemon", "stop"])
            .output()?
            .status
            .success()
    );
    assert!(daemon.ended()?);
    Ok(())
}
