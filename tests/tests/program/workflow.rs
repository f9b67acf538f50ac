//! Planned work, by the commands and the hook: who may say what, many at once, and what a crash or a bad disk leaves.

use std::collections::BTreeSet;
use std::fs;
use std::process::Stdio;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::planned::{created, idle, moved};
use bellwether_tests::run::{fed, said};
use bellwether_tests::{Planned, Random, namespace};
use serde_json::{Value, json};

const ALL_BY_ITSELF: &str = "automation: full-auto, checkpoints: []";

#[test]
fn a_feature_goes_its_way_with_the_person_s_word() -> Result<()> {
    let planned = Planned::with("automation: full-auto")?;
    planned.done("1", "[Plan] login")?;
    let reply = planned.done("2", "[Design] login")?;
    let context = &reply["hookSpecificOutput"]["additionalContext"];
    assert!(
        context
            .to_string()
            .contains("The person reviews it before do begins"),
        "{reply}"
    );
    let login = planned.feature("login")?;
    assert_eq!(
        (&login["phase"], &login["waits"]["for"]),
        (&json!("design"), &json!("checkpoint"))
    );
    assert_eq!(planned.person(&["next"])?, "login: design → do");
    planned.done("3", "[Do] login")?;
    planned.done("4", "[Check] login")?;
    assert_eq!(planned.feature("login")?["waits"]["for"], "rate");
    assert_eq!(
        planned.person(&["set", "login", "--rate", "95"])?,
        "login: check → report"
    );
    planned.done("5", "[Report] login")?;
    assert!(planned.feature("login")?["finished_ms"].is_u64());
    let said = planned.person(&["archive", "login"])?;
    assert!(said.starts_with("login: archived in "), "{said}");
    assert_eq!(planned.status()?["features"], json!([]));
    let archive = planned.project().join(".bellwether/archive/login.json");
    let archive = archive.display().to_string();
    assert_eq!(planned.person(&["import", &archive])?, "imported login");
    assert_eq!(planned.feature("login")?["phase"], "report");
    Ok(())
}

#[test]
fn only_legal_steps_are_taken_and_each_can_be_taken_back() -> Result<()> {
    let planned = Planned::with("")?;
    assert_eq!(
        planned.person(&["set", "login", "plan"])?,
        "login: begins with plan"
    );
    let why = planned.refused(&["set", "login", "do"])?;
    assert_eq!(
        why,
        "bellwether: \"login\" is in plan and cannot go to do; it can go to design"
    );
    let why = planned.refused(&["set", "login", "do", "--force"])?;
    assert!(why.contains("--force needs a reason"), "{why}");
    planned.person(&["set", "login", "do", "--force", "--reason", "it is built"])?;
    let step = planned.status()?["history"][0].clone();
    assert_eq!(
        (&step["forced"], &step["reason"]),
        (&json!(true), &json!("it is built"))
    );
    assert_eq!(planned.person(&["undo"])?, "login: back in plan");
    assert_eq!(
        planned.status()?["history"].as_array().map(Vec::len),
        Some(3)
    );
    let why = planned.refused(&["next", "nothing"])?;
    assert_eq!(why, "bellwether: there is no feature \"nothing\"");
    let why = planned.refused(&["archive", "login"])?;
    assert_eq!(why, "bellwether: \"login\" is not finished");
    Ok(())
}

#[test]
fn a_checkpoint_is_for_a_person() -> Result<()> {
    let planned = Planned::with("automation: full-auto")?;
    planned.done("1", "[Plan] login")?;
    planned.done("2", "[Design] login")?;
    for words in [
        ["next", "login", "--json"].as_slice(),
        &["set", "login", "do"],
        &["undo"],
        &["archive", "login"],
        &["import", "x"],
        &["init"],
    ] {
        let output = planned.cli(words).env("CLAUDECODE", "1").output()?;
        let said = said(&output);
        assert!(
            output.status.code() == Some(1) && said.contains("not for an agent"),
            "{words:?}: {said}"
        );
    }
    assert_eq!(planned.feature("login")?["phase"], "design");
    planned.person(&["next", "login"])?;
    planned.done("3", "[Do] login")?;
    let rate = planned
        .cli(&["set", "login", "--rate", "50"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert!(rate.status.success(), "{}", said(&rate));
    assert_eq!(planned.status()?["history"][0]["by"], "agent");
    Ok(())
}

#[test]
fn a_project_that_is_not_trusted_or_has_none_is_left_alone() -> Result<()> {
    let planned = Planned::with(ALL_BY_ITSELF)?;
    fs::create_dir_all(planned.project().join(".claude"))?;
    // What came with a pull asks again.
    fs::write(
        planned.project().join(".claude/bellwether.yaml"),
        "workflow: {automation: manual}\n",
    )?;
    let before = fs::read(planned.file())?;
    assert_eq!(planned.done("1", "[Plan] login")?, Value::Null);
    assert_eq!(fs::read(planned.file())?, before);
    let status = planned.cli(&["status"]).output()?;
    assert!(
        said(&status).contains("this project is not trusted"),
        "{}",
        said(&status)
    );
    let elsewhere = planned
        .place
        .cli(["workflow", "--project", "/", "status"])
        .output()?;
    assert_eq!(elsewhere.status.code(), Some(1));
    assert!(said(&elsewhere).contains("has no workflow; `bellwether workflow init`"));
    Ok(())
}

#[test]
fn phases_of_one_s_own() -> Result<()> {
    let planned = Planned::with("flow: kanban, automation: full-auto, checkpoints: [review]")?;
    planned.done("1", "[Todo] fence")?;
    planned.done("2", "[Doing] fence")?;
    planned.done("3", "[Review] fence")?;
    let fence = planned.feature("fence")?;
    assert_eq!(
        (&fence["phase"], &fence["waits"]["to"]),
        (&json!("review"), &json!("done"))
    );
    planned.person(&["set", "fence", "doing"])?;
    let own = "phases: [{name: write, next: [print]}, {name: print}], automation: full-auto";
    let planned = Planned::with(own)?;
    let reply = planned.done("1", "[Write] poem")?;
    assert!(reply.to_string().contains("[Print] poem"), "{reply}");
    Ok(())
}

#[test]
fn what_a_merge_left_is_named_and_kept() -> Result<()> {
    let planned = Planned::with(ALL_BY_ITSELF)?;
    planned.done("1", "[Plan] login")?;
    let text = fs::read_to_string(planned.file())?;
    let text = text.replacen("  \"history\"", "=======\n  \"history\"", 1);
    fs::write(planned.file(), &text)?;
    let line = 1 + text
        .lines()
        .position(|line| line == "=======")
        .context("no mark")?;
    let named = format!("workflow.json:{line}: a merge left a conflict here");
    let reply = planned.done("2", "[Design] login")?;
    assert!(
        reply["systemMessage"].to_string().contains(&named),
        "{reply}"
    );
    assert!(planned.refused(&["next", "login"])?.contains(&named));
    assert_eq!(fs::read_to_string(planned.file())?, text);
    Ok(())
}

#[test]
fn fifty_hooks_at_once_count_every_completion_once() -> Result<()> {
    let planned = Planned::with(ALL_BY_ITSELF)?;
    // The snapshot of the settings is made by the first.
    planned.done("0", "nothing")?;
    std::thread::scope(|scope| -> Result<()> {
        let tell = |number: usize| {
            let subject = format!("[Plan] feature {number}");
            let done = json!({"session_id": "s", "hook_event_name": "TaskCompleted",
                "task_id": number.to_string(), "task_subject": subject});
            planned.tell(&done)
        };
        // Each completion is told by two processes.
        let told: Vec<_> = (1..=25)
            .chain(1..=25)
            .map(|number| scope.spawn(move || tell(number)))
            .collect();
        for one in told {
            let output = one
                .join()
                .map_err(|_| anyhow::anyhow!("a thread panicked"))??;
            ensure!(output.status.code() == Some(0), "{}", said(&output));
        }
        Ok(())
    })?;
    let status = planned.status()?;
    assert_eq!(status["progress"]["done"], 26, "25 and the first: {status}");
    let features = status["features"].as_array().context("no features")?;
    assert_eq!(features.len(), 25);
    assert!(
        features.iter().all(|feature| feature["phase"] == "design"),
        "{status}"
    );
    assert_eq!(
        status["history"].as_array().map(Vec::len),
        Some(50),
        "25 began and moved"
    );
    Ok(())
}

#[test]
fn ten_idle_at_once_get_a_task_each_and_none_twice() -> Result<()> {
    let planned = Planned::with("")?;
    for number in 1..=7 {
        planned.tell(&created(&number.to_string(), &format!("Task {number}")))?;
    }
    let given = std::thread::scope(|scope| {
        let members: Vec<_> = (0..10)
            .map(|member| {
                let planned = &planned;
                scope.spawn(move || planned.tell(&idle(&format!("m{member}"))))
            })
            .collect();
        members
            .into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect::<Vec<_>>()
    });
    let mut tasks = BTreeSet::new();
    let mut nothing = 0;
    for output in given {
        let output = output.map_err(|_| anyhow::anyhow!("a thread panicked"))??;
        match output.status.code() {
            Some(2) => {
                let told = String::from_utf8(output.stderr)?;
                assert!(told.starts_with("Next task: "), "{told}");
                assert!(tasks.insert(told.clone()), "{told} was given twice");
            }
            Some(0) => nothing += 1,
            code => anyhow::bail!("{code:?}"),
        }
    }
    assert_eq!((tasks.len(), nothing), (7, 3));
    Ok(())
}

/// Hooks are killed at random moments: the file is the old or the new one, and what was answered is in it.
#[test]
fn a_killed_hook_leaves_the_old_file_or_the_new() -> Result<()> {
    let planned = Planned::with(ALL_BY_ITSELF)?;
    planned.done("0", "nothing")?;
    let mut random = Random::new(20);
    let (mut killed, mut counted) = (0, 0);
    // As long as one takes that nobody kills; from then on so long that about half of them are killed.
    let begun = std::time::Instant::now();
    planned.tell(&moved("0", "completed"))?;
    let mut longest = begun.elapsed();
    for number in 1..=120 {
        let event = json!({"session_id": "s", "hook_event_name": "TaskCompleted",
            "task_id": number.to_string(), "task_subject": format!("[Plan] f{number}")});
        let mut hook = planned.hook();
        hook.stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = hook.spawn()?;
        let mut stdin = child.stdin.take().context("stdin is piped")?;
        std::io::Write::write_all(&mut stdin, event.to_string().as_bytes())?;
        drop(stdin);
        std::thread::sleep(random.time_below(longest));
        child.kill()?;
        let ended = child.wait()?;
        let status = planned.read()?;
        let now = status["features"].as_object().context("no features")?.len();
        ensure!(
            now == counted || now == counted + 1,
            "{counted} features became {now}"
        );
        ensure!(
            !ended.success() || now == counted + 1,
            "an answered completion was lost"
        );
        killed += usize::from(!ended.success());
        longest = longest * if ended.success() { 9 } else { 11 } / 10;
        counted = now;
    }
    // Both happened, or this has shown nothing.
    assert!(
        killed > 10 && counted > 10,
        "{killed} killed, {counted} counted"
    );
    planned.done("last", "[Plan] last")?;
    assert_eq!(planned.feature("last")?["phase"], "design");
    Ok(())
}

/// A disk that takes nothing more, and one that takes nothing at all: told, and the agent goes on.
#[test]
fn a_bad_disk_is_told_and_harms_nobody() -> Result<()> {
    for (case, spoil, why) in [
        (
            "full",
            "dd if=/dev/zero of=\"$PROJECT/filler\" bs=4k 2> /dev/null || true",
            "No space left on device",
        ),
        (
            "read-only",
            "mount -o remount,ro \"$PROJECT\"",
            "Read-only file system",
        ),
    ] {
        let planned = Planned::with(ALL_BY_ITSELF)?;
        planned.done("0", "nothing")?;
        let folder = planned.place.root();
        fs::write(folder.join("event"), moved("1", "completed").to_string())?;
        fs::write(
            folder.join("create"),
            created("1", "[Plan] login").to_string(),
        )?;
        let script = format!(
            r#"
            cp -r "$PROJECT" kept
            mount -t tmpfs -o size=64k none "$PROJECT"
            cp -r kept/. "$PROJECT"
            "$HOOK" --home "$ROOT" --no-daemon < create
            {spoil}
            sum=$(sha256sum < "$PROJECT/.bellwether/workflow.json")
            set +e
            "$HOOK" --home "$ROOT" --no-daemon < event
            echo " exit $?"
            set -e
            [ "$sum" = "$(sha256sum < "$PROJECT/.bellwether/workflow.json")" ] && echo unchanged
            ls -A "$PROJECT/.bellwether"
            "#
        );
        let output = namespace::mounting(std::path::Path::new("/bin/sh"))?
            .args(["-ec", &script])
            .env("HOOK", planned.place.programs().hook())
            .env("ROOT", folder)
            .env("PROJECT", planned.project())
            .env("CLAUDE_PROJECT_DIR", planned.project())
            .current_dir(folder)
            .output()?;
        let told = said(&output);
        assert!(output.status.success(), "{case}: {told}");
        let message = told.lines().next().unwrap_or_default();
        assert!(
            message.contains("the workflow was not moved along"),
            "{case}: {told}"
        );
        assert!(
            message.contains(why) && message.ends_with(" exit 0"),
            "{case}: {told}"
        );
        assert!(
            told.ends_with("unchanged\nworkflow.json\n"),
            "{case}: {told}"
        );
        let troubles = planned.place.printed(&["status"])?;
        assert!(
            troubles.contains("the workflow was not moved along"),
            "{troubles}"
        );
    }
    Ok(())
}

#[test]
fn what_moved_is_among_the_events_and_nobody_else_can_say_so() -> Result<()> {
    let planned = Planned::with(ALL_BY_ITSELF)?;
    planned.done("1", "[Plan] login")?;
    planned.person(&["set", "search", "plan"])?;
    planned.place.settle()?;
    let events = planned.place.events()?;
    let moves: Vec<&Value> = events
        .iter()
        .filter(|event| event["payload"]["hook_event_name"] == "WorkflowMoved")
        .collect();
    let hows: Vec<String> = moves
        .iter()
        .map(|event| {
            format!(
                "{} {}",
                event["payload"]["workflow"]["feature"], event["payload"]["workflow"]["how"]
            )
        })
        .collect();
    assert_eq!(
        hows,
        [
            // By `init`, so that the page knows of the project.
            "\"\" \"changed\"",
            "\"login\" \"begun\"",
            "\"login\" \"moved\"",
            "\"search\" \"begun\""
        ]
    );
    assert!(
        moves
            .iter()
            .all(|event| event["meta"]["from"] == "workflow"),
        "{moves:?}"
    );
    // A hook that says so is only a hook that says so.
    let forged = json!({"session_id": "s", "hook_event_name": "WorkflowMoved", "workflow": {"feature": "x"}});
    fed(planned.hook(), forged.to_string())?;
    let mut hook = planned.hook();
    hook.args(["--from", "workflow"]);
    fed(hook, forged.to_string())?;
    planned.place.settle()?;
    let events = planned.place.events()?;
    let own = events
        .iter()
        .filter(|event| event["meta"]["from"] == "workflow")
        .count();
    assert_eq!(own, moves.len());
    Ok(())
}
