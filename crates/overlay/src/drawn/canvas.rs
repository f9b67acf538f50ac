//! A surface to draw on in the sizes of a plain screen.

use resvg::tiny_skia::{
    ColorU8, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8,
    Stroke, Transform,
};

use resvg::usvg;

use super::layout::Area;
use crate::geometry::{Point, Rect, Size};
use crate::picture::Picture;
use crate::text::{Fonts, Style};

/// How far from its end a corner's curve is bent, for a quarter of a circle.
const ROUND: f32 = 0.447_715;

pub(super) struct Canvas {
    /// Made when something is drawn: until then a canvas only tells sizes.
    pixmap: Option<Pixmap>,
    pub(super) scale: f32,
    size: Size,
}

impl Canvas {
    pub(super) fn new(width: f32, height: f32, scale: f32) -> Self {
        let size = Size::new(whole(width * scale).max(1), whole(height * scale).max(1));
        Self {
            pixmap: None,
            scale,
            size,
        }
    }

    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// `None` only for a size that no screen has.
    fn pixmap(&mut self) -> Option<&mut Pixmap> {
        if self.pixmap.is_none() {
            self.pixmap = Pixmap::new(self.size.width, self.size.height);
        }
        self.pixmap.as_mut()
    }

    pub(super) fn fill(&mut self, path: &Path, colour: ColorU8) {
        let at = Transform::from_scale(self.scale, self.scale);
        if let Some(pixmap) = self.pixmap() {
            pixmap.fill_path(path, &paint(colour), FillRule::Winding, at, None);
        }
    }

    pub(super) fn stroke(&mut self, path: &Path, width: f32, colour: ColorU8) {
        let at = Transform::from_scale(self.scale, self.scale);
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(pixmap) = self.pixmap() {
            pixmap.stroke_path(path, &paint(colour), &stroke, at, None);
        }
    }

    pub(super) fn fill_round(&mut self, area: Area, radius: f32, colour: ColorU8) {
        if let Some(path) = round(area, radius) {
            self.fill(&path, colour);
        }
    }

    /// A line along the inner side of an edge.
    pub(super) fn edge(&mut self, area: Area, radius: f32, width: f32, colour: ColorU8) {
        let inner = area.shrunk(width / 2.0);
        if let Some(path) = round(inner, radius - width / 2.0) {
            self.stroke(&path, width, colour);
        }
    }

    /// Draws a line of text whose capitals are centred at a height, and says where it ends.
    pub(super) fn text(
        &mut self,
        fonts: &mut Fonts,
        text: &str,
        (style, size): (Style, f32),
        (x, middle): (f32, f32),
        colour: ColorU8,
    ) -> f32 {
        /// Half of what most fonts' capitals rise.
        const HALF_CAPITAL: f32 = 0.36;
        let scale = self.scale;
        let at = (x * scale, (middle + size * HALF_CAPITAL) * scale);
        let Some(pixmap) = self.pixmap() else {
            return x;
        };
        let font = (style, size * scale);
        fonts.draw(&mut pixmap.as_mut(), text, font, at, colour) / scale
    }

    /// Draws a drawing into an area as high as it is wide.
    pub(super) fn drawing(&mut self, tree: &usvg::Tree, area: Area) {
        let scale = self.scale;
        if let Some(pixmap) = self.pixmap() {
            let size = area.width / tree.size().width() * scale;
            let at =
                Transform::from_translate(area.x * scale, area.y * scale).pre_scale(size, size);
            resvg::render(tree, at, &mut pixmap.as_mut());
        }
    }

    /// Makes all that is drawn so far weaker.
    pub(super) fn fade(&mut self, left: f32) {
        if let Some(pixmap) = self.pixmap() {
            for channel in pixmap.data_mut() {
                *channel = byte(f32::from(*channel) * left);
            }
        }
    }

    /// A soft shadow around an area, on a surface that is still clear.
    pub(super) fn shadow(&mut self, area: Area, radius: f32, reach: f32, colour: ColorU8) {
        let scale = self.scale;
        let Some(pixmap) = self.pixmap() else {
            return;
        };
        let width = pixmap.width() as usize;
        for (number, pixel) in pixmap.pixels_mut().iter_mut().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "a screen has no such widths")]
            let (x, y) = ((number % width) as f32, (number / width) as f32);
            let outside = area.distance(((x + 0.5) / scale, (y + 0.5) / scale), radius);
            let left = (1.0 - outside / reach).clamp(0.0, 1.0);
            *pixel = faded(colour, left * left);
        }
    }

    /// Where an area lies in the picture.
    pub(super) fn pixels_of(&self, area: Area) -> Rect {
        let (left, top) = (place(area.x * self.scale), place(area.y * self.scale));
        let (width, height) = (area.width * self.scale, area.height * self.scale);
        Rect::new(left, top, whole(width), whole(height))
    }

    pub(super) fn point_of(&self, (x, y): (f32, f32)) -> Point {
        Point::new(place(x * self.scale), place(y * self.scale))
    }

    pub(super) fn into_picture(self) -> Picture {
        let Some(pixmap) = self.pixmap else {
            return Picture::clear(self.size);
        };
        let mut pixels = pixmap.take();
        for pixel in pixels.chunks_exact_mut(4) {
            pixel.swap(0, 2);
        }
        Picture {
            size: self.size,
            pixels,
        }
    }
}

fn paint(colour: ColorU8) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    let [r, g, b, a] = [colour.red(), colour.green(), colour.blue(), colour.alpha()];
    paint.set_color_rgba8(r, g, b, a);
    paint
}

fn faded(colour: ColorU8, strength: f32) -> PremultipliedColorU8 {
    let alpha = byte(f32::from(colour.alpha()) * strength);
    ColorU8::from_rgba(colour.red(), colour.green(), colour.blue(), alpha).premultiply()
}

/// A rectangle with round corners.
pub(super) fn round(area: Area, radius: f32) -> Option<Path> {
    let mut path = PathBuilder::new();
    let radius = radius.min(area.width / 2.0).min(area.height / 2.0);
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    corner(&mut path, (right, top), (0.0, radius), (-radius, 0.0));
    path.line_to(right, bottom - radius);
    corner(&mut path, (right, bottom), (-radius, 0.0), (0.0, -radius));
    path.line_to(left + radius, bottom);
    corner(&mut path, (left, bottom), (0.0, -radius), (radius, 0.0));
    path.line_to(left, top + radius);
    corner(&mut path, (left, top), (radius, 0.0), (0.0, radius));
    path.close();
    path.finish()
}

/// Goes round a corner: from `before` it to `after` it.
pub(super) fn corner(
    path: &mut PathBuilder,
    at: (f32, f32),
    after: (f32, f32),
    before: (f32, f32),
) {
    path.cubic_to(
        at.0 + before.0 * ROUND,
        at.1 + before.1 * ROUND,
        at.0 + after.0 * ROUND,
        at.1 + after.1 * ROUND,
        at.0 + after.0,
        at.1 + after.1,
    );
}

/// The nearest number of pixels that holds all of it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
pub(super) fn whole(number: f32) -> u32 {
    number.ceil() as u32
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn place(number: f32) -> i32 {
    number.round() as i32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
pub(super) fn byte(number: f32) -> u8 {
    number.round() as u8
}
