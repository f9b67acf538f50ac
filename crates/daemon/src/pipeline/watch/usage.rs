//! What an agent has used, from its transcript: only what was written since the last time is read.

use std::collections::VecDeque;
use std::fs::File;

use bellwether_flock::live::Measured;
use bellwether_flock::{HOUR_MS, SessionName, Usage};
use bellwether_prices::{Prices, Tokens};
use bellwether_spine::clock;
use bellwether_transcript::{LineTitle, LineUsage, Projects};

use super::{Reading, lines};

/// A message has a line for each of its blocks, and others may stand between them.
const REMEMBERED: usize = 64;

/// Reads on in a transcript. One that cannot be read says nothing.
pub(super) fn read(projects: &Projects, prices: &Prices, reading: &Reading) -> Measured {
    let mut measured = Measured {
        agent_id: reading.agent_id.clone(),
        from: reading.from,
        read_to: reading.from,
        last_message: reading.last_message.clone(),
        last_used: reading.last_used,
        ..Measured::default()
    };
    let is_own = reading
        .transcript
        .components()
        .any(|part| part.as_os_str() == "subagents");
    if let Ok(file) = projects.open(&reading.transcript) {
        let _ = read_on(file, is_own, prices, &mut measured);
    }
    measured
}

fn read_on(
    file: File,
    is_own: bool,
    prices: &Prices,
    measured: &mut Measured,
) -> std::io::Result<()> {
    let last = measured.last_message.clone();
    let mut known: VecDeque<(String, Usage)> = last
        .map(|id| (id, measured.last_used))
        .into_iter()
        .collect();
    measured.read_to = lines::since(file, measured.read_to, |line| {
        if let Some(title) = LineTitle::of(line) {
            note_title(measured, title);
        }
        let used = LineUsage::of(line).filter(|used| is_own || !used.is_sidechain);
        if let Some(used) = used {
            note(measured, &mut known, prices, used);
        }
    })?;
    if let Some((id, used)) = known.pop_back() {
        (measured.last_message, measured.last_used) = (Some(id), used);
    }
    Ok(())
}

/// Notes what a line tells of its message.
fn note(
    measured: &mut Measured,
    known: &mut VecDeque<(String, Usage)>,
    prices: &Prices,
    line: LineUsage,
) {
    // What the client writes itself when a request fails has used nothing.
    if !line.tokens.is_zero() {
        measured.context_tokens = Some(line.tokens.total());
        measured.model = Some(line.model.clone());
    }
    let used = priced(&line, prices);
    measured.branch = line.branch.or(measured.branch.take());
    let hour = line.at_ms.unwrap_or_else(clock::wall_ms) / HOUR_MS;
    let more = more(known, line.message, used);
    if !more.is_nothing() {
        measured.spend(hour, &line.model, &more);
    }
}

fn note_title(measured: &mut Measured, title: LineTitle) {
    match title {
        LineTitle::Given(name) => measured.name = Some(SessionName::Given(name)),
        LineTitle::Found(name) if !matches!(measured.name, Some(SessionName::Given(_))) => {
            measured.name = Some(SessionName::Found(name));
        }
        LineTitle::Found(_) => {}
    }
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

/// What the message of a line has used. The person's own price counts most, then what the client itself has noted.
fn priced(line: &LineUsage, prices: &Prices) -> Usage {
    let cost = prices.cost(&line.model, line.speed, &line.tokens);
    let cost = match line.cost_usd {
        Some(noted) if !prices.has_own(&line.model) => Some(noted),
        _ => cost,
    };
    let Tokens {
        input,
        output,
        cache_read,
        cache_write,
        cache_write_hour,
    } = line.tokens;
    Usage {
        messages: 1,
        input_tokens: input,
        output_tokens: output,
        cache_read_tokens: cache_read,
        cache_creation_tokens: cache_write.saturating_add(cache_write_hour),
        unpriced: (cost.is_none() && !line.tokens.is_zero()).into(),
        cost_usd: cost,
    }
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
        let first = read(&projects, &Prices::default(), &reading);
        let used = first.usage();
        assert_eq!((used.messages, used.input_tokens), (2, 15));
        std::fs::write(
            &path,
            line("m1", 10) + &line("m1", 10) + &line("m2", 5) + &line("m2", 6) + &line("m3", 7),
        )
        .unwrap();
        reading.from = first.read_to;
        reading.last_message = first.last_message;
        reading.last_used = first.last_used;
        let second = read(&projects, &Prices::default(), &reading);
        let used = second.usage();
        assert_eq!(
            (used.messages, used.input_tokens),
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
        let first = read(&projects, &Prices::default(), &reading);
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
        assert_eq!(
            read(&projects, &Prices::default(), &reading)
                .usage()
                .input_tokens,
            3
        );
    }

    /// Reads a transcript of these lines.
    fn told(lines: &str, prices: &Prices) -> Measured {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        std::fs::write(&path, lines).unwrap();
        let reading = Reading {
            agent_id: "s".into(),
            transcript: path,
            from: 0,
            last_message: None,
            last_used: Usage::default(),
        };
        read(&Projects::at(folder.path()), prices, &reading)
    }

    /// Thousandths of a dollar, which compare exactly.
    fn mills(usage: &Usage) -> Option<u64> {
        usage
            .cost_usd
            .and_then(|usd| format!("{:.0}", usd * 1000.0).parse().ok())
    }

    const PRICED: &str = r#"{"type":"assistant","timestamp":"1970-01-01T01:59:00Z","gitBranch":"fix/cart","message":{"id":"m1","model":"claude-opus-5-5","usage":{"input_tokens":1000000,"output_tokens":0}}}
{"type":"assistant","timestamp":"1970-01-01T02:00:01Z","gitBranch":"main","message":{"id":"m1","model":"claude-opus-5-5","usage":{"input_tokens":1000000,"output_tokens":100000}}}
{"type":"ai-title","aiTitle":"Mend the cart"}
{"type":"assistant","timestamp":"1970-01-01T02:10:00Z","message":{"id":"m2","model":"unheard-of","usage":{"input_tokens":5,"output_tokens":1}}}
{"type":"assistant","timestamp":"1970-01-01T02:20:00Z","message":{"id":"m3","model":"<synthetic>","usage":{"input_tokens":0,"output_tokens":0}}}
"#;

    #[test]
    fn a_message_is_priced_once_in_its_hours_and_what_has_no_price_is_counted() {
        let told = told(PRICED, &Prices::default());
        let usage = told.usage();
        assert_eq!((usage.messages, usage.unpriced), (3, 1));
        assert_eq!(mills(&usage), Some(6000));
        let hours: Vec<(u64, &str, u64)> = told
            .spent
            .iter()
            .map(|one| (one.hour, one.model.as_str(), one.usage.tokens()))
            .collect();
        assert_eq!(
            hours,
            [
                (1, "claude-opus-5-5", 1_000_000),
                (2, "claude-opus-5-5", 100_000),
                (2, "unheard-of", 6),
                (2, "<synthetic>", 0)
            ]
        );
        assert_eq!(told.branch.as_deref(), Some("main"));
        assert_eq!(told.name, Some(SessionName::Found("Mend the cart".into())));
        assert_eq!(
            (told.context_tokens, told.model.as_deref()),
            (Some(6), Some("unheard-of"))
        );
    }

    #[test]
    fn the_persons_own_price_wins_over_the_table_and_over_the_client() {
        let noted = PRICED.replace(r#""gitBranch":"main","#, r#""costUSD":9.5,"#);
        let by_client = told(&noted, &Prices::default()).usage();
        assert_eq!(mills(&by_client), Some(9500));
        let own = bellwether_prices::OwnRates {
            input: 1.0,
            output: 10.0,
            ..Default::default()
        };
        let models = ["claude-opus-5-5", "unheard-of"].map(|name| (name.to_owned(), own));
        let prices = Prices::new(&bellwether_prices::Settings {
            models: models.into(),
        });
        for lines in [PRICED, &noted] {
            let usage = told(lines, &prices).usage();
            assert_eq!(usage.unpriced, 0);
            assert_eq!(mills(&usage), Some(2000));
        }
    }
}
