//! The program itself, with a real daemon, in a sway that has no X server.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::overlay::{self, Overlay};
use bellwether_tests::sway::{Key, LONG, Mouse, SIZE, Shot};
use bellwether_tests::{Served, Sway, wait};
use serde_json::json;

use super::stage::{GROUND, SCREEN};

/// It stands still, so that what is seen changes only when something happens.
const SETTINGS: &str = "overlay: {motion: reduced, place: bottom_left, bubble_seconds: 1}\n";

/// As much of a creature is drawn at the least, in pixels.
const CREATURE: usize = 1_000;
/// As far it reaches at the most.
const REACH: usize = 140;
/// So long it does not wake.
const STILL: Duration = Duration::from_secs(3);

struct Seen {
    overlay: Overlay,
    mouse: Mouse,
    sway: Sway,
    /// The last to go: the overlay is its client.
    served: Served,
}

impl Seen {
    /// An agent on the screen, which has nothing to say any more.
    fn begin() -> Result<Self> {
        let sway = Sway::start()?;
        let mut mouse = sway.mouse()?;
        park(&mut mouse)?;
        let served = Served::configured(SETTINGS)?;
        let mut command = Command::new(overlay::program()?);
        command
            .env_clear()
            .env("WAYLAND_DISPLAY", sway.socket())
            .env("XDG_RUNTIME_DIR", sway.folder());
        let seen = Self {
            overlay: Overlay::start(&served, command)?,
            mouse,
            sway,
            served,
        };
        let event = overlay::event("s1", "project", "SessionStart", &json!({}));
        overlay::tell(&seen.served, &[event])?;
        seen.until(is_creature_alone)?;
        Ok(seen)
    }

    fn until(&self, looks_so: impl Fn(&Shot) -> bool) -> Result<Shot> {
        let look = || {
            let shot = self.sway.shot(SCREEN)?;
            Ok(looks_so(&shot).then_some(shot))
        };
        wait::until(LONG, look)?.context("the screen never looked so")
    }

    /// A point in the middle of what is drawn.
    fn middle(&self) -> Result<(u32, u32)> {
        let (mut across, mut down): (Vec<_>, Vec<_>) =
            drawn(&self.sway.shot(SCREEN)?).into_iter().unzip();
        ensure!(!across.is_empty(), "nothing is drawn");
        across.sort_unstable();
        down.sort_unstable();
        let middle = across.len() / 2;
        Ok((u32::try_from(across[middle])?, u32::try_from(down[middle])?))
    }
}

/// Takes the mouse to the corner where it does not count.
fn park(mouse: &mut Mouse) -> Result<()> {
    mouse.go(SIZE.0 - 1, 0)
}

/// Where something is seen above the ground, but for the corner in which the mouse waits.
fn drawn(shot: &Shot) -> Vec<(usize, usize)> {
    let all = (0..shot.height).flat_map(|y| (0..shot.width).map(move |x| (x, y)));
    let is_mouse = |x, y| x > 1_200 && y < 60;
    all.filter(|(x, y)| !is_mouse(*x, *y) && shot.at(*x, *y) != GROUND)
        .collect()
}

/// Nothing is seen but one creature.
fn is_creature_alone(shot: &Shot) -> bool {
    let (across, down): (Vec<_>, Vec<_>) = drawn(shot).into_iter().unzip();
    across.len() > CREATURE && reach(&across) < REACH && reach(&down) < REACH
}

fn reach(numbers: &[usize]) -> usize {
    let ends = numbers.iter().max().zip(numbers.iter().min());
    ends.map_or(0, |(most, least)| most - least)
}

#[test]
fn an_agent_is_seen_without_an_x_server_and_nothing_wakes() -> Result<()> {
    let seen = Seen::begin()?;
    let is_still = || {
        let before = seen.overlay.wake_ups()?;
        std::thread::sleep(STILL);
        Ok((seen.overlay.wake_ups()? == before).then_some(()))
    };
    wait::until(LONG, is_still)?.context("it wakes although nothing changes")
}

#[test]
fn a_creature_is_drawn_along_and_its_menu_closes_by_a_click_beside_it() -> Result<()> {
    let mut seen = Seen::begin()?;
    let (x, y) = seen.middle()?;
    seen.mouse.go(x, y)?;
    seen.mouse.press(Key::Left)?;
    for step in 1..=10 {
        seen.mouse.go(x + step * 40, y - step * 40)?;
    }
    seen.mouse.release(Key::Left)?;
    park(&mut seen.mouse)?;
    let there = (usize::try_from(x)? + 400, usize::try_from(y)? - 400);
    let is_near =
        |(x, y): &(usize, usize)| x.abs_diff(there.0) < REACH && y.abs_diff(there.1) < REACH;
    seen.until(|shot| is_creature_alone(shot) && drawn(shot).iter().all(is_near))?;
    seen.mouse.go(x + 400, y - 400)?;
    seen.mouse.click(Key::Right)?;
    park(&mut seen.mouse)?;
    let has_menu = |shot: &Shot| drawn(shot).len() > 20_000;
    seen.until(has_menu)?;
    seen.mouse.click_at(1_000, 750)?;
    park(&mut seen.mouse)?;
    seen.until(is_creature_alone)?;
    Ok(())
}
