//! `bellwether explain`: what would be done with an event, without doing it.

use std::fs::File;
use std::io::{Read, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use bellwether_protocol::client::{Client, Product, Version};
use bellwether_protocol::event::Kind;
use bellwether_spine::{Home, meta};
use clap::Args;

use crate::explain::Explanation;
use crate::{output, selection};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The event as the client sends it, one JSON object; stdin when no file is named.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The program that sends it, for instance `gemini`.
    #[arg(long, value_name = "NAME", default_value = Product::default().name(), value_parser = product)]
    agent: Product,
    /// Answer as for this version of the program, for instance 2.1.139; the newest when not given.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    client: Option<Version>,
    /// The event that the hook is registered for; it counts when the payload does not name its own.
    #[arg(long, value_name = "EVENT", value_parser = selection::event)]
    event: Option<Kind>,
}

fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).ok_or_else(|| "give three numbers, for instance 2.1.139".to_owned())
}

fn product(name: &str) -> Result<Product, String> {
    Product::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Product::ALL.iter().map(|product| product.name()).collect();
        format!("no such program; known are {}", names.join(", "))
    })
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let (name, bytes) = read(arguments.file.as_ref())?;
    let text = String::from_utf8_lossy(&bytes);
    // Whoever asks may say it by a variable too: nothing is decided here.
    let said = (arguments.agent.wire().variables.version)(&meta::variable);
    let version = arguments.client.or(said).unwrap_or(Version::UNKNOWN);
    let client = Client::new(arguments.agent, version);
    let event = client.parse_as(&text, arguments.event).context(name)?;
    let explanation = Explanation::of(home, client, &text, &event);
    Ok(writeln!(output::stdout(), "{}", explanation.shown()?)?)
}

/// The text of the event, and where it came from.
fn read(file: Option<&PathBuf>) -> anyhow::Result<(String, Vec<u8>)> {
    let Some(path) = file else {
        return Ok((
            "stdin".to_owned(),
            read_bounded(std::io::stdin().lock(), "stdin")?,
        ));
    };
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    let bytes = read_bounded(file, &name)?;
    Ok((name, bytes))
}

/// No more than the hook itself reads.
fn read_bounded(from: impl Read, name: &str) -> anyhow::Result<Vec<u8>> {
    let limit = bellwether_hook::EVENT_MAX;
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .with_context(|| name.to_owned())?;
    if bytes.len() > limit {
        bail!("{name}: longer than {} MiB, as no event is", limit >> 20);
    }
    Ok(bytes)
}
