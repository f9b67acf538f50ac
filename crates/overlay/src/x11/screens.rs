//! The monitors, what bars leave of them, and how large things are drawn.

use x11rb::protocol::randr::{ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};

use super::display::Display;
use crate::desktop::{DesktopError, Screen};
use crate::geometry::{Point, Rect, Size};

/// As many dots an inch make a plain screen.
const PLAIN_DPI: f32 = 96.0;

pub(super) fn read(display: &Display) -> Result<Vec<Screen>, DesktopError> {
    let scale = scale(display)?;
    let work = work(display)?;
    let monitors = display
        .connection
        .randr_get_monitors(display.root, true)?
        .reply();
    let monitors = monitors.map(|reply| reply.monitors).unwrap_or_default();
    let mut screens = Vec::new();
    for monitor in &monitors {
        let area = Rect::new(
            monitor.x.into(),
            monitor.y.into(),
            monitor.width.into(),
            monitor.height.into(),
        );
        screens.push(Screen {
            name: name(display, monitor)?,
            area,
            work: left_of(area, work),
            scale,
            is_primary: monitor.primary,
        });
    }
    if screens.is_empty() {
        let area = whole(display)?;
        screens.push(Screen {
            name: "screen".to_owned(),
            area,
            work: left_of(area, work),
            scale,
            is_primary: true,
        });
    }
    Ok(screens)
}

fn name(display: &Display, monitor: &MonitorInfo) -> Result<String, DesktopError> {
    let name = display.connection.get_atom_name(monitor.name)?.reply();
    Ok(name.map_or_else(
        |_| format!("{}", monitor.name),
        |name| String::from_utf8_lossy(&name.name).into_owned(),
    ))
}

fn whole(display: &Display) -> Result<Rect, DesktopError> {
    let root = display.connection.get_geometry(display.root)?.reply()?;
    Ok(Rect::new(0, 0, root.width.into(), root.height.into()))
}

/// What bars leave of a monitor, relative to it.
fn left_of(area: Rect, work: Option<Rect>) -> Rect {
    let whole = Rect {
        at: Point::default(),
        size: area.size,
    };
    let Some(work) = work.filter(|work| work.overlaps(&area)) else {
        return whole;
    };
    let at = Point::new(work.at.x.max(area.at.x), work.at.y.max(area.at.y));
    let (right, bottom) = (
        work.right().min(area.right()),
        work.bottom().min(area.bottom()),
    );
    let size = Size::new(right.abs_diff(at.x), bottom.abs_diff(at.y));
    Rect { at, size }.moved(Point::default().minus(area.at))
}

/// What the window manager says is left of all monitors together.
fn work(display: &Display) -> Result<Option<Rect>, DesktopError> {
    let numbers = display.numbers(
        display.root,
        display.atoms._NET_WORKAREA,
        AtomEnum::CARDINAL.into(),
    )?;
    let Some([x, y, width, height]) = numbers.first_chunk::<4>().copied() else {
        return Ok(None);
    };
    let [x, y] = [x, y].map(|n| i32::try_from(n).unwrap_or(0));
    Ok((width > 0 && height > 0).then(|| Rect::new(x, y, width, height)))
}

/// An X server has no scale of its own; desktops write the one that the person chose as dots an inch.
fn scale(display: &Display) -> Result<f32, DesktopError> {
    let kind = AtomEnum::RESOURCE_MANAGER;
    let reply = display
        .connection
        .get_property(false, display.root, kind, AtomEnum::STRING, 0, 64 * 1024)?
        .reply()?;
    let text = String::from_utf8_lossy(&reply.value);
    Ok(dpi(&text).map_or(1.0, |dpi| (dpi / PLAIN_DPI).clamp(1.0, 4.0)))
}

fn dpi(resources: &str) -> Option<f32> {
    let value = resources
        .lines()
        .find_map(|line| line.strip_prefix("Xft.dpi:"))?;
    value.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_left_out_on_the_monitor_that_they_are_on() {
        let (left, right) = (Rect::new(0, 0, 800, 600), Rect::new(800, 0, 800, 600));
        let work = Some(Rect::new(0, 30, 1600, 570));
        assert_eq!(left_of(left, work), Rect::new(0, 30, 800, 570));
        assert_eq!(left_of(right, work), Rect::new(0, 30, 800, 570));
        assert_eq!(left_of(right, None), Rect::new(0, 0, 800, 600));
        assert_eq!(
            left_of(right, Some(Rect::new(0, 0, 700, 600))),
            Rect::new(0, 0, 800, 600)
        );
    }

    #[test]
    fn the_scale_is_what_the_desktop_wrote() {
        assert_eq!(dpi("Xcursor.size:\t24\nXft.dpi:\t192\n"), Some(192.0));
        assert_eq!(dpi("Xft.dpi:\tmany\n"), None);
        assert_eq!(dpi(""), None);
    }
}
