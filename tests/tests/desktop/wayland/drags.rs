//! Panels that are drawn along with the mouse.

use anyhow::{Result, bail};
use bellwether_overlay::desktop::{Button, Desktop as _, Happened};
use bellwether_overlay::geometry::{Point, Rect, Size};
use bellwether_tests::sway::Key;

use super::stage::{GREEN, GROUND, RED, SCREEN, Stage};

const SIZE: Size = Size::new(60, 40);

/// Moves the mouse while its button is down, and puts the panel where it is wanted: there.
fn drag(stage: &mut Stage, to: (u32, u32)) -> Result<Point> {
    stage.mouse.go(to.0, to.1)?;
    let Happened::Dragged { panel: 1, to } = stage.next()? else {
        bail!("not drawn along");
    };
    stage
        .desktop
        .place(1, SCREEN, Rect { at: to, size: SIZE })?;
    Ok(to)
}

#[test]
fn a_panel_goes_with_the_mouse_to_the_pixel() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (100, 100, SIZE.width, SIZE.height), RED)?;
    stage.until_seen(|shot| shot.at(100, 100) == RED)?;
    stage.mouse.go(110, 105)?;
    stage.mouse.press(Key::Left)?;
    // Slowly at first, then faster than it is wide; what the mouse meets on its way is always the same spot of it.
    for (x, y) in [
        (116, 106),
        (117, 107),
        (130, 120),
        (400, 300),
        (401, 299),
        (900, 600),
    ] {
        let at = drag(&mut stage, (x, y))?;
        assert_eq!(at, Point::new(x.cast_signed() - 10, y.cast_signed() - 5));
    }
    stage.until_seen(|shot| shot.at(890, 595) == RED && shot.at(949, 634) == RED)?;
    assert_eq!(stage.shot()?.at(100, 100), GROUND, "nothing stays behind");
    // It is drawn while it moves.
    stage.draw(1, SIZE, GREEN)?;
    stage.until_seen(|shot| shot.at(890, 595) == GREEN)?;
    stage.mouse.release(Key::Left)?;
    assert_eq!(stage.next()?, Happened::Dropped { panel: 1 });
    stage.until_seen(|shot| shot.at(890, 595) == GREEN)?;
    stage.mouse.click_at(900, 600)?;
    let at = Point::new(10, 5);
    let button = Button::Left;
    let clicked = Happened::Clicked {
        panel: 1,
        at,
        button,
    };
    assert_eq!(
        stage.next()?,
        clicked,
        "it can be clicked where it was dropped"
    );
    Ok(())
}

#[test]
fn a_panel_stays_on_its_screen() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (100, 100, SIZE.width, SIZE.height), RED)?;
    stage.until_seen(|shot| shot.at(100, 100) == RED)?;
    stage.mouse.go(110, 105)?;
    stage.mouse.press(Key::Left)?;
    assert_eq!(drag(&mut stage, (1279, 799))?, Point::new(1220, 760));
    assert_eq!(drag(&mut stage, (1, 1))?, Point::new(0, 0));
    Ok(())
}

#[test]
fn a_panel_that_goes_while_it_is_held_is_forgotten() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (100, 100, SIZE.width, SIZE.height), RED)?;
    stage.show(2, (300, 100, SIZE.width, SIZE.height), GREEN)?;
    stage.until_seen(|shot| shot.at(100, 100) == RED && shot.at(300, 100) == GREEN)?;
    stage.mouse.go(110, 105)?;
    stage.mouse.press(Key::Left)?;
    drag(&mut stage, (150, 150))?;
    stage.desktop.remove(1)?;
    stage.until_seen(|shot| shot.at(141, 146) == GROUND)?;
    stage.mouse.release(Key::Left)?;
    stage.mouse.click_at(310, 110)?;
    let news = stage.next()?;
    assert!(
        matches!(news, Happened::Clicked { panel: 2, .. }),
        "{news:?}"
    );
    Ok(())
}
