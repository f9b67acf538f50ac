//! The gate from the client's side: what it is told about a commit, before the commit is made.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::installation::filled_stdin;
use bellwether_tests::run::{fed, printed};
use bellwether_tests::{Installation, Programs, Project, process, wait};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);

/// Refuses a tree with the word BAD in it, and leaves a line in a file for each run.
fn lint(project: &Path) -> String {
    let runs = project.join("runs");
    format!(
        "echo run >> {}; ! grep -rn BAD --include=*.txt .",
        runs.display()
    )
}

/// A trusted project whose gate refuses BAD, with one commit in it.
fn project(more: &str) -> Result<Project> {
    let project = Project::trusted("")?;
    let run = lint(&project.home());
    let config = format!("gate: {{enabled: true, steps: {{lint: {{run: '{run}'}}}}{more}}}\n");
    project.place().configure(&config)?;
    project.stage(&[("a.txt", "fine\n"), ("b.txt", "fine\n")])?;
    project.git("commit -qm one")?;
    for (key, value) in [("user.name", "t"), ("user.email", "t@t")] {
        project.git_words(&["config", key, value])?;
    }
    Ok(project)
}

/// How often checks ran.
fn runs(project: &Project) -> usize {
    let runs = fs::read_to_string(project.home().join("runs"));
    runs.unwrap_or_default().lines().count()
}

fn event(project: &Project, command: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project.root(), "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("t-{command}"),
    })
}

fn hook(project: &Project) -> Command {
    of_project(project.place().hook(), project)
}

fn of_project(mut hook: Command, project: &Project) -> Command {
    hook.arg("--no-daemon")
        .env("PATH", project.tools().path())
        .env("HOME", project.home())
        .env("CLAUDE_PROJECT_DIR", project.root());
    hook
}

/// What the client is told about an event.
fn answer(hook: Command, event: &Value) -> Result<Value> {
    let output = fed(hook, event.to_string())?;
    ensure!(output.status.success() && output.stderr.is_empty());
    if output.stdout.is_empty() {
        return Ok(Value::Null);
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn told(project: &Project, command: &str) -> Result<Value> {
    answer(hook(project), &event(project, command))
}

/// Why a command was refused; empty when nothing was said.
fn refusal(answer: &Value) -> String {
    let output = &answer["hookSpecificOutput"];
    let said = output["permissionDecisionReason"].as_str();
    assert!(
        said.is_none() || output["permissionDecision"] == "deny",
        "{answer}"
    );
    said.unwrap_or_default().to_owned()
}

#[test]
fn a_commit_that_fails_is_refused_with_the_reason_and_one_that_passes_is_not() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD word\n")])?;
    let said = refusal(&told(&project, "git commit -m x")?);
    assert!(
        said.starts_with("The checks before this commit failed: lint")
            && said.contains("a.txt:1:BAD word"),
        "{said}"
    );
    project.stage(&[("a.txt", "good word\n")])?;
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    assert_eq!(runs(&project), 2);
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    assert_eq!(runs(&project), 2, "what has passed is not checked again");
    project.git("commit -qm two")?;
    assert_eq!(
        told(&project, "git commit --amend -m reworded")?,
        Value::Null
    );
    assert_eq!(
        told(&project, "git commit --allow-empty -m x")?,
        Value::Null
    );
    assert_eq!(runs(&project), 2, "nothing new is committed");
    Ok(())
}

#[test]
fn what_has_passed_is_known_by_its_index_alone_until_that_changes() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "good word\n")])?;
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    // Git is not asked any more: without its objects it could say nothing.
    let objects = project.root().join(".git/objects");
    let hidden = project.root().join(".git/hidden");
    fs::rename(&objects, &hidden)?;
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    fs::rename(&hidden, &objects)?;
    let mut status = project.place().cli(["gate", "status", "--json"]);
    let status: Value = serde_json::from_str(&printed(status.current_dir(project.root()))?)?;
    let passes = status["passes"].as_array().map(Vec::len);
    assert_eq!(passes, Some(1), "{status}");
    for command in ["git commit -m x", "git add -A && git commit -m x"] {
        project.stage(&[("a.txt", "BAD word\n")])?;
        assert_ne!(refusal(&told(&project, command)?), "", "{command}");
    }
    project.git_words(&["config", "index.skipHash", "true"])?;
    project.stage(&[("a.txt", "good word\n")])?;
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    project.stage(&[("a.txt", "BAD word\n")])?;
    assert_ne!(
        refusal(&told(&project, "git commit -m x")?),
        "",
        "without a checksum"
    );
    Ok(())
}

#[test]
fn what_will_be_committed_is_checked_and_nothing_else() -> Result<()> {
    let project = project("")?;
    project.write("a.txt", "BAD but not staged\n")?;
    project.stage(&[("b.txt", "staged\n")])?;
    for (command, fine) in [
        ("git commit -m x", true),
        ("git commit -m x b.txt", true),
        ("git add b.txt && git commit -m x", true),
        ("git commit -am x", false),
        ("git commit -m x a.txt", false),
        ("git commit -i a.txt -m x", false),
        ("git add -A && git commit -m x", false),
        (
            "git add . && git commit -m \"$(cat <<'EOF'\nfix: it\nEOF\n)\"",
            false,
        ),
        ("bash -c 'git commit -am x'", false),
        ("git -c alias.k='commit -a' k -m x", false),
        ("git commit -m one && git commit -am two", false),
        ("echo 'git commit -am x'", true),
        ("git log --grep='git commit -am x'", true),
        ("git commit -am x --dry-run", true),
    ] {
        let said = refusal(&told(&project, command)?);
        assert_eq!(said.is_empty(), fine, "{command}: {said}");
    }
    assert_eq!(
        project.git("status --short")?,
        "M a.txt\nM  b.txt",
        "nothing was touched"
    );
    Ok(())
}

/// Whatever leads to it, it is a commit.
#[test]
fn every_spelling_of_a_commit_is_checked() -> Result<()> {
    let project = project("")?;
    project.git_words(&["config", "alias.ci", "commit -a"])?;
    project.git_words(&["config", "alias.ship", "!git commit -am shipped"])?;
    project.script("save.sh", "set -e\ngit add -A\ngit commit -m saved")?;
    project.write("Makefile", "save:\n\tgit commit -am saved\n")?;
    let package = r#"{"scripts": {"save": "git commit -am saved"}}"#;
    project.write("package.json", package)?;
    project.git("add -A")?;
    project.git("commit -qm tools")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    let root = project.root().display().to_string();
    for command in [
        &format!("git -C {root} commit -m x"),
        &format!("git --git-dir={root}/.git --work-tree={root} commit -m x"),
        &format!("cd {root}; git commit -m x"),
        "true; git commit -m x",
        "git status && git commit -m x || true",
        "(git commit -m x)",
        "git commit -m x | tail -1",
        "GIT_AUTHOR_NAME=me LANG=C git commit -m x",
        "env LANG=C git commit -m x",
        "command git commit -m x",
        "timeout 60 git commit -m x",
        "git commit -am x",
        "git commit --amend --no-edit",
        "git commit --all --message=x",
        "git commit -F - <<'EOF'\nfix: it\n\nlonger\nEOF",
        "git commit -m \"$(cat <<'EOF'\nfix: it\nEOF\n)\"",
        "git ci -m x",
        "git ship",
        "./save.sh",
        "bash save.sh",
        "sh -c 'git commit -m x'",
        "make save",
        "npm run save",
        "if true; then git commit -m x; fi",
    ] {
        let said = refusal(&told(&project, command)?);
        assert!(said.contains("a.txt:1:BAD"), "{command}: {said}");
    }
    let before = runs(&project);
    for command in [
        "echo 'git commit -m x'",
        "grep -rn 'git commit' .",
        "cat <<'EOF' > /dev/null\ngit commit -m x\nEOF",
        "git log --oneline # git commit",
        "git commit-graph verify",
        "git help commit",
    ] {
        assert_eq!(told(&project, command)?, Value::Null, "{command}");
    }
    assert_eq!(runs(&project), before, "nothing was run for them");
    Ok(())
}

/// Two repositories may hold the same: each has checks of its own.
#[test]
fn the_same_files_in_two_repositories_are_checked_in_both() -> Result<()> {
    let project =
        Project::trusted("gate: {enabled: true, steps: {place: {run: '! pwd | grep second'}}}\n")?;
    let second = project.root().parent().context("a parent")?.join("second");
    project.stage(&[("a.txt", "a\n")])?;
    project.git_words(&["clone", "-q", ".", &second.display().to_string()])?;
    fs::write(second.join("a.txt"), "a\n")?;
    project.git_words(&["-C", &second.display().to_string(), "add", "-A"])?;
    project.trust(&second)?;
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    let both = format!("git commit -m x; git -C {} commit -m x", second.display());
    let said = refusal(&told(&project, &both)?);
    assert!(said.contains("place"), "{said}");
    Ok(())
}

/// A person who wonders why the agent does nothing can see it.
#[test]
fn checks_that_take_long_are_told_while_they_run() -> Result<()> {
    let wait = "while ! [ -e \"$HOME/go\" ]; do sleep 0.05; done";
    let project = Project::trusted(&format!(
        "gate: {{enabled: true, steps: {{slow: {{run: '{wait}'}}}}}}\n"
    ))?;
    project.stage(&[("a.txt", "a\n")])?;
    let place = project.place();
    let _daemon = place.start_daemon(&[])?;
    // So that the settings are known, however busy the machine is.
    told(&project, "git status")?;
    let asked = event(&project, "git commit -m x");
    let (_open, stdin) = filled_stdin(asked.to_string().as_bytes())?;
    let mut child = hook(&project).stdin(stdin).stdout(Stdio::null()).spawn()?;
    let shown = || -> Result<String> {
        let shown = project.cli(["events"]).output()?;
        Ok(String::from_utf8_lossy(&shown.stdout).into_owned())
    };
    let is_told = || {
        Ok(shown()?
            .contains("gate: checking this commit, at most")
            .then_some(()))
    };
    wait::until(PATIENCE, is_told)?.with_context(|| format!("nobody is told: {:?}", shown()))?;
    let status = project.cli(["gate", "status"]).output()?;
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(status.contains("slow"), "{status}");
    fs::write(project.home().join("go"), "")?;
    ensure!(child.wait()?.success());
    place.settle()?;
    assert!(shown()?.contains("gate: passed"), "{}", shown()?);
    Ok(())
}

#[test]
fn what_cannot_be_foreseen_is_to_be_committed_by_itself() -> Result<()> {
    let project = project("")?;
    let said = refusal(&told(&project, "echo more >> a.txt && git commit -am x")?);
    assert!(
        said.contains("the same command changes `a.txt` first")
            && said.contains("`git commit` in a command of its own"),
        "{said}"
    );
    assert_eq!(runs(&project), 0);
    project.write("a.txt", "BAD\n")?;
    let said = refusal(&told(
        &project,
        "make-it-good && git add -A && git commit -m x",
    )?);
    assert!(
        said.contains("BAD") && said.contains("run that part first"),
        "{said}"
    );
    Ok(())
}

#[test]
fn every_mode_and_every_version_of_the_client_obeys() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    for mode in [
        "default",
        "acceptEdits",
        "bypassPermissions",
        "plan",
        "dontAsk",
    ] {
        let mut event = event(&project, "git commit -m x");
        event["permission_mode"] = mode.into();
        let mut hook = hook(&project);
        hook.env("CLAUDE_CODE_SESSION_ATTENDED", "0");
        assert!(refusal(&answer(hook, &event)?).contains("BAD"), "{mode}");
    }
    for (version, decision) in [("1.0.58", "block"), ("2.0.30", "deny")] {
        let mut hook = hook(&project);
        hook.args(["--client", version, "--event", "PreToolUse"]);
        let answer = answer(hook, &event(&project, "git commit -m x"))?;
        let new = &answer["hookSpecificOutput"]["permissionDecision"];
        let said = if new.is_null() {
            &answer["decision"]
        } else {
            new
        };
        assert_eq!(said, decision, "{version}: {answer}");
    }
    Ok(())
}

#[test]
fn a_project_without_a_gate_pays_nothing() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    let other = Project::untrusted("")?;
    other.stage(&[("a.txt", "BAD\n")])?;
    let elsewhere = format!("git -C {} commit -m x", other.root().display());
    assert_eq!(
        told(&project, &elsewhere)?,
        Value::Null,
        "another project, which nobody trusts"
    );
    // The person's own configuration asks for a gate in every project that is trusted.
    let mut asked = event(&project, "git commit -m x");
    asked["cwd"] = other.root().display().to_string().into();
    let mut hook = hook(&project);
    hook.env("CLAUDE_PROJECT_DIR", other.root());
    assert_eq!(answer(hook, &asked)?, Value::Null);
    project.place().configure("gate: {enabled: false}\n")?;
    assert_eq!(told(&project, "git commit -m x")?, Value::Null);
    assert_eq!(runs(&project), 0);
    assert!(!project.place().home().gate_drafts().exists());
    Ok(())
}

#[test]
fn the_repository_s_own_gate_counts_wherever_the_session_was_begun() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n"), ("sub/c.txt", "c\n")])?;
    let outside = project.home().display().to_string();
    let command = format!("cd {} && git commit -m x", project.root().display());
    for (session, command) in [
        (outside.clone(), command.as_str()),
        (
            project.root().join("sub").display().to_string(),
            "git commit -m x",
        ),
    ] {
        let mut event = event(&project, command);
        event["cwd"] = session.clone().into();
        let mut hook = hook(&project);
        hook.env("CLAUDE_PROJECT_DIR", &session);
        let said = refusal(&answer(hook, &event)?);
        // Nobody has trusted the folder in it as a project of its own.
        assert_eq!(
            said.contains("BAD"),
            session == outside,
            "{session}: {said}"
        );
    }
    Ok(())
}

#[test]
fn what_the_guard_stops_is_not_checked() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    for (command, decision) in [
        ("git commit -m x; git push --force origin main", "deny"),
        (
            "git commit -m x; find \"$(ls | grep victim)\" -delete",
            "ask",
        ),
    ] {
        let answer = told(&project, command)?;
        let output = &answer["hookSpecificOutput"];
        assert_eq!(output["permissionDecision"], decision, "{answer}");
        let reason = output["permissionDecisionReason"]
            .as_str()
            .unwrap_or_default();
        assert!(!reason.contains("checks before this commit"), "{reason}");
    }
    assert_eq!(runs(&project), 0);
    Ok(())
}

#[test]
fn without_a_guard_the_gate_still_stands() -> Result<()> {
    let project = project("")?;
    let config = fs::read_to_string(project.place().home().config_file())?;
    project
        .place()
        .configure(&format!("{config}guard: {{enabled: false}}\n"))?;
    project.stage(&[("a.txt", "BAD\n")])?;
    assert!(refusal(&told(&project, "git commit -m x")?).contains("BAD"));
    assert_eq!(told(&project, "git status")?, Value::Null);
    Ok(())
}

#[test]
fn a_check_that_hangs_is_ended_at_the_deadline() -> Result<()> {
    let nap = format!("41{:07}", std::process::id());
    for (then, refused) in [("deny", true), ("allow", false)] {
        let project = Project::trusted(&format!(
            "gate: {{enabled: true, timeout: 2, on_timeout: {then}, steps: {{hang: {{run: 'sleep {nap}'}}}}}}\n"
        ))?;
        project.stage(&[("a.txt", "a\n")])?;
        let begun = Instant::now();
        let answer = told(&project, "git commit -m x")?;
        assert!(
            begun.elapsed() < Duration::from_secs(15),
            "{:?}",
            begun.elapsed()
        );
        let said = refusal(&answer);
        assert_eq!(!said.is_empty(), refused, "{answer}");
        if refused {
            assert!(
                said.contains("hang") && said.contains("within 2 s"),
                "{said}"
            );
        } else {
            let message = answer["systemMessage"].as_str().unwrap_or_default();
            assert!(message.contains("did not end within 2 s"), "{answer}");
        }
        nobody_sleeps(&nap)?;
    }
    Ok(())
}

fn sleepers(nap: &str) -> Result<usize> {
    Ok(process::with_words(&[OsStr::new("sleep"), OsStr::new(nap)])?.len())
}

fn nobody_sleeps(nap: &str) -> Result<()> {
    let gone = wait::until(PATIENCE, || Ok((sleepers(nap)? == 0).then_some(())))?;
    gone.context("somebody still sleeps")
}

/// The client ends a hook whose time is up, or that the person interrupted.
#[test]
fn a_hook_that_is_killed_leaves_nothing_behind() -> Result<()> {
    let nap = format!("42{:07}", std::process::id());
    let project = Project::trusted(&format!(
        "gate: {{enabled: true, steps: {{hang: {{run: 'sleep {nap} & sleep {nap}; wait'}}}}}}\n"
    ))?;
    project.stage(&[("a.txt", "a\n")])?;
    project.write("untracked.txt", "so that the tree is laid out elsewhere\n")?;
    for signal in ["-TERM", "-KILL"] {
        let (_open, stdin) =
            filled_stdin(event(&project, "git commit -m x").to_string().as_bytes())?;
        let mut child = hook(&project).stdin(stdin).stdout(Stdio::null()).spawn()?;
        let begun = wait::until(PATIENCE, || Ok((sleepers(&nap)? == 2).then_some(())))?;
        begun.context("the check never began")?;
        let killed = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()?;
        ensure!(killed.success());
        child.wait()?;
        nobody_sleeps(&nap)?;
        let home = project.place().home().clone();
        let empty = || {
            let left = [home.gate_trees(), home.gate_running()];
            Ok(left.iter().all(|folder| is_empty(folder)).then_some(()))
        };
        wait::until(PATIENCE, empty)?.context("a tree of a killed run is left")?;
    }
    Ok(())
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
}

/// Our hook beside something else that is called like the program it starts.
fn beside(folder: &Path, script: &str) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let (hook, other) = (folder.join("bellwether-hook"), folder.join("bellwether"));
    fs::copy(Programs::built()?.hook(), &hook)?;
    fs::write(&other, format!("#!/bin/sh\n{script}\n"))?;
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755))?;
    Ok(hook)
}

/// If we fail, the commit goes on, and the person hears of it.
#[test]
fn a_runner_that_fails_stops_nobody() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    // So that the settings are known without the program that makes them.
    told(&project, "git status")?;
    for (number, script) in [
        "exit 3",
        "echo 'panicked at somewhere'; exit 101",
        "echo '{\"outcome\":'",
        "printf '{\"outcome\":\"splendid\",\"steps\":[]}'",
        "kill -9 $$",
        "head -c 3000000 /dev/zero",
    ]
    .into_iter()
    .enumerate()
    {
        let program = beside(&project.home().join(format!("fake{number}")), script)?;
        let mut hook = bellwether_tests::installation::as_client_does(&program);
        hook.arg("--home").arg(project.place().root());
        let answer = answer(
            of_project(hook, &project),
            &event(&project, "git commit -m x"),
        )?;
        assert_eq!(answer, Value::Null, "{script}");
    }
    let troubles = fs::read_to_string(project.place().home().troubles())?;
    assert!(
        troubles.contains("the gate could not check a commit"),
        "{troubles}"
    );
    Ok(())
}

/// What a check prints is told to an agent: nothing in it steers, and a key in it is not told.
#[test]
fn a_hostile_report_is_told_as_text() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    told(&project, "git status")?;
    let reason = format!(
        "lint failed\\n    \\u001b[31mred\\u001b[0m \\u202eevil ghp_0123456789abcdefghijABCDEFGHIJ\\n{}",
        "x".repeat(50_000)
    );
    let report =
        format!(r#"{{"outcome":"failed","steps":[],"reason":"{reason}","note":"a\u0007note"}}"#);
    let script = format!("cat <<'EOF'\n{report}\nEOF");
    let program = beside(&project.home().join("fake"), &script)?;
    let mut hook = bellwether_tests::installation::as_client_does(&program);
    hook.arg("--home").arg(project.place().root());
    let answer = answer(
        of_project(hook, &project),
        &event(&project, "git commit -m x"),
    )?;
    let said = refusal(&answer);
    assert!(said.starts_with("lint failed\n    red evil "), "{said}");
    assert!(
        !said.contains("0123456789abcdef") && said.len() < 2000,
        "{said}"
    );
    assert_eq!(answer["systemMessage"], "bellwether gate: anote");
    Ok(())
}

/// What the runner is given: where, which tree, how long, and a pipe that ends with the hook.
#[test]
fn the_runner_is_told_what_to_check() -> Result<()> {
    let project = project(", timeout: 20")?;
    project.stage(&[("a.txt", "other\n")])?;
    told(&project, "git status")?;
    let script = "printf '%s\\n' \"$PWD\" \"$@\" > \"$HOME/asked\"; [ -p /dev/stdin ] && echo pipe >> \"$HOME/asked\"\n\
        printf '{\"outcome\":\"nothing\",\"steps\":[]}'";
    let program = beside(&project.home().join("fake"), script)?;
    let mut hook = bellwether_tests::installation::as_client_does(&program);
    hook.arg("--home").arg(project.place().root());
    assert_eq!(
        answer(
            of_project(hook, &project),
            &event(&project, "git commit -m x")
        )?,
        Value::Null
    );
    let asked = fs::read_to_string(project.home().join("asked"))?;
    let tree = project.git("write-tree")?;
    let mut lines = asked.lines();
    assert_eq!(lines.next(), project.root().to_str());
    for wanted in ["gate", "run", "--json", "--with-parent", &tree, "pipe"] {
        assert!(
            asked.lines().any(|line| line == wanted),
            "{wanted}: {asked}"
        );
    }
    let given = asked
        .lines()
        .skip_while(|line| *line != "--deadline-ms")
        .nth(1);
    let given: u64 = given.context("a deadline")?.parse()?;
    assert!((15_000..=20_000).contains(&given), "{given}");
    Ok(())
}

#[test]
fn what_came_of_it_is_among_the_events() -> Result<()> {
    let project = project("")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    let mut asked = event(&project, "git commit -m x");
    asked["agent_id"] = "helper".into();
    answer(hook(&project), &asked)?;
    project.stage(&[("a.txt", "good\n")])?;
    told(&project, "git commit -m x")?;
    told(&project, "echo x > a.txt; git commit -am x")?;
    let place: &Installation = project.place();
    let _daemon = place.start_daemon(&[])?;
    place.settle()?;
    let shown = project.cli(["events"]).output()?;
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    for wanted in [
        "gate: lint failed, 1 s",
        "gate: passed, 1 s (lint)",
        "gate: nobody can tell what would be committed",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    let events = place.events()?;
    let checked = events
        .iter()
        .find(|event| event["payload"]["hook_event_name"] == "CommitChecked");
    let checked = checked.context("the event")?;
    assert_eq!(checked["meta"]["from"], "gate");
    let payload = &checked["payload"];
    assert_eq!(payload["agent_id"], "helper");
    assert_eq!(payload["tool_use_id"], asked["tool_use_id"]);
    assert_eq!(
        (&payload["outcome"], &payload["level"]),
        (&json!("failed"), &json!("warn"))
    );
    assert_eq!(payload["steps"][0]["name"], "lint");
    Ok(())
}
