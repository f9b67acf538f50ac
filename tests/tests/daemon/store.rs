//! A database that the daemon cannot use: left alone when it is newer, set aside when it is damaged.

use anyhow::Result;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::Installation;

use super::fed::feed;

/// An installation with two stored events, whose daemon was stopped.
fn filled_and_stopped() -> Result<Installation> {
    let place = Installation::fresh()?;
    feed(&place, "a")?;
    place.settle()?;
    assert!(
        place
            .at_terminal(["daemon", "stop"])
            .output()?
            .status
            .success()
    );
    Ok(place)
}

#[test]
fn a_newer_database_is_left_alone_and_said() -> Result<()> {
    let place = filled_and_stopped()?;
    // The version stands in the header of the file, at byte 60.
    let database = place.home().database();
    let mut bytes = std::fs::read(&database)?;
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&database, &bytes)?;
    feed(&place, "b")?;
    place.wait_for("the trouble", || {
        Ok(!Troubles(place.home()).recent().is_empty())
    })?;
    let text = &Troubles(place.home()).recent()[0].text;
    assert!(
        text.contains("version 99") && text.contains("update bellwether"),
        "{text}"
    );
    assert_eq!(std::fs::read(&database)?, bytes);
    let shown = place.cli(["events"]).output()?;
    assert_eq!(shown.status.code(), Some(1));
    assert!(String::from_utf8(shown.stderr)?.contains("update bellwether"));
    Ok(())
}

#[test]
fn a_database_of_rubbish_is_set_aside_and_filled_again_from_the_journal() -> Result<()> {
    damaged(|place| {
        Ok(std::fs::write(
            place.home().database(),
            "rubbish ".repeat(1000),
        )?)
    })
}

/// The header is whole, so that the damage shows only when the tables are read.
#[test]
fn a_database_with_damaged_pages_is_set_aside_and_filled_again_from_the_journal() -> Result<()> {
    damaged(|place| {
        let mut bytes = std::fs::read(place.home().database())?;
        bytes[16 * 1024..].fill(b'x');
        Ok(std::fs::write(place.home().database(), bytes)?)
    })
}

fn damaged(damage: impl Fn(&Installation) -> Result<()>) -> Result<()> {
    let place = filled_and_stopped()?;
    damage(&place)?;
    feed(&place, "b")?;
    place.wait_for("the event to be stored", || {
        Ok(place.is_among_last("b").unwrap_or(false))
    })?;
    assert_eq!(place.count()?, 3, "the journal still holds the last day");
    assert!(
        Troubles(place.home()).recent()[0]
            .text
            .contains("flock.db.damaged-1")
    );
    Ok(())
}

/// The daemon runs, and has in memory what it read before: the damage shows at some later moment.
#[test]
fn a_database_that_is_damaged_under_a_running_daemon_is_set_aside() -> Result<()> {
    let place = Installation::fresh()?;
    for number in 0..40 {
        feed(&place, &format!("a{number}"))?;
    }
    place.settle()?;
    let database = place.home().database();
    // What is committed stands in the log until it is moved; a daemon that ends moves it.
    place.at_terminal(["daemon", "stop"]).output()?;
    feed(&place, "awake")?;
    place.settle()?;
    let mut bytes = std::fs::read(&database)?;
    bytes[16 * 1024..].fill(b'x');
    // Over the same file, not a new one in its place.
    std::io::Write::write_all(
        &mut std::fs::File::options().write(true).open(&database)?,
        &bytes,
    )?;
    for number in 0..5 {
        feed(&place, &format!("b{number}"))?;
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    place.wait_for("the event to be stored", || {
        Ok(place.is_among_last("b4").unwrap_or(false))
    })?;
    // Each time that it settles there is one more.
    assert_eq!(place.count()?, 48, "the journal still holds the last day");
    let troubles = Troubles(place.home()).recent();
    assert!(
        troubles
            .iter()
            .any(|trouble| trouble.text.contains("flock.db.damaged-1")),
        "{troubles:?}"
    );
    let aside = std::fs::read_dir(place.home().state())?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".damaged-2"))
        .count();
    assert_eq!(aside, 0, "it is set aside once");
    Ok(())
}
