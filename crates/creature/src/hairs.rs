//! What grows on top, and the tail that goes with it. Ears are drawn for the right side, around the
//! point of the head that they grow from.

use crate::accessories::Crown;
use crate::figure::Figure;
use crate::number::N;
use crate::palette::Palette;

#[derive(Clone, Copy)]
pub(crate) struct Hair {
    pub draw: fn(&Figure) -> String,
    pub layer: Layer,
    /// Drawn around the point of the back that it grows from.
    pub tail: fn(&Palette) -> String,
}

/// Whether hair grows before or behind the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    Behind,
    Before,
}

pub(crate) const HAIRS: &[Hair] = &[
    hair(cat, Layer::Behind, swung),
    hair(bunny, Layer::Behind, bobtail),
    hair(bear, Layer::Behind, stub),
    hair(horns, Layer::Before, spiked),
    hair(antennae, Layer::Behind, none),
    hair(sprout, Layer::Behind, leaf),
    hair(crest, Layer::Behind, scaled),
    hair(curls, Layer::Before, none),
];

const fn hair(draw: fn(&Figure) -> String, layer: Layer, tail: fn(&Palette) -> String) -> Hair {
    Hair { draw, layer, tail }
}

/// The same on both sides of the head; hats push it apart.
fn pair(figure: &Figure, ear: &str) -> String {
    let (x, y) = figure.body.brow;
    let (apart, turned) = match figure.crown() {
        Crown::Bare => (0.0, 0),
        Crown::Covered => (5.0, 16),
    };
    let (left, right, y) = (N(-x - apart), N(x + apart), N(y + apart / 2.0));
    format!(
        "<g transform='translate({left} {y}) scale(-1 1) rotate({turned})'>{ear}</g>\
         <g transform='translate({right} {y}) rotate({turned})'>{ear}</g>"
    )
}

/// In the middle of a bare head, and at the sides of one with a hat.
fn middle(figure: &Figure, bare: &str, side: &str) -> String {
    match figure.crown() {
        Crown::Covered => pair(figure, side),
        Crown::Bare => {
            let (top, wide) = (N(figure.body.top), N(figure.body.hat));
            format!("<g transform='translate(0 {top}) scale({wide})'>{bare}</g>")
        }
    }
}

fn cat(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let ear = format!(
        "<path d='M-17 5L1-23Q6-28 8-21L15 16Z' fill='{hair}'/>\
         <path d='M-7 3L3-13L8 8Z' fill='{hair_light}' stroke='none'/>"
    );
    pair(figure, &ear)
}

fn bunny(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let ear = format!(
        "<path d='M-12 7C-17-18-6-42 3-40C13-37 11-10 4 10Z' fill='{hair}'/>\
         <path d='M-6 2C-9-14-3-32 2-31C7-29 6-10 2 3Z' fill='{hair_light}' stroke='none'/>"
    );
    pair(figure, &ear)
}

fn bear(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let ear = format!(
        "<circle cx='4' cy='-2' r='13' fill='{hair}'/><circle cx='4' cy='-2' r='6.5' fill='{hair_light}' stroke='none'/>"
    );
    pair(figure, &ear)
}

fn horns(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let horn = format!(
        "<path d='M-12 3C3 1 8-9 5-24C19-15 21 5 7 15Q-4 12-12 3Z' fill='{hair_light}'/>\
         <path d='M-4 8Q5 6 10 11L7 15Q-2 14-4 8ZM5-1Q11-2 16-1L16-6Q12-8 8-7ZM5-24Q12-20 15-13L8-14Z' fill='{hair}' stroke='none'/>\
         <path d='M-12 3C3 1 8-9 5-24C19-15 21 5 7 15Q-4 12-12 3Z' fill='none'/>"
    );
    pair(figure, &horn)
}

fn antennae(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let feeler = format!(
        "<path d='M-9 8Q-6-14 6-20' fill='none' stroke-width='6'/><path d='M-9 8Q-6-14 6-20' fill='none' stroke='{hair}' stroke-width='2.4'/>\
         <circle cx='7' cy='-22' r='7' fill='{hair}'/><circle cx='5' cy='-24.5' r='2.2' fill='{hair_light}' stroke='none'/>"
    );
    pair(figure, &feeler)
}

fn sprout(figure: &Figure) -> String {
    let Palette {
        hair, hair_dark, ..
    } = &figure.palette;
    let leaf = "M0-12C8-32 26-30 28-24C24-10 10-6 0-12Z";
    let vein = "M2-13Q14-16 21-22";
    let bare = format!(
        "<path d='M0 6V-12' fill='none' stroke-width='4'/><g fill='{hair}'><path d='{leaf}'/>\
         <path transform='scale(-1 1)' d='{leaf}'/></g><path d='{vein}M-2-13Q-14-16-21-22' fill='none' stroke='{hair_dark}' stroke-width='1.6'/>"
    );
    let side = format!(
        "<g transform='translate(-4 8)'><path d='{leaf}' fill='{hair}'/><path d='{vein}' fill='none' stroke='{hair_dark}' stroke-width='1.6'/></g>"
    );
    middle(figure, &bare, &side)
}

fn crest(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let bare = format!(
        "<path d='M-29 14Q-33-3-26-12Q-20-7-15-5Q-15-22-7-29Q-3-19 0-17Q3-19 7-29Q15-22 15-5Q20-7 26-12Q33-3 29 14Z' fill='{hair}'/>\
         <path d='M-20 4L-24-4M-6 2L-8-17M6 2L8-17M20 4L24-4' fill='none' stroke='{hair_light}'/>"
    );
    let side = format!(
        "<path d='M-14 6Q-8-18 6-20Q4-12 8-8Q15-9 18-4Q12 0 13 6Q10 14 2 16Z' fill='{hair}'/>"
    );
    middle(figure, &bare, &side)
}

fn curls(figure: &Figure) -> String {
    let Palette {
        hair, hair_light, ..
    } = &figure.palette;
    let bare = format!(
        "<path d='M-29 17C-35 4-27-8-17-7C-16-18-1-20 3-12C10-21 24-15 21-5C31-5 35 7 29 17C25 10 21 8 15 10C11 4 3 4-1 9C-6 4-13 5-16 11C-21 8-26 11-29 17Z' fill='{hair}'/>\
         <path d='M-20 0Q-18-4-13-3M2-4Q6-9 11-7M18 2Q22 0 24 3' fill='none' stroke='{hair_light}'/>"
    );
    let side = format!(
        "<path d='M-10 3C-4-4 6-3 8 3C16 4 17 13 12 17C13 25 3 27 1 20C-5 17-3 9-10 3Z' fill='{hair}'/>\
         <path d='M4 8Q9 9 8 14' fill='none' stroke='{hair_light}'/>"
    );
    middle(figure, &bare, &side)
}

fn none(_: &Palette) -> String {
    String::new()
}

fn swung(palette: &Palette) -> String {
    let d = "M0 0C22 6 30-8 22-20Q19-25 21-29";
    format!(
        "<path d='{d}' fill='none' stroke-width='12'/><path d='{d}' fill='none' stroke='{}' stroke-width='7'/>",
        palette.hair
    )
}

fn bobtail(palette: &Palette) -> String {
    format!(
        "<circle cx='10' cy='2' r='10' fill='{}'/>",
        palette.hair_light
    )
}

fn stub(palette: &Palette) -> String {
    format!("<circle cx='9' cy='3' r='7.5' fill='{}'/>", palette.hair)
}

fn spiked(palette: &Palette) -> String {
    format!(
        "<path d='M0 4Q20 8 21-8' fill='none' stroke-width='8'/><path d='M0 4Q20 8 21-8' fill='none' stroke='{hair}' stroke-width='3.4'/>\
         <path d='M21-24L30-9L21-12L12-9Z' fill='{hair}'/>",
        hair = palette.hair
    )
}

fn leaf(palette: &Palette) -> String {
    format!(
        "<path d='M0 2C8-14 26-14 29-10C27 4 12 10 0 2Z' fill='{}'/>",
        palette.hair
    )
}

fn scaled(palette: &Palette) -> String {
    format!(
        "<path d='M-4-10Q12-6 15-16Q17-8 22-10Q23-3 30-4Q26 12-4 10Z' fill='{}'/>",
        palette.hair
    )
}
