//! Whether the overlay is started at login. `bellwether overlay --at-login` changes it.

use std::path::PathBuf;

/// Whether the desktop has an entry of ours.
pub fn is_on() -> bool {
    entry().is_some_and(|entry| entry.exists())
}

fn entry() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(config.join("autostart/bellwether-overlay.desktop"))
}
