//! `bellwether export`: stored events for other programs.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use anyhow::Context as _;
use bellwether_flock::export::{Export, Format};
use bellwether_flock::{Filter, Reader, StoreReader as _};
use bellwether_spine::Home;
use clap::{Args, ValueEnum};

use crate::selection::Selection;
use crate::{installation, output};

/// How many events are read from the store at a time.
const PAGE: usize = 1000;

/// The forms that can be asked for.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// One normalised event a line
    Jsonl,
    /// A table with a line of names
    Csv,
    /// OpenTelemetry logs as JSON, one request a line
    Otlp,
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// The form.
    #[arg(long, short, value_enum, default_value = "jsonl")]
    format: Form,
    /// Write to this new file, readable by you alone, instead of stdout.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let filter = arguments.selection.filter(home)?;
    let Some(reader) = installation::up_to_date(home)? else {
        note!("no events yet in {}", home.state().display());
        return Ok(());
    };
    let Some(path) = &arguments.output else {
        let out = BufWriter::new(output::stdout());
        return export(&reader, filter, arguments.format, out).map(drop);
    };
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("create {}", path.display()))?;
    let count = export(&reader, filter, arguments.format, BufWriter::new(file))?;
    note!("{} in {}", output::many(count, "event"), path.display());
    Ok(())
}

/// Writes all that fit, the oldest first, and says how many.
fn export(
    reader: &Reader,
    mut filter: Filter,
    form: Form,
    out: impl Write,
) -> anyhow::Result<usize> {
    let format = match form {
        Form::Jsonl => Format::Jsonl,
        Form::Csv => Format::Csv,
        Form::Otlp => Format::Otlp,
    };
    let mut export = Export::new(out, format);
    let mut count = 0;
    loop {
        let events = reader.first(&filter, PAGE)?;
        for event in &events {
            export.write(event)?;
        }
        count += events.len();
        match events.last() {
            Some(last) => filter.after = last.seq,
            None => break,
        }
    }
    export.finish()?;
    Ok(count)
}
