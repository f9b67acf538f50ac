//! How an agent looks: a pure function of its id, so that it looks the same everywhere and for ever.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many shapes there are to choose from. An accessory may also be none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotCounts {
    /// Bodies.
    pub body: u32,
    /// What grows on top.
    pub hair: u32,
    /// Outfits.
    pub outfit: u32,
    /// Accessories.
    pub accessory: u32,
    /// Faces.
    pub face: u32,
}

impl SlotCounts {
    /// The shapes that our creatures are drawn with.
    pub const DRAWN: Self = Self {
        body: 8,
        hair: 8,
        outfit: 6,
        accessory: 8,
        face: 7,
    };
}

impl Default for SlotCounts {
    fn default() -> Self {
        Self::DRAWN
    }
}

/// The palest and the darkest skin, in percent of lightness.
pub const LIGHTNESS: (f64, f64) = (75.0, 89.0);

/// How an agent looks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Appearance {
    /// Which body.
    pub body_index: u32,
    /// What grows on top.
    pub hair_index: u32,
    /// Which outfit.
    pub outfit_index: u32,
    /// Which accessory, counted from one; 0 for none.
    pub accessory_index: u32,
    /// Which face.
    pub face_index: u32,
    /// The hue of what grows on top, in degrees.
    pub hair_hue: f64,
    /// The outfit's hue.
    pub outfit_hue: f64,
    /// The body's hue.
    pub skin_hue: f64,
    /// The body's lightness, in percent.
    pub skin_lightness: f64,
}

impl Appearance {
    /// How the agent of this id looks.
    pub fn of(id: &str) -> Self {
        Self::with(id, SlotCounts::default(), LIGHTNESS)
    }

    /// The same with other shapes to choose from. The order of the draws is what makes the values.
    pub fn with(id: &str, counts: SlotCounts, lightness: (f64, f64)) -> Self {
        let mut random = Mulberry(seed(id));
        let body_index = random.index(counts.body);
        let hair_index = random.index(counts.hair);
        let outfit_index = random.index(counts.outfit);
        let accessory_index = random.index(counts.accessory.saturating_add(1));
        let face_index = random.index(counts.face);
        Self {
            body_index,
            hair_index,
            outfit_index,
            accessory_index,
            face_index,
            hair_hue: random.fraction() * 360.0,
            outfit_hue: random.fraction() * 360.0,
            skin_hue: random.fraction() * 360.0,
            skin_lightness: lightness.0 + random.fraction() * (lightness.1 - lightness.0),
        }
    }

    /// How a child of this agent looks: it has its parent's body and hue, and the rest is its own.
    #[must_use]
    pub fn inherit(&self, id: &str) -> Self {
        Self {
            body_index: self.body_index,
            skin_hue: self.skin_hue,
            ..Self::of(id)
        }
    }
}

/// The seed that an id gives.
pub fn seed(id: &str) -> u32 {
    id.bytes().fold(0, |hash: u32, byte| {
        hash.wrapping_mul(31).wrapping_add(u32::from(byte))
    })
}

/// Mulberry32 as the first of these creatures were drawn with it: in its second line the sum is
/// multiplied, where the usual one multiplies first. The looks of every agent rest on that.
struct Mulberry(u32);

impl Mulberry {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 15)).wrapping_mul(bits | 1);
        bits ^= bits
            .wrapping_add(bits ^ (bits >> 7))
            .wrapping_mul(bits | 0x3d);
        bits ^ (bits >> 14)
    }

    /// At least 0, below 1.
    fn fraction(&mut self) -> f64 {
        f64::from(self.next()) / 4_294_967_296.0
    }

    /// One of so many; 0 where there are none.
    fn index(&mut self, count: u32) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a fraction of a u32 is one"
        )]
        let index = (self.fraction() * f64::from(count)) as u32;
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_id_looks_the_same_and_another_differs() {
        assert_eq!(Appearance::of("worker-7"), Appearance::of("worker-7"));
        assert_ne!(Appearance::of("worker-7"), Appearance::of("worker-8"));
        assert_eq!(seed("ab"), 97 * 31 + 98);
    }

    #[test]
    fn a_child_has_its_parents_body_and_hue() {
        let parent = Appearance::of("parent");
        let child = parent.inherit("child");
        assert_eq!(
            (child.body_index, child.skin_hue),
            (parent.body_index, parent.skin_hue)
        );
        assert_eq!(
            Appearance {
                body_index: child.body_index,
                skin_hue: child.skin_hue,
                ..Appearance::of("child")
            },
            child
        );
    }

    #[test]
    fn every_index_is_in_its_range() {
        let counts = SlotCounts::default();
        for number in 0..2_000 {
            let looks = Appearance::of(&format!("agent-{number}"));
            assert!(looks.body_index < counts.body && looks.hair_index < counts.hair);
            assert!(looks.accessory_index <= counts.accessory);
            assert!((LIGHTNESS.0..LIGHTNESS.1).contains(&looks.skin_lightness));
        }
    }
}
