//! What the server's events mean.

use x11rb::protocol::Event;
use x11rb::protocol::screensaver::State;
use x11rb::protocol::xproto::{AtomEnum, ButtonPressEvent, MotionNotifyEvent, PropertyNotifyEvent};

use super::{X11, screens};
use crate::desktop::{Button, DesktopError, Happened};
use crate::geometry::Point;

impl X11 {
    pub(super) fn take_in(
        &mut self,
        event: &Event,
        happened: &mut Vec<Happened>,
    ) -> Result<(), DesktopError> {
        match event {
            Event::Expose(event) if event.count == 0 => {
                if let Some((panel, _)) = self.windows.panel(event.window) {
                    self.windows.cut_again(&self.display, panel)?;
                    happened.push(Happened::Lost { panel });
                }
            }
            Event::ButtonPress(event) => self.press(event, happened),
            Event::ButtonRelease(_) => happened.extend(self.gesture.release()),
            Event::MotionNotify(event) => self.moved(event, happened),
            Event::LeaveNotify(event) => {
                let panel = self
                    .windows
                    .panel(event.event)
                    .filter(|(_, panel)| panel.follows);
                happened.extend(panel.map(|(panel, _)| Happened::Left { panel }));
            }
            Event::PropertyNotify(event) => self.property(event, happened)?,
            Event::ConfigureNotify(event) if event.window == self.display.root => {
                self.look_at_screens(happened)?;
            }
            Event::RandrNotify(_) | Event::RandrScreenChangeNotify(_) => {
                self.look_at_screens(happened)?;
            }
            Event::XfixesSelectionNotify(event) if event.selection == self.display.compositor => {
                self.look_for_compositor(happened)?;
            }
            Event::ScreensaverNotify(event) => self
                .covered
                .set_locked(matches!(event.state, State::ON | State::CYCLE)),
            _ => {}
        }
        Ok(())
    }

    fn press(&mut self, event: &ButtonPressEvent, happened: &mut Vec<Happened>) {
        let Some((panel, found)) = self.windows.panel(event.event) else {
            if self.grabs {
                happened.push(Happened::ClickedElsewhere);
            }
            return;
        };
        let button = match event.detail {
            1 => Button::Left,
            3 => Button::Right,
            _ => return,
        };
        let origin = self
            .screen(&found.screen)
            .map_or_else(Point::default, |screen| screen.area.at);
        let at = Point::new(event.event_x.into(), event.event_y.into());
        let on_screen = Point::new(event.root_x.into(), event.root_y.into()).minus(origin);
        self.gesture.press(panel, at, on_screen, button);
    }

    fn moved(&mut self, event: &MotionNotifyEvent, happened: &mut Vec<Happened>) {
        if let Some(panel) = self.gesture.panel() {
            let screen = self
                .windows
                .screen_of(panel)
                .and_then(|name| self.screen(name));
            let origin = screen.map_or_else(Point::default, |screen| screen.area.at);
            let on_screen = Point::new(event.root_x.into(), event.root_y.into()).minus(origin);
            happened.extend(self.gesture.moved(on_screen));
        } else if let Some((panel, found)) = self.windows.panel(event.event)
            && found.follows
        {
            let at = Point::new(event.event_x.into(), event.event_y.into());
            happened.push(Happened::Hovered { panel, at });
        }
    }

    fn property(
        &mut self,
        event: &PropertyNotifyEvent,
        happened: &mut Vec<Happened>,
    ) -> Result<(), DesktopError> {
        let atoms = &self.display.atoms;
        let is_root = event.window == self.display.root;
        if is_root
            && (event.atom == atoms._NET_WORKAREA
                || event.atom == u32::from(AtomEnum::RESOURCE_MANAGER))
        {
            return self.look_at_screens(happened);
        }
        let windows_change = is_root
            && (event.atom == atoms._NET_ACTIVE_WINDOW || event.atom == atoms._NET_CLIENT_LIST);
        if windows_change || event.atom == atoms._NET_WM_STATE {
            self.covered.look_again();
        }
        Ok(())
    }

    fn look_at_screens(&mut self, happened: &mut Vec<Happened>) -> Result<(), DesktopError> {
        let screens = screens::read(&self.display)?;
        if screens != self.screens {
            self.screens = screens;
            self.covered.look_again();
            happened.push(Happened::ScreensChanged);
        }
        Ok(())
    }

    /// With a compositor windows are seen through, without one they are cut out: they are made anew.
    fn look_for_compositor(&mut self, happened: &mut Vec<Happened>) -> Result<(), DesktopError> {
        let is_composited = self.display.sees_compositor()?;
        if is_composited != self.display.is_composited {
            self.display.is_composited = is_composited;
            self.windows.clear(&self.display)?;
            happened.push(Happened::ScreensChanged);
        }
        Ok(())
    }
}
