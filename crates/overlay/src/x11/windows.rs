//! The windows of the panels.

use std::collections::HashMap;

use x11rb::connection::{Connection as _, RequestConnection as _};
use x11rb::protocol::shape::{ConnectionExt as _, SK, SO};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClipOrdering, ConfigureWindowAux, ConnectionExt as _,
    CreateWindowAux, EventMask, ImageFormat, PropMode, Rectangle, StackMode, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::display::Display;
use crate::desktop::{Catch, DesktopError, PanelId};
use crate::geometry::Rect;
use crate::picture::Picture;

#[derive(Default)]
pub(super) struct Windows {
    panels: HashMap<PanelId, Panel>,
    by_window: HashMap<Window, PanelId>,
}

pub(super) struct Panel {
    window: Window,
    pub screen: String,
    /// On the whole desktop.
    pub area: Rect,
    pub follows: bool,
    is_mapped: bool,
    is_hidden: bool,
    shape: Vec<Rectangle>,
}

impl Windows {
    pub(super) fn panel(&self, window: Window) -> Option<(PanelId, &Panel)> {
        let id = *self.by_window.get(&window)?;
        Some((id, self.panels.get(&id)?))
    }

    pub(super) fn screen_of(&self, panel: PanelId) -> Option<&str> {
        self.panels.get(&panel).map(|panel| panel.screen.as_str())
    }

    pub(super) fn place(
        &mut self,
        display: &Display,
        id: PanelId,
        screen: &str,
        area: Rect,
        hidden: bool,
    ) -> Result<(), DesktopError> {
        let Some(panel) = self.panels.get_mut(&id) else {
            let window = create(display, area)?;
            self.by_window.insert(window, id);
            let panel = Panel {
                window,
                screen: screen.to_owned(),
                area,
                follows: false,
                is_mapped: false,
                is_hidden: hidden,
                shape: Vec::new(),
            };
            self.panels.insert(id, panel);
            return Ok(());
        };
        screen.clone_into(&mut panel.screen);
        if panel.area != area {
            panel.area = area;
            let to = ConfigureWindowAux::new()
                .x(area.at.x)
                .y(area.at.y)
                .width(area.size.width.max(1))
                .height(area.size.height.max(1));
            display.connection.configure_window(panel.window, &to)?;
        }
        panel.set_hidden(display, hidden)
    }

    pub(super) fn draw(
        &mut self,
        display: &Display,
        id: PanelId,
        picture: &Picture,
    ) -> Result<(), DesktopError> {
        let Some(panel) = self.panels.get_mut(&id) else {
            return Ok(());
        };
        if panel.is_hidden {
            return Ok(());
        }
        panel.map(display)?;
        put(display, panel.window, picture)
    }

    pub(super) fn catch(
        &mut self,
        display: &Display,
        id: PanelId,
        catch: Catch<'_>,
    ) -> Result<(), DesktopError> {
        let Some(panel) = self.panels.get_mut(&id) else {
            return Ok(());
        };
        panel.shape = catch.shape.iter().map(rectangle).collect();
        panel.cut(display)?;
        if panel.follows != catch.follows {
            panel.follows = catch.follows;
            let mask = ChangeWindowAttributesAux::new().event_mask(mask(catch.follows));
            display
                .connection
                .change_window_attributes(panel.window, &mask)?;
        }
        Ok(())
    }

    /// Says the shape of a window again that has just been shown: some window managers look at it only once the window is
    /// in their frame.
    pub(super) fn cut_again(&self, display: &Display, id: PanelId) -> Result<(), DesktopError> {
        let panel = self.panels.get(&id);
        panel.map_or(Ok(()), |panel| panel.cut(display))
    }

    pub(super) fn remove(&mut self, display: &Display, id: PanelId) -> Result<(), DesktopError> {
        if let Some(panel) = self.panels.remove(&id) {
            self.by_window.remove(&panel.window);
            display.connection.destroy_window(panel.window)?;
        }
        Ok(())
    }

    /// Removes all of them, to begin anew.
    pub(super) fn clear(&mut self, display: &Display) -> Result<(), DesktopError> {
        let all: Vec<PanelId> = self.panels.keys().copied().collect();
        all.into_iter()
            .try_for_each(|panel| self.remove(display, panel))
    }

    pub(super) fn set_hidden(
        &mut self,
        display: &Display,
        screen: &str,
        hidden: bool,
    ) -> Result<(), DesktopError> {
        let on_it = self
            .panels
            .values_mut()
            .filter(|panel| panel.screen == screen);
        on_it
            .into_iter()
            .try_for_each(|panel| panel.set_hidden(display, hidden))
    }
}

impl Panel {
    /// Tells the server where the window catches the mouse and, without a compositor, where it is seen.
    fn cut(&self, display: &Display) -> Result<(), DesktopError> {
        let (connection, order) = (&display.connection, ClipOrdering::UNSORTED);
        let set = |kind: SK| {
            connection.shape_rectangles(SO::SET, kind, order, self.window, 0, 0, &self.shape)
        };
        set(SK::INPUT)?;
        if !display.is_composited {
            set(SK::BOUNDING)?;
        }
        Ok(())
    }

    fn map(&mut self, display: &Display) -> Result<(), DesktopError> {
        if !self.is_mapped {
            self.is_mapped = true;
            // A window that came earlier may have been raised since.
            let above = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
            display.connection.configure_window(self.window, &above)?;
            display.connection.map_window(self.window)?;
        }
        Ok(())
    }

    fn set_hidden(&mut self, display: &Display, hidden: bool) -> Result<(), DesktopError> {
        self.is_hidden = hidden;
        if hidden && self.is_mapped {
            self.is_mapped = false;
            display.connection.unmap_window(self.window)?;
        }
        Ok(())
    }
}

fn mask(follows: bool) -> EventMask {
    let always = EventMask::EXPOSURE
        | EventMask::BUTTON_PRESS
        | EventMask::BUTTON_RELEASE
        | EventMask::BUTTON1_MOTION;
    if follows {
        always | EventMask::POINTER_MOTION | EventMask::LEAVE_WINDOW
    } else {
        always
    }
}

fn create(display: &Display, area: Rect) -> Result<Window, DesktopError> {
    let (connection, window) = (&display.connection, display.connection.generate_id()?);
    let about = CreateWindowAux::new()
        .colormap(display.colormap)
        .border_pixel(0)
        .background_pixel(0)
        .override_redirect(u32::from(!display.is_managed))
        .event_mask(mask(false));
    let [x, y] = [area.at.x, area.at.y].map(short);
    let [width, height] =
        [area.size.width, area.size.height].map(|n| u16::try_from(n).unwrap_or(u16::MAX).max(1));
    let class = WindowClass::INPUT_OUTPUT;
    connection.create_window(
        display.depth,
        window,
        display.root,
        x,
        y,
        width,
        height,
        0,
        class,
        display.visual,
        &about,
    )?;
    describe(display, window, area)?;
    // Until it is told where it catches the mouse it catches none.
    connection.shape_rectangles(
        SO::SET,
        SK::INPUT,
        ClipOrdering::UNSORTED,
        window,
        0,
        0,
        &[],
    )?;
    Ok(window)
}

/// Tells the window manager what kind of window it is.
fn describe(display: &Display, window: Window, area: Rect) -> Result<(), DesktopError> {
    let (connection, atoms) = (&display.connection, &display.atoms);
    let set = |property: u32, kind: AtomEnum, values: &[u32]| -> Result<(), DesktopError> {
        connection.change_property32(PropMode::REPLACE, window, property, kind, values)?;
        Ok(())
    };
    set(
        atoms._NET_WM_WINDOW_TYPE,
        AtomEnum::ATOM,
        &[atoms._NET_WM_WINDOW_TYPE_DOCK],
    )?;
    let states = [
        atoms._NET_WM_STATE_ABOVE,
        atoms._NET_WM_STATE_SKIP_TASKBAR,
        atoms._NET_WM_STATE_SKIP_PAGER,
        atoms._NET_WM_STATE_STICKY,
    ];
    set(atoms._NET_WM_STATE, AtomEnum::ATOM, &states)?;
    // Sticky alone is not enough for some managers: every desktop has this number.
    set(atoms._NET_WM_DESKTOP, AtomEnum::CARDINAL, &[u32::MAX])?;
    set(atoms._NET_WM_PID, AtomEnum::CARDINAL, &[std::process::id()])?;
    // It never takes the keyboard: the first flag says that the second number counts, which is no.
    set(
        AtomEnum::WM_HINTS.into(),
        AtomEnum::WM_HINTS,
        &[1, 0, 0, 0, 0, 0, 0, 0, 0],
    )?;
    let [x, y] = [area.at.x, area.at.y].map(i32::cast_unsigned);
    let (width, height) = (area.size.width, area.size.height);
    // Its place was chosen by the person (1).
    let hints = [
        1, x, y, width, height, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    set(
        AtomEnum::WM_NORMAL_HINTS.into(),
        AtomEnum::WM_SIZE_HINTS,
        &hints,
    )?;
    let name = "bellwether";
    connection.change_property8(
        PropMode::REPLACE,
        window,
        atoms._NET_WM_NAME,
        atoms.UTF8_STRING,
        name.as_bytes(),
    )?;
    connection.change_property8(
        PropMode::REPLACE,
        window,
        AtomEnum::WM_CLASS,
        AtomEnum::STRING,
        b"bellwether\0Bellwether\0",
    )?;
    Ok(())
}

/// Sends a picture, in as many rows at once as a request may hold.
fn put(display: &Display, window: Window, picture: &Picture) -> Result<(), DesktopError> {
    let row = picture.size.width as usize * 4;
    let room = display
        .connection
        .maximum_request_bytes()
        .saturating_sub(64);
    let rows = (room / row.max(1)).max(1);
    let (width, pen, depth) = (
        u16::try_from(picture.size.width).unwrap_or(u16::MAX),
        display.pen,
        display.depth,
    );
    for (index, part) in picture.pixels.chunks(rows * row.max(1)).enumerate() {
        let height = u16::try_from(part.len() / row.max(1)).unwrap_or(u16::MAX);
        let y = i16::try_from(index * rows).unwrap_or(i16::MAX);
        display.connection.put_image(
            ImageFormat::Z_PIXMAP,
            window,
            pen,
            width,
            height,
            0,
            y,
            0,
            depth,
            part,
        )?;
    }
    Ok(())
}

fn short(number: i32) -> i16 {
    i16::try_from(number).unwrap_or(if number < 0 { i16::MIN } else { i16::MAX })
}

fn rectangle(rect: &Rect) -> Rectangle {
    let unsigned = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
    Rectangle {
        x: short(rect.at.x),
        y: short(rect.at.y),
        width: unsigned(rect.size.width),
        height: unsigned(rect.size.height),
    }
}
