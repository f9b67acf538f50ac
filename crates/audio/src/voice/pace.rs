//! How fast an engine speaks. `rate` is words a minute everywhere; each engine has its own scale and
//! its own limit beyond which nobody follows.

/// What an engine makes of words a minute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// How many words a minute it speaks when told nothing.
    pub own: f32,
    /// Its slowest speech that is worth hearing, in words a minute.
    pub slowest: f32,
    /// Its fastest speech that can be followed, in words a minute.
    pub fastest: f32,
}

impl Pace {
    /// Words a minute, held to what can be followed.
    pub(super) fn held(self, rate: u32) -> f32 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a rate is some hundreds; larger ones are held anyway"
        )]
        let rate = rate as f32;
        rate.clamp(self.slowest, self.fastest)
    }

    /// How many times its own speed that is.
    pub(super) fn speed(self, rate: u32) -> f32 {
        self.held(rate) / self.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_held_to_what_can_be_followed() {
        let pace = Pace {
            own: 160.0,
            slowest: 80.0,
            fastest: 320.0,
        };
        for (rate, speed) in [
            (160, 1.0),
            (240, 1.5),
            (350, 2.0),
            (0, 0.5),
            (u32::MAX, 2.0),
        ] {
            assert!((pace.speed(rate) - speed).abs() < 1e-6, "{rate}");
        }
    }
}
