//! The command line as people meet it: what is printed, where, and with which exit code.

use anyhow::Result;
use bellwether_tests::{Installation, fixture};
use insta::assert_snapshot;

struct Cli(Installation);

impl Cli {
    fn new() -> Result<Self> {
        Ok(Self(Installation::fresh()?))
    }

    fn hook(&self, marker: &str) -> Result<()> {
        assert!(self.0.visit(&fixture::tool_call(marker, 100))?.success());
        Ok(())
    }

    /// Runs a command and shows exit code, stdout and stderr, with what changes from run to run taken out.
    fn run(&self, words: &[&str]) -> Result<String> {
        let output = self.0.cli(words.iter().copied()).output()?;
        let shown = format!(
            "exit {}\n{}{}",
            output.status.code().unwrap_or(-1),
            String::from_utf8(output.stdout)?,
            String::from_utf8(output.stderr)?
        );
        Ok(self.redacted(&shown))
    }

    /// The same in a terminal, as a person does.
    fn at_terminal(&self, words: &[&str]) -> Result<String> {
        let output = self.0.at_terminal(words.iter().copied()).output()?;
        let said = String::from_utf8(output.stdout)?.replace('\r', "");
        let code = output.status.code().unwrap_or(-1);
        Ok(self.redacted(&format!("exit {code}\n{said}")))
    }

    fn redacted(&self, text: &str) -> String {
        let text = text.replace(&self.0.root().display().to_string(), "HOME");
        let digits =
            |word: &str| word.chars().filter(char::is_ascii_digit).count() * 2 > word.len();
        let lines = text.lines().map(|line| {
            let words = line.split(' ').map(|word| {
                if digits(word) && word.len() > 2 {
                    "#"
                } else {
                    word
                }
            });
            words.collect::<Vec<_>>().join(" ")
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn commands_say_that_nothing_has_happened_before_the_first_event() -> Result<()> {
    let cli = Cli::new()?;
    assert_snapshot!(cli.run(&["status"])?, @"
    exit 0
    daemon   not running; the next event starts it
    journal  0 B, 0 B not stored yet
    store    0 events
    files    HOME/state
    mode     user: the guard obeys your own configuration
    ");
    assert_snapshot!(cli.run(&["events"])?, @"
    exit 0
    no events yet in HOME/state
    ");
    assert_snapshot!(cli.at_terminal(&["daemon", "stop"])?, @"
    exit 0
    no daemon runs
    ");
    Ok(())
}

#[test]
fn events_are_shown_as_lines() -> Result<()> {
    let cli = Cli::new()?;
    cli.hook("one")?;
    cli.hook("two")?;
    assert_snapshot!(cli.run(&["events"])?, @"
    exit 0
         1  # #  855cf6ed  PostToolUse         Bash make check
         2  # #  855cf6ed  PostToolUse         Bash make check
    ");
    assert_snapshot!(cli.run(&["events", "--limit", "1"])?, @"
    exit 0
         2  # #  855cf6ed  PostToolUse         Bash make check
    ");
    assert_snapshot!(cli.run(&["events", "--session", "nobody"])?, @"
    exit 0
    no matching events
    ");
    assert_snapshot!(cli.run(&["events", "--event", "Stop"])?, @"
    exit 0
    no matching events
    ");
    Ok(())
}

/// What scripts read must be JSON, and must not tell a secret.
#[test]
fn events_as_json_are_masked_and_stay_json() -> Result<()> {
    let cli = Cli::new()?;
    let event = r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash",
        "tool_input":{"command":"PGPASSWORD=hunter2 psql","token":5,"next_token":null,"credentials":{"pin":"1234"}}}"#;
    assert!(cli.0.visit(event.as_bytes())?.success());
    let output = cli.0.cli(["events", "--json"]).output()?;
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    assert_snapshot!(shown["payload"]["tool_input"], @r#"{"command":"PGPASSWORD=[masked] psql","credentials":{"pin":"[masked]"},"next_token":null,"token":"[masked]"}"#);
    Ok(())
}

/// The word may stand behind an option, and the event counts all the same.
#[test]
fn the_hook_is_reached_by_its_word() -> Result<()> {
    let cli = Cli::new()?;
    let event = cli.0.root().join("event");
    std::fs::write(&event, fixture::tool_call("x", 100))?;
    let output = cli
        .0
        .cli(["hook", "--from", "user"])
        .stdin(std::fs::File::open(&event)?)
        .output()?;
    assert_eq!(
        (
            output.status.code(),
            output.stdout.len(),
            output.stderr.len()
        ),
        (Some(0), 0, 0)
    );
    let shown = cli.0.cli(["events", "--json"]).output()?;
    assert!(String::from_utf8(shown.stdout)?.contains(r#""from":"user""#));
    Ok(())
}

#[test]
fn a_daemon_is_started_once_and_stopped() -> Result<()> {
    let cli = Cli::new()?;
    assert_snapshot!(cli.run(&["daemon", "start", "--port", "0"])?, @"
    exit 0
    the daemon started, process #
    ");
    assert_snapshot!(cli.run(&["daemon", "start", "--port", "0"])?, @"
    exit 0
    the daemon runs already, process #
    ");
    assert_snapshot!(cli.run(&["daemon", "run", "--port", "0"])?, @"
    exit 1
    bellwether: another daemon is running for HOME/state
    ");
    assert_snapshot!(cli.at_terminal(&["daemon", "stop"])?, @"
    exit 0
    the daemon has stopped; the next event starts it again
    ");
    assert_eq!(cli.0.daemons()?.len(), 0);
    Ok(())
}

#[test]
fn only_a_person_can_stop_the_daemon() -> Result<()> {
    let cli = Cli::new()?;
    cli.run(&["daemon", "start", "--port", "0"])?;
    assert_snapshot!(cli.run(&["daemon", "stop"])?, @"
    exit 1
    bellwether: stopping the daemon needs a person at a terminal, and stdin is not a terminal. Run it in one
    ");
    let output = cli
        .0
        .cli(["daemon", "stop"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr)?.contains("not for an agent"));
    assert_eq!(cli.0.daemons()?.len(), 1);
    Ok(())
}

#[test]
fn wrong_command_lines_exit_64_and_never_2() -> Result<()> {
    let cli = Cli::new()?;
    assert_snapshot!(cli.run(&["statsu"])?, @"
    exit 64
    error: unrecognized subcommand 'statsu'

      tip: a similar subcommand exists: 'status'

    Usage: bellwether [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
    assert_snapshot!(cli.run(&["events", "--limit", "many"])?, @"
    exit 64
    error: invalid value 'many' for '--limit <N>': invalid digit found in string

    For more information, try '--help'.
    ");
    assert_snapshot!(cli.run(&["daemon", "start", "--idle-exit", "soon"])?, @"
    exit 64
    error: invalid value 'soon' for '--idle-exit <SECONDS>': give a number of seconds, for instance # or 0.5, or `never`

    For more information, try '--help'.
    ");
    assert_snapshot!(cli.run(&["daemon", "start", "--idle-exit", "-1"])?, @"
    exit 64
    error: unexpected argument '-1' found

    Usage: bellwether daemon start [OPTIONS]

    For more information, try '--help'.
    ");
    Ok(())
}

/// What clap does not see is a matter of usage all the same.
#[test]
fn what_was_typed_wrong_exits_64_everywhere() -> Result<()> {
    let cli = Cli::new()?;
    for (line, said) in [
        (
            "events --event Stpo",
            "no such event (did you mean `Stop`?)",
        ),
        (
            "export --event stop",
            "no such event (did you mean `Stop`?)",
        ),
        (
            "purge --event Stpo --dry-run",
            "no such event (did you mean `Stop`?)",
        ),
        (
            "install --only Stpo --dry-run",
            "no such event (did you mean `Stop`?)",
        ),
        ("purge", "choose which events to remove"),
        ("say --volume 2 hello", "the volume must be"),
        ("sounds play bel_ring_1", "did you mean `bell_ring_1`?"),
        (
            "character show tod",
            "there is no character `tod` (did you mean `toad`?)",
        ),
        ("voices test nobody", "no engine or voice nobody"),
        ("config get audio.volum", "did you mean `audio.volume`?"),
        ("config set audio.volum 1", "did you mean `audio.volume`?"),
        ("config set audio.volume 11", "must be a number from 0 to 1"),
        ("config set preset clam", "did you mean `calm`?"),
        ("config set guard.mode sctrict", "did you mean `strict`?"),
        ("config set daemon.idle_exit -1", "idle_exit"),
        ("config unset audio.volum", "did you mean `audio.volume`?"),
        ("config sett", "unrecognized subcommand"),
        ("help statsu", "unrecognized subcommand"),
        (
            "guard allow x --rule gitt-push",
            "there is no rule `gitt-push`",
        ),
        ("guard", "Usage: bellwether guard"),
        ("daemon start --port 70000", "invalid value"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let told = match words[..] {
            ["guard", "allow", ..] => cli.at_terminal(&words)?,
            _ => cli.run(&words)?,
        };
        assert!(
            told.starts_with("exit 64\n") && told.contains(said),
            "{line}: {told}"
        );
    }
    Ok(())
}

#[test]
fn one_thing_is_counted_as_one() -> Result<()> {
    let cli = Cli::new()?;
    cli.hook("one")?;
    let file = cli.0.root().join("all.jsonl").display().to_string();
    for (words, said) in [
        (
            &["export", "--output", &file][..],
            "1 event in HOME/all.jsonl",
        ),
        (&["status"], "store    1 event\n"),
        (&["purge", "--all", "--dry-run"], "1 event would be removed"),
    ] {
        let told = cli.run(words)?;
        assert!((told + "\n").contains(said), "{words:?}");
    }
    Ok(())
}

#[test]
fn a_creature_is_printed_and_written() -> Result<()> {
    let cli = Cli::new()?;
    let printed = cli.run(&["creature", "worker-7", "--pose", "working"])?;
    assert!(
        printed.starts_with("exit 0\n<svg ") && printed.contains("<title>worker-7</title>"),
        "{printed}"
    );
    let (file, gallery) = (cli.0.root().join("a.svg"), cli.0.root().join("all.html"));
    let (file, gallery) = (file.display().to_string(), gallery.display().to_string());
    let write = [
        "creature", "reviewer", "--parent", "worker-7", "--still", "--output", &file,
    ];
    assert_snapshot!(cli.run(&write)?, @"
    exit 0
    wrote HOME/a.svg
    ");
    let again = cli.run(&write)?;
    assert!(
        again.starts_with("exit 1\n") && again.contains("(--force writes over a file)"),
        "{again}"
    );
    assert_snapshot!(cli.run(&["creature", "--gallery", &gallery])?, @"
    exit 0
    wrote HOME/all.html
    ");
    assert!(std::fs::read_to_string(gallery)?.matches("<svg ").count() > 70);
    for (words, code, said) in [
        (&["--gallery", "all.pdf"][..], 64, "ends in .svg or .html"),
        (&[], 64, "required arguments were not provided"),
        (
            &["worker-7", "--pose", "dancing"],
            64,
            "possible values: idle",
        ),
        (
            &["worker-7", "--gallery", "a.svg", "--output", "b.svg"],
            64,
            "cannot be used with",
        ),
    ] {
        let told = cli.run(&[&["creature"], words].concat())?;
        assert!(
            told.starts_with(&format!("exit {code}\n")) && told.contains(said),
            "{words:?}: {told}"
        );
    }
    Ok(())
}
