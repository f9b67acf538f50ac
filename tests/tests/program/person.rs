//! Who is taken for a person, with real processes: whatever an agent does to leave its client behind, and whatever a
//! person's terminal looks like.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_tests::installation::as_person_does;
use bellwether_tests::{Installation, key};

/// What an agent wants.
const WISH: &str = "guard allow destruction --for 10m";

/// A client that runs: a script that bears its name, does what an agent does, and stays.
struct Client(Child);

impl Client {
    /// Begins one that runs these lines.
    fn run(place: &Installation, name: &str, lines: &str) -> Result<Self> {
        let script = place.root().join(name);
        fs::write(&script, format!("#!/bin/bash\n{lines}\nsleep 60 & wait\n"))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        let mut command = as_person_does(&script);
        command.env("HOME", account()?);
        command.current_dir(place.root()).stdin(Stdio::null());
        Ok(Self(command.spawn()?))
    }
}

/// The home folder of whoever runs this, by the list of users: no agent can name another one.
fn account() -> Result<String> {
    let line = "getent passwd \"$(id -u)\" | cut -d: -f6";
    let output = Command::new("sh").args(["-c", line]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Our program with its home, as a line of a shell.
fn ours(place: &Installation) -> String {
    let program = place.programs().main().display().to_string();
    format!("{program} --home {}", place.root().display())
}

/// What a line that an agent runs leaves in `out`, once it has said something.
fn tried(place: &Installation, client: &str, line: &str) -> Result<String> {
    let out = place.root().join("out");
    let _ = fs::remove_file(&out);
    let _client = Client::run(place, client, line)?;
    let mut said = String::new();
    place.wait_for("what was tried to end", || {
        said = fs::read_to_string(&out).unwrap_or_default();
        Ok(said.contains("END"))
    })?;
    Ok(said)
}

fn allowed(place: &Installation) -> Result<String> {
    place.printed(&["guard", "allow", "--list"])
}

#[test]
fn an_agent_finds_no_way_round() -> Result<()> {
    let place = Installation::fresh()?;
    let ours = ours(&place);
    let program = place.programs().main().display().to_string();
    let home = place.root().display();
    let inner = format!("{ours} {WISH}");
    let in_terminal =
        |line: &str| format!("script -qec \"{line}\" /dev/null > out 2>&1; echo END >> out");
    let copy = place.root().join("ls");
    fs::copy(place.programs().main(), &copy)?;
    std::os::unix::fs::symlink(place.programs().main(), place.root().join("cat"))?;
    let ways = [
        in_terminal(&inner),
        in_terminal(&format!("env -i PATH=/usr/bin:/bin {inner}")),
        in_terminal(&format!("./ls --home {home} {WISH}")),
        in_terminal(&format!("./cat --home {home} {WISH}")),
        in_terminal(&format!("bash -c 'exec -a vim {inner}'")),
        format!(
            "(exec env -i PATH=/usr/bin:/bin setsid -w bash -c '{}')",
            in_terminal(&inner)
        ),
        // Those that leave the client: a fork of its own session, one behind `nohup`, and a server of tmux.
        format!(
            "echo \"{}\" > way; setsid -f env -i PATH=/usr/bin:/bin bash way",
            in_terminal(&inner).replace('"', "\\\"")
        ),
        format!(
            "echo \"{}\" > way; (env -i PATH=/usr/bin:/bin nohup bash way &) > /dev/null 2>&1",
            in_terminal(&inner).replace('"', "\\\"")
        ),
        format!(
            "echo \"{inner} > out 2>&1; echo END >> out\" > way; env -i PATH=/usr/bin:/bin tmux -S {home}/tm -f /dev/null new-session -d 'bash way'"
        ),
    ];
    for way in &ways {
        let said = tried(&place, "claude", way)?;
        assert!(
            said.contains("is for a person, not for an agent"),
            "{way}\n{said}"
        );
        assert_eq!(
            allowed(&place)?,
            "nothing is allowed temporarily\n",
            "{way}"
        );
    }
    let loader = PathBuf::from("/lib64/ld-linux-x86-64.so.2");
    if loader.exists() {
        let way = in_terminal(&format!(
            "{} {program} --home {home} {WISH}",
            loader.display()
        ));
        let said = tried(&place, "claude", &way)?;
        // A program that is linked statically is not for the loader.
        assert!(!said.contains("allowed until"), "{said}");
    }
    Ok(())
}

#[test]
fn persons_are_let_in_beside_an_agent() -> Result<()> {
    let place = Installation::fresh()?;
    let home = place.root().display().to_string();
    let tmux = |words: &[&str]| -> Result<String> {
        let mut command = as_person_does("tmux".as_ref());
        command
            .args(["-S", &format!("{home}/tm"), "-f", "/dev/null"])
            .args(words);
        let output = command.stdout(Stdio::piped()).output()?;
        Ok(String::from_utf8(output.stdout)?)
    };
    // A server of tmux that was there before the client.
    tmux(&["new-session", "-d", "-x", "200", "bash", "--norc"])?;
    let _client = Client::run(&place, "claude", "true")?;
    place.wait_for("the client", || {
        let running = Command::new("pgrep")
            .args(["-f", &format!("{home}/claude")])
            .output()?;
        Ok(running.status.success())
    })?;
    let output = place
        .at_terminal(["guard", "allow", "one", "--for", "10m"])
        .output()?;
    assert!(output.status.success(), "{output:?}");
    let line = format!("{} guard allow two --for 10m", ours(&place));
    tmux(&["send-keys", &line, "Enter"])?;
    let waited = place.wait_for("what is typed", || Ok(allowed(&place)?.contains("two")));
    waited.with_context(|| tmux(&["capture-pane", "-p"]).unwrap_or_default())?;
    tmux(&["kill-server"])?;
    Ok(())
}

#[test]
fn the_daemon_knows_clients_by_the_events_they_send() -> Result<()> {
    let place = Installation::fresh()?;
    let _daemon = place.start_serving(&[])?;
    let hook = place.programs().hook().display().to_string();
    let home = place.root().display();
    let lines = format!(
        "export CLAUDE_PID=$$ CLAUDE_CODE_ENTRYPOINT=cli\n\
         echo '{{\"hook_event_name\":\"SessionStart\",\"session_id\":\"s\"}}' | {hook} --home {home}\n\
         {ours} events > /dev/null\n\
         {ours} open --print > out 2>&1\n\
         {ours} config set preset full >> out 2>&1; echo END >> out",
        ours = ours(&place)
    );
    let said = tried(&place, "assistant", &lines)?;
    assert_eq!(
        said.matches("a client that sends events started it")
            .count(),
        2,
        "{said}"
    );
    assert!(!said.contains("http://"), "{said}");
    // Others are still let in.
    assert!(place.printed(&["open", "--print"])?.starts_with("http://"));
    Ok(())
}

#[test]
fn what_lasts_is_typed_back() -> Result<()> {
    let place = Installation::fresh()?;
    let line = format!("{} guard allow x --for 2h", ours(&place));
    let mut blind = as_person_does("script".as_ref());
    let output = blind
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    assert!(
        !output.status.success() && said.contains("nothing was changed"),
        "{said}"
    );
    let output = place
        .at_terminal(["guard", "allow", "x", "--for", "2h"])
        .output()?;
    assert!(output.status.success(), "{output:?}");
    assert!(allowed(&place)?.contains('x'));
    Ok(())
}

#[test]
fn tokens_are_made_listed_and_ended() -> Result<()> {
    let place = Installation::fresh()?;
    let (_daemon, port) = place.start_serving(&[])?;
    fs::write(place.home().token(), "of an earlier version")?;
    let made = place.at_terminal(["open", "--new-token", "ci"]).output()?;
    let said = String::from_utf8(made.stdout)?;
    let token = said.split_whitespace().find(|word| word.len() == 64);
    let token = token.with_context(|| said.clone())?;
    let status = |token: &str| -> Result<String> {
        let output = Command::new("curl")
            .args(["-s", "-o", "/dev/null", "-w", "%{http_code}"])
            .args(["-H", &format!("authorization: Bearer {token}")])
            .arg(format!("http://127.0.0.1:{port}/api/status"))
            .output()?;
        Ok(String::from_utf8(output.stdout)?)
    };
    assert_eq!(status(token)?, "200");
    assert!(
        place
            .printed(&["open", "--tokens"])?
            .starts_with("ci  since ")
    );
    // Nothing in our folders holds it.
    let found = Command::new("grep")
        .args(["-rl", token])
        .arg(place.root())
        .output()?;
    assert_eq!(String::from_utf8(found.stdout)?, "");
    place.printed(&["open", "--end-token", "ci"])?;
    assert_eq!(status(token)?, "401");
    assert_eq!(
        place.printed(&["open", "--tokens"])?,
        "there are no tokens\n"
    );
    assert!(key::token(place.home()).is_ok());
    Ok(())
}
