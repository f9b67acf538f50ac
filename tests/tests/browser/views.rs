//! Every view against a daemon with recorded events.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::Programs;

use super::driver::{alone, web};

#[test]
fn every_view_works() -> Result<()> {
    let _alone = alone();
    let output = Command::new("node")
        .arg("tests/run.mjs")
        .arg(std::path::absolute(Programs::built()?.main())?)
        .current_dir(web()?)
        .stdin(Stdio::null())
        .output()
        .context("cannot start node")?;
    let told = String::from_utf8_lossy(&output.stdout);
    println!("{told}");
    ensure!(
        output.status.success() && told.contains(" passed, 0 failed"),
        "{told}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
