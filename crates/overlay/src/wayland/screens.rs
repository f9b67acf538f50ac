//! The outputs, and how much of each bars leave.
//!
//! A compositor does not tell where bars are. But it tells a surface that wants to fill an output how large it may be, and
//! counts places from the corner of what bars leave. So that part is the screen for us: all of it may be used, and a place
//! on it means the same when the bar is above or below.

use smithay_client_toolkit::output::OutputInfo;
use smithay_client_toolkit::shell::WaylandSurface as _;
use smithay_client_toolkit::shell::wlr_layer::{Anchor, Layer, LayerSurface};
use wayland_client::protocol::wl_output::WlOutput;

use super::offered::Offered;
use super::units::Scale;
use crate::desktop::Screen;
use crate::geometry::{Rect, Size};

#[derive(Default)]
pub(super) struct Screens {
    outputs: Vec<Output>,
    known: Vec<Screen>,
}

pub(super) struct Output {
    handle: WlOutput,
    name: String,
    scale: Scale,
    /// Where it stands beside the others.
    corner: (i32, i32),
    /// Fills what bars leave, and is never seen: it is asked for no picture, only for its size.
    probe: LayerSurface,
    room: Option<Size>,
}

impl Output {
    pub(super) const fn handle(&self) -> &WlOutput {
        &self.handle
    }

    pub(super) const fn scale(&self) -> Scale {
        self.scale
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn screen(&self) -> Option<Screen> {
        let size = self.scale.pixels(self.room?);
        let area = Rect::new(0, 0, size.width, size.height);
        Some(Screen {
            name: self.name.clone(),
            area,
            work: area,
            scale: f32::from(u16::try_from(self.scale.factor()).unwrap_or(1)),
            is_primary: false,
        })
    }
}

impl Screens {
    pub(super) fn known(&self) -> &[Screen] {
        &self.known
    }

    pub(super) fn outputs(&self) -> impl Iterator<Item = &Output> {
        self.outputs.iter()
    }

    pub(super) fn named(&self, name: &str) -> Option<&Output> {
        self.outputs.iter().find(|output| output.name == name)
    }

    pub(super) fn screen(&self, name: &str) -> Option<&Screen> {
        self.known.iter().find(|screen| screen.name == name)
    }

    pub(super) fn add(&mut self, offered: &Offered, output: WlOutput, info: &OutputInfo) {
        let probe = offered.layer(&output, Layer::Background, Anchor::all());
        probe.commit();
        self.outputs.push(Output {
            handle: output,
            name: name(info),
            scale: Scale::new(info.scale_factor),
            corner: corner(info),
            probe,
            room: None,
        });
    }

    pub(super) fn update(&mut self, output: &WlOutput, info: &OutputInfo) {
        let known = self.outputs.iter_mut().find(|o| o.handle == *output);
        if let Some(known) = known {
            known.scale = Scale::new(info.scale_factor);
            known.corner = corner(info);
        }
    }

    /// Forgets an output; its name.
    pub(super) fn remove(&mut self, output: &WlOutput) -> Option<String> {
        let at = self.outputs.iter().position(|o| o.handle == *output)?;
        Some(self.outputs.remove(at).name)
    }

    /// A surface may be so large: that of an output that asked for it.
    pub(super) fn measured(&mut self, layer: &LayerSurface, (width, height): (u32, u32)) -> bool {
        let asked = self.outputs.iter_mut().find(|o| o.probe == *layer);
        let Some(output) = asked else {
            return false;
        };
        output.room =
            Some(Size::new(width, height)).filter(|size| size.width > 0 && size.height > 0);
        true
    }

    /// Counts the screens again; whether they are others than before.
    pub(super) fn refresh(&mut self) -> bool {
        let mut screens: Vec<Screen> = self.outputs.iter().filter_map(Output::screen).collect();
        let mut primary: Vec<&Output> = self.outputs.iter().filter(|o| o.room.is_some()).collect();
        primary.sort_by_key(|output| output.corner.0.abs().saturating_add(output.corner.1.abs()));
        let primary = primary.first().map(|output| output.name());
        for screen in &mut screens {
            screen.is_primary = primary == Some(screen.name.as_str());
        }
        let is_new = screens != self.known;
        self.known = screens;
        is_new
    }
}

fn name(info: &OutputInfo) -> String {
    let model = || format!("{} {}", info.make, info.model).trim().to_owned();
    info.name.clone().unwrap_or_else(model)
}

fn corner(info: &OutputInfo) -> (i32, i32) {
    info.logical_position.unwrap_or(info.location)
}
