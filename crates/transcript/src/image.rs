//! An image of a transcript: one of four kinds, in base64 and nothing else, and not too large.

use std::cell::Cell;

use serde::Serialize;

use crate::shown::Limits;

/// Kinds of images that a browser draws and that run nothing.
const KINDS: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Image {
    /// `None` when it is shown nowhere.
    pub media: Option<&'static str>,
    /// How large it is, in bytes.
    pub bytes: usize,
    /// In base64; empty when it is left out.
    #[serde(skip)]
    pub data: String,
}

/// How much room is left for images.
#[derive(Debug)]
pub(crate) struct Room {
    one: usize,
    left: Cell<usize>,
}

impl Room {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            one: limits.image,
            left: Cell::new(limits.images),
        }
    }

    /// An image, without its content where that does not fit or is none.
    pub(crate) fn image(&self, media: &str, data: &str) -> Image {
        let known = KINDS.iter().find(|kind| **kind == media).copied();
        let fits = data.len() <= self.one && data.len() <= self.left.get();
        let media = known.filter(|_| fits && is_base64(data));
        if media.is_some() {
            self.left.set(self.left.get() - data.len());
        }
        Image {
            media,
            bytes: data.len() / 4 * 3,
            data: media.map_or_else(String::new, |_| data.to_owned()),
        }
    }
}

fn is_base64(data: &str) -> bool {
    let body = data.trim_end_matches('=');
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !body.is_empty() && data.len() - body.len() <= 2 && body.bytes().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_images_that_run_nothing_and_fit_are_kept() {
        let limits = Limits {
            image: 12,
            images: 20,
            ..Limits::USUAL
        };
        let room = Room::new(&limits);
        assert_eq!(room.image("image/png", "iVBORw0KGgo=").data, "iVBORw0KGgo=");
        for (media, data) in [
            ("image/svg+xml", "iVBO"),
            ("image/png", "\"><x"),
            ("image/png", ""),
            ("image/png", "iVB=Ow0K"),
            ("image/png\" onerror=\"x", "iVBO"),
            ("image/png", "iVBORw0KGgoiVBOR"),
            ("image/png", "iVBORw0KGgo="),
        ] {
            let image = room.image(media, data);
            assert_eq!(
                (image.media, image.data.as_str()),
                (None, ""),
                "{media} {data}"
            );
        }
    }
}
