//! The script that the plugin's hooks start: it finds the hook or says once that there is none, and always exits 0.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::Result;
use bellwether_tests::run::fed;

use super::plugin;

/// The places of the system that it knows, below a folder of the test here.
const SYSTEM: [&str; 3] = [
    "/usr/local/bin/bellwether-hook",
    "/usr/bin/bellwether-hook",
    "/usr/local/lib/bellwether/bellwether-hook",
];
const START: &str = r#"{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}"#;
/// What somebody says who quotes an event.
const QUOTED: &str = r#"{"hook_event_name":"UserPromptSubmit","prompt":"{\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}"}"#;

/// A machine with a home, a project and places for programs.
struct Machine {
    folder: tempfile::TempDir,
    starter: PathBuf,
}

impl Machine {
    fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("a b*").tempdir()?;
        let starter = folder.path().join("plugin/bellwether-hook");
        let mut text = fs::read_to_string(plugin().join("hooks/bellwether-hook"))?;
        for place in SYSTEM {
            assert!(text.contains(&format!(" {place}")), "{place}");
            text = text.replace(
                &format!(" {place}"),
                &format!(" '{}{place}'", folder.path().display()),
            );
        }
        write(&starter, &text, 0o755)?;
        let machine = Self { folder, starter };
        fs::create_dir_all(machine.path("project"))?;
        Ok(machine)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    /// A hook that says where it was started, by which words, and how much it was told.
    fn hook(&self, path: &str) -> Result<()> {
        write(
            &self.path(path),
            "#!/bin/sh\necho \"$0 $*\" $(wc -c)\n",
            0o755,
        )
    }

    /// Starts it in the project; `HERE` in a variable is this machine's folder.
    fn start(&self, variables: &[(&str, &str)], input: impl AsRef<[u8]>) -> Result<Output> {
        let mut command = Command::new(&self.starter);
        let here = self.folder.path().display().to_string();
        let variables = variables
            .iter()
            .map(|(name, value)| (*name, value.replace("HERE", &here)));
        command.args(["--from", "plugin"]).env_clear();
        command.envs(variables).current_dir(self.path("project"));
        fed(command, input)
    }

    /// What it printed, with exit code 0 and nothing on stderr.
    fn said(&self, variables: &[(&str, &str)], input: impl AsRef<[u8]>) -> Result<String> {
        let output = self.start(variables, input)?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*complaint), (Some(0), ""));
        let said = String::from_utf8(output.stdout)?;
        Ok(said.replace(&self.folder.path().display().to_string(), "HERE"))
    }
}

fn write(path: &Path, text: &str, mode: u32) -> Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)?;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(mode))?)
}

const USUAL: [(&str, &str); 2] = [("HOME", "HERE/home"), ("PATH", "/usr/bin:/bin")];

#[test]
fn the_hook_is_found_in_each_place_and_the_first_one_counts() -> Result<()> {
    let everywhere = [("HOME", "HERE/home"), ("PATH", "/usr/bin:HERE/own:/bin")];
    let places = ["/own/bellwether-hook"]
        .into_iter()
        .chain(SYSTEM.into_iter().rev())
        .chain(["/home/.local/bin/bellwether-hook"]);
    let machine = Machine::new()?;
    // Each is before those that are there already.
    for place in places {
        machine.hook(place)?;
        let expected = format!("HERE{place} --from plugin {}\n", START.len());
        assert_eq!(machine.said(&everywhere, START)?, expected);
    }
    Ok(())
}

#[test]
fn without_the_hook_a_session_is_told_once_and_nothing_else_is_said() -> Result<()> {
    let machine = Machine::new()?;
    for line in [START.to_owned(), format!("{START}\n")] {
        let hint: serde_json::Value = serde_json::from_str(&machine.said(&USUAL, line)?)?;
        let hint = hint["systemMessage"].as_str().unwrap_or_default();
        assert!(
            hint.contains("not installed") && hint.contains("./install"),
            "{hint}"
        );
    }
    for event in [
        &START.replace("startup", "resume"),
        &START.replace("SessionStart", "PreToolUse"),
        QUOTED,
        "not JSON",
        "",
    ] {
        assert_eq!(machine.said(&USUAL, event)?, "", "{event}");
    }
    Ok(())
}

#[test]
fn no_project_and_no_variable_chooses_the_hook() -> Result<()> {
    let machine = Machine::new()?;
    for place in [
        "bellwether-hook",
        "bin/bellwether-hook",
        ".local/bin/bellwether-hook",
    ] {
        machine.hook(&format!("project/{place}"))?;
    }
    for variables in [
        [("HOME", "."), ("PATH", ".:bin::/usr/bin:/bin")],
        [("HOME", ""), ("PATH", "")],
        [
            ("BELLWETHER_HOOK", "HERE/project/bellwether-hook"),
            ("PATH", "*:/bin"),
        ],
    ] {
        assert_eq!(machine.said(&variables, QUOTED)?, "", "{variables:?}");
    }
    // One that is installed is not put aside by the search path.
    machine.hook("home/.local/bin/bellwether-hook")?;
    let said = machine.said(
        &[
            ("HOME", "HERE/home"),
            ("PATH", "HERE/project:/usr/bin:/bin"),
        ],
        START,
    )?;
    assert!(said.starts_with("HERE/home/.local/bin/"), "{said}");
    Ok(())
}

#[test]
fn a_hook_that_cannot_be_started_is_no_error() -> Result<()> {
    let installed = "home/.local/bin/bellwether-hook";
    let machine = Machine::new()?;
    let path = machine.path(installed);
    // A folder, a file without the right, a loop back to the script: as if it were not there.
    fs::create_dir_all(&path)?;
    assert!(machine.said(&USUAL, START)?.contains("not installed"));
    fs::remove_dir(&path)?;
    write(&path, "#!/bin/sh\n", 0o644)?;
    assert!(machine.said(&USUAL, START)?.contains("not installed"));
    fs::remove_file(&path)?;
    symlink(&machine.starter, &path)?;
    assert!(machine.said(&USUAL, START)?.contains("not installed"));
    fs::remove_file(&path)?;
    // One that breaks only as it is started.
    write(&path, "#!/no/such/interpreter\n", 0o755)?;
    assert_eq!(machine.start(&USUAL, START)?.status.code(), Some(0));
    Ok(())
}

#[test]
fn all_of_an_event_is_taken() -> Result<()> {
    let machine = Machine::new()?;
    let long = format!(
        r#"{{"hook_event_name":"Stop","text":"{}"}}"#,
        "x".repeat(20 << 20)
    );
    for variables in [&USUAL[..], &[("PATH", "/nowhere")], &[]] {
        // Whoever writes is not left with a closed pipe.
        let mut command = Command::new(&machine.starter);
        command.env_clear().envs(variables.iter().copied());
        let mut child = command
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("stdin is piped");
        std::io::Write::write_all(&mut stdin, long.as_bytes())?;
        drop(stdin);
        let output = child.wait_with_output()?;
        assert_eq!((output.status.code(), output.stdout), (Some(0), vec![]));
    }
    machine.hook("home/.local/bin/bellwether-hook")?;
    let said = machine.said(&USUAL, &long)?;
    assert!(said.ends_with(&format!(" {}\n", long.len())), "{said}");
    Ok(())
}

/// The client leaves the stream open after the event.
#[test]
fn an_event_ends_with_its_line() -> Result<()> {
    use std::io::Write as _;
    let machine = Machine::new()?;
    let mut command = Command::new(&machine.starter);
    command.env_clear().stdin(std::process::Stdio::piped());
    let mut child = command.stdout(std::process::Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    writeln!(stdin, "{START}")?;
    let output = child.wait_with_output()?;
    drop(stdin);
    assert!(String::from_utf8(output.stdout)?.contains("not installed"));
    Ok(())
}
