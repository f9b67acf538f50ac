//! A mouse that a test moves.

use std::os::unix::net::UnixStream;

use anyhow::Result;
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_pointer::ButtonState;
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::{Connection, Dispatch, EventQueue, QueueHandle, delegate_noop};
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1;

use super::SIZE;

/// Each request is done when the call returns.
pub struct Mouse {
    queue: EventQueue<Deaf>,
    pointer: ZwlrVirtualPointerV1,
    /// How far all outputs reach together.
    reach: (u32, u32),
}

#[derive(Debug, Clone, Copy)]
pub enum Key {
    Left = 0x110,
    Right = 0x111,
}

struct Deaf;

impl Mouse {
    pub(super) fn new(socket: UnixStream) -> Result<Self> {
        let connection = Connection::from_socket(socket)?;
        let (globals, queue) = registry_queue_init::<Deaf>(&connection)?;
        let manager: ZwlrVirtualPointerManagerV1 = globals.bind(&queue.handle(), 1..=2, ())?;
        let pointer = manager.create_virtual_pointer(None, &queue.handle(), ());
        let mut mouse = Self {
            queue,
            pointer,
            reach: SIZE,
        };
        mouse.done()?;
        Ok(mouse)
    }

    /// Says how far all outputs reach together, when that is not one of the usual size.
    pub fn reach(&mut self, width: u32, height: u32) {
        self.reach = (width, height);
    }

    pub fn go(&mut self, x: u32, y: u32) -> Result<()> {
        let (width, height) = self.reach;
        self.pointer.motion_absolute(0, x, y, width, height);
        self.done()
    }

    pub fn press(&mut self, key: Key) -> Result<()> {
        self.pointer.button(0, key as u32, ButtonState::Pressed);
        self.done()
    }

    pub fn release(&mut self, key: Key) -> Result<()> {
        self.pointer.button(0, key as u32, ButtonState::Released);
        self.done()
    }

    pub fn click(&mut self, key: Key) -> Result<()> {
        self.press(key)?;
        self.release(key)
    }

    /// Goes there and clicks.
    pub fn click_at(&mut self, x: u32, y: u32) -> Result<()> {
        self.go(x, y)?;
        self.click(Key::Left)
    }

    fn done(&mut self) -> Result<()> {
        self.pointer.frame();
        self.queue.roundtrip(&mut Deaf)?;
        Ok(())
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for Deaf {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

delegate_noop!(Deaf: ZwlrVirtualPointerManagerV1);
delegate_noop!(Deaf: ZwlrVirtualPointerV1);
