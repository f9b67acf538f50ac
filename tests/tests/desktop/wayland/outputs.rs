//! Screens that come and change.

use anyhow::Result;
use bellwether_overlay::desktop::{Button, Desktop as _, Happened, Screen};
use bellwether_overlay::geometry::{Point, Size};
use bellwether_overlay::picture::Picture;

use super::stage::{GREEN, GROUND, RED, SCREEN, Stage, rect};

const SECOND: &str = "HEADLESS-2";

impl Stage {
    /// Waits until a screen is as it should be.
    fn until_screen(&mut self, name: &str, is_so: impl Fn(&Screen) -> bool) -> Result<()> {
        loop {
            let mut screens = self.desktop.screens().iter();
            if screens.any(|screen| screen.name == name && is_so(screen)) {
                return Ok(());
            }
            self.until(|news| *news == Happened::ScreensChanged)?;
        }
    }
}

#[test]
fn a_screen_of_twice_the_scale_is_drawn_sharp_and_clicked_to_the_pixel() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.sway.tell(&["output", SCREEN, "scale", "2"])?;
    let is_double = |screen: &Screen| screen.scale > 1.5 && screen.area.size.width == 1280;
    stage.until_screen(SCREEN, is_double)?;
    let size = Size::new(40, 20);
    stage.show(1, (200, 100, size.width, size.height), RED)?;
    stage.desktop.draw(1, &chequered(size))?;
    stage.until_seen(|shot| shot.at(200, 100) == [255; 3])?;
    let shot = stage.shot()?;
    assert_eq!((shot.width, shot.height), (1280, 800));
    let row: Vec<_> = (200..206).map(|x| shot.at(x, 101)[0]).collect();
    assert_eq!(row, [0, 255, 0, 255, 0, 255]);
    assert_eq!([shot.at(239, 119), shot.at(240, 119)], [[255; 3], GROUND]);
    // The mouse is moved in the compositor's units.
    stage.mouse.reach(640, 400);
    stage.mouse.click_at(105, 55)?;
    let (at, button) = (Point::new(10, 10), Button::Left);
    let clicked = Happened::Clicked {
        panel: 1,
        at,
        button,
    };
    assert_eq!(stage.next()?, clicked);
    Ok(())
}

#[test]
fn a_change_of_scale_is_told_and_all_can_be_drawn_anew() -> Result<()> {
    let mut stage = Stage::begin()?;
    for (scale, colour) in [("2", RED), ("1", GREEN), ("4", RED)] {
        stage.sway.tell(&["output", SCREEN, "scale", scale])?;
        stage.until_screen(SCREEN, |screen| screen.scale.to_string() == scale)?;
        stage.show(1, (120, 120, 30, 30), colour)?;
        stage.until_seen(|shot| shot.at(120, 120) == colour && shot.at(149, 149) == colour)?;
        assert_eq!(stage.shot()?.at(150, 150), GROUND);
    }
    Ok(())
}

#[test]
fn a_second_screen_is_told_and_can_be_drawn_on() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (10, 10, 50, 50), RED)?;
    stage.sway.tell(&["create_output"])?;
    stage.until_screen(SECOND, |_| true)?;
    let screens = stage.desktop.screens();
    let primary = screens.iter().filter(|screen| screen.is_primary);
    assert_eq!(
        primary.map(|screen| &*screen.name).collect::<Vec<_>>(),
        [SCREEN]
    );
    assert!(
        screens
            .iter()
            .all(|screen| screen.area.at == Point::default())
    );
    stage.show_on(SECOND, 2, (10, 10, 50, 50), GREEN)?;
    stage.until_seen_on(SECOND, |shot| shot.at(10, 10) == GREEN)?;
    stage.until_seen(|shot| shot.at(10, 10) == RED)?;
    // And from one to the other: what it shows goes with it.
    stage.desktop.place(1, SECOND, rect((100, 100, 50, 50)))?;
    stage.until_seen_on(SECOND, |shot| shot.at(100, 100) == RED)?;
    stage.until_seen(|shot| shot.at(10, 10) == GROUND)
}

#[test]
fn what_a_bar_takes_is_no_part_of_the_screen() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (0, 0, 50, 50), RED)?;
    let mut bar = stage.sway.bar()?;
    stage.until_screen(SCREEN, |screen| screen.work.size.height < 800)?;
    let height = 800 - stage.desktop.screens()[0].work.size.height;
    let height = usize::try_from(height)?;
    stage.until_seen(|shot| shot.at(0, height) == RED && shot.at(0, height - 1) != RED)?;
    bar.kill()?;
    bar.wait()?;
    stage.until_screen(SCREEN, |screen| screen.work.size.height == 800)?;
    stage.until_seen(|shot| shot.at(0, 0) == RED)
}

/// Each pixel is the other colour than those beside it, but for the first row, which is white.
fn chequered(size: Size) -> Picture {
    let mut picture = Picture::clear(size);
    let width = size.width as usize;
    for (n, pixel) in picture.pixels.chunks_exact_mut(4).enumerate() {
        let (x, y) = (n % width, n / width);
        let grey = if y == 0 || (x + y) % 2 == 0 { 255 } else { 0 };
        pixel.copy_from_slice(&[grey, grey, grey, 255]);
    }
    picture
}
