//! Glyphs as pixels.

use ab_glyph::{Font as _, FontRef, Glyph as Placed, PxScale, point};
use resvg::tiny_skia::{ColorU8, PixmapMut, PremultipliedColorU8};

use super::fonts::{Fonts, Glyph, Style};

impl Fonts {
    /// Draws a line whose letters stand on `at`, and says where it ends.
    pub fn draw(
        &mut self,
        on: &mut PixmapMut<'_>,
        text: &str,
        (style, size): (Style, f32),
        at: (f32, f32),
        colour: ColorU8,
    ) -> f32 {
        let mut x = at.0;
        let mut run: Vec<(Glyph, f32)> = Vec::new();
        for c in text.chars() {
            let Some(glyph) = self.glyph(c, style) else {
                continue;
            };
            if run
                .first()
                .is_some_and(|(first, _)| first.face != glyph.face)
            {
                self.draw_run(on, &run, (style, size), at.1, colour);
                run.clear();
            }
            run.push((glyph, x));
            x += glyph.advance * size;
        }
        self.draw_run(on, &run, (style, size), at.1, colour);
        x
    }

    /// Draws what is of one face.
    fn draw_run(
        &self,
        on: &mut PixmapMut<'_>,
        run: &[(Glyph, f32)],
        (style, size): (Style, f32),
        baseline: f32,
        colour: ColorU8,
    ) {
        let Some((first, _)) = run.first() else {
            return;
        };
        self.with_face(first.face, style, |font| {
            let scale = scale(font, size);
            for (glyph, x) in run {
                let at = point(*x, baseline.round());
                let placed: Placed = glyph.id.with_scale_and_position(scale, at);
                draw_glyph(on, font, placed, colour);
            }
        });
    }
}

/// `ab_glyph` measures a font from its highest to its lowest point.
fn scale(font: &FontRef<'_>, size: f32) -> PxScale {
    let em = font.units_per_em().unwrap_or(1000.0);
    PxScale::from(size * font.height_unscaled() / em)
}

fn draw_glyph(on: &mut PixmapMut<'_>, font: &FontRef<'_>, glyph: Placed, colour: ColorU8) {
    let Some(outlined) = font.outline_glyph(glyph) else {
        return;
    };
    let corner = outlined.px_bounds().min;
    let (width, height) = (on.width(), on.height());
    #[expect(clippy::cast_possible_truncation, reason = "a pixel's place")]
    let (left, top) = (corner.x as i32, corner.y as i32);
    outlined.draw(|x, y, coverage| {
        let x = left
            .checked_add_unsigned(x)
            .and_then(|x| u32::try_from(x).ok());
        let y = top
            .checked_add_unsigned(y)
            .and_then(|y| u32::try_from(y).ok());
        let (Some(x), Some(y)) = (x, y) else { return };
        if x < width && y < height {
            let index = (y * width + x) as usize;
            if let Some(pixel) = on.pixels_mut().get_mut(index) {
                *pixel = over(*pixel, colour, coverage);
            }
        }
    });
}

/// A colour over a pixel, as far as the glyph covers it.
fn over(pixel: PremultipliedColorU8, colour: ColorU8, coverage: f32) -> PremultipliedColorU8 {
    let alpha = coverage.clamp(0.0, 1.0) * f32::from(colour.alpha()) / 255.0;
    let mix = |new: u8, old: u8| {
        let mixed = f32::from(new) * alpha + f32::from(old) * (1.0 - alpha);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 255"
        )]
        let byte = (mixed + 0.5) as u8;
        byte
    };
    let a = mix(255, pixel.alpha());
    let channel = |new, old| mix(new, old).min(a);
    PremultipliedColorU8::from_rgba(
        channel(colour.red(), pixel.red()),
        channel(colour.green(), pixel.green()),
        channel(colour.blue(), pixel.blue()),
        a,
    )
    .unwrap_or(pixel)
}
