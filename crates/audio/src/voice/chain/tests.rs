use std::sync::Mutex;

use super::*;
use crate::Lasting;
use crate::voice::{CacheSettings, Known, Lack};

/// An engine that does as it is told.
struct Fake {
    name: &'static str,
    languages: &'static [&'static str],
    fails: Option<Lasting>,
    breaks_off: bool,
    asked: Arc<Mutex<Vec<&'static str>>>,
}

impl Engine for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    fn ready(&self) -> Result<(), Lack> {
        if self.name == "unready" {
            return Err(Lack::of("no key", "set one"));
        }
        Ok(())
    }

    fn speaks(&self, language: &Tongue) -> bool {
        self.languages.iter().any(|it| language.is_read_by(it))
    }

    fn voices(&self) -> Result<Vec<Known>, AudioError> {
        Ok(Vec::new())
    }

    fn fingerprint(&self) -> String {
        String::new()
    }

    fn speak(&self, _: &Line, _: &Stop) -> Result<Box<dyn Source>, AudioError> {
        self.asked.lock().unwrap().push(self.name);
        if let Some(lasting) = self.fails {
            return Err(AudioError::voice(self.name, lasting, "told to"));
        }
        Ok(Box::new(Broken {
            left: 2,
            breaks_off: self.breaks_off,
            name: self.name,
        }))
    }
}

struct Broken {
    left: u8,
    breaks_off: bool,
    name: &'static str,
}

impl Source for Broken {
    fn format(&self) -> Format {
        Format::mono(16_000)
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        self.left = self.left.saturating_sub(1);
        match self.left {
            0 if self.breaks_off => Err(AudioError::voice(self.name, Lasting::While, "cut")),
            0 => Ok(None),
            _ => Ok(Some(vec![7; 100])),
        }
    }
}

#[derive(Default)]
struct Room {
    engines: Vec<Box<dyn Engine>>,
    asked: Arc<Mutex<Vec<&'static str>>>,
}

impl Room {
    fn with(mut self, name: &'static str, change: impl FnOnce(&mut Fake)) -> Self {
        let asked = Arc::clone(&self.asked);
        let mut fake = Fake {
            name,
            languages: &["en"],
            fails: None,
            breaks_off: false,
            asked,
        };
        change(&mut fake);
        self.engines.push(Box::new(fake));
        self
    }

    fn chain(self, cache: Option<Cache>) -> (Chain, Arc<Mutex<Vec<&'static str>>>) {
        (
            Chain::of(self.engines, Tongue::named("en-US"), cache),
            self.asked,
        )
    }
}

fn hear(mut spoken: Spoken) -> Result<usize, AudioError> {
    let mut heard = 0;
    while let Some(samples) = spoken.source.next()? {
        heard += samples.len();
    }
    Ok(heard)
}

#[test]
fn the_next_engine_speaks_and_the_failure_is_told_once() {
    let (chain, asked) = Room::default()
        .with("unready", |_| ())
        .with("one", |it| it.fails = Some(Lasting::UntilMended))
        .with("two", |_| ())
        .chain(None);
    let line = Line::new("Hello", 200);
    let first = chain.speak(&line, &Stop::default()).unwrap();
    assert_eq!((first.engine, first.troubles.len()), ("two", 1));
    assert_eq!(hear(first).unwrap(), 100);
    let second = chain.speak(&line, &Stop::default()).unwrap();
    assert_eq!((second.engine, second.troubles.len()), ("two", 0));
    assert_eq!(
        *asked.lock().unwrap(),
        ["one", "two", "two"],
        "the failed one is passed over"
    );
}

#[test]
fn a_sound_that_breaks_off_is_spoken_by_whoever_comes_next() {
    let (chain, asked) = Room::default()
        .with("one", |it| it.breaks_off = true)
        .with("two", |_| ())
        .chain(None);
    let line = Line::new("Hello", 200);
    let first = chain.speak(&line, &Stop::default()).unwrap();
    let engine = first.engine;
    assert!(hear(first).is_err());
    let second = chain.after(engine, &line, &Stop::default()).unwrap();
    assert_eq!(second.engine, "two");
    assert_eq!(hear(second).unwrap(), 100);
    assert!(chain.after("two", &line, &Stop::default()).is_err());
    assert_eq!(chain.speak(&line, &Stop::default()).unwrap().engine, "two");
    assert_eq!(*asked.lock().unwrap(), ["one", "two", "two"]);
}

#[test]
fn the_script_chooses_and_a_language_without_a_voice_is_named() {
    let (chain, _) = Room::default()
        .with("one", |_| ())
        .with("two", |it| it.languages = &["ko"])
        .chain(None);
    let speak = |text| chain.speak(&Line::new(text, 200), &Stop::default());
    assert_eq!(speak("승인할까요?").unwrap().engine, "two");
    assert_eq!(speak("Approve?").unwrap().engine, "one");
    let error = speak("Готово").err().unwrap().to_string();
    assert!(error.contains("no voice speaks ru"), "{error}");
    assert_eq!(chain.speaker(&Tongue::named("ko")).unwrap().name(), "two");
    assert!(chain.is_configured());
}

#[test]
fn only_what_was_heard_whole_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Cache::open(folder.path().into(), &CacheSettings::default());
    let (chain, asked) = Room::default().with("one", |_| ()).chain(open());
    let (line, stop) = (Line::new("Hello", 200), Stop::default());
    let mut left = chain.speak(&line, &stop).unwrap();
    left.source.next().unwrap();
    drop(left);
    assert_eq!(hear(chain.speak(&line, &stop).unwrap()).unwrap(), 100);
    assert_eq!(hear(chain.speak(&line, &stop).unwrap()).unwrap(), 100);
    assert_eq!(asked.lock().unwrap().len(), 2, "the third was kept");
    let slower = Line {
        rate: 100,
        ..line.clone()
    };
    let higher = Line {
        pitch: 1.1,
        ..line.clone()
    };
    for other in [slower, higher, Line::new("Hello!", 200)] {
        let _ = hear(chain.speak(&other, &stop).unwrap());
    }
    assert_eq!(asked.lock().unwrap().len(), 5);
    let stopped = Line::new("Stopped", 200);
    let spoken = chain.speak(&stopped, &stop).unwrap();
    stop.now();
    let _ = hear(spoken);
    let _ = chain.speak(&stopped, &Stop::default());
    assert_eq!(
        asked.lock().unwrap().len(),
        7,
        "what was stopped is not kept"
    );
}
