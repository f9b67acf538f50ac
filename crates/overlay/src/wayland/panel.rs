//! A panel, and how it is drawn along with the mouse.
//!
//! While a button is pressed the compositor tells where the pointer is on the surface that it was pressed on. Were that
//! one moved, nobody could tell whether a place is meant on the surface before or after. So it stays where it is: what is
//! seen moves to another face, and the old one, drawn clear, remains as the anchor until the button is let go.

use std::time::Instant;

use smithay_client_toolkit::shell::wlr_layer::Layer;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::protocol::wl_surface::WlSurface;

use super::face::{Face, Ground};
use super::offered::Offered;
use super::units::Scale;
use crate::desktop::{Catch, DesktopError};
use crate::geometry::{Point, Rect};
use crate::picture::Picture;

pub(super) struct Panel {
    screen: String,
    layer: Layer,
    area: Rect,
    shape: Vec<Rect>,
    follows: bool,
    face: Face,
    is_held: bool,
    anchor: Option<Anchored>,
}

struct Anchored {
    face: Face,
    at: Point,
    is_clear: bool,
}

impl Panel {
    pub(super) fn new(offered: &Offered, screen: &str, ground: Ground<'_>, area: Rect) -> Self {
        Self {
            screen: screen.to_owned(),
            layer: ground.layer,
            area,
            shape: Vec::new(),
            follows: false,
            face: Face::new(offered, ground, area),
            is_held: false,
            anchor: None,
        }
    }

    pub(super) fn screen(&self) -> &str {
        &self.screen
    }

    pub(super) const fn area(&self) -> Rect {
        self.area
    }

    pub(super) const fn follows(&self) -> bool {
        self.follows
    }

    pub(super) const fn scale(&self) -> Scale {
        self.face.scale()
    }

    /// Where it catches the mouse, in the compositor's units from the screen's corner.
    pub(super) fn caught(&self) -> impl Iterator<Item = Rect> {
        let corner = self.scale().units(self.area.at);
        let touched = self.shape.iter().map(|rect| self.scale().touched(*rect));
        touched.map(move |rect| rect.moved(corner))
    }

    /// Since when the compositor owes us the word that a picture was shown.
    pub(super) const fn owed_since(&self) -> Option<Instant> {
        self.face.owed_since()
    }

    /// Where one of its surfaces stands on the screen.
    pub(super) fn corner_of(&self, surface: &WlSurface) -> Option<Point> {
        let anchor = self.anchor.as_ref().filter(|a| a.face.is(surface));
        let face = self.face.is(surface).then_some(self.area.at);
        face.or(anchor.map(|anchor| anchor.at))
    }

    pub(super) fn place(&mut self, offered: &Offered, output: &WlOutput, area: Rect) {
        if area == self.area {
            return;
        }
        if self.is_held && self.anchor.is_none() {
            let ground = Ground {
                output,
                scale: self.scale(),
                layer: self.layer,
            };
            let mut face = Face::new(offered, ground, area);
            face.take_over(&mut self.face);
            self.anchor = Some(Anchored {
                face: std::mem::replace(&mut self.face, face),
                at: self.area.at,
                is_clear: false,
            });
        } else {
            self.face.place(area);
        }
        self.area = area;
    }

    pub(super) fn draw(
        &mut self,
        offered: &Offered,
        picture: &Picture,
    ) -> Result<(), DesktopError> {
        self.face.draw(offered, picture)
    }

    pub(super) fn catch(&mut self, offered: &Offered, catch: Catch<'_>) {
        self.follows = catch.follows;
        if self.shape == catch.shape {
            return;
        }
        self.shape = catch.shape.to_vec();
        if self.anchor.is_none() {
            self.face.catch(offered, &self.shape);
        }
    }

    /// Shows and catches what another one did.
    pub(super) fn inherit(&mut self, offered: &Offered, mut other: Self) {
        self.face.take_over(&mut other.face);
        self.follows = other.follows;
        self.shape = other.shape;
        self.face.catch(offered, &self.shape);
    }

    pub(super) fn put_on(&mut self, layer: Layer) {
        if self.layer != layer {
            self.layer = layer;
            self.face.put_on(layer);
        }
    }

    pub(super) fn hold(&mut self) {
        self.is_held = true;
    }

    pub(super) fn let_go(&mut self, offered: &Offered) {
        self.is_held = false;
        if self.anchor.take().is_some() {
            self.face.catch(offered, &self.shape);
        }
    }

    /// The compositor agrees to one of its surfaces.
    pub(super) fn agree(&mut self, surface: &WlSurface) {
        if self.face.is(surface) {
            self.face.agree();
        }
    }

    /// What one of its surfaces showed was seen; whether that is the one that people see.
    pub(super) fn was_seen(&mut self, surface: &WlSurface) -> bool {
        if let Some(anchor) = self.anchor.as_mut().filter(|a| a.face.is(surface)) {
            anchor.face.was_seen();
        }
        let is_face = self.face.is(surface);
        if is_face {
            self.face.was_seen();
        }
        is_face
    }

    pub(super) fn settle(&mut self, offered: &Offered) -> Result<(), DesktopError> {
        self.face.settle(offered)?;
        let Some(anchor) = &mut self.anchor else {
            return Ok(());
        };
        if self.face.has_shown() && !anchor.is_clear {
            anchor.face.draw(offered, &Picture::clear(self.area.size))?;
            anchor.is_clear = true;
        }
        anchor.face.settle(offered)
    }
}
