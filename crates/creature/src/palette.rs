//! The colours of one creature. Skin is light and the outline dark whatever the hue, and outfit and hair
//! lie between them, so that all four are told apart even where their hues meet.

use crate::appearance::{Appearance, LIGHTNESS};
use crate::colour::Colour;

/// How much colour there is left in a creature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tone {
    Full,
    /// It has gone pale.
    Pale,
    /// It is nearly grey.
    Grey,
}

impl Tone {
    fn share(self) -> f64 {
        match self {
            Self::Full => 1.0,
            Self::Pale => 0.42,
            Self::Grey => 0.12,
        }
    }
}

/// The colours of one creature, as they are written.
#[derive(Debug, Clone)]
pub(crate) struct Palette {
    pub skin: String,
    pub skin_light: String,
    pub skin_dark: String,
    pub belly: String,
    pub line: String,
    pub hair: String,
    pub hair_dark: String,
    pub hair_light: String,
    pub outfit: String,
    pub outfit_dark: String,
    pub outfit_light: String,
    pub blush: String,
    pub gold: String,
}

/// What eyes, mouths and things are drawn with.
pub(crate) const INK: &str = "#1d1b2e";

impl Palette {
    pub(crate) fn of(looks: &Appearance, tone: Tone) -> Self {
        let paint = |lightness: f64, chroma: f64, hue: f64| {
            Colour::new(lightness, chroma * tone.share(), hue).hex()
        };
        let (hue, skin) = (looks.skin_hue, skin_lightness(looks));
        let outfit = outfit_lightness(looks);
        Self {
            skin: paint(skin, 0.145, hue),
            skin_light: paint(skin + 0.13, 0.10, hue + 10.0),
            skin_dark: paint(skin - 0.15, 0.145, hue - 14.0),
            belly: paint(0.94, 0.045, hue + 25.0),
            line: paint(LINE, 0.065, hue - 8.0),
            hair: paint(0.65 + sunny(looks.hair_hue), 0.18, looks.hair_hue),
            hair_dark: paint(0.5, 0.15, looks.hair_hue - 8.0),
            hair_light: paint(0.82, 0.12, looks.hair_hue + 8.0),
            outfit: paint(outfit, 0.18, looks.outfit_hue),
            outfit_dark: paint(outfit - 0.14, 0.15, looks.outfit_hue - 8.0),
            outfit_light: paint(0.89, 0.10, looks.outfit_hue + 6.0),
            blush: paint(0.7, 0.17, 15.0),
            gold: paint(0.86, 0.16, 90.0),
        }
    }
}

/// How light the outline is.
const LINE: f64 = 0.27;
/// How light outfits are, as far as they may be like the skin.
const OUTFIT: f64 = 0.56;

/// How far two hues are apart, in degrees.
fn apart(one: f64, other: f64) -> f64 {
    let way = (one - other).rem_euclid(360.0);
    let way = way.min(360.0 - way);
    if way.is_finite() { way } else { 0.0 }
}

/// How much lighter a hue wants to be: a dark yellow is no yellow.
fn sunny(hue: f64) -> f64 {
    0.15 * (1.0 - apart(hue, 95.0) / 60.0).max(0.0)
}

/// Outfits of another hue than the skin may be as light as their hue wants.
fn outfit_lightness(looks: &Appearance) -> f64 {
    let free = ((apart(looks.outfit_hue, looks.skin_hue) - 30.0) / 40.0).clamp(0.0, 1.0);
    OUTFIT + free * (0.04 + sunny(looks.outfit_hue))
}

/// How light the skin is: the range of looks becomes one in which every hue has colour.
fn skin_lightness(looks: &Appearance) -> f64 {
    let (least, most) = LIGHTNESS;
    let share = (looks.skin_lightness - least) / (most - least);
    let share = if share.is_finite() { share } else { 0.5 };
    0.72 + 0.11 * share.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast as accessibility guidelines reckon it.
    fn contrast(one: Colour, other: Colour) -> f64 {
        let (one, other) = (one.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn outline_and_outfit_stand_out_in_every_hue() {
        for hue in (0..360).step_by(5).map(f64::from) {
            for lightness in [LIGHTNESS.0, LIGHTNESS.1] {
                let looks = Appearance {
                    skin_lightness: lightness,
                    skin_hue: hue,
                    outfit_hue: hue,
                    ..Appearance::of("any")
                };
                let skin = Colour::new(skin_lightness(&looks), 0.145, hue);
                let line = Colour::new(LINE, 0.065, hue);
                let outfit = Colour::new(outfit_lightness(&looks), 0.18, hue);
                assert!(contrast(skin, line) > 5.0, "{hue}: skin and line");
                assert!(contrast(outfit, line) > 2.5, "{hue}: outfit and line");
                assert!(contrast(outfit, skin) > 1.6, "{hue}: outfit and skin");
                let night = Colour::new(0.2, 0.03, 270.0);
                assert!(contrast(skin, night) > 5.0, "{hue}: skin and a dark page");
            }
        }
    }

    #[test]
    fn odd_numbers_give_colours_all_the_same() {
        let odd = Appearance {
            skin_hue: f64::NAN,
            hair_hue: -1e300,
            outfit_hue: f64::INFINITY,
            skin_lightness: f64::NAN,
            ..Appearance::of("odd")
        };
        let palette = Palette::of(&odd, Tone::Full);
        for colour in [palette.skin, palette.hair, palette.outfit, palette.line] {
            assert!(colour.len() == 7 && colour.starts_with('#'), "{colour}");
        }
    }
}
