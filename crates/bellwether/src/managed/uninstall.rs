//! Taking a managed installation out again: all of ours, and nothing else.

use std::fs;
use std::io;

use anyhow::Context as _;
use bellwether_spine::Managed;

use super::{Receipt, programs};

/// What becomes of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    Keep,
    Delete,
}

/// Removes programs and what was made of the policy, once nothing is registered any more.
pub(crate) fn uninstall(managed: &Managed, receipt: &Receipt, rest: Rest) -> anyhow::Result<()> {
    programs::remove(managed)?;
    let mut files = vec![managed.snapshot(), managed.allowed(), managed.receipt()];
    if rest == Rest::Delete {
        files.push(managed.policy());
    }
    for path in files {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot delete {}", path.display()));
            }
            _ => {}
        }
    }
    receipt.remove_folders();
    for folder in [managed.programs(), managed.folder()] {
        // One that holds something stays.
        let _ = fs::remove_dir(folder);
    }
    if managed.policy().exists() {
        tell!(
            "the policy is kept in {}; `sudo bellwether uninstall --managed --policy` deletes it",
            managed.policy().display()
        );
    }
    Ok(())
}
