//! Memory that is shared with the compositor: what one surface shows, and what it will show next.
//!
//! Each surface has a pool of its own, so that the memory goes with it.

use smithay_client_toolkit::shm::Shm;
use smithay_client_toolkit::shm::slot::{Buffer, SlotPool};
use wayland_client::protocol::wl_shm::Format;
use wayland_client::protocol::wl_surface::WlSurface;

use super::units::signed;
use crate::desktop::DesktopError;
use crate::geometry::Size;
use crate::picture::Picture;

/// One is shown, one is drawn. A compositor that holds on to both makes us wait.
const BUFFERS: usize = 2;

pub(super) struct Canvas {
    size: Size,
    pool: SlotPool,
    buffers: Vec<Buffer>,
    /// Which one was attached last.
    newest: usize,
}

impl Canvas {
    pub(super) fn new(shm: &Shm, size: Size) -> Result<Self, DesktopError> {
        Ok(Self {
            size,
            pool: SlotPool::new(bytes(size), shm).map_err(|why| no_memory(&why))?,
            buffers: Vec::with_capacity(BUFFERS),
            newest: 0,
        })
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// Attaches a picture to a surface; `false` while the compositor still reads all buffers.
    pub(super) fn attach(
        &mut self,
        picture: &Picture,
        surface: &WlSurface,
    ) -> Result<bool, DesktopError> {
        let Some(free) = self.free()? else {
            return Ok(false);
        };
        let buffer = &self.buffers[free];
        let Some(pixels) = buffer.canvas(&mut self.pool) else {
            return Ok(false);
        };
        copy(picture, self.size, pixels);
        if buffer.attach_to(surface).is_err() {
            return Ok(false);
        }
        self.newest = free;
        Ok(true)
    }

    /// What was attached last.
    pub(super) fn picture(&mut self) -> Option<Picture> {
        let slot = self.buffers.get(self.newest)?.slot();
        let pixels = self.pool.raw_data_mut(&slot).get(..bytes(self.size))?;
        Some(Picture {
            size: self.size,
            pixels: pixels.to_vec(),
        })
    }

    fn free(&mut self) -> Result<Option<usize>, DesktopError> {
        let pool = &mut self.pool;
        let free = self.buffers.iter().position(|b| b.canvas(pool).is_some());
        if free.is_some() || self.buffers.len() == BUFFERS {
            return Ok(free);
        }
        let [width, height] = [self.size.width, self.size.height].map(signed);
        let (buffer, _) = pool
            .create_buffer(width, height, width.saturating_mul(4), Format::Argb8888)
            .map_err(|why| no_memory(&why))?;
        self.buffers.push(buffer);
        Ok(Some(self.buffers.len() - 1))
    }
}

/// The upper left corner of a picture; what it does not reach is clear.
fn copy(picture: &Picture, size: Size, to: &mut [u8]) {
    if picture.size == size && picture.pixels.len() == to.len() {
        to.copy_from_slice(&picture.pixels);
        return;
    }
    to.fill(0);
    let [from, row] = [picture.size.width, size.width].map(|width| (width as usize * 4).max(1));
    let common = from.min(row);
    let rows = picture.pixels.chunks_exact(from);
    for (to, from) in to.chunks_exact_mut(row).zip(rows) {
        to[..common].copy_from_slice(&from[..common]);
    }
}

fn bytes(size: Size) -> usize {
    size.width as usize * size.height as usize * 4
}

fn no_memory(why: &dyn std::error::Error) -> DesktopError {
    DesktopError::Gone(format!("no memory can be shared with it: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_another_size_keeps_its_rows() {
        let picture = Picture {
            size: Size::new(1, 2),
            pixels: vec![1, 1, 1, 1, 2, 2, 2, 2],
        };
        let mut larger = [9; 24];
        copy(&picture, Size::new(2, 3), &mut larger);
        let [one, two, none] = [[1; 4], [2; 4], [0; 4]];
        assert_eq!(larger, [one, none, two, none, none, none].concat()[..]);
        let mut smaller = [9; 4];
        copy(&picture, Size::new(1, 1), &mut smaller);
        assert_eq!(smaller, one);
    }
}
