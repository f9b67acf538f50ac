//! Samples that another thread makes while the first are heard already.
//!
//! The thread may be waiting for a service or a program; whoever listens waits for it no longer than
//! its patience. The thread ends at its next sample when nobody listens any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::error::Lasting;
use crate::{AudioError, Format, Source, Stop};

/// More sound than this is no announcement.
const LONGEST: Duration = Duration::from_mins(20);

/// What the thread sends: how its samples are to be read, then the samples.
enum Sent {
    Format(Format),
    Samples(Vec<i16>),
    Failed(AudioError),
    Over,
}

/// The end of a feed that makes samples.
pub(super) struct Maker {
    to: Sender<Sent>,
    stop: Stop,
    /// Set once whoever listened has gone.
    is_left: Arc<AtomicBool>,
    /// How many samples may still come.
    left: usize,
}

/// Nobody listens any more.
pub(super) struct Unheard;

impl Maker {
    /// Says how the samples are to be read, before any of them.
    pub(super) fn begin(&mut self, format: Format) -> Result<(), Unheard> {
        self.left = format.samples(LONGEST);
        self.to.send(Sent::Format(format)).map_err(|_| Unheard)
    }

    /// Sends samples on.
    pub(super) fn send(&mut self, mut samples: Vec<i16>) -> Result<(), Unheard> {
        samples.truncate(self.left);
        self.left -= samples.len();
        if samples.is_empty() || self.stop.is_wished() {
            return Err(Unheard);
        }
        self.to.send(Sent::Samples(samples)).map_err(|_| Unheard)
    }

    /// Whether it is still worth going on.
    pub(super) fn is_heard(&self) -> bool {
        !self.stop.is_wished() && !self.is_left.load(Ordering::Relaxed)
    }
}

/// The end of a feed that is listened to.
pub(super) struct VoiceFeed {
    engine: &'static str,
    from: Receiver<Sent>,
    patience: Duration,
    format: Format,
    first: Option<Vec<i16>>,
    stop: Stop,
    is_left: Arc<AtomicBool>,
    is_over: bool,
}

impl VoiceFeed {
    /// Lets a thread make samples and waits for the first of them.
    pub(super) fn start(
        engine: &'static str,
        patience: Duration,
        stop: &Stop,
        make: impl FnOnce(&mut Maker) -> Result<(), AudioError> + Send + 'static,
    ) -> Result<Box<dyn Source>, AudioError> {
        let (to, from) = channel();
        let is_left = Arc::new(AtomicBool::new(false));
        let mut maker = Maker {
            to,
            stop: stop.clone(),
            is_left: Arc::clone(&is_left),
            left: 0,
        };
        let begun = thread::Builder::new()
            .name(format!("voice {engine}"))
            .spawn(move || {
                let last = match make(&mut maker) {
                    Ok(()) => Sent::Over,
                    Err(error) => Sent::Failed(error),
                };
                // Nobody may be listening any more.
                let _ = maker.to.send(last);
            });
        begun.map_err(|error| AudioError::voice(engine, Lasting::While, error.to_string()))?;
        let mut feed = Self {
            engine,
            from,
            patience,
            format: Format::mono(0),
            first: None,
            stop: stop.clone(),
            is_left,
            is_over: false,
        };
        feed.first = feed.receive()?;
        if feed.first.is_none() && !stop.is_wished() {
            return Err(AudioError::voice(engine, Lasting::Line, "it said nothing"));
        }
        Ok(Box::new(feed))
    }

    fn receive(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        loop {
            if self.stop.is_wished() {
                return Ok(None);
            }
            match self.from.recv_timeout(self.patience) {
                Ok(Sent::Format(format)) => self.format = format,
                Ok(Sent::Samples(samples)) => return Ok(Some(samples)),
                Ok(Sent::Over) => return Ok(None),
                Ok(Sent::Failed(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => return Err(self.late()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(AudioError::voice(
                        self.engine,
                        Lasting::Line,
                        "it broke off",
                    ));
                }
            }
        }
    }

    fn late(&self) -> AudioError {
        let reason = format!("nothing came for {} ms", self.patience.as_millis());
        AudioError::voice(self.engine, Lasting::While, reason)
    }
}

impl Drop for VoiceFeed {
    fn drop(&mut self) {
        self.is_left.store(true, Ordering::Relaxed);
    }
}

impl Source for VoiceFeed {
    fn format(&self) -> Format {
        self.format
    }

    fn next(&mut self) -> Result<Option<Vec<i16>>, AudioError> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        if self.is_over {
            return Ok(None);
        }
        let next = self.receive();
        self.is_over = !matches!(next, Ok(Some(_)));
        next
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(200);

    fn start(
        make: impl FnOnce(&mut Maker) -> Result<(), AudioError> + Send + 'static,
    ) -> Result<Box<dyn Source>, AudioError> {
        VoiceFeed::start("test", PATIENCE, &Stop::default(), make)
    }

    #[test]
    fn samples_come_in_order_and_end() {
        let mut feed = start(|maker| {
            let _ = maker.begin(Format::mono(8_000));
            for number in 1..4 {
                let _ = maker.send(vec![number]);
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(feed.format(), Format::mono(8_000));
        let mut heard = Vec::new();
        while let Some(samples) = feed.next().unwrap() {
            heard.extend(samples);
        }
        assert_eq!(heard, [1, 2, 3]);
        assert_eq!(feed.next().unwrap(), None);
    }

    #[test]
    fn a_thread_that_says_nothing_is_not_waited_for() {
        let began = Instant::now();
        let (wake, woken) = channel::<()>();
        let error = start(move |_| {
            let _ = woken.recv_timeout(Duration::from_secs(30));
            Ok(())
        });
        let text = error.err().unwrap().to_string();
        assert!(text.contains("nothing came for 200 ms"), "{text}");
        assert!(began.elapsed() < Duration::from_secs(5));
        drop(wake);
    }

    #[test]
    fn nothing_at_all_is_a_failure_and_so_is_an_end_in_the_middle() {
        assert!(
            start(|_| Ok(()))
                .err()
                .unwrap()
                .to_string()
                .contains("said nothing")
        );
        let mut feed = start(|maker| {
            let _ = maker.begin(Format::mono(8_000));
            let _ = maker.send(vec![1]);
            Err(AudioError::voice("test", Lasting::Line, "cut"))
        })
        .unwrap();
        assert_eq!(feed.next().unwrap(), Some(vec![1]));
        assert!(feed.next().is_err());
        assert_eq!(feed.next().unwrap(), None);
    }

    #[test]
    fn a_wish_to_stop_ends_it() {
        let stop = Stop::default();
        let mut feed = VoiceFeed::start("test", PATIENCE, &stop, |maker| {
            let _ = maker.begin(Format::mono(8_000));
            while maker.send(vec![0; 100]).is_ok() {}
            Ok(())
        })
        .unwrap();
        stop.now();
        feed.next().unwrap();
        assert_eq!(feed.next().unwrap(), None);
    }
}
