//! The things that are struck, plucked and blown in the effects.

use crate::synth::{Body, Mode, Series};

const fn mode(ratio: f32, level: f32, decay: f32) -> Mode {
    Mode {
        ratio,
        level,
        decay,
    }
}

/// A bronze bell: the hum below, the strike tone, the minor third that makes it a bell, and the shimmer.
pub(super) const BELL: Body = Body::Struck(&[
    mode(0.5, 0.25, 0.60),
    mode(1.0, 1.0, 0.42),
    mode(1.003, 0.5, 0.40),
    mode(1.19, 0.45, 0.30),
    mode(1.5, 0.25, 0.24),
    mode(2.0, 0.55, 0.26),
    mode(2.67, 0.22, 0.14),
    mode(3.01, 0.18, 0.11),
    mode(4.17, 0.12, 0.07),
    mode(5.43, 0.08, 0.04),
]);

/// A small hand bell: brighter, nearly without hum.
pub(super) const HAND_BELL: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.34),
    mode(1.004, 0.6, 0.30),
    mode(2.76, 0.5, 0.20),
    mode(5.40, 0.25, 0.10),
    mode(8.93, 0.10, 0.04),
]);

/// Rosewood over a tube: the bar is tuned two octaves and more above its ground.
pub(super) const MARIMBA: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.16),
    mode(3.98, 0.30, 0.045),
    mode(9.8, 0.12, 0.016),
    mode(17.0, 0.05, 0.008),
]);

/// The same, struck with a hard mallet near its end.
pub(super) const HARD_MARIMBA: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.13),
    mode(3.98, 0.55, 0.05),
    mode(9.8, 0.30, 0.02),
    mode(17.0, 0.12, 0.01),
]);

/// A hollow block of wood.
pub(super) const WOOD: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.035),
    mode(2.57, 0.5, 0.018),
    mode(4.95, 0.25, 0.010),
]);

pub(super) const GLASS: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.22),
    mode(2.32, 0.35, 0.13),
    mode(4.25, 0.18, 0.07),
    mode(6.63, 0.08, 0.03),
]);

/// A soft, round tone.
pub(super) const SOFT: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.16),
    mode(2.0, 0.18, 0.10),
    mode(3.0, 0.06, 0.06),
]);

/// The same, held.
pub(super) const HELD: Body = Body::Struck(&[
    mode(1.0, 1.0, 0.45),
    mode(2.0, 0.16, 0.30),
    mode(3.0, 0.05, 0.20),
]);

/// A harp's string.
pub(super) const HARP: Body = Body::Plucked {
    brightness: 0.42,
    decay: 0.55,
};

/// The hollow square of an old game, short.
pub(super) const CHIP: Body = chip(0.5);

/// The same, dying away.
pub(super) const CHIP_FADING: Body = chip(0.13);

const fn chip(decay: f32) -> Body {
    Body::Reed {
        series: Series::Odd,
        dullness: 1.15,
        decay,
    }
}

pub(super) const BUZZER: Body = Body::Reed {
    series: Series::All,
    dullness: 0.8,
    decay: 2.0,
};

/// A bowed, electric tone.
pub(super) const SAW: Body = Body::Reed {
    series: Series::All,
    dullness: 1.25,
    decay: 0.4,
};

/// A dull thud with a nasal edge.
pub(super) const THUD: Body = Body::Bent {
    ratio: 1.41,
    depth: 3.0,
    fade: 0.04,
    decay: 0.12,
};

/// A siren that gives up.
pub(super) const SIREN: Body = Body::Bent {
    ratio: 1.5,
    depth: 1.6,
    fade: 0.5,
    decay: 0.5,
};

pub(super) const DATA: Body = Body::Bent {
    ratio: 3.37,
    depth: 4.0,
    fade: 0.2,
    decay: 0.3,
};

pub(super) const AIR: Body = Body::Breath {
    narrowness: 2.0,
    decay: 0.12,
};

pub(super) const STATIC: Body = Body::Breath {
    narrowness: 0.8,
    decay: 0.4,
};
