//! The rig's program: the parts that are processes of their own, and the way for a developer to play a scenario by hand.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use bellwether_tests::{
    Headless, Home, Interactive, Scenario, client, inside, recorder, scenarios,
};

const USAGE: &str =
    "usage: rig run SCENARIO [CLIENT ARGS]   play a scenario headless, list the events
       rig tui SCENARIO [CLIENT ARGS]   play it in a terminal
       rig list                         name the scenarios
       rig fetch                        fetch the client, unless it is there
within the rig:
       rig inside PLAN                  run a plan in this namespace
       rig record LOG                   append stdin to a log: the recorder hook";

fn main() -> Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["inside", plan] => return Ok(inside::run(Path::new(plan))?.into()),
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
