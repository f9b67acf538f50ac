//! A small stage: panels of one colour, and what happens to them.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bellwether_overlay::desktop::{Catch, Desktop as _, Happened, PanelId};
use bellwether_overlay::geometry::{Point, Rect, Size};
use bellwether_overlay::picture::Picture;
use bellwether_overlay::wayland::Wayland;
use bellwether_tests::sway::{LONG, Mouse, Shot};
use bellwether_tests::{Sway, process};

pub(super) use bellwether_tests::sway::GROUND;

pub(super) const RED: Colour = [0xd0, 0x10, 0x10];
pub(super) const GREEN: Colour = [0x10, 0xd0, 0x10];

pub(super) const SCREEN: &str = "HEADLESS-1";

/// Between two looks at what is seen.
const GLANCE: Duration = Duration::from_millis(20);

/// So long it does not wake.
const STILL: Duration = Duration::from_secs(2);

/// Red, green, blue.
pub(super) type Colour = [u8; 3];
/// Left, top, width, height.
pub(super) type Area = (i32, i32, u32, u32);

pub(super) struct Stage {
    pub(super) desktop: Wayland,
    pub(super) mouse: Mouse,
    pub(super) sway: Sway,
}

impl Stage {
    pub(super) fn begin() -> Result<Self> {
        let sway = Sway::start()?;
        // Before the overlay, so that its seat has a pointer.
        let mut mouse = sway.mouse()?;
        // Out of the way: it is in the pictures.
        mouse.go(1279, 799)?;
        let desktop = Wayland::over(sway.connect()?)?;
        Ok(Self {
            desktop,
            mouse,
            sway,
        })
    }

    /// Shows a panel of one colour that catches the mouse everywhere.
    pub(super) fn show(&mut self, panel: PanelId, area: Area, colour: Colour) -> Result<()> {
        self.show_on(SCREEN, panel, area, colour)
    }

    pub(super) fn show_on(
        &mut self,
        screen: &str,
        panel: PanelId,
        area: Area,
        colour: Colour,
    ) -> Result<()> {
        let area = rect(area);
        self.desktop.place(panel, screen, area)?;
        self.catch(
            panel,
            &[Rect {
                at: Point::default(),
                ..area
            }],
        )?;
        self.draw(panel, area.size, colour)
    }

    pub(super) fn catch(&mut self, panel: PanelId, shape: &[Rect]) -> Result<()> {
        let follows = false;
        Ok(self.desktop.catch(panel, Catch { shape, follows })?)
    }

    pub(super) fn draw(&mut self, panel: PanelId, size: Size, colour: Colour) -> Result<()> {
        Ok(self.desktop.draw(panel, &filled(size, colour))?)
    }

    pub(super) fn shot(&self) -> Result<Shot> {
        self.sway.shot(SCREEN)
    }

    /// Waits until the screen looks so.
    pub(super) fn until_seen(&mut self, looks_so: impl Fn(&Shot) -> bool) -> Result<()> {
        self.until_seen_on(SCREEN, looks_so)
    }

    pub(super) fn until_seen_on(
        &mut self,
        screen: &str,
        looks_so: impl Fn(&Shot) -> bool,
    ) -> Result<()> {
        let deadline = Instant::now() + LONG;
        while Instant::now() < deadline {
            self.desktop.wait(&[], Some(GLANCE))?;
            if looks_so(&self.sway.shot(screen)?) {
                return Ok(());
            }
        }
        bail!("the screen never looked so")
    }

    /// Waits until this happens, which other things may come before.
    pub(super) fn until(&mut self, is_it: impl Fn(&Happened) -> bool) -> Result<Happened> {
        let deadline = Instant::now() + LONG;
        let mut before = Vec::new();
        while Instant::now() < deadline {
            let rest = deadline.saturating_duration_since(Instant::now());
            let mut happened = self.desktop.wait(&[], Some(rest))?;
            if let Some(at) = happened.iter().position(&is_it) {
                return Ok(happened.swap_remove(at));
            }
            before.extend(happened);
        }
        bail!("it never happened, but {before:?}")
    }

    /// Waits until nothing wakes the desktop for two seconds but their end.
    pub(super) fn until_still(&mut self) -> Result<()> {
        let deadline = Instant::now() + LONG;
        while Instant::now() < deadline {
            let before = process::sleeps_of_this_thread()?;
            let happened = self.desktop.wait(&[], Some(STILL))?;
            ensure!(happened.is_empty(), "{happened:?}");
            if process::sleeps_of_this_thread()? - before == 1 {
                return Ok(());
            }
        }
        bail!("it wakes although nothing changes")
    }

    /// The window that the keyboard writes to.
    pub(super) fn focused(&self) -> Result<String> {
        let tree = self.sway.ask("get_tree")?;
        Ok(tree["focus"].to_string())
    }

    /// What happens next, and nothing before it.
    pub(super) fn next(&mut self) -> Result<Happened> {
        let mut happened = self.desktop.wait(&[], Some(LONG))?;
        ensure!(happened.len() < 2, "more than one happened: {happened:?}");
        happened.pop().context("nothing happened")
    }
}

pub(super) fn rect((x, y, width, height): Area) -> Rect {
    Rect::new(x, y, width, height)
}

pub(super) fn filled(size: Size, [red, green, blue]: Colour) -> Picture {
    let mut picture = Picture::clear(size);
    for pixel in picture.pixels.chunks_exact_mut(4) {
        pixel.copy_from_slice(&[blue, green, red, 255]);
    }
    picture
}
