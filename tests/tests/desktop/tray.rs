//! The icon in the tray, as a panel sees it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_tests::process;
use bellwether_tests::traybar::{Bus, TrayBar};
use rustix::process::Pid;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tray");
const STILL: Duration = Duration::from_secs(2);

#[test]
fn the_icon_says_how_many_need_the_person_and_its_menu_works() -> Result<()> {
    let bus = Bus::start()?;
    let mut program = bus.command(PROGRAM);
    let mut program = bus.run(program.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    let mut stdin = program.stdin().context("no stdin")?;
    let mut deeds = BufReader::new(program.stdout().context("no stdout")?).lines();
    let mut deed = || {
        deeds
            .next()
            .context("it has ended")?
            .map_err(anyhow::Error::from)
    };

    // The panel comes later than the program.
    let mut tray = TrayBar::start(&bus)?;
    let mut icon = tray.icon()?;
    assert_eq!(icon.text("Id")?, "bellwether");
    assert_eq!(icon.text("Title")?, "No agent needs you");
    assert_eq!(icon.text("Status")?, "Active");
    let plain = icon.pictures()?;
    let sizes: Vec<_> = plain
        .iter()
        .map(|(width, height, _)| (*width, *height))
        .collect();
    assert_eq!(sizes, [(22, 22), (24, 24), (48, 48)]);

    writeln!(stdin, "3")?;
    icon.wait_for("NewStatus")?;
    assert_eq!(icon.text("Title")?, "3 agents need you");
    assert_eq!(icon.text("Status")?, "NeedsAttention");
    assert_ne!(icon.pictures()?, plain);

    icon.click()?;
    assert_eq!(deed()?, "Clicked");
    let labels: Vec<_> = icon.menu()?.into_iter().map(|row| row.label).collect();
    assert_eq!(labels, ["Open the page", "Mute for 30 minutes", "", "Quit"]);
    for (label, done) in [
        ("Open the page", "OpenPage"),
        ("Mute for 30 minutes", "Mute"),
        ("Quit", "Quit"),
    ] {
        icon.choose(label)?;
        assert_eq!(deed()?, done);
    }

    writeln!(stdin, "0 muted lost")?;
    icon.wait_for("NewStatus")?;
    assert_eq!(icon.text("Title")?, "bellwether is not running");
    assert_eq!(icon.text("Status")?, "Active");
    icon.choose("Unmute")?;
    assert_eq!(deed()?, "Unmute");

    // A panel that starts again sees it again.
    drop(icon);
    drop(tray);
    let mut tray = TrayBar::start(&bus)?;
    assert_eq!(tray.icon()?.text("Id")?, "bellwether");

    let pid = Pid::from_raw(program.pid().cast_signed()).context("no process")?;
    let before = process::sleeps(pid)?;
    std::thread::sleep(STILL);
    assert_eq!(process::sleeps(pid)?, before, "something wakes it");
    Ok(())
}

#[test]
fn without_a_bus_nothing_is_said_and_the_program_goes_on() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let nowhere = format!("unix:path={}/none", folder.path().display());
    let mut program = std::process::Command::new(PROGRAM);
    program.env("DBUS_SESSION_BUS_ADDRESS", nowhere);
    program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut program = program.spawn()?;
    let mut stdin = program.stdin.take().context("no stdin")?;
    writeln!(stdin, "3\n4")?;
    drop(stdin);
    let output = program.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
    Ok(())
}
