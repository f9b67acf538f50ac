//! Schemathesis asks everything that the `OpenAPI` document offers, right and wrong, and finds nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use bellwether_tests::{Installation, Programs, Web, fixture};

/// How long it may ask, in seconds.
const TIME: &str = "40";

/// Where `./test` puts it.
fn program() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    root.join(target).join("schemathesis/bin/schemathesis")
}

#[test]
fn nothing_is_found() -> Result<()> {
    ensure!(
        program().exists(),
        "schemathesis is not installed; `./test` does that"
    );
    let place = Installation::new(&Programs::built()?)?;
    let (mut daemon, port) = place.start_serving(&[])?;
    let web = Web::of(&place, port)?;
    for number in 0..20 {
        web.post("/ingest", fixture::tool_call(&number.to_string(), 100))?;
    }
    let token = std::fs::read_to_string(place.home().token())?;
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
