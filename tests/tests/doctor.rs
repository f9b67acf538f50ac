//! The doctor: each check once in good health and once with something to find, and each fix proved by a second look.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::JoinHandle;

use anyhow::{Context as _, Result, ensure};
use bellwether_hook::handlers;
use bellwether_spine::clock;
use bellwether_spine::trouble::Troubles;
use bellwether_tests::{
    Headless, Home, Hook, Installation, Programs, Settings, env, fixture, namespace, scenarios,
    trace,
};
use serde_json::{Value, json};

/// A person's machine: a home folder, a project, a client that says its version, and a bellwether.
struct Machine {
    folder: tempfile::TempDir,
    bellwether: Installation,
}

struct Said {
    findings: Vec<Value>,
    exit: Option<i32>,
}

impl Said {
    fn of(&self, check: &str) -> Vec<&Value> {
        let wanted = |finding: &&Value| finding["check"] == check;
        self.findings.iter().filter(wanted).collect()
    }

    /// Whether a check has nothing but good to say.
    fn is_good(&self, check: &str) -> bool {
        let found = self.of(check);
        !found.is_empty() && found.iter().all(|finding| finding["level"] == "good")
    }

    #[track_caller]
    fn assert_good(&self, check: &str) {
        assert!(self.is_good(check), "{:#?}", self.of(check));
    }

    /// The finding of a check that has this level and these words.
    fn finds(&self, check: &str, level: &str, words: &str) -> Result<&Value> {
        let has = |finding: &Value| {
            finding["text"]
                .as_str()
                .is_some_and(|text| text.contains(words))
        };
        let found = self.of(check);
        let finding = found
            .iter()
            .find(|finding| finding["level"] == level && has(finding));
        let finding = finding.with_context(|| format!("no {level} with {words:?}: {found:#?}"))?;
        Ok(finding)
    }
}

impl Machine {
    /// All is well: both programs, a client of the version that we know, every event registered.
    fn healthy() -> Result<Self> {
        let machine = Self {
            folder: tempfile::Builder::new().prefix("bw").tempdir()?,
            bellwether: Installation::new(&Programs::built()?)?,
        };
        for folder in [".claude", "project/.claude", "bin"] {
            std::fs::create_dir_all(machine.path(folder))?;
        }
        machine.client("echo '2.1.325 (Claude Code)'")?;
        machine.settings(".claude/settings.json", &registered(&machine.hook()))?;
        Ok(machine)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The hook as the user's settings would name it.
    fn hook(&self) -> Hook {
        let root = self.bellwether.root().display().to_string();
        Hook::exec(self.bellwether.programs().hook()).args(["--client", "2.1.325", "--home", &root])
    }

    /// Replaces the client by a script.
    fn client(&self, script: &str) -> Result<()> {
        executable(&self.path("bin/claude"), format!("#!/bin/sh\n{script}\n"))
    }

    fn settings(&self, file: &str, settings: &Settings) -> Result<()> {
        Ok(std::fs::write(
            self.path(file),
            settings.to_json().to_string(),
        )?)
    }

    fn project_settings(&self, settings: &Settings) -> Result<()> {
        self.settings("project/.claude/settings.json", settings)
    }

    fn doctor(&self) -> Result<Said> {
        self.run(&self.bellwether.programs().main(), &["--json"])
    }

    fn fix(&self) -> Result<Said> {
        self.run(&self.bellwether.programs().main(), &["--json", "--fix"])
    }

    fn run(&self, program: &Path, words: &[&str]) -> Result<Said> {
        said(&self.command(program, words).output()?)
    }

    fn command(&self, program: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.arg("--home").arg(self.bellwether.root());
        command.arg("doctor").args(words);
        command.env_clear().env("HOME", self.folder.path());
        let path = format!("{}:{}", self.path("bin").display(), env::SYSTEM_PATH);
        command.env("PATH", path).current_dir(self.path("project"));
        command
    }
}

/// Our hook for every event that it wants.
fn registered(hook: &Hook) -> Settings {
    let events = handlers::registrations()
        .into_iter()
        .map(|one| one.kind.as_str());
    Settings::new().on(events, hook)
}

fn said(output: &Output) -> Result<Said> {
    let findings = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(Said {
        findings,
        exit: output.status.code(),
    })
}

fn executable(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    std::fs::write(path, content)?;
    mode(path, 0o755)
}

fn mode(path: &Path, mode: u32) -> Result<()> {
    Ok(std::fs::set_permissions(
        path,
        std::fs::Permissions::from_mode(mode),
    )?)
}

#[test]
fn a_healthy_machine_has_nothing_to_complain_of() -> Result<()> {
    let machine = Machine::healthy()?;
    let said = machine.doctor()?;
    for finding in &said.findings {
        // How the hook is linked depends on who built it, and whether something plays sound on the machine; both
        // have tests of their own.
        let own = finding["check"] == "linked" || finding["check"] == "sound";
        ensure!(own || finding["level"] == "good", "{finding}");
    }
    assert_eq!(said.exit, Some(0));
    Ok(())
}

#[test]
fn looking_changes_nothing() -> Result<()> {
    let machine = Machine::healthy()?;
    std::fs::write(machine.path("project/.claude/settings.local.json"), "{")?;
    Troubles(machine.bellwether.home()).note("disk", "the disk is full")?;
    let folders = [machine.folder.path(), machine.bellwether.root()];
    let before = folders.map(trace::of);
    assert_eq!(machine.doctor()?.exit, Some(1));
    for (before, folder) in before.into_iter().zip(folders) {
        assert_eq!(trace::of(folder)?, before?);
    }
    Ok(())
}

#[test]
fn the_clients_folder_can_be_elsewhere() -> Result<()> {
    let machine = Machine::healthy()?;
    let mut command = machine.command(&machine.bellwether.programs().main(), &["--json"]);
    let said = said(
        &command
            .env("CLAUDE_CONFIG_DIR", machine.path("other"))
            .output()?,
    )?;
    said.finds("registration", "problem", "not registered")?;
    Ok(())
}

#[test]
fn a_person_reads_a_line_a_check() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.project_settings(&Settings::new().set("disableAllHooks", json!(true)))?;
    let program = machine.bellwether.programs().main();
    let output = machine.command(&program, &[]).output()?;
    let text = String::from_utf8(output.stdout)?;
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr)?, "");
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(
        text.contains("✓ troubles      none in the last day\n"),
        "{text}"
    );
    assert!(text.contains("\n✗ project       "), "{text}");
    assert!(
        text.contains("\n                → remove disableAllHooks"),
        "{text}"
    );
    assert!(text.contains("\n1 problem, "), "{text}");
    Ok(())
}

#[test]
fn the_client_is_asked_for_its_version() -> Result<()> {
    let machine = Machine::healthy()?;
    for (script, level, words) in [
        ("echo '2.1.100 (Claude Code)'", "note", "older than 2.1.139"),
        ("echo '2.2.0 (Claude Code)'", "note", "newer than 2.1.325"),
        ("echo hello", "warning", "its answer was \"hello\""),
        ("exit 3", "warning", "it fails: exit status: 3"),
        ("sleep 60", "warning", "does not answer within"),
    ] {
        machine.client(script)?;
        machine.doctor()?.finds("client", level, words)?;
    }
    std::fs::remove_file(machine.path("bin/claude"))?;
    machine
        .doctor()?
        .finds("client", "warning", "not on PATH")?;
    Ok(())
}

/// A copy of the programs that can be spoilt.
fn copied(machine: &Machine) -> Result<PathBuf> {
    let folder = machine.path("copy");
    std::fs::create_dir(&folder)?;
    let programs = machine.bellwether.programs();
    std::fs::copy(programs.hook(), folder.join("bellwether-hook"))?;
    std::fs::copy(programs.main(), folder.join("bellwether"))?;
    Ok(folder)
}

#[test]
fn both_programs_are_there_and_nobody_else_changes_them() -> Result<()> {
    let machine = Machine::healthy()?;
    let folder = copied(&machine)?;
    let (main, hook) = (folder.join("bellwether"), folder.join("bellwether-hook"));
    machine.run(&main, &["--json"])?.assert_good("binary");

    mode(&folder, 0o777)?;
    mode(&hook, 0o757)?;
    let said = machine.run(&main, &["--json"])?;
    said.finds("binary", "problem", "everyone may change")?;
    assert_eq!(said.of("binary").len(), 2);
    assert_eq!(said.exit, Some(1));
    machine
        .run(&main, &["--json", "--fix"])?
        .assert_good("binary");
    assert_eq!(hook.metadata()?.permissions().mode() & 0o777, 0o755);

    executable(
        &hook,
        "#!/bin/sh\necho 'bellwether-hook 0.0.1: reads one event'\n",
    )?;
    machine
        .run(&main, &["--json"])?
        .finds("binary", "warning", "the hook is version 0.0.1")?;
    std::fs::remove_file(&hook)?;
    machine
        .run(&main, &["--json"])?
        .finds("binary", "problem", "does not exist")?;
    Ok(())
}

/// The beginning of a 64-bit program with one header of this type.
fn program_with_header(kind: u8) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(64 + 56, 0);
    (bytes[32], bytes[54], bytes[56], bytes[64]) = (64, 56, 1, kind);
    bytes
}

#[test]
fn a_dynamic_hook_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let folder = copied(&machine)?;
    let (main, hook) = (folder.join("bellwether"), folder.join("bellwether-hook"));
    executable(&hook, program_with_header(1))?;
    machine.run(&main, &["--json"])?.assert_good("linked");
    executable(&hook, program_with_header(3))?;
    let said = machine.run(&main, &["--json"])?;
    let finding = said.finds("linked", "warning", "linked dynamically")?;
    assert!(
        finding["advice"].to_string().contains("libc6-dev"),
        "{finding}"
    );
    Ok(())
}

#[test]
fn settings_that_the_client_drops_are_named_with_their_place() -> Result<()> {
    let machine = Machine::healthy()?;
    let local = machine.path("project/.claude/settings.local.json");
    let hook = |hook: Value| json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}}).to_string();
    for (content, level, words) in [
        (
            "{\n \"hooks\": }".to_owned(),
            "problem",
            "settings.local.json, line 2, column 11: ",
        ),
        (
            hook(json!({"type": "command", "command": "true", "timeout": "5"})),
            "problem",
            "settings.local.json, line 1, column 63: `timeout` is \"5\"",
        ),
        (
            json!({"hooks": {"Nonsense": []}}).to_string(),
            "warning",
            "does not know the event `Nonsense`",
        ),
        (
            hook(json!({"type": "command", "command": "/no/such/program \u{1b}[31m"})),
            "warning",
            ": /no/such/program does not exist",
        ),
        (
            hook(json!({"type": "command", "command": "python3 \"$CLAUDE_PROJECT_DIR/gone.py\""})),
            "problem",
            "project/gone.py does not exist; this may block the agent",
        ),
    ] {
        std::fs::write(&local, content)?;
        machine.doctor()?.finds("settings", level, words)?;
    }
    std::fs::remove_file(&local)?;
    std::fs::create_dir(&local)?;
    machine
        .doctor()?
        .finds("settings", "problem", "is not a regular file; Claude Code")?;
    std::fs::remove_dir(&local)?;
    std::fs::write(
        &local,
        hook(json!({"type": "command", "command": "/bin/true"})),
    )?;
    machine.doctor()?.assert_good("settings");
    Ok(())
}

#[test]
fn what_an_old_client_drops_is_a_problem_there() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.client("echo 2.1.100")?;
    machine.doctor()?.finds(
        "settings",
        "problem",
        "Claude Code 2.1.100 does not know the event `PostToolBatch`",
    )?;
    Ok(())
}

#[test]
fn a_registration_is_compared_with_what_is_wanted() -> Result<()> {
    let machine = Machine::healthy()?;
    let user = ".claude/settings.json";
    machine.settings(user, &Settings::new())?;
    let said = machine.doctor()?;
    let finding = said.finds("registration", "problem", "not registered")?;
    assert_eq!(finding["advice"], "bellwether install");

    machine.settings(user, &Settings::new().on(["Stop"], &machine.hook()))?;
    let said = machine.doctor()?;
    let finding = said.finds(
        "registration",
        "warning",
        "29 events not registered, so not heard: ConfigChange",
    )?;
    assert_eq!(
        finding["fix"],
        serde_json::Value::Null,
        "it may be meant so"
    );
    machine.settings(
        user,
        &Settings::new().on(["Stop"], &machine.hook().matching("x")),
    )?;
    machine
        .doctor()?
        .finds("registration", "note", "only some occasions of Stop")?;

    let root = machine.bellwether.root().display().to_string();
    let gone = Hook::exec("/gone/bellwether-hook").args(["--home", &root]);
    machine.settings(user, &registered(&gone))?;
    machine.doctor()?.finds(
        "registration",
        "problem",
        "/gone/bellwether-hook does not exist",
    )?;

    let older = Hook::exec(machine.bellwether.programs().hook())
        .args(["--home", &root, "--client", "2.1.200"]);
    machine.settings(user, &registered(&older))?;
    machine.doctor()?.finds(
        "registration",
        "note",
        "for Claude Code 2.1.200, installed is 2.1.325",
    )?;

    machine.settings(
        user,
        &registered(&Hook::exec(machine.bellwether.programs().hook())),
    )?;
    machine
        .doctor()?
        .finds("registration", "warning", "in the usual folders")?;
    Ok(())
}

#[test]
fn a_registration_is_put_right_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let theirs = Settings::new().on(["Stop"], &Hook::exec("/bin/true"));
    machine.settings(".claude/settings.json", &theirs)?;
    let said = machine.doctor()?;
    assert_eq!(
        said.finds("registration", "problem", "not registered")?["fix"],
        "run bellwether install"
    );
    machine.fix()?.assert_good("registration");
    let written = std::fs::read_to_string(machine.path(".claude/settings.json"))?;
    assert!(written.contains("/bin/true"), "{written}");

    machine.client("echo 2.1.324")?;
    machine
        .doctor()?
        .finds("registration", "note", "for Claude Code 2.1.325")?;
    machine.fix()?.assert_good("registration");
    Ok(())
}

/// The rig's hooks have 20 s, which is enough for everything but an answer from the page.
#[test]
fn too_little_time_for_an_answer_from_the_page_is_put_right() -> Result<()> {
    let machine = Machine::healthy()?;
    machine.doctor()?.assert_good("registration");
    machine.bellwether.configure("page: {answer: true}\n")?;
    let said = machine.doctor()?;
    let found = said.finds("registration", "warning", "waits 20 s for an answer")?;
    assert_eq!(found["fix"], "run bellwether install");
    machine.fix()?.assert_good("registration");
    let written = std::fs::read_to_string(machine.path(".claude/settings.json"))?;
    assert_eq!(
        written.matches("\"timeout\": 600").count() + written.matches("\"timeout\":600").count(),
        1,
        "{written}"
    );
    Ok(())
}

#[test]
fn a_registration_in_two_files_is_told_once() -> Result<()> {
    let machine = Machine::healthy()?;
    // The client runs equal commands once.
    machine.project_settings(&registered(&machine.hook()))?;
    machine.doctor()?.assert_good("twice");
    machine.project_settings(&registered(&machine.hook().args(["--from", "project"])))?;
    let said = machine.doctor()?;
    let finding = said.finds(
        "twice",
        "warning",
        "30 events registered in the user and the project settings",
    )?;
    assert_eq!(finding["advice"], "bellwether uninstall --project");
    assert_eq!(said.of("twice").len(), 1);

    let user = Settings::new()
        .on(["Stop"], &machine.hook())
        .on(["Stop"], &machine.hook().args(["x"]));
    machine.project_settings(&Settings::new())?;
    machine.settings(".claude/settings.json", &user)?;
    machine
        .doctor()?
        .finds("twice", "warning", "twice in the user settings")?;
    Ok(())
}

#[test]
fn what_a_project_does_to_hooks_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let variables = |value: Value| Settings::new().set("env", value);
    machine.project_settings(&variables(json!({"EDITOR": "vi"})))?;
    machine
        .doctor()?
        .finds("project", "note", "gives every hook variables: EDITOR")?;
    machine.project_settings(&variables(
        json!({"BELLWETHER_HOME": "/tmp/x", "TOKEN": "s3cr3t"}),
    ))?;
    let said = machine.doctor()?;
    let finding = said.finds(
        "project",
        "warning",
        "BELLWETHER_HOME, TOKEN; BELLWETHER_HOME can change",
    )?;
    assert!(!finding.to_string().contains("s3cr3t"));
    machine.project_settings(&Settings::new().set("disableAllHooks", json!(true)))?;
    machine
        .doctor()?
        .finds("project", "problem", "starts no hook at all")?;
    machine.project_settings(&Settings::new())?;
    machine.settings(
        ".claude/settings.json",
        &registered(&machine.hook()).set("disableAllHooks", json!(true)),
    )?;
    machine
        .doctor()?
        .finds("project", "problem", ".claude/settings.json")?;
    Ok(())
}

#[test]
fn open_files_are_closed_to_others() -> Result<()> {
    let machine = Machine::healthy()?;
    let home = machine.bellwether.home();
    std::fs::write(home.journal().join("dropped"), "")?;
    mode(&home.journal().join("dropped"), 0o644)?;
    machine.doctor()?.finds("home", "note", "dropped (644)")?;
    mode(home.state(), 0o755)?;
    machine
        .doctor()?
        .finds("home", "warning", "state (755), and 1 more")?;
    machine.fix()?.assert_good("home");
    assert_eq!(home.state().metadata()?.permissions().mode() & 0o777, 0o700);
    Ok(())
}

#[test]
fn sockets_that_had_to_move_are_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let long = machine.path(&"x".repeat(120));
    let mut command = machine.command(&machine.bellwether.programs().main(), &["--json"]);
    let said = said(&command.arg("--home").arg(long).output()?)?;
    said.finds("home", "note", "too long for sockets: they are in /tmp/")?;
    Ok(())
}

#[test]
fn little_room_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let disk = machine.path("disk");
    std::fs::create_dir(&disk)?;
    let main = machine.bellwether.programs().main();
    let script =
        r#"mount -t tmpfs -o size=4m none "$DISK" && exec "$CLI" --home "$DISK" doctor --json"#;
    let output = namespace::mounting(Path::new("/bin/sh"))?
        .args(["-c", script])
        .env("HOME", machine.folder.path())
        .env("DISK", &disk)
        .env("CLI", main)
        .output()?;
    said(&output)?.finds("home", "warning", "MiB are free")?;
    Ok(())
}

#[test]
fn events_that_wait_are_stored_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let place = &machine.bellwether;
    let mut hook = place.hook();
    let (_open, stdin) =
        bellwether_tests::installation::filled_stdin(&fixture::tool_call("a", 200))?;
    ensure!(hook.arg("--no-daemon").stdin(stdin).status()?.success());
    machine
        .doctor()?
        .finds("daemon", "warning", "does not run, and")?;
    let said = machine.fix()?;
    assert!(
        said.of("daemon")
            .iter()
            .all(|finding| finding["fix"].is_null()),
        "{:?}",
        said.of("daemon")
    );
    said.assert_good("journal");
    assert_eq!(place.count()?, 1);
    assert_eq!(place.daemons()?.len(), 1);
    Ok(())
}

#[test]
fn a_running_daemon_is_good_and_a_busy_port_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let daemon = machine.bellwether.start_daemon(&[])?;
    machine.doctor()?.assert_good("daemon");
    drop(daemon);
    let taken = std::net::TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port().to_string();
    ensure!(
        machine
            .bellwether
            .cli(["daemon", "start", "--port", &port])
            .output()?
            .status
            .success()
    );
    machine.doctor()?.finds("daemon", "warning", &port)?;
    Ok(())
}

/// Answers as a daemon of another version would, until it is stopped.
fn older_daemon(place: &Installation) -> Result<JoinHandle<Result<()>>> {
    let socket = place.home().control_socket();
    let listener = UnixListener::bind(&socket)?;
    // No process has this number, so nobody waits for its end.
    let status = json!({"status": {"pid": u32::MAX, "version": "0.0.1", "up_ms": 5, "events": 0, "port": null,
        "http_trouble": null, "store_trouble": "the disk is full", "torn": 0, "foreign": 0}});
    Ok(std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream?;
            for line in BufReader::new(stream.try_clone()?).lines() {
                if line?.contains("stop") {
                    // Gone before it says so, as the caller looks for it at once.
                    std::fs::remove_file(&socket)?;
                    writeln!(&stream, "\"done\"")?;
                    return Ok(());
                }
                writeln!(&stream, "{status}")?;
            }
        }
        Ok(())
    }))
}

#[test]
fn a_daemon_of_another_version_is_replaced_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let older = older_daemon(&machine.bellwether)?;
    let said = machine.doctor()?;
    said.finds("daemon", "note", "the daemon is version 0.0.1")?;
    said.finds("daemon", "problem", "cannot store: the disk is full")?;
    let said = machine.fix()?;
    assert!(
        !said
            .of("daemon")
            .iter()
            .any(|finding| finding.to_string().contains("0.0.1")),
        "{:?}",
        said.of("daemon")
    );
    assert_eq!(machine.bellwether.daemons()?.len(), 1);
    older
        .join()
        .map_err(|_| anyhow::anyhow!("the older daemon panicked"))?
}

#[test]
fn a_journal_that_nobody_stores_or_that_lost_something_is_told() -> Result<()> {
    let machine = Machine::healthy()?;
    let place = &machine.bellwether;
    let journal = place.home().journal();
    std::fs::write(journal.join("dropped"), "...")?;
    mode(&journal.join("dropped"), 0o600)?;
    machine
        .doctor()?
        .finds("journal", "warning", "journal was full: 3")?;
    std::fs::remove_file(journal.join("dropped"))?;

    std::fs::write(
        journal.join("0000000001.jsonseq"),
        "\u{1e}{\"half\": \u{1e}{}\n",
    )?;
    let older = older_daemon(place)?;
    machine
        .doctor()?
        .finds("journal", "problem", "are not stored")?;
    ensure!(
        place
            .at_terminal(["daemon", "stop"])
            .output()?
            .status
            .success()
    );
    older
        .join()
        .map_err(|_| anyhow::anyhow!("the older daemon panicked"))??;

    let _daemon = place.start_daemon(&[])?;
    place.settle()?;
    machine
        .doctor()?
        .finds("journal", "note", "death of their writer (1)")?;
    Ok(())
}

#[test]
fn troubles_are_told_latest_first_and_forgotten_by_a_fix() -> Result<()> {
    let machine = Machine::healthy()?;
    let at = clock::wall_ms();
    let line = |at_ms: u64, code: &str, text: &str| {
        json!({"happened": {"at_ms": at_ms, "code": code, "text": text}}).to_string() + "\n"
    };
    let lines = [
        line(at - 2, "first", "an old one"),
        line(at - 1, "second", "a \u{1b}[31mnew one with TOKEN=abc"),
    ];
    std::fs::write(machine.bellwether.home().troubles(), lines.concat())?;
    let said = machine.doctor()?;
    let texts: Vec<String> = said
        .of("troubles")
        .iter()
        .map(|finding| finding["text"].to_string())
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(
        texts[0].ends_with("a new one with TOKEN=[masked]\""),
        "{texts:?}"
    );
    assert!(texts[1].contains("an old one"), "{texts:?}");
    machine.fix()?.assert_good("troubles");
    Ok(())
}

#[test]
fn who_is_slow_is_told_by_the_clients_own_clock() -> Result<()> {
    let machine = Machine::healthy()?;
    let folder = machine.path(".claude/projects/-project");
    std::fs::create_dir_all(&folder)?;
    let run = |command: &str, ms: u64| json!({"command": command, "durationMs": ms});
    let stop = json!({"type": "system", "subtype": "stop_hook_summary",
        "hookInfos": [run("/o/bellwether-hook --client 2.1.325", 9), run("python3 /x/slow.py", 1200)]});
    std::fs::write(folder.join("a.jsonl"), format!("{stop}\n"))?;
    let said = machine.doctor()?;
    said.finds(
        "cost",
        "good",
        "bellwether-hook 9 ms (longest 9 ms, 1 run), slow.py 1200 ms",
    )?;
    said.finds("cost", "warning", "slow.py 1200 ms")?;
    Ok(())
}

/// Nothing but our own commands between an empty settings file and a session that is heard and measured.
#[test]
fn a_fix_is_heard_by_the_real_client_and_its_cost_is_read() -> Result<()> {
    let (home, programs) = (Home::fresh(env!("CARGO_BIN_EXE_rig"))?, Programs::built()?);
    home.write_settings(&Settings::new())?;
    let doctor = |words: &[&str]| {
        let mut command = Command::new(programs.main());
        command.arg("doctor").args(words).env_clear();
        command
            .env("HOME", home.dir())
            .env("PATH", env::SYSTEM_PATH);
        said(&command.current_dir(home.project()).output()?)
    };
    doctor(&["--json"])?.finds("registration", "problem", "not registered")?;
    doctor(&["--json", "--fix"])?.assert_good("registration");
    Headless::new(&home).scenario(scenarios::one_bash()).run()?;
    let said = doctor(&["--json"])?;
    said.finds("cost", "good", "bellwether-hook ")?;
    said.assert_good("journal");
    said.assert_good("troubles");
    said.assert_good("settings");
    Ok(())
}
