//! Clicks: on a panel, beside it, and while a menu is open.

use anyhow::Result;
use bellwether_overlay::desktop::{Button, Catch, Desktop as _, Happened};
use bellwether_overlay::geometry::{Point, Rect};
use bellwether_tests::sway::{Key, Shot};

use super::stage::{GREEN, RED, Stage};
use super::window::Window;

#[test]
fn a_click_arrives_on_a_creature_and_beside_it_in_the_window_below() -> Result<()> {
    let mut stage = Stage::begin()?;
    let window = Window::open(&stage.sway)?;
    stage.show(1, (100, 100, 96, 107), RED)?;
    stage.catch(1, &[Rect::new(20, 20, 50, 50), Rect::new(40, 70, 10, 30)])?;
    stage.until_seen(|shot| shot.at(100, 100) == RED)?;
    stage.mouse.click_at(105, 105)?;
    window.until_clicked(1)?;
    stage.mouse.click_at(121, 132)?;
    assert_eq!(stage.next()?, clicked(1, 21, 32, Button::Left));
    stage.mouse.click_at(145, 190)?;
    assert_eq!(stage.next()?, clicked(1, 45, 90, Button::Left));
    stage.mouse.go(130, 130)?;
    stage.mouse.click(Key::Right)?;
    assert_eq!(stage.next()?, clicked(1, 30, 30, Button::Right));
    stage.mouse.click_at(125, 190)?;
    window.until_clicked(2)?;
    assert_eq!(window.clicks()?, 2, "and no other");
    Ok(())
}

#[test]
fn a_panel_that_says_no_shape_is_not_in_the_way() -> Result<()> {
    let mut stage = Stage::begin()?;
    let window = Window::open(&stage.sway)?;
    stage.show(1, (100, 100, 96, 107), RED)?;
    stage.catch(1, &[])?;
    stage.until_seen(|shot| shot.at(100, 100) == RED)?;
    stage.mouse.click_at(130, 130)?;
    window.until_clicked(1)
}

#[test]
fn the_pointers_way_is_told_of_panels_that_follow_it() -> Result<()> {
    let mut stage = Stage::begin()?;
    stage.show(1, (0, 0, 50, 50), RED)?;
    stage.show(2, (100, 0, 50, 50), GREEN)?;
    let shape = &[Rect::new(0, 0, 50, 50)];
    let follows = true;
    stage.desktop.catch(2, Catch { shape, follows })?;
    stage.until_seen(|shot| shot.at(0, 0) == RED && shot.at(100, 0) == GREEN)?;
    stage.mouse.go(10, 10)?;
    stage.mouse.go(110, 10)?;
    let hovered = |x, y| Happened::Hovered {
        panel: 2,
        at: Point::new(x, y),
    };
    assert_eq!(stage.next()?, hovered(10, 10));
    stage.mouse.go(120, 30)?;
    assert_eq!(stage.next()?, hovered(20, 30));
    stage.mouse.go(300, 300)?;
    assert_eq!(stage.next()?, Happened::Left { panel: 2 });
    Ok(())
}

#[test]
fn while_a_menu_is_open_a_click_beside_it_is_told_and_goes_nowhere_else() -> Result<()> {
    let mut stage = Stage::begin()?;
    let window = Window::open(&stage.sway)?;
    stage.show(1, (100, 100, 50, 50), RED)?;
    stage.desktop.grab(true)?;
    stage.show(2, (120, 100, 50, 50), GREEN)?;
    let is_above = |shot: &Shot| shot.at(119, 100) == RED && shot.at(120, 100) == GREEN;
    stage.until_seen(is_above)?;
    stage.mouse.click_at(600, 600)?;
    assert_eq!(stage.next()?, Happened::ClickedElsewhere);
    for (panel, x) in [(1, 110), (2, 130)] {
        stage.mouse.click_at(x, 120)?;
        assert_eq!(stage.next()?, clicked(panel, 10, 20, Button::Left));
    }
    assert_eq!(window.clicks()?, 0);
    stage.show(2, (200, 300, 50, 50), GREEN)?;
    stage.until_seen(|shot| shot.at(200, 300) == GREEN)?;
    stage.mouse.click_at(160, 120)?;
    assert_eq!(stage.next()?, Happened::ClickedElsewhere, "it has moved");
    stage.desktop.grab(false)?;
    stage.desktop.remove(2)?;
    stage.until_seen(|shot| shot.at(200, 300) != GREEN)?;
    stage.mouse.click_at(600, 600)?;
    window.until_clicked(1)
}

fn clicked(panel: u32, x: i32, y: i32, button: Button) -> Happened {
    let at = Point::new(x, y);
    Happened::Clicked { panel, at, button }
}
