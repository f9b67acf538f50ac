//! A picture of the whole screen.

use std::fmt;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat};
use x11rb::rust_connection::RustConnection;

/// Compared as a whole: two are equal when every pixel is.
#[derive(Clone, PartialEq, Eq)]
pub struct Screenshot {
    pub width: u32,
    pub height: u32,
    /// Red, green and blue, row by row.
    pixels: Vec<u8>,
}

impl Screenshot {
    pub(super) fn take(connection: &RustConnection, window: u32) -> Result<Self> {
        let size = connection.get_geometry(window)?.reply()?;
        let (width, height) = (size.width, size.height);
        let format = ImageFormat::Z_PIXMAP;
        let asked = connection.get_image(format, window, 0, 0, width, height, u32::MAX)?;
        let image = asked.reply()?;
        ensure!(image.depth == 24, "a screen of depth {}", image.depth);
        let pixels = image.data.chunks_exact(4);
        Ok(Self {
            width: width.into(),
            height: height.into(),
            pixels: pixels.flat_map(|bgr| [bgr[2], bgr[1], bgr[0]]).collect(),
        })
    }

    /// Red, green and blue.
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let start = (y * self.width + x) as usize * 3;
        let pixel = self.pixels.get(start..start + 3);
        pixel
            .and_then(|rgb| rgb.try_into().ok())
            .unwrap_or_default()
    }

    /// A part of it.
    #[must_use]
    pub fn part(&self, x: u32, y: u32, width: u32, height: u32) -> Self {
        let rows = y..y + height;
        let pixels = rows.flat_map(|y| (x..x + width).flat_map(move |x| self.at(x, y)));
        Self {
            width,
            height,
            pixels: pixels.collect(),
        }
    }

    /// How many pixels differ in the two; all of them where the sizes do.
    pub fn differing(&self, other: &Self) -> usize {
        if (self.width, self.height) != (other.width, other.height) {
            return self.pixels.len() / 3;
        }
        let pairs = self
            .pixels
            .chunks_exact(3)
            .zip(other.pixels.chunks_exact(3));
        pairs.filter(|(a, b)| a != b).count()
    }

    /// Writes a PNG, for a person to look at.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut header = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        // Eight bits a channel, three channels, nothing interlaced.
        header.extend([8, 2, 0, 0, 0]);
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        for row in self.pixels.chunks_exact(self.width as usize * 3) {
            packed.write_all(&[0])?;
            packed.write_all(row)?;
        }
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, body) in [
            (b"IHDR", header),
            (b"IDAT", packed.finish()?),
            (b"IEND", Vec::new()),
        ] {
            file.extend(u32::try_from(body.len())?.to_be_bytes());
            let named = [kind.as_slice(), &body].concat();
            let mut sum = Crc::new();
            sum.update(&named);
            file.extend(named);
            file.extend(sum.sum().to_be_bytes());
        }
        std::fs::write(path, file).with_context(|| format!("write {}", path.display()))
    }
}

/// Megabytes of pixels would say nothing under a failed test.
impl fmt::Debug for Screenshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a screenshot of {}×{}", self.width, self.height)
    }
}
