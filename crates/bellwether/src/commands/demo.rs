//! `bellwether demo`: a minute with several agents, for somebody who has none yet.

use bellwether_spine::{Home, meta};
use clap::Args;

use super::open;
use crate::demo::{Pace, play};
use crate::{config, exit, installation, person};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Do not open the page.
    #[arg(long)]
    no_open: bool,
    /// How many times as fast as it happened.
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.1..=1000.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("between 0.1 and 1000".to_owned())
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let language = config::load(home, None, &meta::variable).config.language;
    installation::reach(home, &[])?;
    if !arguments.no_open && !person::is_agent() {
        // Without a browser the demo can still be heard.
        if let Err(error) = open::run(home, &open::Arguments::default()) {
            note!("bellwether: {}", exit::told(&error));
        }
    }
    play(home, Pace(arguments.speed), language, |line| {
        tell!("{line}");
    })?;
    tell!(
        "\nThat was the demo. Its events are on the page and in `bellwether events --project demo-shop`;\n\
         `bellwether purge --project demo-shop` (and `demo-site`) takes them away again.\n\
         For your own agents: `bellwether install`."
    );
    Ok(())
}
