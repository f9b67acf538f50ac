//! `bellwether hook --wait`: seed 001's contract, line by line, with a real sound server.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use bellwether_tests::run::fed;
use bellwether_tests::sound::{audible, heard};
use bellwether_tests::{Installation, SoundServer};
use serde_json::json;

/// The embedded voice alone, so that every machine says the same.
const EMBEDDED: &str = "voice: {chain: [embedded], cache: {megabytes: 0}}\naudio: {player: pulse}\nhooks: {stop: {voice: {volume: 1.0}}}\n";

struct Rig {
    place: Installation,
    server: SoundServer,
}

/// How a hook ended: its code, and its lines on stderr.
struct Ended {
    code: Option<i32>,
    lines: Vec<String>,
}

impl Rig {
    fn new(config: &str) -> Result<Self> {
        Ok(Self {
            place: Installation::fresh_with(config)?,
            server: SoundServer::start()?,
        })
    }

    fn transcript(&self, content: &str) -> Result<PathBuf> {
        let path = self.server.folder().join("transcript.jsonl");
        std::fs::write(&path, content)?;
        Ok(path)
    }

    /// Runs the hook on an event about a transcript.
    fn about(&self, transcript: &Path) -> Result<Ended> {
        let event = json!({
            "session_id": "abc123",
            "transcript_path": transcript,
            "permission_mode": "default",
            "hook_event_name": "Stop",
            "stop_hook_active": false,
        });
        self.on(event.to_string().as_bytes())
    }

    fn on(&self, input: &[u8]) -> Result<Ended> {
        let mut command = self.place.cli(["hook", "--wait"]);
        command.env("PULSE_SERVER", self.server.address());
        let output = fed(command, input)?;
        assert!(output.stdout.is_empty(), "something is on stdout");
        let lines = String::from_utf8(output.stderr)?;
        Ok(Ended {
            code: output.status.code(),
            lines: lines.lines().map(str::to_owned).collect(),
        })
    }
}

fn said(text: &str) -> String {
    json!({"role": "assistant", "content": [{"type": "text", "text": text}]}).to_string()
}

#[test]
fn the_last_message_is_spoken_and_waited_for() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    let lines = [
        json!({"role": "user", "content": [{"type": "text", "text": "What is 2+2?"}]}).to_string(),
        said("The answer is 4."),
    ];
    let path = rig.transcript(&lines.join("\n"))?;
    let (recording, ended) = heard(&rig.server, || rig.about(&path))?;
    assert_eq!(
        ended.lines,
        [
            format!("[INFO] Reading transcript: {}", path.display()),
            "[INFO] Synthesizing speech...".to_owned(),
            "[INFO] Speech playback completed".to_owned(),
        ]
    );
    assert_eq!(ended.code, Some(0));
    let spoken = audible(&recording).context("nothing was heard")?;
    assert!(spoken.len() > 48_000 / 2, "only {} samples", spoken.len());
    Ok(())
}

#[test]
fn a_character_tells_it_in_its_own_words() -> Result<()> {
    let rig = Rig::new(&format!("{EMBEDDED}character: {{profile: toad}}\n"))?;
    let path = rig.transcript(&said("The answer is 4."))?;
    let ended = rig.about(&path)?;
    assert_eq!(
        ended.lines[1..],
        [
            "[INFO] Transforming text through character...",
            "[INFO] Synthesizing speech...",
            "[INFO] Speech playback completed",
        ]
    );
    assert_eq!(ended.code, Some(0));
    Ok(())
}

#[test]
fn a_missing_character_costs_only_its_words() -> Result<()> {
    let rig = Rig::new(&format!("{EMBEDDED}character: {{profile: nobody}}\n"))?;
    let path = rig.transcript(&said("The answer is 4."))?;
    let (recording, ended) = heard(&rig.server, || rig.about(&path))?;
    assert_eq!(ended.code, Some(0));
    assert!(
        ended.lines[1].starts_with("[WARNING] "),
        "{:?}",
        ended.lines
    );
    assert!(audible(&recording).is_some());
    Ok(())
}

#[test]
fn what_cannot_be_spoken_is_said_in_the_words_of_the_contract() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    let absent = rig.about(Path::new("/nonexistent/path.jsonl"))?;
    assert_eq!(
        absent.lines,
        ["[ERROR] Transcript file not found: /nonexistent/path.jsonl"]
    );
    assert_eq!(absent.code, Some(1));
    let relative = rig.about(Path::new("path.jsonl"))?;
    assert_eq!(
        (relative.lines[0].as_str(), relative.code),
        ("[ERROR] Transcript file not found: path.jsonl", Some(1))
    );
    for input in ["", "not json", "{\"session_id\":\"x\"", "[]"] {
        let ended = rig.on(input.as_bytes())?;
        assert_eq!(
            ended.lines,
            ["[ERROR] Failed to parse hook input"],
            "{input}"
        );
        assert_eq!(ended.code, Some(1));
    }
    Ok(())
}

#[test]
fn what_is_not_worth_a_word_is_passed_over() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    for short in ["OK", "abcd", "  ab   "] {
        let path = rig.transcript(&said(short))?;
        let ended = rig.about(&path)?;
        assert_eq!(
            ended.lines[1..],
            ["[INFO] Assistant message too short, skipping TTS"],
            "{short}"
        );
        assert_eq!(ended.code, Some(0));
    }
    for nobody in ["", "{\"role\":\"user\",\"content\":\"hi\"}", "torn {\"ro"] {
        let path = rig.transcript(nobody)?;
        let ended = rig.about(&path)?;
        assert_eq!(
            ended.lines[1..],
            ["[WARNING] No assistant message found in transcript"]
        );
        assert_eq!(ended.code, Some(0));
    }
    Ok(())
}

#[test]
fn voices_and_devices_that_are_missing_are_told_apart() -> Result<()> {
    let no_key = Rig::new("voice: {chain: [elevenlabs]}\naudio: {player: pulse}\n")?;
    let path = no_key.transcript(&said("The answer is 4."))?;
    let ended = no_key.about(&path)?;
    assert_eq!(ended.lines[1..], ["[ERROR] Voice configuration not found"]);
    assert_eq!(ended.code, Some(1));

    let refused = "voice: {chain: [openai], openai: {base_url: \"http://127.0.0.1:9\", model: m, voice: v}}\naudio: {player: pulse}\n";
    let refused = Rig::new(refused)?;
    let path = refused.transcript(&said("The answer is 4."))?;
    let ended = refused.about(&path)?;
    assert_eq!(ended.lines[2], "[ERROR] TTS synthesis failed");
    assert_eq!(ended.code, Some(1));

    let mut deaf = Rig::new(EMBEDDED)?;
    let path = deaf.transcript(&said("The answer is 4."))?;
    deaf.server.kill();
    let ended = deaf.about(&path)?;
    assert_eq!(ended.lines[2], "[ERROR] Audio device unavailable");
    assert_eq!(ended.code, Some(1));
    Ok(())
}

#[test]
fn a_long_message_is_given_up_in_time() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    let path = rig.transcript(&said(&"This goes on and on without an end. ".repeat(150)))?;
    let begun = Instant::now();
    let ended = rig.about(&path)?;
    let took = begun.elapsed();
    assert_eq!(
        ended.lines.last().map(String::as_str),
        Some("[WARNING] Hook timeout approaching, aborting")
    );
    assert_eq!(ended.code, Some(0));
    assert!(took < Duration::from_secs(30), "{took:?}");
    Ok(())
}

#[test]
fn two_at_once_are_heard_one_after_the_other() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    let path = rig.transcript(&said("The answer is 4."))?;
    let (alone, _) = heard(&rig.server, || rig.about(&path))?;
    let alone = audible(&alone).context("nothing was heard")?.len();
    let (both, ()) = heard(&rig.server, || {
        std::thread::scope(|scope| {
            let one = scope.spawn(|| rig.about(&path));
            let other = scope.spawn(|| rig.about(&path));
            for ended in [one, other] {
                let ended = ended.join().ok().context("a thread has died")??;
                assert_eq!(ended.code, Some(0));
            }
            Ok(())
        })
    })?;
    let both = audible(&both).context("nothing was heard")?.len();
    assert!(both >= 2 * alone, "{both} samples, alone {alone}");
    Ok(())
}

#[test]
fn a_mute_and_hours_of_silence_count_here_too() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    let path = rig.transcript(&said("The answer is 4."))?;
    rig.place.printed(&["mute", "30m"])?;
    let (recording, ended) = heard(&rig.server, || rig.about(&path))?;
    assert_eq!(
        ended.lines[1..],
        ["[INFO] Skipping TTS: everything is muted"]
    );
    assert_eq!(ended.code, Some(0));
    assert!(audible(&recording).is_none(), "something was heard");
    rig.place.printed(&["unmute"])?;
    rig.place
        .configure(&format!("{EMBEDDED}quiet: {{hours: [\"00:00-23:59\"]}}\n"))?;
    let ended = rig.about(&path)?;
    assert_eq!(
        ended.lines[1..],
        ["[INFO] Skipping TTS: it is within quiet hours"]
    );
    Ok(())
}

#[test]
fn the_log_has_the_session_and_the_cause() -> Result<()> {
    let rig = Rig::new(EMBEDDED)?;
    let relative = rig.about(Path::new("path.jsonl"))?;
    assert_eq!(relative.lines[1], "[ERROR] the path does not begin with /");
    let path = rig.transcript(&said("The answer is 4."))?;
    rig.about(&path)?;
    let log = std::fs::read_to_string(rig.place.home().log())?;
    let lines: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("session abc123: "))
        .collect();
    assert!(
        lines[0].ends_with("Transcript file not found: path.jsonl: the path does not begin with /"),
        "{log}"
    );
    assert!(lines[1].ends_with("Speech playback completed"), "{log}");
    Ok(())
}
