//! The rig's program: the parts that are processes of their own, and the way for a developer to play a scenario by hand.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use bellwether_tests::{
    Headless, Home, Interactive, Programs, Scenario, client, inside, jsonl, recorder, scenarios,
    world,
};

const USAGE: &str =
    "usage: rig run SCENARIO [CLIENT ARGS]   play a scenario headless, list the events
       rig tui SCENARIO [CLIENT ARGS]   play it in a terminal
       rig list                         name the scenarios
       rig fetch                        fetch the client, unless it is there
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
            let folder = Path::new(program)
                .parent()
                .context("a program is in a folder")?;
            let programs = Programs::in_folder(folder.to_owned())?;
            for tried in world::try_all(world::Mode::named(mode)?, &ways, &programs)? {
                println!("{}", serde_json::to_string(&tried)?);
            }
        }
        ["world", "install", mode] => world::install(world::Mode::named(mode)?)?,
        ["world", "live", mode] => world::live(world::Mode::named(mode)?)?,
        ["record", log] => recorder::record(Path::new(log))?,
        ["run", scenario, client_args @ ..] => run(&named(scenario)?, client_args)?,
        ["tui", scenario, client_args @ ..] => tui(&named(scenario)?, client_args)?,
        ["fetch"] => println!("{}", client::path()?.display()),
        ["list"] => scenarios::all()
            .iter()
            .for_each(|scenario| println!("{}", scenario.name())),
        _ => bail!(USAGE),
    }
    Ok(ExitCode::SUCCESS)
}

fn named(name: &str) -> Result<Scenario> {
    let mut all = scenarios::all().into_iter();
    all.find(|scenario| scenario.name() == name)
        .with_context(|| format!("no scenario {name}: see `rig list`"))
}

fn run(scenario: &Scenario, client_args: &[&str]) -> Result<()> {
    let mut home = Home::fresh(std::env::current_exe()?)?;
    println!("files in {}", home.keep().display());
    let outcome = Headless::new(&home)
        .scenario(scenario.clone())
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

fn tui(scenario: &Scenario, client_args: &[&str]) -> Result<()> {
    let home = Home::fresh(std::env::current_exe()?)?;
    let terminal = Interactive::new(&home)
        .args(client_args.iter().copied())
        .start()?;
    terminal.play(scenario)?;
    terminal.attach().status()?;
    Ok(())
}
