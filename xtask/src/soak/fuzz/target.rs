//! What is fed with damaged bytes, and the word that each must keep.

use std::path::Path;

use anyhow::Result;
use bellwether_daemon::Sent;
use bellwether_flock::{Row, Stored};
use bellwether_protocol::client::{Client, Product};
use bellwether_spine::journal::{Envelope, Follower, LF, Payload, RS, Segment};
use bellwether_spine::meta::Meta;
use bellwether_spine::text;
use serde::de::IgnoredAny;

/// Something that reads foreign bytes.
pub(super) struct Target {
    pub name: &'static str,
    /// Where a finding becomes a row of a table.
    pub row: &'static str,
    /// Whether it keeps its word on some bytes; the folder is for files.
    pub check: fn(&Path, &[u8]) -> Result<(), String>,
}

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "event",
        row: "a row of the table in crates/protocol/src/claude/parse.rs",
        check: event,
    },
    Target {
        name: "payload",
        row: "a row of the table in crates/protocol/src/claude/parse.rs",
        check: payload,
    },
    Target {
        name: "row",
        row: "a record in the tests of crates/flock/src/event.rs",
        check: row,
    },
    Target {
        name: "ingest",
        row: "a body in the tests of crates/daemon/src/http/intake.rs",
        check: ingest,
    },
    Target {
        name: "record",
        row: "a payload in the tests of crates/spine/src/journal/payload.rs",
        check: encoded,
    },
    Target {
        name: "journal",
        row: "a file's bytes in crates/spine/src/journal/follow/tests.rs",
        check: journal,
    },
    Target {
        name: "mask",
        row: "a row of the table in crates/spine/src/text/mask.rs",
        check: mask,
    },
    Target {
        name: "block",
        row: "a row of the table in crates/spine/src/text/sanitise.rs",
        check: block,
    },
];

impl Target {
    /// A finding, and what to do with it.
    pub(super) fn describe(&self, what: &str, input: &Path) -> String {
        format!(
            "{} {what}\n    the input, cut down, is in {}; add it as {}",
            self.name,
            input.display(),
            self.row
        )
    }
}

/// A journal record with a payload.
pub(super) fn record(payload: &[u8]) -> Result<Vec<u8>> {
    let text = String::from_utf8_lossy(payload);
    let client = Client::default();
    let event = client.parse(&text)?;
    let meta = Meta::gather(&|_| None, Some(&event), client, Some("fuzz"));
    Ok(Envelope::encode(&meta, Payload::Json(&text))?)
}

/// An event is one JSON object, and every JSON object is an event.
fn event(_: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let is_event = Client::default().parse(&text).is_ok();
    hold(
        is_event <= is_json(&text),
        "takes something that is no JSON",
    )
}

/// Every client's reader takes the same texts, and what a tool would do can always be asked.
fn payload(_: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let taken = Client::default().parse(&text).is_ok();
    for &product in Product::ALL {
        let event = Client::unknown(product).parse(&text);
        hold(event.is_ok() == taken, "is an event for one client alone")?;
        if let Some(tool) = event.ok().and_then(|event| event.tool) {
            let _ = (tool.deed(), tool.asked(), tool.task(), tool.recipient());
            let _ = (tool.telling(), tool.searched());
        }
    }
    Ok(())
}

/// What is sent to the collector is refused as no JSON, or each event of it can be stored and shown, and
/// what is wrong is told in one clean line.
fn ingest(_: &Path, input: &[u8]) -> Result<(), String> {
    let Ok(sent) = Sent::read(input) else {
        let text = std::str::from_utf8(input).unwrap_or("{");
        return hold(!is_json(text), "refuses JSON as if it were none");
    };
    hold(
        is_json(&String::from_utf8_lossy(input)),
        "takes something that is no JSON",
    )?;
    for rejected in &sent.rejected {
        hold(rejected.index < sent.count, "rejects what was not sent")?;
        let clean = text::line(&rejected.error, usize::MAX) == rejected.error;
        hold(
            clean && !rejected.error.is_empty(),
            "tells what is wrong uncleanly",
        )?;
    }
    let records: Vec<&[u8]> = sent
        .records
        .split(|byte| *byte == LF)
        .filter_map(|record| record.strip_prefix(&[RS]))
        .collect();
    hold(records.len() == sent.count, "makes no record of an event")?;
    for record in records {
        hold(
            Row::from_record(record).is_ok(),
            "makes an unreadable record",
        )?;
        row(Path::new(""), record)?;
    }
    Ok(())
}

/// What can be stored can be shown.
fn row(_: &Path, input: &[u8]) -> Result<(), String> {
    let Ok(row) = Row::from_record(input) else {
        return Ok(());
    };
    let stored = Stored {
        seq: 1,
        record: row.record.into(),
    };
    let shown = stored
        .to_json()
        .map_err(|error| format!("cannot be shown: {error}"))?;
    hold(is_json(&shown), "is shown as something that is no JSON")
}

/// Whatever comes becomes one framed line that is read back.
fn encoded(_: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    // The hook decides in the same way.
    let payload = match Client::default().parse(&text) {
        Ok(_) => Payload::Json(&text),
        Err(_) => Payload::Unreadable(&text),
    };
    let meta = Meta::gather(&|_| None, None, Client::default(), None);
    let record = Envelope::encode(&meta, payload).map_err(|error| error.to_string())?;
    let frames = |byte: u8| record.split(|other| *other == byte).count() - 1;
    hold(
        record.first() == Some(&RS) && record.last() == Some(&LF),
        "has no frame",
    )?;
    hold(frames(RS) == 1 && frames(LF) == 1, "has a frame inside")?;
    let line = String::from_utf8_lossy(&record[1..record.len() - 1]);
    Envelope::parse(&line).map_err(|error| format!("cannot be read back: {error}"))?;
    Ok(())
}

/// A whole record behind any bytes is handed out, as the last, and nothing is left.
fn journal(folder: &Path, input: &[u8]) -> Result<(), String> {
    const LAST: &[u8] = b"{\"last\":1}";
    let bytes = [input, &[RS], LAST, &[LF]].concat();
    let failed = |error: std::io::Error| error.to_string();
    std::fs::write(Segment(1).path(folder), &bytes).map_err(failed)?;
    let mut follower = Follower::new(folder.to_owned(), &[]);
    let mut last = Vec::new();
    let progress = follower
        .read(usize::MAX, |record| record.clone_into(&mut last))
        .map_err(|error| error.to_string())?;
    hold(last == LAST, "hides the next record")?;
    let read = progress.moved.first().map(|cursor| cursor.offset);
    hold(
        read == u64::try_from(bytes.len()).ok(),
        "is not read to its end",
    )
}

fn mask(_: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let once = text::mask(&text);
    hold(text::mask(&once) == once, "changes what it has masked")
}

fn block(_: &Path, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let clean = text::block(&text);
    let steers = |char: char| char.is_control() && char != '\n' && char != '\t';
    hold(
        !clean.chars().any(steers),
        "lets a control character through",
    )?;
    hold(text::block(&clean) == clean, "changes what it has cleaned")?;
    hold(
        text::line(&text, 20).chars().count() <= 20,
        "makes a line too long",
    )
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

pub(super) fn hold(kept: bool, broken: &str) -> Result<(), String> {
    if kept { Ok(()) } else { Err(broken.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_keeps_its_word_on_undamaged_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let payload = bellwether_tests::fixture::tool_call("t", 100);
        let record = record(&payload).unwrap();
        for target in TARGETS {
            for input in [&payload[..], &record, &record[1..record.len() - 1], b""] {
                assert_eq!(
                    (target.check)(folder.path(), input),
                    Ok(()),
                    "{}",
                    target.name
                );
            }
        }
    }
}
