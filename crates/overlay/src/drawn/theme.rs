//! The colours of the page, by its names.

use resvg::tiny_skia::ColorU8;

macro_rules! theme {
    ($($name:ident $css:literal: $dark:literal, $light:literal;)+) => {
        #[derive(Debug, PartialEq, Eq)]
        pub struct Theme {
            $(pub $name: u32,)+
        }

        impl Theme {
            pub const DARK: Self = Self { $($name: $dark,)+ };
            pub const LIGHT: Self = Self { $($name: $light,)+ };

            /// What the page calls each colour, and its value by night and by day.
            #[cfg(test)]
            const NAMES: &[(&str, u32, u32)] = &[$(($css, $dark, $light),)+];
        }
    };
}

theme! {
    raised "raised": 0x13_1a_38, 0xff_ff_ff;
    raised_2 "raised-2": 0x1b_24_49, 0xec_ef_fb;
    field "field": 0x0e_15_30, 0xff_ff_ff;
    line "line": 0x26_31_62, 0xd8_de_f3;
    line_strong "line-strong": 0x47_53_8f, 0x97_a2_ce;
    text "text": 0xec_ef_ff, 0x17_1d_3a;
    muted "muted": 0xa9_b3_dc, 0x50_5a_86;
    accent "accent": 0x9d_b0_ff, 0x3b_4b_c8;
    on_accent "on-accent": 0x0d_14_35, 0xff_ff_ff;
    ask "ask": 0xff_cf_66, 0x8a_5a_00;
    work "work": 0x5c_d3_ee, 0x00_69_7f;
    good "good": 0x6f_e3_ac, 0x0d_6b_43;
    bad "bad": 0xff_8f_8f, 0xb3_26_1e;
    calm "calm": 0xa9_b3_dc, 0x50_5a_86;
}

/// The dot with the number of questions: the red that people know from such dots, on any wallpaper, and white on it.
pub(super) const ALERT: u32 = 0xd2_27_35;
pub(super) const ON_ALERT: u32 = 0xff_ff_ff;
/// Deep blue, as the page's shadows.
pub(super) const SHADOW: u32 = 0x04_07_18;

impl Theme {
    /// How strong the shadow of a card is: by day less of it is seen.
    pub(super) const fn shadow(&self) -> f32 {
        if self.raised > 0x80_00_00 { 0.22 } else { 0.42 }
    }
}

/// A colour as the painter takes it.
pub(super) fn opaque(colour: u32) -> ColorU8 {
    shade(colour, 1.0)
}

/// The same, through which the ground shows.
pub(super) fn shade(colour: u32, alpha: f32) -> ColorU8 {
    let [_, red, green, blue] = colour.to_be_bytes();
    let alpha = super::canvas::byte(alpha * 255.0);
    ColorU8::from_rgba(red, green, blue, alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../web/src/styles/tokens.css");

    #[test]
    fn the_colours_are_those_of_the_page() {
        let (dark, light) = PAGE.split_once("[data-theme='light']").unwrap();
        for (name, by_night, by_day) in Theme::NAMES {
            for (part, colour) in [(dark, by_night), (light, by_day)] {
                let line = format!("--{name}: #{colour:06x};");
                assert!(part.contains(&line), "the page has no {line}");
            }
        }
        assert_ne!(Theme::DARK, Theme::LIGHT);
    }
}
