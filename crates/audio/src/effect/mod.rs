//! The thirty effects. They are made, not stored: a patch of a few notes each, in `table`.

mod bodies;
mod table;

use crate::Clip;
use crate::synth::{Patch, render};

#[derive(Debug)]
pub struct Effect {
    /// Its name, that of the file for which it stands in.
    pub name: &'static str,
    /// What it sounds like, in a few words.
    pub about: &'static str,
    patch: Patch,
}

impl Effect {
    /// Every effect, by name.
    pub const ALL: &'static [Effect] = table::EFFECTS;

    /// The effect of a name.
    pub fn named(name: &str) -> Option<&'static Effect> {
        Self::ALL.iter().find(|effect| effect.name == name)
    }

    /// Makes its samples.
    pub fn render(&self) -> Clip {
        render(&self.patch)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use super::*;
    use crate::loudness::tests::loudness;
    use crate::loudness::{LOUDNESS, PEAK};

    #[test]
    fn there_are_thirty_in_order_and_each_has_a_name_of_its_own() {
        let names: Vec<&str> = Effect::ALL.iter().map(|effect| effect.name).collect();
        assert_eq!(names.len(), 30);
        assert!(names.is_sorted());
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 30);
        assert!(Effect::named("bell_call").is_some());
        assert!(Effect::named("bell").is_none());
    }

    #[test]
    fn all_are_as_loud_as_each_other() {
        for effect in Effect::ALL {
            let clip = effect.render();
            let off = loudness(&clip) - LOUDNESS;
            assert!(off.abs() < 0.3, "{} is {off:+.2} LU off", effect.name);
            let strongest = clip.samples.iter().map(|it| it.unsigned_abs()).max();
            let strongest = f32::from(strongest.unwrap_or_default()) / 32_768.0;
            assert!(strongest <= PEAK, "{} reaches {strongest}", effect.name);
        }
    }

    #[test]
    fn none_is_long_or_clicks() {
        for effect in Effect::ALL {
            let clip = effect.render();
            let longest = Duration::from_millis(1_400);
            let length = clip.duration();
            assert!(length < longest, "{} lasts {length:?}", effect.name);
            let samples = &clip.samples;
            let (first, last) = (samples[0], samples[samples.len() - 1]);
            assert_eq!((first, last), (0, 0), "{}", effect.name);
            // The first and last millisecond come out of silence and go into it.
            let edges = samples[..24].iter().chain(&samples[samples.len() - 96..]);
            let loudest = edges.map(|sample| sample.unsigned_abs()).max();
            assert!(loudest < Some(1_500), "{}: {loudest:?}", effect.name);
        }
    }

    #[test]
    fn the_same_each_time() {
        for effect in Effect::ALL {
            assert_eq!(effect.render(), effect.render(), "{}", effect.name);
        }
    }
}
