//! Markings of the skin. They go with its lightness, so that those of one hue differ and a child has its
//! own.

use crate::appearance::LIGHTNESS;
use crate::figure::Figure;
use crate::palette::Palette;

/// A marking, cut along the body's outline.
type Marking = fn(&Palette) -> String;

/// Every marking, for dark skin first.
const MARKINGS: &[Marking] = &[plain, belly, spots, stripes, freckles];

/// The marking of a figure.
pub(crate) fn marking(figure: &Figure) -> String {
    let (least, most) = LIGHTNESS;
    let share = (figure.looks.skin_lightness - least) / (most - least);
    let step = 1.0 / f64::from(u8::try_from(MARKINGS.len()).unwrap_or(u8::MAX));
    let found = MARKINGS
        .iter()
        .zip(1_u8..)
        .find(|(_, number)| share < f64::from(*number) * step);
    let draw = found.map_or(freckles as Marking, |(draw, _)| *draw);
    draw(&figure.palette)
}

fn plain(_: &Palette) -> String {
    String::new()
}

fn belly(palette: &Palette) -> String {
    format!(
        "<ellipse cy='-16' rx='29' ry='27' fill='{}' stroke='none' opacity='.9'/>",
        palette.belly
    )
}

fn spots(palette: &Palette) -> String {
    format!(
        "<g fill='{}' stroke='none' opacity='.6'><circle cx='-32' cy='-66' r='6.5'/><circle cx='30' cy='-72' r='5'/>\
         <circle cx='35' cy='-44' r='6'/><circle cx='-38' cy='-38' r='5'/><circle cx='5' cy='-84' r='4'/>\
         <circle cx='-24' cy='-10' r='6'/><circle cx='18' cy='-6' r='5'/></g>",
        palette.skin_dark
    )
}

fn stripes(palette: &Palette) -> String {
    format!(
        "<path d='M-52-72q14-3 22 4M52-72q-14-3-22 4M-52-54q10-3 17 3M52-54q-10-3-17 3M-52-36q12-3 18 2M52-36q-12-3-18 2\
         M0-104v16M-11-102l2 11M11-102l-2 11' stroke='{}' stroke-width='5.5' fill='none' opacity='.7'/>",
        palette.skin_dark
    )
}

fn freckles(palette: &Palette) -> String {
    format!(
        "<path d='M-31-46v0M-25-42v0M-33-39v0M31-46v0M25-42v0M33-39v0M-12-80v0M-5-84v0M3-79v0' \
         stroke='{}' stroke-width='4'/>",
        palette.skin_dark
    )
}
