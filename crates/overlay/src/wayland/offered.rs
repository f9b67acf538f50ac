//! What the compositor offers, and how we ask for it.

use smithay_client_toolkit::compositor::{CompositorState, Region};
use smithay_client_toolkit::dispatch2::Dispatch2;
use smithay_client_toolkit::reexports::protocols::wp::viewporter::client::wp_viewport::WpViewport;
use smithay_client_toolkit::reexports::protocols::wp::viewporter::client::wp_viewporter::WpViewporter;
use smithay_client_toolkit::shell::WaylandSurface as _;
use smithay_client_toolkit::shell::wlr_layer::{
    Anchor, KeyboardInteractivity, Layer, LayerShell, LayerSurface,
};
use smithay_client_toolkit::shm::Shm;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Proxy, QueueHandle};

use super::state::State;
use crate::desktop::DesktopError;
use crate::geometry::Rect;

/// What a person's rules for their compositor know our surfaces by.
const NAMESPACE: &str = "bellwether";

pub(super) struct Offered {
    pub(super) compositor: CompositorState,
    pub(super) shm: Shm,
    pub(super) queue: QueueHandle<State>,
    layers: LayerShell,
    viewporter: Option<WpViewporter>,
}

/// Marks objects that never say anything.
pub(super) struct Silent;

impl Offered {
    pub(super) fn bind(
        globals: &GlobalList,
        queue: &QueueHandle<State>,
    ) -> Result<Self, DesktopError> {
        let layers = LayerShell::bind(globals, queue)
            .map_err(|_| DesktopError::NoLayers("the Wayland compositor"))?;
        let lacks = |why: &dyn std::error::Error| DesktopError::Gone(why.to_string());
        Ok(Self {
            compositor: CompositorState::bind(globals, queue).map_err(|why| lacks(&why))?,
            shm: Shm::bind(globals, queue).map_err(|why| lacks(&why))?,
            queue: queue.clone(),
            layers,
            viewporter: globals.bind(queue, 1..=1, Silent).ok(),
        })
    }

    /// A surface on an output that catches no mouse and leaves bars their place. Its places are told from the upper left
    /// corner of what they leave.
    pub(super) fn layer(&self, output: &WlOutput, layer: Layer, anchor: Anchor) -> LayerSurface {
        let surface = self.compositor.create_surface(&self.queue);
        let layer = self.layers.create_layer_surface(
            &self.queue,
            surface,
            layer,
            Some(NAMESPACE),
            Some(output),
        );
        layer.set_anchor(anchor);
        layer.set_exclusive_zone(0);
        layer.set_keyboard_interactivity(KeyboardInteractivity::None);
        self.catch(layer.wl_surface(), [], []);
        layer
    }

    /// Says where a surface catches the mouse: in the first rectangles, but not in the others.
    pub(super) fn catch(
        &self,
        surface: &WlSurface,
        within: impl IntoIterator<Item = Rect>,
        but: impl IntoIterator<Item = Rect>,
    ) {
        let Ok(region) = Region::new(&self.compositor) else {
            return;
        };
        let [of, but] = [within.into_iter().collect(), but.into_iter().collect()]
            .map(|rects: Vec<Rect>| rects.into_iter().map(numbers));
        of.for_each(|[x, y, width, height]| region.add(x, y, width, height));
        but.for_each(|[x, y, width, height]| region.subtract(x, y, width, height));
        surface.set_input_region(Some(region.wl_region()));
    }

    /// What stretches a small buffer over a large surface.
    pub(super) fn viewport(&self, surface: &WlSurface) -> Option<WpViewport> {
        let viewporter = self.viewporter.as_ref()?;
        Some(viewporter.get_viewport(surface, &self.queue, Silent))
    }
}

fn numbers(rect: Rect) -> [i32; 4] {
    let [width, height] = [rect.size.width, rect.size.height].map(super::units::signed);
    [rect.at.x, rect.at.y, width, height]
}

impl<I: Proxy> Dispatch2<I, State> for Silent {
    fn event(
        &self,
        _: &mut State,
        _: &I,
        _: <I as Proxy>::Event,
        _: &Connection,
        _: &QueueHandle<State>,
    ) {
    }
}
