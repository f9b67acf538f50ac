//! Sessions that can be read afterwards: which one is meant, what the guard stopped in it, and how it is shown or kept.

mod chosen;
mod ended;
mod export;
mod show;
mod stops;

use bellwether_prices::Prices;
use bellwether_spine::{Home, meta};
use bellwether_transcript::{Limits, Session, Stops, Surroundings, Transcript};

pub(crate) use export::Arguments as ExportArguments;
pub(crate) use export::run as export;
pub(crate) use show::Arguments as ShowArguments;
pub(crate) use show::run as show;

use crate::output::Bar;

/// What is known of a session beside its transcript.
struct Known {
    prices: Prices,
    stops: Stops,
}

impl Known {
    fn of(home: &Home, transcript: &Transcript) -> Self {
        let config = crate::config::load(home, None, &meta::variable).config;
        Self {
            prices: Prices::new(&config.prices),
            stops: stops::of(home, &transcript.session()),
        }
    }

    fn survey(
        &self,
        transcript: Transcript,
        full: bool,
        bar: &mut Bar,
    ) -> anyhow::Result<Session<'_>> {
        let around = Surroundings {
            prices: &self.prices,
            stops: &self.stops,
            limits: if full { Limits::FULL } else { Limits::USUAL },
        };
        Ok(Session::survey(transcript, around, &mut |bytes| {
            bar.add(bytes);
        })?)
    }
}
