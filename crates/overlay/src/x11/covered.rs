//! On which screens nobody can see us: a full-screen window covers it, or the screen is locked.

use std::collections::BTreeSet;

use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, MapState, Window,
};

use super::display::Display;
use crate::desktop::{DesktopError, Screen};
use crate::geometry::{Point, Rect};

pub(super) struct Covered {
    hidden: BTreeSet<String>,
    /// The window whose state is watched: only an active window becomes full-screen.
    watched: Option<Window>,
    is_locked: bool,
    is_old: bool,
}

impl Default for Covered {
    /// Nobody has looked yet.
    fn default() -> Self {
        Self {
            hidden: BTreeSet::new(),
            watched: None,
            is_locked: false,
            is_old: true,
        }
    }
}

impl Covered {
    pub(super) fn is_old(&self) -> bool {
        self.is_old
    }

    pub(super) fn hides(&self, screen: &str) -> bool {
        self.hidden.contains(screen)
    }

    pub(super) fn look_again(&mut self) {
        self.is_old = true;
    }

    pub(super) fn set_locked(&mut self, is_locked: bool) {
        self.is_locked = is_locked;
        self.is_old = true;
    }

    /// The screens that have become hidden or seen since it was asked last.
    pub(super) fn changes(
        &mut self,
        display: &Display,
        screens: &[Screen],
    ) -> Result<Vec<(String, bool)>, DesktopError> {
        if !self.is_old {
            return Ok(Vec::new());
        }
        self.is_old = false;
        self.follow_active(display)?;
        let now: BTreeSet<String> = if self.is_locked {
            screens.iter().map(|screen| screen.name.clone()).collect()
        } else {
            covered_by_windows(display, screens)?
        };
        let before = std::mem::replace(&mut self.hidden, now);
        let came = self
            .hidden
            .difference(&before)
            .map(|name| (name.clone(), true));
        let went = before
            .difference(&self.hidden)
            .map(|name| (name.clone(), false));
        Ok(came.chain(went).collect())
    }

    /// Asks to be told when the active window becomes full-screen.
    fn follow_active(&mut self, display: &Display) -> Result<(), DesktopError> {
        let active = display.numbers(
            display.root,
            display.atoms._NET_ACTIVE_WINDOW,
            AtomEnum::WINDOW.into(),
        )?;
        let active = active
            .first()
            .copied()
            .filter(|window| *window != x11rb::NONE);
        if active == self.watched {
            return Ok(());
        }
        let listen = |window: Window, mask: EventMask| -> Result<(), DesktopError> {
            // A window that has gone is an error that nobody has to hear of.
            display
                .connection
                .change_window_attributes(
                    window,
                    &ChangeWindowAttributesAux::new().event_mask(mask),
                )?
                .ignore_error();
            Ok(())
        };
        if let Some(before) = self.watched {
            listen(before, EventMask::NO_EVENT)?;
        }
        if let Some(active) = active {
            listen(active, EventMask::PROPERTY_CHANGE)?;
        }
        self.watched = active;
        Ok(())
    }
}

fn covered_by_windows(
    display: &Display,
    screens: &[Screen],
) -> Result<BTreeSet<String>, DesktopError> {
    let windows = display.numbers(
        display.root,
        display.atoms._NET_CLIENT_LIST,
        AtomEnum::WINDOW.into(),
    )?;
    let mut covered = BTreeSet::new();
    for window in windows {
        if !is_full_screen(display, window)? {
            continue;
        }
        let Some(area) = area(display, window)? else {
            continue;
        };
        let under = screens
            .iter()
            .filter(|screen| area.contains(screen.area.centre()));
        covered.extend(under.map(|screen| screen.name.clone()));
    }
    Ok(covered)
}

fn is_full_screen(display: &Display, window: Window) -> Result<bool, DesktopError> {
    let atoms = &display.atoms;
    let states = display.numbers(window, atoms._NET_WM_STATE, AtomEnum::ATOM.into())?;
    Ok(states.contains(&atoms._NET_WM_STATE_FULLSCREEN)
        && !states.contains(&atoms._NET_WM_STATE_HIDDEN))
}

/// Where a window is on the desktop; none when it is not shown, as on another workspace.
fn area(display: &Display, window: Window) -> Result<Option<Rect>, DesktopError> {
    let connection = &display.connection;
    let (attributes, geometry, at) = (
        connection.get_window_attributes(window)?,
        connection.get_geometry(window)?,
        connection.translate_coordinates(window, display.root, 0, 0)?,
    );
    let (Ok(attributes), Ok(geometry), Ok(at)) = (attributes.reply(), geometry.reply(), at.reply())
    else {
        return Ok(None);
    };
    let rect = Rect::new(0, 0, geometry.width.into(), geometry.height.into());
    let rect = rect.moved(Point::new(at.dst_x.into(), at.dst_y.into()));
    Ok((attributes.map_state == MapState::VIEWABLE).then_some(rect))
}
