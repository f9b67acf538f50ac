//! How the hook is linked.

use std::process::Command;

use anyhow::Result;
use bellwether_tests::Programs;

/// A dynamically linked hook would be a third slower; where the C library's static form is missing it is accepted.
#[test]
fn the_hook_is_linked_statically() -> Result<()> {
    let libc = Command::new("cc").arg("-print-file-name=libc.a").output()?;
    if !libc.stdout.contains(&b'/') {
        return Ok(());
    }
    let output = Command::new("ldd")
        .arg(Programs::built()?.hook())
        .output()?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.contains("statically linked") || said.contains("not a dynamic executable"),
        "{said}"
    );
    Ok(())
}
