//! Schemathesis asks everything that the `OpenAPI` document offers, right and wrong, and finds nothing.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};
use bellwether_tests::programs::build_folder;
use bellwether_tests::{Installation, Web, fixture};

/// How long it may ask, in seconds.
const TIME: &str = "40";

/// Where `./test` puts it.
fn program() -> PathBuf {
    build_folder().join("schemathesis/bin/schemathesis")
}

#[test]
fn schemathesis_finds_nothing_wrong_with_the_api() -> Result<()> {
    ensure!(
        program().exists(),
        "schemathesis is not installed; `./test` does that"
    );
    let place = Installation::fresh()?;
    let (mut daemon, port) = place.start_serving(&[])?;
    let web = Web::of(&place, port)?;
    for number in 0..20 {
        web.post("/ingest", fixture::tool_call(&number.to_string(), 100))?;
    }
    let token = bellwether_tests::key::token(place.home())?;
    let address = format!("http://127.0.0.1:{port}");
    let output = Command::new(program())
        .args([
            "--config-file",
            concat!(env!("CARGO_MANIFEST_DIR"), "/schemathesis.toml"),
            "run",
        ])
        .arg(format!("{address}/api/openapi.json"))
        .args([
            "--url",
            &address,
            "--header",
            &format!("Authorization: Bearer {token}"),
        ])
        .args([
            "--phases",
            "coverage,fuzzing",
            "--max-time",
            TIME,
            "--warnings",
            "off",
            "--no-color",
        ])
        .current_dir(place.root())
        .output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{told}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(!daemon.ended()?);
    println!(
        "{}",
        told.lines().rev().take(6).collect::<Vec<_>>().join(" ")
    );
    Ok(())
}
