//! Running a program to its end: what it was given, what it said.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, Result, ensure};

/// Runs a program on this input.
pub fn fed(mut command: Command, input: impl AsRef<[u8]>) -> Result<Output> {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = streams.stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().context("stdin is piped")?;
    // A program that has heard enough goes before all is written.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    Ok(child.wait_with_output()?)
}

/// What a program printed that had to succeed; its complaint is the error.
pub fn printed(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?}: {complaint}");
    Ok(String::from_utf8(output.stdout)?)
}

/// All that a program said, as a person reads it.
pub fn said(output: &Output) -> String {
    let both = [output.stdout.as_slice(), &output.stderr].concat();
    String::from_utf8_lossy(&both).replace('\r', "")
}
