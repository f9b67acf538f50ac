//! Formatting and session checks under the real client: what the model is told, what it does next, what the person sees.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::run::said;
use bellwether_tests::{Interactive, Scenario, Tools, Watched, scenarios, typing, wait};
use serde_json::Value;

use super::guarded::words;
use crate::RIG;

const PATIENCE: Duration = Duration::from_secs(30);

/// The real client with our hook, in a project that the person trusts with this configuration.
fn trusted(config: &str) -> Result<Watched> {
    let watched = Watched::new(RIG)?;
    let folder = watched.home.project().join(".claude");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("bellwether.yaml"), config)?;
    let line = format!("'{}' config trust", watched.programs.main().display());
    let mut person = watched.home.command(Path::new("bash"));
    let output = person.args(typing::words(&line)).output()?;
    ensure!(output.status.success(), "{}", said(&output));
    watched.printed(&[
        "config",
        "compile",
        "--project",
        &watched.home.project().display().to_string(),
    ])?;
    Ok(watched)
}

/// Everything that the model was sent in a scenario, turn by turn.
fn requests(watched: &Watched, scenario: &str) -> Result<Vec<String>> {
    let log = watched.home.api_log()?;
    let talk = log
        .iter()
        .filter(|request| request["script"] == scenario && request["kind"] == "Talk");
    Ok(talk
        .map(|request| request["messages"].to_string())
        .collect())
}

/// The results of tool calls that the model has seen, in order.
fn results(watched: &Watched, scenario: &str) -> Result<Vec<String>> {
    let last = requests(watched, scenario)?.pop().context("a request")?;
    let messages: Vec<Value> = serde_json::from_str(&last)?;
    let blocks = messages
        .iter()
        .filter_map(|message| message["content"].as_array());
    let results = blocks
        .flatten()
        .filter(|block| block["type"] == "tool_result");
    Ok(results.map(|block| block["content"].to_string()).collect())
}

#[test]
fn the_model_hears_of_the_formatter_and_its_next_edit_works() -> Result<()> {
    let watched = trusted("format: {enabled: true}\n")?;
    let project = watched.home.project();
    fs::write(
        project.join("package.json"),
        r#"{"devDependencies": {"prettier": "3"}}"#,
    )?;
    Tools::installed()?.link(&["prettier"], &project.join("node_modules/.bin"))?;
    let scenario = Scenario::new("formatted")
        .says("I write a file.")
        .write("src/a.ts", "const  a = {b:1}\n")
        .says("I edit it as I remember it.")
        .edit("src/a.ts", "const  a = {b:1}", "const  a = {b:3}")
        .says("I edit it as I was told that it is now.")
        .edit("src/a.ts", "const a = { b: 1 };", "const a = {b: [1,2]};")
        .says("I read it again, as I was told.")
        .read("src/a.ts")
        .says("I edit what I have read.")
        .edit(
            "src/a.ts",
            "const a = { b: [1, 2] };",
            "const a = { b: 2 };",
        )
        .says("I read something that no formatter is for.")
        .read("notes.txt")
        .says("And edit it.")
        .edit("notes.txt", "open", "closed")
        .says("Done.");
    watched.play(scenario)?;
    let results = results(&watched, "formatted")?;
    let failed = |result: &String| result.contains("tool_use_error");
    let failures: Vec<usize> = (0..results.len())
        .filter(|at| failed(&results[*at]))
        .collect();
    assert_eq!((results.len(), failures), (7, vec![1]), "{results:#?}");
    let text = fs::read_to_string(project.join("src/a.ts"))?;
    assert_eq!(text, "const a = { b: 2 };\n");
    let requests = requests(&watched, "formatted")?;
    let first = r#"was formatted by prettier after your edit: line 1 of 1 changed to "const a = { b: 1 };". Go on from that"#;
    let first = first.replace('"', "\\\"");
    assert!(
        requests[1].contains(&first),
        "{first} is not in {}",
        requests[1]
    );
    let last = requests.last().context("requests")?;
    assert_eq!(last.matches("was formatted by").count(), 2, "{last}");
    Ok(())
}

#[test]
fn a_session_begins_with_what_matters_for_the_person_and_the_model() -> Result<()> {
    let watched = Watched::new(RIG)?;
    fs::write(
        watched.home.project().join(".env"),
        "TOKEN=very-secret-value\n",
    )?;
    let terminal = Interactive::new(&watched.home).start()?;
    let git = r#"bellwether: git: branch "main", 1 untracked"#;
    let secrets = "bellwether: secrets: dotenvx is not installed; `.env` is not encrypted";
    let both = format!("SessionStart:startup says: {git} {secrets}");
    let screen = terminal.wait_for(|screen| words(screen).contains(&both), PATIENCE)?;
    assert!(
        !screen.contains("[33m") && !screen.contains("very-secret"),
        "{screen}"
    );
    assert!(
        terminal
            .coloured()?
            .contains(&format!("\u{1b}[33m{secrets}")),
        "{}",
        terminal.coloured()?
    );
    terminal.play(&scenarios::one_bash())?;
    let name = scenarios::one_bash().name().to_owned();
    let asked = wait::until(PATIENCE, || Ok(requests(&watched, &name)?.pop()))?;
    let asked = asked.context("the model is asked")?;
    for line in [git.replace('"', r#"\""#), secrets.to_owned()] {
        assert!(asked.contains(&line), "{line} is not in {asked}");
    }
    assert!(!asked.contains("[33m"), "{asked}");
    Ok(())
}

#[test]
fn conventions_are_in_the_context_again_once_it_was_compacted() -> Result<()> {
    let watched = trusted("session: {conventions: [use uv for Python and pnpm for Node.js]}\n")?;
    watched.play(scenarios::compaction())?;
    // What follows the compaction holds a summary of the conversation and no word of the scenario.
    let log = watched.home.api_log()?;
    let talk = log.iter().filter(|request| request["kind"] == "Talk");
    let talk: Vec<String> = talk
        .map(|request| request["messages"].to_string())
        .collect();
    let reminder = "Conventions of this project:\\n- use uv for Python and pnpm for Node.js";
    let arrived: Vec<bool> = talk.iter().map(|sent| sent.contains(reminder)).collect();
    assert_eq!(arrived, [false, false, true], "{talk:#?}");
    Ok(())
}
