//! What became of one call of `hook --wait`, in the daemon's log: what it writes to stderr is seen by nobody later.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use bellwether_spine::{Home, clock, lock, text};

/// Where no daemon moves a long log aside, this does.
const LONGEST: u64 = 1024 * 1024;

/// Adds a line. There is nobody to tell if that fails.
pub(super) fn keep(home: &Home, session: Option<&str>, outcome: &str) {
    let path = home.log();
    let is_long = path.metadata().is_ok_and(|seen| seen.len() >= LONGEST);
    if is_long && !lock::is_held(home).unwrap_or(true) {
        let _ = std::fs::rename(&path, path.with_extension("log.1"));
    }
    let session = session.map_or_else(|| "unknown".to_owned(), |session| text::shown(session, 80));
    let at = clock::utc(clock::wall_ms());
    let line = format!("{at}  INFO hook --wait: session {session}: {outcome}\n");
    let _ = append(&path, &line);
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let mut options = File::options();
    let mut file = options.create(true).append(true).mode(0o600).open(path)?;
    file.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_which_session_and_what_became_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        keep(&home, Some("abc\u{7}123"), "Speech playback completed");
        keep(&home, None, "Failed to parse hook input");
        let log = std::fs::read_to_string(home.log()).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        assert!(
            lines[0].ends_with("INFO hook --wait: session abc123: Speech playback completed"),
            "{log}"
        );
        assert!(lines[1].contains("session unknown: Failed"), "{log}");
        std::fs::write(home.log(), "x".repeat(1024 * 1024)).unwrap();
        keep(&home, None, "Speech playback completed");
        assert_eq!(
            std::fs::read_to_string(home.log()).unwrap().lines().count(),
            1
        );
    }
}
