//! Crates know only those below them.

use anyhow::{Context as _, Result, ensure};

use super::packages;

/// The crates from the lowest to the highest. Each may know those before it.
const ORDER: &[&str] = &[
    "bellwether-listed",
    "bellwether-protocol",
    "bellwether-shell",
    "bellwether-spine",
    "bellwether-workflow",
    "bellwether-hook",
    "bellwether-gate",
    "bellwether-prices",
    "bellwether-creature",
    "bellwether-overlay",
    "bellwether-transcript",
    "bellwether-announce",
    "bellwether-audio",
    "bellwether-flock",
    "bellwether-config",
    "bellwether-daemon",
    "bellwether",
];

#[test]
fn dependencies_point_downwards() -> Result<()> {
    let place = |name: &str| ORDER.iter().position(|placed| *placed == name);
    let crates = packages::crates()?;
    ensure!(crates.len() > 9, "cargo shows only {}", crates.len());
    for package in crates {
        let name = &package.name;
        let own = place(name).with_context(|| format!("{name} has no place in the order"))?;
        for needed in &package.needs {
            let below = place(needed).is_some_and(|place| place < own);
            ensure!(below, "{name} depends on {needed}, which is not below it");
        }
    }
    Ok(())
}

#[test]
fn the_flock_does_not_know_the_hook() -> Result<()> {
    let flock = packages::linked_into("bellwether-flock")?;
    assert!(flock.contains("bellwether-spine"), "{flock:?}");
    assert!(!flock.contains("bellwether-hook"), "{flock:?}");
    Ok(())
}
