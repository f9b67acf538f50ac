//! What is seen of panels, and what they cost while nothing changes.

use std::time::Duration;

use anyhow::{Context as _, Result};
use bellwether_overlay::desktop::{Desktop as _, Happened};
use bellwether_overlay::geometry::Size;
use bellwether_overlay::picture::Picture;

use super::stage::{GREEN, GROUND, RED, SCREEN, Stage, filled, rect};
use super::window::Window;

#[test]
fn a_panel_is_seen_where_it_is_put() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (100, 50, 60, 40), RED)?;
    stage.until_seen(|shot| shot.at(100, 50) == RED && shot.at(159, 89) == RED)?;
    let shot = stage.shot()?;
    for (x, y) in [(99, 50), (100, 49), (160, 89), (159, 90)] {
        assert_eq!(shot.at(x, y), GROUND, "{x} {y}");
    }
    // Beyond the edge it is cut off.
    stage.show(1, (-20, 780, 60, 40), GREEN)?;
    stage.until_seen(|shot| shot.at(0, 780) == GREEN && shot.at(39, 799) == GREEN)?;
    assert_eq!(stage.shot()?.at(100, 50), GROUND, "it was moved");
    stage.desktop.remove(1)?;
    stage.until_seen(|shot| shot.at(0, 780) == GROUND)
}

#[test]
fn what_is_clear_shows_what_is_below_and_a_new_size_comes_with_its_picture() -> Result<()> {
    let mut stage = Stage::begin()?;
    // Which of two is above is not ours to say, so below is what is no panel.
    stage.show(2, (20, 20, 40, 40), GREEN)?;
    let mut picture = filled(Size::new(40, 40), GREEN);
    picture.pixels[..40 * 4 * 30].fill(0);
    stage.desktop.draw(2, &picture)?;
    stage.until_seen(|shot| shot.at(39, 49) == GROUND && shot.at(39, 50) == GREEN)?;
    stage.show(2, (20, 20, 200, 100), GREEN)?;
    stage.until_seen(|shot| shot.at(20, 20) == GREEN && shot.at(219, 119) == GREEN)
}

#[test]
fn a_panel_is_not_seen_before_it_is_drawn_nor_ever_focused() -> Result<()> {
    let mut stage = Stage::begin()?;
    let window = Window::open(&stage.sway)?;
    let focused = stage.focused()?;
    stage.desktop.place(1, SCREEN, rect((0, 0, 50, 50)))?;
    stage.show(2, (100, 0, 50, 50), RED)?;
    stage.until_seen(|shot| shot.at(100, 0) == RED)?;
    assert_ne!(stage.shot()?.at(0, 0), RED);
    stage.mouse.click_at(110, 10)?;
    stage.until(|news| matches!(news, Happened::Clicked { panel: 2, .. }))?;
    assert_eq!(stage.focused()?, focused);
    drop(window);
    Ok(())
}

#[test]
fn nothing_wakes_while_nothing_changes() -> Result<()> {
    let mut stage = Stage::begin()?;
    for n in 0..5_u8 {
        stage.show(n.into(), (100 * i32::from(n), 0, 96, 107), RED)?;
    }
    stage.until_seen(|shot| shot.at(400, 0) == RED)?;
    stage.until_still()
}

#[test]
fn below_a_full_screen_window_nothing_is_sent_and_then_the_newest_is_seen() -> Result<()> {
    let mut stage = Stage::begin()?;
    let window = stage.covered()?;
    // Told within two seconds, once.
    stage.draw(1, Size::new(50, 50), RED)?;
    assert_eq!(stage.next()?, hidden(true));
    stage.draw(1, Size::new(50, 50), RED)?;
    stage.draw(1, Size::new(50, 50), GREEN)?;
    stage.until_still()?;
    stage.sway.tell(&["fullscreen", "disable"])?;
    assert_eq!(stage.next()?, hidden(false));
    stage.until_seen(|shot| shot.at(0, 0) == GREEN)?;
    drop(window);
    Ok(())
}

#[test]
fn a_hidden_screen_without_panels_is_one_that_nobody_knows_about() -> Result<()> {
    let mut stage = Stage::begin()?;
    let window = stage.covered()?;
    stage.draw(1, Size::new(50, 50), RED)?;
    assert_eq!(stage.next()?, hidden(true));
    stage.desktop.remove(1)?;
    assert_eq!(stage.next()?, hidden(false));
    drop(window);
    Ok(())
}

#[test]
fn pictures_that_come_faster_than_the_screen_end_with_the_last() -> Result<()> {
    let mut stage = Stage::begin()?;
    let size = Size::new(50, 50);
    stage.show(1, (0, 0, 50, 50), GREEN)?;
    for _ in 0..100 {
        stage.draw(1, size, GREEN)?;
        stage.desktop.wait(&[], Some(Duration::ZERO))?;
    }
    stage.draw(1, size, RED)?;
    stage.until_seen(|shot| shot.at(0, 0) == RED)
}

#[test]
fn the_end_of_the_compositor_is_told() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (0, 0, 50, 50), RED)?;
    stage.until_seen(|shot| shot.at(0, 0) == RED)?;
    stage.sway.kill();
    assert_eq!(stage.next()?, Happened::Ended);
    Ok(())
}

#[test]
fn other_files_end_the_waiting() -> Result<()> {
    use std::io::Write as _;
    use std::os::fd::AsFd as _;
    let mut stage = Stage::begin()?;
    let (ours, mut theirs) = std::os::unix::net::UnixStream::pair()?;
    theirs.write_all(b"!")?;
    let happened = stage.desktop.wait(&[ours.as_fd()], None)?;
    assert_eq!(happened, []);
    Ok(())
}

#[test]
fn an_unknown_panel_or_screen_is_no_error() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.desktop.draw(9, &Picture::default())?;
    stage.desktop.remove(9)?;
    stage.desktop.place(9, "nowhere", rect((0, 0, 5, 5)))?;
    let screens = stage.desktop.screens();
    let screen = screens.first().context("no screen")?;
    assert_eq!((screen.name.as_str(), screen.is_primary), (SCREEN, true));
    assert_eq!(screen.area, rect((0, 0, 1280, 800)));
    assert_eq!(screen.work, screen.area);
    Ok(())
}

impl Stage {
    /// Shows a panel and opens a full-screen window above it.
    fn covered(&mut self) -> Result<Window> {
        self.show(1, (0, 0, 50, 50), RED)?;
        self.until_seen(|shot| shot.at(0, 0) == RED)?;
        let window = Window::open(&self.sway)?;
        self.sway.tell(&["fullscreen", "enable"])?;
        self.until_seen(|shot| shot.at(0, 0) != RED)?;
        Ok(window)
    }
}

fn hidden(hidden: bool) -> Happened {
    let screen = SCREEN.to_owned();
    Happened::Hidden { screen, hidden }
}
