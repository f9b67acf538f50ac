//! What the compositor says, passed on to whom it concerns.

use smithay_client_toolkit::compositor::CompositorHandler;
use smithay_client_toolkit::output::{OutputHandler, OutputState};
use smithay_client_toolkit::registry::{ProvidesRegistryState, RegistryState};
use smithay_client_toolkit::seat::{Capability, SeatHandler, SeatState};
use smithay_client_toolkit::shell::WaylandSurface as _;
use smithay_client_toolkit::shell::wlr_layer::{
    LayerShellHandler, LayerSurface, LayerSurfaceConfigure,
};
use smithay_client_toolkit::shm::{Shm, ShmHandler};
use smithay_client_toolkit::{delegate_dispatch2, delegate_registry, registry_handlers};
use wayland_client::protocol::wl_output::{Transform, WlOutput};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, QueueHandle};

use super::state::State;
use crate::desktop::Happened;

type Queue = QueueHandle<State>;

impl CompositorHandler for State {
    fn scale_factor_changed(&mut self, _: &Connection, _: &Queue, _: &WlSurface, _: i32) {}

    fn transform_changed(&mut self, _: &Connection, _: &Queue, _: &WlSurface, _: Transform) {}

    fn frame(&mut self, _: &Connection, _: &Queue, surface: &WlSurface, _: u32) {
        let Some((_, panel)) = self.panels.of(surface) else {
            return;
        };
        if panel.was_seen(surface) {
            let news = self.sight.shown(panel.screen());
            self.tell(news);
        }
    }

    fn surface_enter(&mut self, _: &Connection, _: &Queue, _: &WlSurface, _: &WlOutput) {}

    fn surface_leave(&mut self, _: &Connection, _: &Queue, _: &WlSurface, _: &WlOutput) {}
}

impl OutputHandler for State {
    fn output_state(&mut self) -> &mut OutputState {
        &mut self.outputs
    }

    fn new_output(&mut self, _: &Connection, _: &Queue, output: WlOutput) {
        if let Some(info) = self.outputs.info(&output) {
            self.screens.add(&self.offered, output, &info);
        }
    }

    fn update_output(&mut self, _: &Connection, _: &Queue, output: WlOutput) {
        if let Some(info) = self.outputs.info(&output) {
            self.screens.update(&output, &info);
        }
    }

    fn output_destroyed(&mut self, _: &Connection, _: &Queue, output: WlOutput) {
        if let Some(screen) = self.screens.remove(&output) {
            self.drop_screen(&screen);
        }
    }
}

impl LayerShellHandler for State {
    /// Its output goes, or the compositor wants it no more: all are placed anew.
    fn closed(&mut self, _: &Connection, _: &Queue, layer: &LayerSurface) {
        self.shades.closed(layer);
        if let Some((id, _)) = self.panels.of(layer.wl_surface()) {
            self.panels.remove(id);
            self.pointer.forget(id);
            self.tell([Happened::ScreensChanged]);
        }
    }

    fn configure(
        &mut self,
        _: &Connection,
        _: &Queue,
        layer: &LayerSurface,
        wish: LayerSurfaceConfigure,
        _: u32,
    ) {
        if let Some((_, panel)) = self.panels.of(layer.wl_surface()) {
            panel.agree(layer.wl_surface());
        } else if !self.screens.measured(layer, wish.new_size) {
            self.shades.measured(layer, wish.new_size);
        }
    }
}

impl SeatHandler for State {
    fn seat_state(&mut self) -> &mut SeatState {
        &mut self.seats
    }

    fn new_seat(&mut self, _: &Connection, _: &Queue, _: WlSeat) {}

    fn new_capability(&mut self, _: &Connection, queue: &Queue, seat: WlSeat, what: Capability) {
        if what == Capability::Pointer {
            self.add_pointer(queue, seat);
        }
    }

    fn remove_capability(&mut self, _: &Connection, _: &Queue, seat: WlSeat, what: Capability) {
        if what == Capability::Pointer {
            self.pointer.remove_seat(&seat);
        }
    }

    fn remove_seat(&mut self, _: &Connection, _: &Queue, seat: WlSeat) {
        self.pointer.remove_seat(&seat);
    }
}

impl ShmHandler for State {
    fn shm_state(&mut self) -> &mut Shm {
        &mut self.offered.shm
    }
}

impl ProvidesRegistryState for State {
    fn registry(&mut self) -> &mut RegistryState {
        &mut self.registry
    }

    registry_handlers![OutputState, SeatState];
}

delegate_registry!(State);
delegate_dispatch2!(State);
