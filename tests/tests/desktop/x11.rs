//! The overlay on a real X server, with a real window manager and, where it is said, a compositor.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::installation::filled_stdin;
use bellwether_tests::overlay::{self, Overlay, event, tell};
use bellwether_tests::xserver::{Screenshot, Window};
use bellwether_tests::{Served, XServer, process};
use serde_json::{Value, json};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask};

const ANSWERING: &str = "page: {answer: true}\noverlay: {tray: false}\n";

/// A display with an overlay on it.
struct Desk {
    overlay: Overlay,
    x: XServer,
    served: Served,
}

impl Desk {
    fn new(x: XServer) -> Result<Self> {
        Self::configured(x, ANSWERING)
    }

    fn configured(x: XServer, config: &str) -> Result<Self> {
        let served = Served::configured(config)?;
        let overlay = start(&served, &x)?;
        Ok(Self { overlay, x, served })
    }

    fn composited() -> Result<Self> {
        Self::new(XServer::plan().composited().start()?)
    }

    fn tell(&self, session: &str, name: &str, more: &Value) -> Result<()> {
        tell(&self.served, &[event(session, "shop", name, more)])
    }

    /// The overlay's windows that are shown.
    fn panels(&self) -> Result<Vec<Window>> {
        let pid = self.overlay.pid();
        let managed = self.x.windows()?;
        Ok(managed
            .into_iter()
            .filter(|window| window.pid == Some(pid))
            .collect())
    }

    /// Those of creatures: they are as large as creatures are.
    fn creatures(&self) -> Result<Vec<Window>> {
        Ok(self
            .panels()?
            .into_iter()
            .filter(|window| (window.width, window.height) == (96, 106))
            .collect())
    }

    fn wait_for_creatures(&self, count: usize) -> Result<Vec<Window>> {
        self.x.wait("the creatures", || {
            Ok(Some(self.creatures()?).filter(|all| all.len() == count))
        })
    }

    /// The bubble, once there is one.
    fn bubble(&self) -> Result<Window> {
        self.x.wait("a bubble", || {
            let others = self
                .panels()?
                .into_iter()
                .filter(|window| (window.width, window.height) != (96, 106));
            Ok(others.max_by_key(|window| window.id))
        })
    }

    /// Waits until two pictures of a part, taken at different times, are the same.
    fn still(&self) -> Result<Screenshot> {
        let mut before = self.x.screenshot()?;
        self.x.wait("a still picture", || {
            let now = self.x.screenshot()?;
            let is_same = now == before;
            before = now;
            Ok(is_same.then(|| before.clone()))
        })
    }

    fn click(&self, x: i32, y: i32, button: &str) -> Result<()> {
        let (x, y) = (x.to_string(), y.to_string());
        self.x.xdotool(&["mousemove", &x, &y, "click", button])?;
        Ok(())
    }
}

fn start(served: &Served, x: &XServer) -> Result<Overlay> {
    let bin = x.folder().join("bin");
    std::fs::create_dir_all(&bin)?;
    // A browser that notes where it was sent.
    let opener = bin.join("xdg-open");
    std::fs::write(
        &opener,
        format!("#!/bin/sh\necho \"$1\" >> '{}'\n", opened(x).display()),
    )?;
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755))?;
    let mut command = x.command(overlay::program()?);
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    command.args(["--backend", "x11"]);
    Overlay::start(served, command)
}

fn opened(x: &XServer) -> PathBuf {
    x.folder().join("opened")
}

/// A terminal that covers the screen and notes every click that reaches it.
fn terminal_below(x: &XServer) -> Result<(bellwether_tests::running::Running, PathBuf)> {
    let clicks = x.folder().join("clicks");
    let script = format!(
        "stty raw -echo; printf '\\033[?1000h\\033[?1006h'; cat > '{}'",
        clicks.display()
    );
    let mut xterm = x.command("xterm");
    xterm.args([
        "-T",
        "below",
        "-bg",
        "#305080",
        "-geometry",
        "250x80+0+0",
        "-e",
        "sh",
        "-c",
        &script,
    ]);
    let xterm = x.run(&mut xterm)?;
    let window = x.wait("the terminal", || x.window_titled("below"))?;
    let state = x.atom("_NET_WM_STATE")?;
    x.xdotool(&["windowactivate", "--sync", &window.id.to_string()])?;
    maximise(x, window.id)?;
    x.wait("it to be maximised", || {
        Ok((x.numbers(window.id, state)?.len() >= 2).then_some(()))
    })?;
    x.wait("it to note clicks", || {
        x.xdotool(&["mousemove", "300", "300", "click", "1"])?;
        let noted = std::fs::read(&clicks).unwrap_or_default();
        Ok((!noted.is_empty()).then_some(()))
    })?;
    Ok((xterm, clicks))
}

/// Asks the window manager for it.
fn maximise(x: &XServer, window: u32) -> Result<()> {
    /// As the standard numbers it: a state is to be added.
    const ADD: u32 = 1;
    let [high, wide] = [
        "_NET_WM_STATE_MAXIMIZED_VERT",
        "_NET_WM_STATE_MAXIMIZED_HORZ",
    ]
    .map(|name| x.atom(name));
    let event = ClientMessageEvent::new(
        32,
        window,
        x.atom("_NET_WM_STATE")?,
        [ADD, high?, wide?, 1, 0],
    );
    let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::SUBSTRUCTURE_REDIRECT;
    x.connection().send_event(false, x.root(), mask, event)?;
    x.connection().flush()?;
    Ok(())
}

/// Sets up monitors as a person does.
fn xrandr(x: &XServer, words: &[&str]) -> Result<()> {
    let output = x.command("xrandr").args(words).output()?;
    ensure!(output.status.success(), "xrandr {words:?}: {output:?}");
    Ok(())
}

#[test]
fn a_creature_stands_above_a_maximised_window_and_is_no_window_of_the_persons() -> Result<()> {
    let desk = Desk::composited()?;
    let (_terminal, _) = terminal_below(&desk.x)?;
    let before = desk.still()?;
    desk.tell("s1", "UserPromptSubmit", &json!({"prompt": "sell apples"}))?;
    let creature = desk.wait_for_creatures(1)?.remove(0);
    assert_eq!(
        (creature.x, creature.y),
        (1280 - 96 - 8, 800 - 106 - 8),
        "in the corner"
    );
    desk.x.wait("it to be drawn above", || {
        let now = desk.x.screenshot()?;
        let (x, y) = (creature.x.unsigned_abs(), creature.y.unsigned_abs());
        let differing = now
            .part(x, y, 96, 106)
            .differing(&before.part(x, y, 96, 106));
        // Something is seen of it, and what is below is seen around it.
        Ok((differing > 1500 && differing < 96 * 106 * 9 / 10).then_some(()))
    })?;
    let states = desk.x.numbers(creature.id, desk.x.atom("_NET_WM_STATE")?)?;
    for name in ["_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER"] {
        assert!(states.contains(&desk.x.atom(name)?), "{name} is missing");
    }
    let below = desk.x.window_titled("below")?.context("no terminal")?;
    desk.x.xdotool(&["key", "alt+Tab"])?;
    assert_eq!(desk.x.active()?, Some(below.id), "alt-tab passes it by");
    Ok(())
}

#[test]
fn a_click_on_it_opens_its_session_and_one_beside_it_reaches_the_window_below() -> Result<()> {
    let desk = Desk::composited()?;
    let (_terminal, clicks) = terminal_below(&desk.x)?;
    desk.tell("s1", "UserPromptSubmit", &json!({"prompt": "sell apples"}))?;
    let creature = desk.wait_for_creatures(1)?.remove(0);
    let heard = || std::fs::read(&clicks).unwrap_or_default().len();
    let before = heard();
    // Its upper left corner is empty.
    desk.x.wait("the click below", || {
        desk.click(creature.x + 1, creature.y + 1, "1")?;
        Ok((heard() > before).then_some(()))
    })?;
    let before = heard();
    desk.click(creature.x + 48, creature.y + 70, "1")?;
    let opened = opened(&desk.x);
    let address = desk.x.wait("the page", || {
        Ok(std::fs::read_to_string(&opened)
            .ok()
            .filter(|text| text.ends_with('\n')))
    })?;
    assert!(
        address.contains("/open?code=") && address.contains("sessions%2Fs1"),
        "{address}"
    );
    assert_eq!(
        heard(),
        before,
        "what it catches does not reach the window below"
    );
    let below = desk.x.window_titled("below")?.context("no terminal")?;
    assert_eq!(desk.x.active()?, Some(below.id), "and takes no focus");
    Ok(())
}

#[test]
fn it_is_drawn_elsewhere_and_is_there_again_next_time() -> Result<()> {
    let mut desk = Desk::composited()?;
    desk.tell("s1", "UserPromptSubmit", &json!({"prompt": "sell apples"}))?;
    let creature = desk.wait_for_creatures(1)?.remove(0);
    drag(&desk.x, (creature.x + 48, creature.y + 70), (348, 370))?;
    let moved = |window: &Window| (window.x, window.y) == (300, 300);
    desk.x.wait("it to follow", || {
        Ok(desk.creatures()?.into_iter().find(moved))
    })?;
    let kept = desk.served.place.home().overlays().join("places.json");
    desk.x
        .wait("its place to be kept", || Ok(kept.exists().then_some(())))?;
    desk.tell("s2", "UserPromptSubmit", &json!({"prompt": "sell pears"}))?;
    let both = desk.wait_for_creatures(2)?;
    assert!(
        both.iter().any(|window| (window.x, window.y) == (404, 300)),
        "the project's next stands beside it: {both:?}"
    );
    desk.overlay = start_again(&mut desk)?;
    desk.x.wait("it at its place again", || {
        Ok(desk.creatures()?.into_iter().find(moved))
    })?;
    Ok(())
}

/// Ends the overlay and starts another, with a place of its own to end in.
fn start_again(desk: &mut Desk) -> Result<Overlay> {
    desk.overlay.stop()?;
    start(&desk.served, &desk.x)
}

fn drag(x: &XServer, from: (i32, i32), to: (i32, i32)) -> Result<()> {
    let text = |n: i32| n.to_string();
    x.xdotool(&["mousemove", &text(from.0), &text(from.1), "mousedown", "1"])?;
    x.xdotool(&[
        "mousemove",
        &text(i32::midpoint(from.0, to.0)),
        &text(i32::midpoint(from.1, to.1)),
    ])?;
    x.xdotool(&["mousemove", &text(to.0), &text(to.1), "mouseup", "1"])?;
    Ok(())
}

#[test]
fn the_menu_hides_a_project_and_a_click_beside_it_closes_it() -> Result<()> {
    let desk = Desk::composited()?;
    desk.tell("s1", "SessionStart", &json!({"source": "startup"}))?;
    let creature = desk.wait_for_creatures(1)?.remove(0);
    let menu = || -> Result<Window> {
        desk.click(creature.x + 48, creature.y + 70, "3")?;
        desk.x.wait("the menu", || {
            Ok(desk
                .panels()?
                .into_iter()
                .find(|window| window.height > 250))
        })
    };
    menu()?;
    desk.click(200, 200, "1")?;
    let gone = || Ok((!desk.panels()?.iter().any(|window| window.height > 250)).then_some(()));
    desk.x.wait("the menu to close", gone)?;
    let menu = menu()?;
    // Two rows, a line, two rows, and the middle of the next.
    let row = 14 + 6 + 2 * 30 + 11 + 2 * 30 + 15;
    desk.click(menu.x + 60, menu.y + row, "1")?;
    desk.x.wait("the project to be hidden", || {
        Ok(desk.panels()?.is_empty().then_some(()))
    })?;
    Ok(())
}

#[test]
fn a_request_is_allowed_by_a_click_on_its_bubble() -> Result<()> {
    let desk = Desk::composited()?;
    // A hook waits only where somebody listens.
    desk.tell("s2", "SessionStart", &json!({"source": "startup"}))?;
    desk.wait_for_creatures(1)?;
    let hook = Hook::start(&desk.served, "touch x")?;
    // What it asks is known a moment before it is known that it can be answered here.
    let allow = desk.x.wait("a button", || {
        Ok(button(&desk.x.screenshot()?, &desk.bubble()?))
    })?;
    desk.click(allow.0, allow.1, "1")?;
    assert_eq!(hook.decision()?, json!({"behavior": "allow"}));
    desk.x.wait("the bubble to go", || {
        Ok((desk.panels()?.len() <= 2).then_some(()))
    })?;
    Ok(())
}

#[test]
fn an_agent_has_one_bubble_whatever_it_says() -> Result<()> {
    let desk = Desk::composited()?;
    for round in 0..6 {
        let ask = json!({
            "tool_name": "Bash", "tool_input": {"command": format!("touch {round}")}, "tool_use_id": format!("t{round}"),
            "permission_mode": "default",
        });
        desk.tell(
            "s1",
            "UserPromptSubmit",
            &json!({"prompt": format!("sell {round} apples")}),
        )?;
        desk.tell("s1", "PreToolUse", &ask)?;
        desk.tell("s1", "PermissionRequest", &ask)?;
        let is_asking = |window: &Window| window.height > 150;
        desk.x.wait("its question", || {
            Ok(desk.panels()?.into_iter().find(is_asking))
        })?;
        assert_eq!(
            desk.panels()?.len(),
            2,
            "round {round}: {:?}",
            desk.panels()?
        );
        desk.tell("s1", "PostToolUse", &ask)?;
        desk.x.wait("its answer", || {
            Ok((!desk.panels()?.iter().any(is_asking)).then_some(()))
        })?;
    }
    Ok(())
}

/// The middle of the widest run of the colour that the first button is filled with.
fn button(shot: &Screenshot, bubble: &Window) -> Option<(i32, i32)> {
    /// The page's accent, in the dark theme.
    const ACCENT: [u8; 3] = [0x9d, 0xb0, 0xff];
    let at = |x: i32, y: i32| shot.at(x.unsigned_abs(), y.unsigned_abs());
    for y in bubble.y + 20..bubble.y + i32::try_from(bubble.height).ok()? - 14 {
        let right = bubble.x + i32::try_from(bubble.width).ok()?;
        let lit: Vec<i32> = (bubble.x..right.min(1279))
            .filter(|x| at(*x, y) == ACCENT)
            .collect();
        if lit.len() > 25 {
            return Some((i32::midpoint(*lit.first()?, *lit.last()?), y + 6));
        }
    }
    None
}

/// A hook that waits for an answer.
struct Hook {
    child: Child,
    _stdin: std::os::unix::net::UnixStream,
}

impl Hook {
    fn start(served: &Served, command: &str) -> Result<Self> {
        let event = json!({
            "hook_event_name": "PermissionRequest", "session_id": "s1", "cwd": "/home/dev/shop", "permission_mode": "default",
            "tool_name": "Bash", "tool_input": {"command": command, "description": "d"}, "tool_use_id": "t",
        });
        let (stdin, theirs) = filled_stdin(event.to_string().as_bytes())?;
        let child = served
            .place
            .hook()
            .stdin(theirs)
            .stdout(Stdio::piped())
            .spawn()?;
        Ok(Self {
            child,
            _stdin: stdin,
        })
    }

    fn decision(self) -> Result<Value> {
        let output = self.child.wait_with_output()?;
        ensure!(output.status.success(), "{output:?}");
        let said: Value =
            serde_json::from_slice(&output.stdout).with_context(|| format!("{output:?}"))?;
        Ok(said["hookSpecificOutput"]["decision"].clone())
    }
}

#[test]
fn a_still_flock_is_the_same_picture_and_wakes_nobody() -> Result<()> {
    let desk = Desk::configured(
        XServer::plan().composited().start()?,
        "overlay: {tray: false, motion: reduced}\n",
    )?;
    for session in ["s1", "s2", "s3"] {
        desk.tell(session, "SessionStart", &json!({"source": "startup"}))?;
    }
    desk.wait_for_creatures(3)?;
    desk.x.wait("all to have arrived", || {
        let agents = desk.served.web.json("/api/agents")?;
        let mut agents = agents["agents"].as_array().into_iter().flatten();
        Ok(agents.all(|agent| agent["status"] == "idle").then_some(()))
    })?;
    let quiet = desk.x.wait("a quiet second", || {
        let before = desk.overlay.wake_ups()?;
        std::thread::sleep(std::time::Duration::from_secs(1));
        Ok((desk.overlay.wake_ups()? == before).then_some(before))
    })?;
    let first = desk.x.screenshot()?;
    for _ in 0..100 {
        assert_eq!(desk.x.screenshot()?.differing(&first), 0);
    }
    assert_eq!(
        desk.overlay.wake_ups()?,
        quiet,
        "it woke while it was looked at"
    );
    Ok(())
}

#[test]
fn without_a_compositor_it_is_cut_out_and_when_one_comes_it_is_seen_through() -> Result<()> {
    let mut desk = Desk::new(XServer::start()?)?;
    desk.tell("s1", "SessionStart", &json!({"source": "startup"}))?;
    let before = desk.x.screenshot()?.at(600, 400);
    let creature = desk.wait_for_creatures(1)?.remove(0);
    let corner = |desk: &Desk| -> Result<Option<()>> {
        let shot = desk.x.screenshot()?;
        let (x, y) = (creature.x.unsigned_abs(), creature.y.unsigned_abs());
        let is_drawn = shot.at(x + 48, y + 70) != before;
        Ok((shot.at(x + 1, y + 1) == before && is_drawn).then_some(()))
    };
    desk.x.wait("it to be cut out", || corner(&desk))?;
    desk.x.compose()?;
    desk.x.wait("it to be seen through", || corner(&desk))?;
    desk.x.uncompose()?;
    desk.x.wait("it to be cut out again", || corner(&desk))?;
    Ok(())
}

#[test]
fn it_hides_while_a_program_is_full_screen() -> Result<()> {
    let desk = Desk::composited()?;
    desk.tell("s1", "SessionStart", &json!({"source": "startup"}))?;
    desk.wait_for_creatures(1)?;
    let mut xterm = desk.x.command("xterm");
    let film = desk.x.run(xterm.args(["-T", "film", "-fullscreen"]))?;
    desk.x.wait("the creature to hide", || {
        Ok(desk.panels()?.is_empty().then_some(()))
    })?;
    drop(film);
    desk.wait_for_creatures(1)?;
    Ok(())
}

#[test]
fn a_second_monitor_may_come_and_go() -> Result<()> {
    let desk = Desk::composited()?;
    let monitor = |name: &str, area: &str| xrandr(&desk.x, &["--setmonitor", name, area, "none"]);
    xrandr(
        &desk.x,
        &["--setmonitor", "left", "640/200x800/200+0+0", "screen"],
    )?;
    monitor("right", "640/200x800/200+640+0")?;
    desk.tell("s1", "SessionStart", &json!({"source": "startup"}))?;
    let creature = desk.x.wait("it on the first monitor", || {
        Ok(desk
            .creatures()?
            .into_iter()
            .find(|window| window.x == 640 - 104))
    })?;
    drag(&desk.x, (creature.x + 48, creature.y + 70), (948, 370))?;
    let on_second = |window: &Window| (window.x, window.y) == (900, 300);
    desk.x.wait("it on the second one", || {
        Ok(desk.creatures()?.into_iter().find(on_second))
    })?;
    xrandr(&desk.x, &["--delmonitor", "right"])?;
    desk.x.wait("it back in the corner of the first", || {
        Ok(desk
            .creatures()?
            .into_iter()
            .find(|window| window.x == 640 - 104))
    })?;
    monitor("right", "640/200x800/200+640+0")?;
    desk.x.wait("it on the second one again", || {
        Ok(desk.creatures()?.into_iter().find(on_second))
    })?;
    Ok(())
}

#[test]
fn two_hundred_agents_are_a_few_and_a_number() -> Result<()> {
    let desk = Desk::composited()?;
    let all: Vec<Value> = (0..200)
        .map(|n| {
            event(
                &format!("s{n}"),
                "shop",
                "SessionStart",
                &json!({"source": "startup"}),
            )
        })
        .collect();
    for some in all.chunks(50) {
        tell(&desk.served, some)?;
    }
    desk.wait_for_creatures(12)?;
    desk.x.wait("the number of the others", || {
        Ok((desk.panels()?.len() == 13).then_some(()))
    })?;
    ensure!(
        desk.overlay.resident_kb()? < 20 * 1024,
        "{} kB",
        desk.overlay.resident_kb()?
    );
    Ok(())
}

#[test]
fn a_daemon_that_goes_is_missed_and_one_that_comes_back_is_found() -> Result<()> {
    let mut desk = Desk::composited()?;
    desk.tell("s1", "SessionStart", &json!({"source": "startup"}))?;
    desk.wait_for_creatures(1)?;
    process::kill(desk.served.daemon.pid()?);
    let lost = desk.bubble()?;
    assert!(lost.width > 120, "it says so: {lost:?}");
    let (daemon, _) = desk.served.place.start_serving(&[])?;
    desk.x.wait("the bubble to go", || {
        Ok((desk.panels()?.len() == 1).then_some(()))
    })?;
    desk.wait_for_creatures(1)?;
    desk.served.daemon = daemon;
    Ok(())
}

#[test]
fn a_key_that_was_ended_ends_it_and_it_says_why() -> Result<()> {
    let mut desk = Desk::new(XServer::start()?)?;
    desk.tell("s1", "SessionStart", &json!({"source": "startup"}))?;
    desk.wait_for_creatures(1)?;
    desk.overlay.end_token(&desk.served)?;
    process::kill(desk.served.daemon.pid()?);
    let (daemon, _) = desk.served.place.start_serving(&[])?;
    let ended = desk.x.wait("its end", || desk.overlay.ended())?;
    assert_eq!(ended.code(), Some(1));
    desk.served.daemon = daemon;
    Ok(())
}

#[test]
fn without_a_display_it_says_so_in_a_line() -> Result<()> {
    let run = |variables: &[(&str, &str)]| -> Result<(Option<i32>, String)> {
        let mut command = Command::new(overlay::program()?);
        command
            .env_clear()
            .envs(variables.iter().copied())
            .env("HOME", "/nonexistent");
        command.args(["--home", "/tmp/bw-no-display", "--key-fd", "0"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // It may have ended before it is asked for its key.
        let _ = child.stdin.take().context("no stdin")?.write_all(b"key\n");
        let output = child.wait_with_output()?;
        Ok((output.status.code(), String::from_utf8(output.stderr)?))
    };
    let (code, said) = run(&[])?;
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains("no display"), "{said}");
    let (code, said) = run(&[("DISPLAY", ":9753")])?;
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains(":9753"), "{said}");
    Ok(())
}
