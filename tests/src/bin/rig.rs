//! The rig's program: the parts that are processes of their own, and the way for a developer to play a scenario by hand.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use bellwether_tests::dialect::Dialect;
use bellwether_tests::generations;
use bellwether_tests::{
    Headless, Home, Interactive, Programs, Scenario, client, inside, jsonl, recorder, scenarios,
    world,
};

const USAGE: &str =
    "usage: rig run SCENARIO [CLIENT ARGS]   play a scenario headless, list the events
       rig tui SCENARIO [CLIENT ARGS]   play it in a terminal
                                        SCENARIO@VERSION plays it to an older client
       rig versions PROGRAM [VERSION...] try what must hold with every version of the client
       rig list                         name the scenarios
       rig fetch [VERSION...]           fetch the client in these versions, or in those that the tests need
within the rig:
       rig inside PLAN                  run a plan in this namespace
       rig record LOG                   append stdin to a log: the recorder hook
       rig worlds MODE WAYS PROGRAM     try ways to get rid of the guard, in this mount namespace
       rig world install MODE           install in the world that this process is in
       rig world live MODE              try the way on stdin there";

fn main() -> Result<ExitCode> {
    let all: Vec<String> = std::env::args().collect();
    let args: Vec<&str> = all.iter().skip(1).map(String::as_str).collect();
    // In a world the rig plays the client, under its name.
    if all
        .first()
        .is_some_and(|name| Path::new(name).ends_with("claude"))
    {
        world::claude(&args)?;
        return Ok(ExitCode::SUCCESS);
    }
    match args.as_slice() {
        ["inside", plan] => return Ok(inside::run(Path::new(plan))?.into()),
        ["worlds", mode, ways, program] => {
            let ways = jsonl::read(Path::new(ways))?;
            let programs = beside(program)?;
            for tried in world::try_all(world::Mode::named(mode)?, &ways, &programs)? {
                println!("{}", serde_json::to_string(&tried)?);
            }
        }
        ["world", "install", mode] => world::install(world::Mode::named(mode)?)?,
        ["world", "live", mode] => world::live(world::Mode::named(mode)?)?,
        ["record", log] => recorder::record(Path::new(log))?,
        ["run", scenario, client_args @ ..] => run(scenario, client_args)?,
        ["tui", scenario, client_args @ ..] => tui(scenario, client_args)?,
        ["fetch", versions @ ..] => fetch(versions)?,
        ["versions", program, versions @ ..] => return try_versions(program, versions),
        ["list"] => scenarios::all()
            .iter()
            .for_each(|scenario| println!("{}", scenario.name())),
        _ => bail!(USAGE),
    }
    Ok(ExitCode::SUCCESS)
}

/// A program of ours, and what belongs to it.
fn beside(program: &str) -> Result<Programs> {
    let folder = Path::new(program).parent();
    Programs::in_folder(folder.context("a program is in a folder")?.to_owned())
}

fn try_versions(program: &str, versions: &[&str]) -> Result<ExitCode> {
    let (rig, programs) = (std::env::current_exe()?, beside(program)?);
    let versions = if versions.is_empty() {
        &client::EVERY
    } else {
        versions
    };
    let mut code = ExitCode::SUCCESS;
    for version in versions {
        for way in generations::ways(version)? {
            let scope = way.scope();
            match generations::holds(&rig, &programs, version, way) {
                Ok(()) => println!("{version}, {scope}: good"),
                Err(error) => {
                    println!("{version}, {scope}: {error:#}");
                    code = ExitCode::FAILURE;
                }
            }
        }
    }
    Ok(code)
}

/// A scenario and the version that it is played to.
fn named(words: &str) -> Result<(Scenario, &str)> {
    let (name, version) = words
        .split_once('@')
        .unwrap_or((words, client::CLIENT_VERSION));
    let mut all = scenarios::all().into_iter();
    let scenario = all.find(|scenario| scenario.name() == name);
    let scenario = scenario.with_context(|| format!("no scenario {name}: see `rig list`"))?;
    Ok((scenario, version))
}

/// A home in which the recorder hears all that a version tells.
fn home_for(version: &str) -> Result<Home> {
    let home = Home::fresh(std::env::current_exe()?)?;
    home.write_settings(&home.recording_for(Dialect::of(version)?))?;
    Ok(home)
}

/// Fetches what is not there yet.
fn fetch(versions: &[&str]) -> Result<()> {
    let needed = [&client::OLDER[..], &[client::CLIENT_VERSION]].concat();
    let versions = if versions.is_empty() {
        &needed
    } else {
        versions
    };
    for version in versions {
        println!("{}", client::fetch(version)?.display());
    }
    Ok(())
}

fn run(scenario: &str, client_args: &[&str]) -> Result<()> {
    let (scenario, version) = named(scenario)?;
    let mut home = home_for(version)?;
    println!("files in {}", home.keep().display());
    let outcome = Headless::new(&home)
        .version(version)
        .scenario(scenario)
        .args(client_args.iter().copied())
        .run()?;
    let start = outcome.events.first().map_or(0, |record| record.at_us);
    for record in &outcome.events {
        let after_ms = (record.at_us - start) / 1000;
        println!(
            "{after_ms:6} ms  {:20} {}",
            record.event(),
            record.text("tool_name")
        );
    }
    println!(
        "{} after {:?}: {}",
        outcome.status,
        outcome.wall,
        outcome.result()
    );
    eprint!("{}", outcome.stderr);
    Ok(())
}

fn tui(scenario: &str, client_args: &[&str]) -> Result<()> {
    let (scenario, version) = named(scenario)?;
    let home = home_for(version)?;
    let terminal = Interactive::new(&home)
        .version(version)
        .args(client_args.iter().copied())
        .start()?;
    terminal.play(&scenario)?;
    terminal.attach().status()?;
    Ok(())
}
