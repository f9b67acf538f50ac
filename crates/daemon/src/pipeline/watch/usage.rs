//! What an agent has used, from its transcript: only what was written since the last time is read.

use std::collections::VecDeque;
use std::fs::File;

use bellwether_flock::Usage;
use bellwether_flock::live::Measured;
use bellwether_prices::Tokens;
use bellwether_transcript::{LineUsage, Projects};

use super::{Reading, lines};

/// A message has a line for each of its blocks, and others may stand between them.
const REMEMBERED: usize = 64;

/// Reads on in a transcript. One that cannot be read says nothing.
pub(super) fn read(projects: &Projects, reading: &Reading) -> Measured {
    let mut measured = Measured {
        agent_id: reading.agent_id.clone(),
        from: reading.from,
        usage: Usage::default(),
        read_to: reading.from,
        last_message: reading.last_message.clone(),
        last_used: reading.last_used,
    };
    let is_own = reading
        .transcript
        .components()
        .any(|part| part.as_os_str() == "subagents");
    if let Ok(file) = projects.open(&reading.transcript) {
        let _ = read_on(file, is_own, &mut measured);
    }
    measured
}

fn read_on(file: File, is_own: bool, measured: &mut Measured) -> std::io::Result<()> {
    let last = measured.last_message.clone();
    let mut known: VecDeque<(String, Usage)> = last
        .map(|id| (id, measured.last_used))
        .into_iter()
        .collect();
    let usage = &mut measured.usage;
    measured.read_to = lines::since(file, measured.read_to, |line| {
        if let Some((id, used)) = used(line, is_own) {
            usage.add(&more(&mut known, id, used));
        }
    })?;
    if let Some((id, used)) = known.pop_back() {
        (measured.last_message, measured.last_used) = (Some(id), used);
    }
    Ok(())
}

/// What a line tells of its message that no line before it told: the first lines of one may have been written before
/// all of it had come.
fn more(known: &mut VecDeque<(String, Usage)>, id: String, used: Usage) -> Usage {
    if let Some((_, before)) = known.iter_mut().find(|(known, _)| *known == id) {
        let more = used.beyond(before);
        before.add(&more);
        return more;
    }
    known.push_back((id, used));
    if known.len() > REMEMBERED {
        known.pop_front();
    }
    used
}

/// What the message of a line has used, and its id.
fn used(line: &[u8], is_own: bool) -> Option<(String, Usage)> {
    let used = LineUsage::of(line).filter(|used| is_own || !used.is_sidechain)?;
    let Tokens {
        input,
        output,
        cache_read,
        cache_write,
        cache_write_hour,
    } = used.tokens;
    let usage = Usage {
        messages: 1,
        input_tokens: input,
        output_tokens: output,
        cache_read_tokens: cache_read,
        cache_creation_tokens: cache_write.saturating_add(cache_write_hour),
        cost_usd: used.cost_usd,
    };
    Some((used.message, usage))
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
            last_used: Usage::default(),
        };
        let first = read(&projects, &reading);
        assert_eq!((first.usage.messages, first.usage.input_tokens), (2, 15));
        std::fs::write(
            &path,
            line("m1", 10) + &line("m1", 10) + &line("m2", 5) + &line("m2", 6) + &line("m3", 7),
        )
        .unwrap();
        reading.from = first.read_to;
        reading.last_message = first.last_message;
        reading.last_used = first.last_used;
        let second = read(&projects, &reading);
        assert_eq!(
            (second.usage.messages, second.usage.input_tokens),
            (1, 8),
            "the last line of a message says what it used"
        );
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
            last_used: Usage::default(),
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
