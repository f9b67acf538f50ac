//! What an agent has used, from its transcript: only what was written since the last time is read.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};

use bellwether_announce::transcript::Projects;
use bellwether_flock::Usage;
use bellwether_flock::live::Measured;
use serde::Deserialize;

use super::Reading;

/// A transcript that is longer than this is not read from its beginning: too much of it is old.
const FARTHEST: u64 = 256 * 1024 * 1024;
/// What a message has used stands in a line shorter than this; no more of one is held in memory.
const LONGEST: u64 = 16 * 1024 * 1024;
/// A message has a line for each of its blocks, and others may stand between them.
const REMEMBERED: usize = 64;

#[derive(Deserialize)]
struct UsageLine {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(rename = "costUSD")]
    cost_usd: Option<f64>,
    #[serde(default, rename = "isSidechain")]
    is_sidechain: bool,
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    id: Option<String>,
    usage: Option<Tokens>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Tokens {
    #[serde(rename = "input_tokens")]
    sent: u64,
    #[serde(rename = "output_tokens")]
    came_back: u64,
    #[serde(rename = "cache_read_input_tokens")]
    from_cache: u64,
    #[serde(rename = "cache_creation_input_tokens")]
    to_cache: u64,
}

/// Reads on in a transcript. One that cannot be read says nothing.
pub(super) fn read(projects: &Projects, reading: &Reading) -> Measured {
    let mut measured = Measured {
        agent_id: reading.agent_id.clone(),
        usage: Usage::default(),
        read_to: reading.from,
        last_message: reading.last_message.clone(),
    };
    let is_own = reading
        .transcript
        .components()
        .any(|part| part.as_os_str() == "subagents");
    if let Ok(file) = projects.open(&reading.transcript) {
        let _ = read_on(
            BufReader::with_capacity(256 * 1024, file),
            is_own,
            &mut measured,
        );
    }
    measured
}

fn read_on(
    mut file: BufReader<std::fs::File>,
    is_own: bool,
    measured: &mut Measured,
) -> std::io::Result<()> {
    let length = file.get_ref().metadata()?.len();
    if length < measured.read_to {
        // It was begun anew.
        measured.read_to = 0;
    }
    measured.read_to = measured.read_to.max(length.saturating_sub(FARTHEST));
    file.seek(SeekFrom::Start(measured.read_to))?;
    let mut known: VecDeque<String> = measured.last_message.clone().into_iter().collect();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut line)? as u64;
        // A line without an end is still being written.
        if read < LONGEST && line.last() != Some(&b'\n') {
            break;
        }
        // A part of a line that is too long is passed over for good: it would else be read again at every turn.
        measured.read_to += read;
        if let Some((id, usage)) = used(&line, is_own)
            && !known.contains(&id)
        {
            measured.usage.add(&usage);
            known.push_back(id);
            if known.len() > REMEMBERED {
                known.pop_front();
            }
        }
    }
    measured.last_message = known.pop_back();
    Ok(())
}

/// What the message of a line has used, and its id.
fn used(line: &[u8], is_own: bool) -> Option<(String, Usage)> {
    // Most lines, and all the longest, are about something else; looking costs less than reading.
    memchr::memmem::find(line, b"\"usage\"")?;
    let line: UsageLine = serde_json::from_slice(line).ok()?;
    (line.kind.as_deref() == Some("assistant")).then_some(())?;
    (is_own || !line.is_sidechain).then_some(())?;
    let message = line.message?;
    let tokens = message.usage?;
    let usage = Usage {
        messages: 1,
        input_tokens: tokens.sent,
        output_tokens: tokens.came_back,
        cache_read_tokens: tokens.from_cache,
        cache_creation_tokens: tokens.to_cache,
        cost_usd: line.cost_usd,
    };
    Some((message.id?, usage))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(id: &str, tokens: u64) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"id":"{id}","usage":{{"input_tokens":{tokens},"output_tokens":1}}}}}}"#
        ) + "\n"
    }

    #[test]
    fn a_message_counts_once_and_reading_goes_on_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let projects = Projects::at(folder.path());
        std::fs::write(
            &path,
            line("m1", 10) + &line("m1", 10) + &line("m2", 5) + "{\"half",
        )
        .unwrap();
        let mut reading = Reading {
            agent_id: "s".into(),
            transcript: path.clone(),
            from: 0,
            last_message: None,
        };
        let first = read(&projects, &reading);
        assert_eq!((first.usage.messages, first.usage.input_tokens), (2, 15));
        std::fs::write(
            &path,
            line("m1", 10) + &line("m1", 10) + &line("m2", 5) + &line("m2", 5) + &line("m3", 7),
        )
        .unwrap();
        reading.from = first.read_to;
        reading.last_message = first.last_message;
        let second = read(&projects, &reading);
        assert_eq!((second.usage.messages, second.usage.input_tokens), (1, 7));
    }

    #[test]
    fn a_transcript_of_twenty_gigabytes_ends_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(20 << 30).unwrap();
        let begun = std::time::Instant::now();
        let mut reading = Reading {
            agent_id: "s".into(),
            transcript: path.clone(),
            from: 0,
            last_message: None,
        };
        let projects = Projects::at(folder.path());
        let first = read(&projects, &reading);
        assert_eq!(
            first.read_to,
            20 << 30,
            "what is too long is not read again"
        );
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(20),
            "{:?}",
            begun.elapsed()
        );
        let mut more = std::fs::File::options().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut more, ("\n".to_owned() + &line("m1", 3)).as_bytes())
            .unwrap();
        reading.from = first.read_to;
        assert_eq!(read(&projects, &reading).usage.input_tokens, 3);
    }
}
