//! rustfmt, in the edition of the file's crate. Given a stream it formats that one file, not the modules that it names.

use std::path::Path;

use super::{Call, Way};
use crate::format::target::{Target, read};

pub(super) const ENDINGS: &[&str] = &["rs"];
pub(super) const USED: &str = "a `Cargo.toml`";
pub(super) const WAY: Way = Way::Stream;
pub(super) const PROGRAMS: &[&str] = &["rustfmt"];
pub(super) const LOCAL: &[&str] = &[];

const MANIFEST: &[&str] = &["Cargo.toml"];

pub(super) fn is_used(target: &Target) -> bool {
    target.nearest(MANIFEST).is_some()
}

/// It looks for its settings from the folder that it is started in, upwards.
pub(super) fn call(target: &Target, _: &Path) -> Call {
    let folder = target.file().parent().unwrap_or(target.root());
    let call = Call::new(folder, &["--quiet"]);
    match edition(target) {
        Some(edition) => call.with("--edition").with(edition),
        None => call,
    }
}

/// The edition that the nearest manifest names, or the workspace that it leaves it to.
fn edition(target: &Target) -> Option<String> {
    let mut manifests = target.every(MANIFEST).filter_map(|path| read(&path));
    let own = manifests.next()?;
    match said(&own, "package")? {
        Said::Here(edition) => Some(edition),
        Said::InWorkspace => std::iter::once(own).chain(manifests).find_map(|text| {
            match said(&text, "workspace.package")? {
                Said::Here(edition) => Some(edition),
                Said::InWorkspace => None,
            }
        }),
    }
}

enum Said {
    Here(String),
    InWorkspace,
}

/// What a table of a manifest says about the edition.
fn said(manifest: &str, table: &str) -> Option<Said> {
    let mut within = false;
    for line in manifest.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(header) = line.strip_prefix('[') {
            within = header.trim_end_matches(']').trim() == table;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| within) else {
            continue;
        };
        match (key.trim(), value.trim()) {
            ("edition.workspace", "true") => return Some(Said::InWorkspace),
            ("edition", value) if value.starts_with('{') => return Some(Said::InWorkspace),
            ("edition", value) => {
                let year = value.trim_matches(['"', '\'']);
                let is_year = !year.is_empty() && year.bytes().all(|byte| byte.is_ascii_digit());
                return is_year.then(|| Said::Here(year.to_owned()));
            }
            _ => {}
        }
    }
    None
}
