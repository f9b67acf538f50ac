//! Which libraries each crate may link. What the hook links is paid for at every event.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};

use super::packages;

/// All that the hook links, from the crates below it to the smallest library of others.
const HOOK: &[&str] = &[
    "bellwether-hook",
    "bellwether-protocol",
    "bellwether-shell",
    "bellwether-spine",
    "bellwether-workflow",
    "bitflags",
    "block-buffer",
    "cfg-if",
    "cobs",
    "cpufeatures",
    "crypto-common",
    "digest",
    "generic-array",
    "itoa",
    "libc",
    "linux-raw-sys",
    "memchr",
    "postcard",
    "rable",
    "rustix",
    "serde",
    "serde_core",
    "serde_json",
    "sha1",
    "sha2",
    "strsim",
    "thiserror",
    "typenum",
    "uuid",
    "zmij",
];

/// Libraries that do not belong everywhere, by kind.
const KINDS: &[(&str, &[&str])] = &[
    ("command line", &["clap"]),
    ("event loop", &["mio"]),
    ("HTTP client", &["ureq", "rustls"]),
    ("HTTP server", &["hyper", "hyper-util"]),
    ("local time", &["jiff"]),
    ("log", &["tracing", "tracing-subscriber"]),
    ("runtime", &["tokio"]),
    ("schema", &["schemars"]),
    (
        "sound",
        &["pulseaudio", "claxon", "lewton", "nanomp3", "ttspico-sys"],
    ),
    ("store", &["rusqlite", "libsqlite3-sys"]),
    ("terminal", &["ratatui", "crossterm"]),
    ("tray", &["ksni", "zbus"]),
    ("window system", &["x11rb", "wayland-client"]),
    ("YAML", &["saphyr", "saphyr-parser"]),
];

/// The kinds that crates may link. What the hook may not, those below it may not either.
const ALLOWED: &[(&str, &[&str])] = &[
    ("bellwether-hook", &[]),
    ("bellwether-gate", &[]),
    ("bellwether-prices", &["schema"]),
    ("bellwether-creature", &["schema"]),
    (
        "bellwether-overlay",
        &[
            "event loop",
            "log",
            "runtime",
            "schema",
            "tray",
            "window system",
        ],
    ),
    ("bellwether-transcript", &["schema", "local time"]),
    ("bellwether-announce", &["schema", "local time"]),
    (
        "bellwether-audio",
        &["schema", "HTTP client", "sound", "event loop"],
    ),
    ("bellwether-flock", &["schema", "store"]),
];

#[test]
fn the_hook_links_exactly_what_is_listed() -> Result<()> {
    let linked = packages::linked_into("bellwether-hook")?;
    let linked: BTreeSet<&str> = linked.iter().map(String::as_str).collect();
    assert_eq!(linked, HOOK.iter().copied().collect());
    Ok(())
}

#[test]
fn every_library_that_a_rule_names_is_linked_somewhere() -> Result<()> {
    let anywhere = packages::linked_anywhere()?;
    let named = KINDS.iter().flat_map(|(_, names)| *names);
    let dead: Vec<_> = named.filter(|name| !anywhere.contains(**name)).collect();
    assert!(
        dead.is_empty(),
        "nothing links {dead:?}, so no rule about it can fail"
    );
    Ok(())
}

#[test]
fn crates_link_only_the_kinds_of_libraries_that_they_may() -> Result<()> {
    for (package, allowed) in ALLOWED {
        let found = kinds_in(package)?;
        let forbidden: Vec<_> = found
            .iter()
            .filter(|kind| !allowed.contains(*kind))
            .collect();
        assert!(forbidden.is_empty(), "{package} links {forbidden:?}");
        let idle: Vec<_> = allowed
            .iter()
            .filter(|kind| !found.contains(*kind))
            .collect();
        assert!(idle.is_empty(), "{package} may link {idle:?} and does not");
    }
    Ok(())
}

#[test]
fn the_daemon_is_what_the_rule_forbids_the_hook() -> Result<()> {
    let found = kinds_in("bellwether-daemon")?;
    for kind in ["runtime", "store", "HTTP server", "log"] {
        assert!(found.contains(kind), "{kind} is not in {found:?}");
    }
    Ok(())
}

#[test]
fn only_the_overlay_knows_a_window_system() -> Result<()> {
    let found = kinds_in("bellwether")?;
    for kind in ["tray", "window system"] {
        assert!(!found.contains(kind), "{kind} is in {found:?}");
    }
    Ok(())
}

/// The kinds of libraries that are linked into a package.
fn kinds_in(package: &str) -> Result<BTreeSet<&'static str>> {
    let linked = packages::linked_into(package)?;
    linked.get(package).context("cargo shows nothing")?;
    let has = |names: &[&str]| names.iter().any(|name| linked.contains(*name));
    let kinds = KINDS.iter().filter(|(_, names)| has(names));
    Ok(kinds.map(|(kind, _)| *kind).collect())
}
