//! A machine of one's own for a managed installation: `/etc` and `/usr/local` are copies that nobody else sees.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Result, ensure};

use crate::{Programs, namespace};

/// Makes both folders one's own; `$ETC` is an empty folder.
pub const OWN_MACHINE: &str = r#"
    cp -a /etc/. "$ETC" 2> /dev/null || true
    mount --bind "$ETC" /etc
    mount -t tmpfs -o mode=755 none /usr/local
    mkdir /usr/local/bin /usr/local/lib
"#;

/// Runs a shell script as the administrator of a machine of its own, in `folder`; `$CLI` is our program.
pub fn administrator(folder: &Path, script: &str) -> Result<Output> {
    let etc = folder.join("etc");
    std::fs::create_dir_all(&etc)?;
    Ok(namespace::mounting(Path::new("/bin/sh"))?
        .args(["-ec", &format!("{OWN_MACHINE}\n{script}")])
        .env("ETC", etc)
        .env("CLI", Programs::built()?.main())
        .env("HOME", folder)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()?)
}

/// What such a script printed, which must succeed.
pub fn printed(folder: &Path, script: &str) -> Result<String> {
    let output = administrator(folder, script)?;
    let said = crate::run::said(&output);
    ensure!(output.status.success(), "{said}");
    Ok(said)
}

/// The words that start a command on a machine with a managed installation, to be followed by that command's own.
pub fn on_managed_machine(etc: &Path, options: &str) -> Result<Vec<String>> {
    let cli = Programs::built()?.main();
    let script = format!(
        "export ETC='{}'\n{OWN_MACHINE}\n'{}' install --managed --client-version {} {options} >&2\nexec \"$@\"",
        etc.display(),
        cli.display(),
        crate::client::CLIENT_VERSION
    );
    let words = ["unshare", "--mount", "/bin/sh", "-ec", &script, "sh"];
    Ok(words.map(str::to_owned).to_vec())
}

/// The same as one command, for whoever runs something else there.
pub fn command(etc: &Path, options: &str) -> Result<Command> {
    let words = on_managed_machine(etc, options)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    Ok(command)
}
