//! How long hooks took by the client's own clock, from the newest transcripts.
//!
//! Only so much of their ends is read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use super::CommandLine;
use crate::Projects;

/// How many transcripts are read.
const FILES: usize = 5;
/// How much of the end of each.
const TAIL: u64 = 2 << 20;

/// How long the runs of each command took, in milliseconds, by the file name of the command.
pub(super) fn durations(projects: &Projects) -> BTreeMap<String, Vec<u64>> {
    let mut durations: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for run in hook_runs(projects) {
        let name = run.name();
        durations.entry(name).or_default().push(run.duration_ms);
    }
    durations
}

/// Every run of a hook that the newest transcripts tell of.
pub fn hook_runs(projects: &Projects) -> Vec<HookRun> {
    let transcripts = projects.newest(FILES).into_iter();
    transcripts
        .flat_map(|transcript| runs(&tail(transcript).unwrap_or_default()))
        .collect()
}

/// The end of a file. What it begins with may be half a line, which is no JSON.
fn tail(mut file: File) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// One run of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookRun {
    /// As the client writes it: for one without a shell, the program and its arguments.
    pub command: String,
    pub duration_ms: u64,
    /// The client's name of the event, where it says so.
    pub event: Option<String>,
    /// The tool call that it was about, or another mark of the occasion.
    pub occasion: Option<String>,
}

impl HookRun {
    /// The file name of its command.
    pub fn name(&self) -> String {
        let line = CommandLine::of_shell(&self.command, Path::new("/"));
        line.name().unwrap_or("(unknown)").to_owned()
    }
}

/// A line of a transcript that tells how long hooks took: all of a `Stop`, or one that said something.
#[derive(Deserialize)]
struct TimedLine {
    #[serde(default, rename = "hookInfos")]
    stop: Vec<Timed>,
    #[serde(default)]
    attachment: Timed,
}

/// A run in which the client may have left out either.
#[derive(Deserialize, Default)]
struct Timed {
    command: Option<String>,
    #[serde(rename = "durationMs")]
    duration_ms: Option<u64>,
    #[serde(rename = "hookEvent")]
    event: Option<String>,
    #[serde(rename = "toolUseID")]
    occasion: Option<String>,
}

fn runs(transcript: &[u8]) -> Vec<HookRun> {
    let telling = transcript
        .split(|byte| *byte == b'\n')
        .filter(|line| line.windows(12).any(|word| word == b"\"durationMs\""))
        .filter_map(|line| serde_json::from_slice::<TimedLine>(line).ok());
    telling
        .flat_map(|line| line.stop.into_iter().chain([line.attachment]))
        .filter_map(|run| {
            Some(HookRun {
                command: run.command?,
                duration_ms: run.duration_ms?,
                event: run.event,
                occasion: run.occasion,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use rustix::fs::{CWD, Mode};

    use super::*;

    const STOP: &str = r#"{"type":"system","subtype":"stop_hook_summary","hookInfos":[{"command":"/usr/bin/python3.11 /opt/rig/record.py","durationMs":303},{"command":"/o/bellwether-hook --client 2.1.325","durationMs":9},{"command":"/x/blocked"}]}"#;
    const SAID: &str = r#"{"attachment":{"type":"hook_success","hookName":"PreToolUse:Bash","hookEvent":"PreToolUse","command":"/o/bellwether-hook","durationMs":11},"type":"attachment"}"#;
    const OTHER: &str = r#"{"type":"system","subtype":"turn_duration","durationMs":3162}"#;

    fn durations_in(make: impl FnOnce(&Path)) -> BTreeMap<String, Vec<u64>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("-p")).unwrap();
        make(folder.path());
        durations(&Projects::at(folder.path()))
    }

    #[test]
    fn both_kinds_of_records_are_counted() {
        let durations = durations_in(|folder| {
            std::fs::write(
                folder.join("-p/a.jsonl"),
                format!("half a line\n{STOP}\n{SAID}\n{OTHER}\n"),
            )
            .unwrap();
            std::fs::write(folder.join("-p/notes.txt"), STOP).unwrap();
        });
        let expected = [("bellwether-hook", vec![9, 11]), ("record.py", vec![303])];
        assert_eq!(
            durations,
            expected.map(|(name, runs)| (name.to_owned(), runs)).into()
        );
    }

    #[test]
    fn only_the_end_of_the_newest_is_read() {
        let durations = durations_in(|folder| {
            for age in 0..FILES + 2 {
                let path = folder.join(format!("-p/{age}.jsonl"));
                std::fs::write(&path, format!("{STOP}\n{}\n{SAID}\n", "x".repeat(2 << 20)))
                    .unwrap();
                let at = SystemTime::now() - std::time::Duration::from_secs(age as u64 * 60);
                File::options()
                    .append(true)
                    .open(&path)
                    .unwrap()
                    .set_modified(at)
                    .unwrap();
            }
        });
        assert_eq!(
            durations,
            [("bellwether-hook".to_owned(), vec![11; FILES])].into()
        );
    }

    #[test]
    fn links_and_pipes_are_not_followed() {
        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::write(elsewhere.path().join("a.jsonl"), STOP).unwrap();
        let durations = durations_in(|folder| {
            std::os::unix::fs::symlink(elsewhere.path(), folder.join("-linked")).unwrap();
            std::os::unix::fs::symlink(elsewhere.path().join("a.jsonl"), folder.join("-p/a.jsonl"))
                .unwrap();
            let pipe = folder.join("-p/b.jsonl");
            rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
        });
        assert!(durations.is_empty(), "{durations:?}");
        assert!(super::durations(&Projects::at("/no/such/folder")).is_empty());
    }
}
