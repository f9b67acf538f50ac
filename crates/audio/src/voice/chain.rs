//! The chain: asks engines in the person's order until one speaks.
//!
//! Whoever plays what it gives may find that the sound breaks off; [`Chain::after`] then has the same
//! line spoken by whoever comes next.

use std::sync::Arc;
use std::time::Instant;

use super::cache::{Cache, Key};
use super::standing::{News, Standing};
use super::{Engine, Keys, Line, Settings, Tongue};
use crate::levelled::Levelled;
use crate::{AudioError, Format, Lasting, Source, Stop};

/// Engines in order.
pub struct Chain {
    engines: Vec<Box<dyn Engine>>,
    latin: Tongue,
    standing: Arc<Standing>,
    cache: Option<Arc<Cache>>,
}

/// A line that is being spoken.
pub struct Spoken {
    pub source: Box<dyn Source>,
    /// Who speaks: what [`Chain::after`] wants should the sound break off.
    pub engine: &'static str,
    /// What went wrong with those before, if it is news. For a log.
    pub troubles: Vec<String>,
}

impl Chain {
    /// The chain that the settings name, with what was rendered before if there is a place for it.
    pub fn new(settings: &Settings, keys: &Keys, cache: Option<Cache>) -> Self {
        let engines = settings.chain.iter().map(|name| name.build(settings, keys));
        Self::of(engines.collect(), settings.latin(), cache)
    }

    /// A chain of these engines.
    pub fn of(engines: Vec<Box<dyn Engine>>, latin: Tongue, cache: Option<Cache>) -> Self {
        Self {
            engines,
            latin,
            standing: Arc::default(),
            cache: cache.map(Arc::new),
        }
    }

    /// Its engines, in order.
    pub fn engines(&self) -> impl Iterator<Item = &dyn Engine> {
        self.engines.iter().map(AsRef::as_ref)
    }

    /// The language that a text would be read in.
    pub fn language_of(&self, text: &str) -> Tongue {
        Tongue::of(text, &self.latin)
    }

    /// Whether any of its engines has what it needs.
    pub fn is_configured(&self) -> bool {
        self.engines().any(|engine| engine.ready().is_ok())
    }

    /// Who would speak a language, if nothing goes wrong.
    pub fn speaker(&self, language: &Tongue) -> Option<&dyn Engine> {
        self.engines()
            .find(|engine| engine.speaks(language) && engine.ready().is_ok())
    }

    /// Has the first engine that can speak a line.
    pub fn speak(&self, line: &Line, stop: &Stop) -> Result<Spoken, AudioError> {
        self.ask(0, line, stop)
    }

    /// Has a line spoken by whoever comes after an engine whose sound broke off.
    pub fn after(&self, engine: &str, line: &Line, stop: &Stop) -> Result<Spoken, AudioError> {
        let at = self.engines().position(|it| it.name() == engine);
        self.ask(at.map_or(0, |at| at + 1), line, stop)
    }

    fn ask(&self, first: usize, line: &Line, stop: &Stop) -> Result<Spoken, AudioError> {
        let language = self.language_of(&line.text);
        let (mut troubles, mut last) = (Vec::new(), None);
        for engine in self.engines[first..].iter().map(AsRef::as_ref) {
            if !engine.speaks(&language) || engine.ready().is_err() {
                continue;
            }
            match self.ask_one(engine, line, stop) {
                Ok(source) => {
                    let engine = engine.name();
                    return Ok(Spoken {
                        source,
                        engine,
                        troubles,
                    });
                }
                Err(Refusal::Before(reason)) => {
                    let error = || AudioError::voice(engine.name(), Lasting::While, reason);
                    last.get_or_insert_with(error);
                }
                Err(Refusal::Now(error)) => {
                    if note(&self.standing, engine.name(), &error) == News::Told {
                        troubles.push(error.to_string());
                    }
                    last = Some(error);
                }
            }
        }
        Err(last.unwrap_or_else(|| no_voice(&language)))
    }

    fn ask_one(
        &self,
        engine: &dyn Engine,
        line: &Line,
        stop: &Stop,
    ) -> Result<Box<dyn Source>, Refusal> {
        let key = Key::of(engine, line);
        if let Some(clip) = self.cache.as_ref().and_then(|cache| cache.get(&key)) {
            return Ok(levelled(Box::new(clip), engine));
        }
        if let Some(reason) = self.standing.passed_over(engine.name(), Instant::now()) {
            return Err(Refusal::Before(reason));
        }
        let source = engine.speak(line, stop).map_err(Refusal::Now)?;
        let watched = Watched {
            source,
            engine: engine.name(),
            standing: Arc::clone(&self.standing),
            cache: self.cache.clone().map(|cache| (cache, key)),
            stop: stop.clone(),
            heard: Vec::new(),
        };
        Ok(levelled(Box::new(watched), engine))
    }
}

/// What is kept is what the engine made; what is heard is as loud as everything else.
fn levelled(source: Box<dyn Source>, engine: &dyn Engine) -> Box<dyn Source> {
    Box::new(Levelled::new(source, engine.loudness()))
}

/// Why an engine did not speak.
enum Refusal {
    /// It failed lately, and was not asked.
    Before(String),
    /// It was asked and failed.
    Now(AudioError),
}

fn note(standing: &Standing, engine: &'static str, error: &AudioError) -> News {
    let lasting = match error {
        AudioError::Voice { lasting, .. } => *lasting,
        _ => Lasting::Line,
    };
    standing.failed(engine, lasting, error.to_string(), Instant::now())
}

fn no_voice(language: &Tongue) -> AudioError {
    let advice = match language.primary() {
        _ if language.is_latin() => "name an engine in `voice.chain`".to_owned(),
        code => format!("install espeak-ng, which has `{code}`, or a piper model for it"),
    };
    AudioError::NoVoice {
        language: language.to_string(),
        advice,
    }
}

/// A sound on its way: remembers how the engine stands once it is over, and keeps what is whole.
struct Watched {
    source: Box<dyn Source>,
    engine: &'static str,
    standing: Arc<Standing>,
    cache: Option<(Arc<Cache>, Key)>,
    stop: Stop,
    heard: Vec<i16>,
}

impl Source for Watched {
    fn format(&self) -> Format {
        self.source.format()
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        match self.source.next() {
            Ok(Some(samples)) => {
                if self.cache.is_some() {
                    self.heard.extend_from_slice(&samples);
                }
                Ok(Some(samples))
            }
            Ok(None) => {
                self.end();
                Ok(None)
            }
            Err(error) => {
                note(&self.standing, self.engine, &error);
                Err(error)
            }
        }
    }
}

impl Watched {
    fn end(&mut self) {
        // What was stopped is neither whole nor a proof that the engine works.
        if self.stop.is_wished() {
            return;
        }
        self.standing.spoke(self.engine);
        if let Some((cache, key)) = self.cache.take() {
            let samples = std::mem::take(&mut self.heard);
            cache.put(
                &key,
                &crate::Clip {
                    format: self.source.format(),
                    samples,
                },
            );
        }
    }
}

#[cfg(test)]
mod tests;
