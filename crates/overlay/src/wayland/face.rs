//! One surface that a panel is seen on.
//!
//! Invariant: a picture is shown only after the compositor has said that the one before was. What comes earlier is kept,
//! only the newest, and so nothing is sent while nobody looks.

use std::time::Instant;

use smithay_client_toolkit::compositor::FrameCallbackData;
use smithay_client_toolkit::shell::WaylandSurface as _;
use smithay_client_toolkit::shell::wlr_layer::{Anchor, Layer, LayerSurface, SurfaceKind};
use wayland_client::Proxy as _;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::protocol::wl_surface::WlSurface;

use super::canvas::Canvas;
use super::offered::Offered;
use super::units::{Scale, signed};
use crate::desktop::DesktopError;
use crate::geometry::Rect;
use crate::picture::Picture;

/// Since this version of layer shell a surface may change its layer.
const MOVES_LAYERS: u32 = 2;

pub(super) struct Face {
    layer: LayerSurface,
    scale: Scale,
    canvas: Option<Canvas>,
    /// The compositor has agreed to it: before that nothing may be shown.
    is_agreed: bool,
    /// Something is said that counts once it is committed.
    is_changed: bool,
    has_shown: bool,
    /// Since when the compositor owes us the word that a picture was shown.
    owed_since: Option<Instant>,
    kept: Option<Picture>,
}

/// What a surface is put on.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) output: &'a WlOutput,
    pub(super) scale: Scale,
    pub(super) layer: Layer,
}

impl Face {
    pub(super) fn new(
        offered: &Offered,
        Ground {
            output,
            scale,
            layer,
        }: Ground<'_>,
        area: Rect,
    ) -> Self {
        let corner = Anchor::TOP | Anchor::LEFT;
        let mut face = Self {
            layer: offered.layer(output, layer, corner),
            scale,
            canvas: None,
            is_agreed: false,
            is_changed: true,
            has_shown: false,
            owed_since: None,
            kept: None,
        };
        face.place(area);
        face
    }

    pub(super) fn is(&self, surface: &WlSurface) -> bool {
        self.layer.wl_surface() == surface
    }

    pub(super) const fn scale(&self) -> Scale {
        self.scale
    }

    pub(super) const fn has_shown(&self) -> bool {
        self.has_shown
    }

    pub(super) const fn owed_since(&self) -> Option<Instant> {
        self.owed_since
    }

    pub(super) fn place(&mut self, area: Rect) {
        let at = self.scale.units(area.at);
        let size = self.scale.covering(area.size);
        self.layer.set_margin(at.y, 0, 0, at.x);
        self.layer.set_size(size.width, size.height);
        self.is_changed = true;
    }

    /// Moves it to another layer, where the compositor knows how to.
    pub(super) fn put_on(&mut self, layer: Layer) {
        let SurfaceKind::Wlr(handle) = self.layer.kind() else {
            return;
        };
        if handle.version() >= MOVES_LAYERS {
            self.layer.set_layer(layer);
            self.is_changed = true;
        }
    }

    pub(super) fn catch(&mut self, offered: &Offered, shape: &[Rect]) {
        let touched = shape.iter().map(|rect| self.scale.touched(*rect));
        offered.catch(self.layer.wl_surface(), touched, []);
        self.is_changed = true;
    }

    pub(super) fn draw(
        &mut self,
        offered: &Offered,
        picture: &Picture,
    ) -> Result<(), DesktopError> {
        self.kept = None;
        if !(self.may_show() && self.show(offered, picture)?) {
            self.kept = Some(picture.clone());
        }
        Ok(())
    }

    /// Draws what another face shows or is about to.
    pub(super) fn take_over(&mut self, other: &mut Self) {
        let shown = other.canvas.as_mut().and_then(Canvas::picture);
        self.kept = other.kept.take().or(shown);
    }

    pub(super) fn agree(&mut self) {
        self.is_agreed = true;
    }

    pub(super) fn was_seen(&mut self) {
        self.owed_since = None;
    }

    /// Sends what was said since the last time, and shows what could not be shown before.
    pub(super) fn settle(&mut self, offered: &Offered) -> Result<(), DesktopError> {
        if self.may_show()
            && let Some(picture) = self.kept.take()
            && !self.show(offered, &picture)?
        {
            self.kept = Some(picture);
        }
        // A new place comes together with the picture that is drawn for it.
        let waits = self.is_agreed && self.kept.is_some();
        if self.is_changed && !waits {
            self.layer.commit();
            self.is_changed = false;
        }
        Ok(())
    }

    const fn may_show(&self) -> bool {
        self.is_agreed && self.owed_since.is_none()
    }

    fn show(&mut self, offered: &Offered, picture: &Picture) -> Result<bool, DesktopError> {
        let size = self.scale.pixels(self.scale.covering(picture.size));
        let canvas = match self.canvas.take().filter(|canvas| canvas.size() == size) {
            Some(canvas) => canvas,
            None => Canvas::new(&offered.shm, size)?,
        };
        let surface = self.layer.wl_surface();
        if !self.canvas.insert(canvas).attach(picture, surface)? {
            return Ok(false);
        }
        surface.set_buffer_scale(self.scale.factor());
        surface.damage_buffer(0, 0, signed(size.width), signed(size.height));
        surface.frame(&offered.queue, FrameCallbackData(surface.clone()));
        self.layer.commit();
        self.owed_since = Some(Instant::now());
        self.is_changed = false;
        self.has_shown = true;
        Ok(true)
    }
}
