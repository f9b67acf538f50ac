//! Clear surfaces over all screens that catch the clicks beside our panels, while a menu is open.
//!
//! They leave holes where panels catch the mouse: no compositor promises which of two surfaces is above. What bars stand
//! on is not covered.

use smithay_client_toolkit::reexports::protocols::wp::viewporter::client::wp_viewport::WpViewport;
use smithay_client_toolkit::shell::WaylandSurface as _;
use smithay_client_toolkit::shell::wlr_layer::{Anchor, Layer, LayerSurface};
use wayland_client::protocol::wl_surface::WlSurface;

use super::canvas::Canvas;
use super::offered::Offered;
use super::panels::Panels;
use super::screens::{Output, Screens};
use super::units::signed;
use crate::desktop::DesktopError;
use crate::geometry::{Rect, Size};
use crate::picture::Picture;

#[derive(Default)]
pub(super) struct Shades {
    shades: Vec<Shade>,
    is_changed: bool,
}

struct Shade {
    screen: String,
    layer: LayerSurface,
    viewport: Option<WpViewport>,
    canvas: Option<Canvas>,
    size: Option<Size>,
}

impl Shades {
    pub(super) fn raise(&mut self, offered: &Offered, screens: &Screens) {
        self.shades = screens
            .outputs()
            .map(|output| Shade::new(offered, output))
            .collect();
        self.is_changed = true;
    }

    pub(super) fn drop_all(&mut self) {
        self.shades.clear();
    }

    pub(super) fn are_up(&self) -> bool {
        !self.shades.is_empty()
    }

    /// Where new panels go: a menu above all others. Which of two on one layer is above, no compositor promises, and sway
    /// 1.7 puts the newer one below.
    pub(super) fn layer(&self) -> Layer {
        if self.are_up() {
            Layer::Overlay
        } else {
            Layer::Top
        }
    }

    pub(super) fn has(&self, surface: &WlSurface) -> bool {
        self.shades
            .iter()
            .any(|shade| shade.layer.wl_surface() == surface)
    }

    /// Panels came, went or moved.
    pub(super) fn panels_changed(&mut self) {
        self.is_changed = true;
    }

    pub(super) fn measured(&mut self, layer: &LayerSurface, (width, height): (u32, u32)) {
        if let Some(shade) = self.shades.iter_mut().find(|shade| shade.layer == *layer) {
            shade.size = Some(Size::new(width.max(1), height.max(1)));
            self.is_changed = true;
        }
    }

    pub(super) fn closed(&mut self, layer: &LayerSurface) {
        self.shades.retain(|shade| shade.layer != *layer);
    }

    pub(super) fn settle(
        &mut self,
        offered: &Offered,
        panels: &Panels,
    ) -> Result<(), DesktopError> {
        if std::mem::take(&mut self.is_changed) {
            let mut shades = self.shades.iter_mut();
            return shades.try_for_each(|shade| shade.show(offered, panels));
        }
        Ok(())
    }
}

impl Shade {
    fn new(offered: &Offered, output: &Output) -> Self {
        let layer = offered.layer(output.handle(), Layer::Overlay, Anchor::all());
        layer.commit();
        Self {
            screen: output.name().to_owned(),
            viewport: offered.viewport(layer.wl_surface()),
            layer,
            canvas: None,
            size: None,
        }
    }

    fn show(&mut self, offered: &Offered, panels: &Panels) -> Result<(), DesktopError> {
        let Some(size) = self.size else {
            return Ok(());
        };
        let here = panels.iter().filter(|panel| panel.screen() == self.screen);
        let all = Rect::new(0, 0, size.width, size.height);
        let holes = here.flat_map(super::panel::Panel::caught);
        offered.catch(self.layer.wl_surface(), [all], holes);
        self.cover(offered, size)?;
        self.layer.commit();
        Ok(())
    }

    /// Makes it as large as the screen: by stretching a single pixel, where that is possible.
    fn cover(&mut self, offered: &Offered, size: Size) -> Result<(), DesktopError> {
        let drawn = match &self.viewport {
            Some(viewport) => {
                viewport.set_destination(signed(size.width), signed(size.height));
                Size::new(1, 1)
            }
            None => size,
        };
        if self
            .canvas
            .as_ref()
            .is_some_and(|canvas| canvas.size() == drawn)
        {
            return Ok(());
        }
        let canvas = self.canvas.insert(Canvas::new(&offered.shm, drawn)?);
        canvas.attach(&Picture::clear(drawn), self.layer.wl_surface())?;
        Ok(())
    }
}

impl Drop for Shade {
    fn drop(&mut self) {
        if let Some(viewport) = &self.viewport {
            viewport.destroy();
        }
    }
}
