//! Eyes: one of them, around its middle.

use crate::number::N;
use crate::palette::{INK, Palette};

/// Draws an eye of a size that looks somewhere.
pub(super) type Eye = fn(&Palette, f32, (f32, f32)) -> String;

pub(super) fn round(palette: &Palette, size: f32, (x, y): (f32, f32)) -> String {
    format!(
        "<circle r='{}' fill='#fff' stroke='{}' stroke-width='1.8'/>{}",
        N(size),
        palette.line,
        pupil(size * 0.56, x * size / 10.0, y * size / 10.0)
    )
}

fn pupil(size: f32, x: f32, y: f32) -> String {
    format!(
        "<g transform='translate({} {})' stroke='none'><circle r='{}' fill='{INK}'/><circle cx='{}' cy='{}' r='{}' fill='#fff'/></g>",
        N(x),
        N(y),
        N(size),
        N(size * 0.35),
        N(size * -0.4),
        N(size * 0.36)
    )
}

pub(super) fn tall(_: &Palette, size: f32, (x, y): (f32, f32)) -> String {
    format!(
        "<g transform='translate({} {})' stroke='none'><ellipse rx='{}' ry='{}' fill='{INK}'/>\
         <circle cx='{}' cy='{}' r='{}' fill='#fff'/><circle cx='{}' cy='{}' r='{}' fill='#fff' opacity='.8'/></g>",
        N(x * 0.6),
        N(y * 0.6),
        N(size * 0.66),
        N(size * 1.08),
        N(size * 0.2),
        N(size * -0.45),
        N(size * 0.28),
        N(size * -0.2),
        N(size * 0.5),
        N(size * 0.14)
    )
}

/// Dark, with a glow of the hair's colour.
pub(super) fn sparkling(palette: &Palette, size: f32, (x, y): (f32, f32)) -> String {
    format!(
        "<g transform='translate({} {})' stroke='none'><circle r='{size}' fill='{INK}'/>\
         <path d='M{left} {low}A{size} {size} 0 0 0 {right} {low}Q0 {high} {left} {low}Z' fill='{}'/>\
         <circle cx='{}' cy='{}' r='{}' fill='#fff'/><circle cx='{}' cy='{}' r='{}' fill='#fff'/></g>",
        N(x * 0.6),
        N(y * 0.6),
        palette.hair,
        N(size * 0.32),
        N(size * -0.36),
        N(size * 0.35),
        N(size * -0.36),
        N(size * 0.2),
        N(size * 0.18),
        left = N(size * -0.86),
        right = N(size * 0.86),
        low = N(size * 0.5),
        high = N(size * 0.1),
        size = N(size)
    )
}

/// Large, with an iris of the outfit's colour.
pub(super) fn iris(palette: &Palette, size: f32, (x, y): (f32, f32)) -> String {
    let (x, y) = (x * 1.2, y * 1.2);
    format!(
        "<circle r='{}' fill='#fff' stroke='{}' stroke-width='2'/><circle cx='{}' cy='{}' r='{}' fill='{}' stroke='none'/>{}",
        N(size),
        palette.line,
        N(x),
        N(y),
        N(size * 0.6),
        palette.outfit,
        pupil(size * 0.36, x, y)
    )
}

pub(super) fn button(_: &Palette, size: f32, (x, y): (f32, f32)) -> String {
    format!(
        "<g transform='translate({} {})'>{}</g>",
        N(x * 0.5),
        N(y * 0.5),
        pupil(size * 0.68, 0.0, 0.0)
    )
}

/// White, half under its lid.
pub(super) fn lidded(palette: &Palette, size: f32, gaze: (f32, f32)) -> String {
    let eye = round(palette, size, (gaze.0, gaze.1 + 2.0));
    let (around, lid) = (N(size + 0.6), N(-0.12 * size));
    format!(
        "{eye}<path d='M-{around} {lid}A{around} {around} 0 0 1 {around} {lid}Z' fill='{}' stroke='{}' stroke-width='1.8'/>",
        palette.skin_dark, palette.line
    )
}

pub(super) fn wide(size: f32) -> String {
    format!(
        "<circle r='{}' fill='#fff' stroke='{INK}' stroke-width='2'/><circle r='{}' fill='{INK}' stroke='none'/>",
        N(size * 1.2),
        N(size * 0.3)
    )
}

/// A line of three points around the middle of an eye.
fn line(d: &str) -> String {
    format!("<path d='{d}' fill='none' stroke='{INK}' stroke-width='3.2'/>")
}

pub(super) fn closed(size: f32) -> String {
    let (half, deep) = (size * 0.8, size * 0.75);
    line(&format!(
        "M-{half} 1q{half} {} {} 0",
        N(deep),
        N(half * 2.0),
        half = N(half)
    ))
}

pub(super) fn joyful(size: f32) -> String {
    let (half, high) = (size * 0.8, size * -1.15);
    line(&format!(
        "M-{half} 3q{half} {} {} 0",
        N(high),
        N(half * 2.0),
        half = N(half)
    ))
}

pub(super) fn dizzy(size: f32) -> String {
    let half = N(size * 0.58);
    line(&format!(
        "M-{half}-{half}L{half} {half}M{half}-{half}L-{half} {half}"
    ))
}
