//! Colours by how they are seen (OKLCH), written as sRGB.

/// A colour: lightness from 0 to 1, chroma from 0 to about 0.3, and a hue in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Colour {
    pub lightness: f64,
    pub chroma: f64,
    pub hue: f64,
}

impl Colour {
    pub(crate) fn new(lightness: f64, chroma: f64, hue: f64) -> Self {
        let hue = if hue.is_finite() { hue } else { 0.0 };
        Self {
            lightness: lightness.clamp(0.0, 1.0),
            chroma: chroma.max(0.0),
            hue: hue.rem_euclid(360.0),
        }
    }

    /// The colour as `#rrggbb`. What a screen cannot show loses chroma until it can, so that hue and
    /// lightness stay.
    pub(crate) fn hex(self) -> String {
        let [red, green, blue] = self.shown().map(byte);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Linear red, green and blue of the nearest colour that a screen shows.
    fn shown(self) -> [f64; 3] {
        if within(self.linear()) {
            return self.linear();
        }
        let (mut least, mut most) = (0.0, self.chroma);
        for _ in 0..16 {
            let chroma = f64::midpoint(least, most);
            if within((Self { chroma, ..self }).linear()) {
                least = chroma;
            } else {
                most = chroma;
            }
        }
        let chroma = least;
        (Self { chroma, ..self }).linear()
    }

    /// Linear red, green and blue, by Ottosson's matrices.
    fn linear(self) -> [f64; 3] {
        let (sin, cos) = self.hue.to_radians().sin_cos();
        let (green_red, blue_yellow) = (self.chroma * cos, self.chroma * sin);
        let cone = |a: f64, b: f64| (self.lightness + a * green_red + b * blue_yellow).powi(3);
        let long = cone(0.396_337_777_4, 0.215_803_757_3);
        let medium = cone(-0.105_561_345_8, -0.063_854_172_8);
        let short = cone(-0.089_484_177_5, -1.291_485_548);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701 * short,
        ]
    }

    /// How bright it is to the eye, as contrast is reckoned.
    #[cfg(test)]
    pub(crate) fn luminance(self) -> f64 {
        let [red, green, blue] = self.shown();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

fn within(parts: [f64; 3]) -> bool {
    parts.iter().all(|part| (-0.000_1..=1.000_1).contains(part))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is clamped to a byte"
)]
fn byte(linear: f64) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let curved = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (curved * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_come_out() {
        for (lightness, chroma, hue, hex) in [
            (0.0, 0.0, 0.0, "#000000"),
            (1.0, 0.0, 0.0, "#ffffff"),
            (0.627_96, 0.257_68, 29.234, "#ff0000"),
            (0.866_44, 0.294_83, 142.495, "#00ff00"),
            (0.452_01, 0.313_21, 264.052, "#0000ff"),
            (0.599_87, 0.0, 0.0, "#808080"),
        ] {
            assert_eq!(Colour::new(lightness, chroma, hue).hex(), hex);
        }
    }

    #[test]
    fn what_cannot_be_shown_keeps_its_hue_and_lightness() {
        for hue in 0..360 {
            let colour = Colour::new(0.7, 0.4, f64::from(hue));
            let shown = colour.shown();
            assert!(within(shown), "{hue}: {shown:?}");
            let paler = Colour::new(0.7, 0.02, f64::from(hue));
            assert!(
                (colour.luminance() - paler.luminance()).abs() < 0.12,
                "{hue}"
            );
        }
        assert_eq!(Colour::new(0.5, 0.1, f64::NAN), Colour::new(0.5, 0.1, 0.0));
    }
}
