//! What the guard stopped in a session, from its record.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use bellwether_hook::guard::Verdict;
use bellwether_hook::guard::audit::Entry;
use bellwether_spine::{Home, clock};
use bellwether_transcript::{Stop, StopHow, Stops};

/// The stops of a session. A record that cannot be read has none.
pub(super) fn of(home: &Home, session: &str) -> Stops {
    let mut stops = Stops::default();
    let Ok(file) = File::open(home.audit()) else {
        return stops;
    };
    for line in BufReader::new(file).split(b'\n').map_while(Result::ok) {
        let entry = serde_json::from_slice::<Entry>(&line).ok();
        let is_stop = |entry: &Entry| {
            entry.session.as_deref() == Some(session) && entry.said > Verdict::Silent
        };
        if let Some(entry) = entry.filter(is_stop) {
            stops.add(entry.call.clone(), &stop(entry));
        }
    }
    stops
}

fn stop(entry: Entry) -> Stop {
    Stop {
        at_ms: clock::parse_utc(&entry.at).unwrap_or(0),
        how: match entry.said {
            Verdict::Deny => StopHow::Refused,
            Verdict::Ask | Verdict::Silent => StopHow::Asked,
        },
        rules: entry.rules,
        reason: entry.reason,
        subject: entry.subject,
    }
}
