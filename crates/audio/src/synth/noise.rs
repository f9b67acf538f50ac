//! Noise that is the same each time.

/// A row of numbers from -1 to 1 that nobody would call a tone (xorshift).
#[derive(Debug)]
pub(super) struct Noise(u32);

impl Noise {
    pub(super) fn new() -> Self {
        Self(0x5EED_BE11)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "sixteen million steps are enough for noise"
    )]
    pub(super) fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }
}
