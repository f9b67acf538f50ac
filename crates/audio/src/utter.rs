//! Makes something heard as a whole: an effect, a pause, words. The words are made ready while the
//! effect is heard, and when a voice breaks off the next one says the same line.

use std::time::{Duration, Instant};

use crate::character::Character;
use crate::player::{Ending, Played, Player};
use crate::voice::{Chain, Line, Spoken};
use crate::{AudioError, Clip, Format, Stop};

/// What is to be heard.
#[derive(Debug, Clone, Default)]
pub struct Utterance {
    /// The effect, and how loud.
    pub effect: Option<(Clip, f32)>,
    /// How long it is quiet between effect and words.
    pub pause: Duration,
    /// The words, and how loud.
    pub words: Option<(Line, f32)>,
}

#[derive(Debug)]
pub struct Uttered {
    /// When the first sample left for the speakers.
    pub first_sample: Option<Instant>,
    /// Who spoke, if anybody did.
    pub engine: Option<&'static str>,
    /// Whether it was heard to its end.
    pub ending: Ending,
    /// What went wrong on the way. The effect was heard all the same when only the words failed.
    pub troubles: Vec<String>,
    /// Why the words were not spoken, when an effect was heard without them.
    pub unspoken: Option<AudioError>,
}

/// Who speaks, in whose words.
pub struct Mouth<'a> {
    pub chain: &'a Chain,
    /// Who tells it in their own words.
    pub character: Option<&'a Character>,
}

impl Mouth<'_> {
    /// Makes something heard, and comes back once it has been.
    pub fn utter(
        &self,
        utterance: &mut Utterance,
        player: &mut dyn Player,
        stop: &Stop,
    ) -> Result<Uttered, AudioError> {
        let words = utterance.words.take();
        let Some((mut effect, volume)) = utterance.effect.take() else {
            return match words {
                Some((line, volume)) => self.speak(self.begin(line, stop), volume, player, stop),
                None => Ok(nothing()),
            };
        };
        let pause = utterance.pause;
        std::thread::scope(|scope| {
            let words =
                words.map(|(line, volume)| (scope.spawn(|| self.begin(line, stop)), volume));
            let done = player.play(&mut effect, volume, stop)?;
            let Some((beginning, volume)) = words.filter(|_| done.ending == Ending::Whole) else {
                return Ok(heard(done, None));
            };
            if !pause.is_zero() {
                player.play(&mut silence(effect.format, pause), 1.0, stop)?;
            }
            let begun = beginning.join().unwrap_or_else(|_| Err(lost()));
            Ok(after_effect(done, self.speak(begun, volume, player, stop)))
        })
    }

    /// Has the line told, and waits for the first samples.
    fn begin(&self, mut line: Line, stop: &Stop) -> Result<(Line, Spoken), AudioError> {
        if let Some(character) = self.character {
            line.text = character.rewrite(&line.text).text;
        }
        let spoken = self.chain.speak(&line, stop)?;
        Ok((line, spoken))
    }

    fn speak(
        &self,
        begun: Result<(Line, Spoken), AudioError>,
        volume: f32,
        player: &mut dyn Player,
        stop: &Stop,
    ) -> Result<Uttered, AudioError> {
        let (line, mut spoken) = begun?;
        let mut troubles = std::mem::take(&mut spoken.troubles);
        loop {
            match player.play(spoken.source.as_mut(), volume, stop) {
                Ok(done) => {
                    let mut uttered = heard(done, Some(spoken.engine));
                    uttered.troubles = troubles;
                    return Ok(uttered);
                }
                Err(error) if error.is_of_voice() => {
                    troubles.push(error.to_string());
                    spoken = self.chain.after(spoken.engine, &line, stop)?;
                    troubles.append(&mut spoken.troubles);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// What was heard of effect and words together.
fn after_effect(played: Played, spoken: Result<Uttered, AudioError>) -> Uttered {
    match spoken {
        Ok(uttered) => Uttered {
            first_sample: played.first_sample,
            ..uttered
        },
        Err(error) => Uttered {
            unspoken: Some(error),
            ..heard(played, None)
        },
    }
}

fn heard(played: Played, engine: Option<&'static str>) -> Uttered {
    Uttered {
        first_sample: played.first_sample,
        engine,
        ending: played.ending,
        troubles: Vec::new(),
        unspoken: None,
    }
}

fn nothing() -> Uttered {
    heard(
        Played {
            first_sample: None,
            ending: Ending::Whole,
        },
        None,
    )
}

fn silence(format: Format, lasting: Duration) -> Clip {
    Clip {
        format,
        samples: vec![0; format.samples(lasting)],
    }
}

fn lost() -> AudioError {
    AudioError::voice("the voice", crate::Lasting::Line, "it ended unexpectedly")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::voice::{Engine, Known, Lack, Tongue};

    const MONO: Format = Format::mono(1000);

    /// Plays into memory: what was heard, one entry a sound.
    #[derive(Default)]
    struct Ears(Vec<Vec<i16>>);

    impl Player for Ears {
        fn name(&self) -> &'static str {
            "ears"
        }

        fn play(&mut self, sound: &mut dyn Source, _: f32, _: &Stop) -> Result<Played, AudioError> {
            self.0.push(Vec::new());
            while let Some(chunk) = sound.next()? {
                if let Some(last) = self.0.last_mut() {
                    last.extend(chunk);
                }
            }
            Ok(Played {
                first_sample: None,
                ending: Ending::Whole,
            })
        }
    }

    /// Says one sample for each character, and breaks off after so many.
    struct Talker(&'static str, Option<usize>);

    struct Talk(Vec<i16>, Option<usize>, &'static str);

    impl Source for Talk {
        fn format(&self) -> Format {
            MONO
        }

        fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
            match self.1.take() {
                Some(0) => Err(AudioError::voice(self.2, crate::Lasting::Line, "cut")),
                Some(count) => {
                    self.1 = Some(0);
                    Ok(Some(self.0.drain(..count.min(self.0.len())).collect()))
                }
                None => Ok((!self.0.is_empty()).then(|| std::mem::take(&mut self.0))),
            }
        }
    }

    impl Engine for Talker {
        fn name(&self) -> &'static str {
            self.0
        }

        fn ready(&self) -> Result<(), Lack> {
            Ok(())
        }

        fn speaks(&self, _: &Tongue) -> bool {
            true
        }

        fn voices(&self) -> Result<Vec<Known>, AudioError> {
            Ok(Vec::new())
        }

        fn fingerprint(&self) -> String {
            String::new()
        }

        fn speak(&self, line: &Line, _: &Stop) -> Result<Box<dyn Source>, AudioError> {
            let samples = line.text.chars().map(|_| 7).collect();
            Ok(Box::new(Talk(samples, self.1, self.0)))
        }
    }

    fn utterance(words: &str) -> Utterance {
        let effect = Clip {
            format: MONO,
            samples: vec![3; 10],
        };
        Utterance {
            effect: Some((effect, 1.0)),
            pause: Duration::from_millis(4),
            words: Some((Line::new(words, 200), 1.0)),
        }
    }

    fn chain(talkers: Vec<Talker>) -> Chain {
        let engines = talkers
            .into_iter()
            .map(|talker| Box::new(talker) as Box<dyn Engine>);
        Chain::of(engines.collect(), Tongue::named("en"), None)
    }

    #[test]
    fn effect_pause_and_words_follow_each_other() {
        let chain = chain(vec![Talker("one", None)]);
        let mouth = Mouth {
            chain: &chain,
            character: None,
        };
        let mut ears = Ears::default();
        let uttered = mouth.utter(&mut utterance("hello"), &mut ears, &Stop::default());
        assert_eq!(uttered.unwrap().engine, Some("one"));
        assert_eq!(ears.0, [vec![3; 10], vec![0; 4], vec![7; 5]]);
    }

    #[test]
    fn when_a_voice_breaks_off_the_next_says_the_whole_line() {
        let chain = chain(vec![Talker("one", Some(2)), Talker("two", None)]);
        let mouth = Mouth {
            chain: &chain,
            character: None,
        };
        let mut ears = Ears::default();
        let uttered = mouth
            .utter(&mut utterance("hello"), &mut ears, &Stop::default())
            .unwrap();
        assert_eq!(uttered.engine, Some("two"));
        assert_eq!(ears.0[2..], [vec![7; 2], vec![7; 5]]);
        assert_eq!(uttered.troubles.len(), 1);
    }

    #[test]
    fn without_any_voice_the_effect_is_heard_alone() {
        let chain = chain(Vec::new());
        let mouth = Mouth {
            chain: &chain,
            character: None,
        };
        let mut ears = Ears::default();
        let uttered = mouth
            .utter(&mut utterance("hello"), &mut ears, &Stop::default())
            .unwrap();
        assert!(uttered.unspoken.is_some() && uttered.engine.is_none());
        let mut words_only = Utterance {
            effect: None,
            ..utterance("hello")
        };
        let failed = mouth.utter(&mut words_only, &mut ears, &Stop::default());
        assert!(failed.unwrap_err().is_of_voice());
    }
}
