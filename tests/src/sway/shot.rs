//! What was seen on an output.

use anyhow::{Context as _, Result, ensure};

#[derive(Clone, PartialEq, Eq)]
pub struct Shot {
    pub width: usize,
    pub height: usize,
    pixels: Vec<u8>,
}

impl Shot {
    /// Reads a portable pixmap.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut words = bytes.splitn(5, u8::is_ascii_whitespace);
        let mut word = || words.next().context("a picture that ends early");
        ensure!(word()? == b"P6", "not a portable pixmap");
        let mut number = || Ok::<usize, anyhow::Error>(str::from_utf8(word()?)?.parse()?);
        let (width, height, most) = (number()?, number()?, number()?);
        let pixels = word()?.to_vec();
        ensure!(
            most == 255 && pixels.len() == width * height * 3,
            "odd pixels"
        );
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// Red, green and blue of a pixel.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let from = (y * self.width + x) * 3;
        [0, 1, 2].map(|channel| self.pixels.get(from + channel).copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_read() {
        let shot = Shot::read(b"P6\n2 1\n255\nabc\n \r").unwrap();
        assert_eq!((shot.width, shot.height), (2, 1));
        assert_eq!([shot.at(0, 0), shot.at(1, 0)], [*b"abc", *b"\n \r"]);
        assert!(Shot::read(b"P6\n2 1\n255\nabc").is_err());
    }
}
