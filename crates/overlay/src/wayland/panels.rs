//! All panels, by name and by surface.

use std::collections::BTreeMap;

use smithay_client_toolkit::shell::wlr_layer::Layer;
use wayland_client::protocol::wl_surface::WlSurface;

use super::offered::Offered;
use super::panel::Panel;
use crate::desktop::{DesktopError, PanelId};
use crate::geometry::Point;

#[derive(Default)]
pub(super) struct Panels(BTreeMap<PanelId, Panel>);

/// Where the pointer is on a panel.
pub(super) struct Spot {
    pub(super) panel: PanelId,
    /// Relative to the panel.
    pub(super) at: Point,
    pub(super) on_screen: Point,
}

impl Panels {
    pub(super) fn insert(&mut self, id: PanelId, panel: Panel) {
        self.0.insert(id, panel);
    }

    pub(super) fn get(&self, id: PanelId) -> Option<&Panel> {
        self.0.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: PanelId) -> Option<&mut Panel> {
        self.0.get_mut(&id)
    }

    pub(super) fn remove(&mut self, id: PanelId) -> Option<Panel> {
        self.0.remove(&id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Panel> {
        self.0.values()
    }

    pub(super) fn put_all_on(&mut self, layer: Layer) {
        self.0.values_mut().for_each(|panel| panel.put_on(layer));
    }

    /// The panel that a surface belongs to.
    pub(super) fn of(&mut self, surface: &WlSurface) -> Option<(PanelId, &mut Panel)> {
        let mut panels = self.0.iter_mut();
        let found = panels.find(|(_, panel)| panel.corner_of(surface).is_some());
        found.map(|(id, panel)| (*id, panel))
    }

    /// The place of a panel that is this place of one of its surfaces.
    pub(super) fn spot(&self, surface: &WlSurface, units: (f64, f64)) -> Option<Spot> {
        self.0.iter().find_map(|(id, panel)| {
            let corner = panel.corner_of(surface)?;
            let at = panel.scale().pixel(units);
            Some(Spot {
                panel: *id,
                at,
                on_screen: corner.plus(at),
            })
        })
    }

    /// Drops the panels of a screen; their names.
    pub(super) fn drop_on(&mut self, screen: &str) -> Vec<PanelId> {
        let gone = self.0.extract_if(.., |_, panel| panel.screen() == screen);
        gone.map(|(id, _)| id).collect()
    }

    pub(super) fn settle(&mut self, offered: &Offered) -> Result<(), DesktopError> {
        let mut panels = self.0.values_mut();
        panels.try_for_each(|panel| panel.settle(offered))
    }
}
