//! What a build, a package manager or a test makes again: nobody misses it.

use std::path::Path;

/// Folders that only tools write.
const MADE: &[&str] = &[
    "node_modules",
    "bower_components",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".venv",
    "venv",
    ".eggs",
    ".hypothesis",
    "htmlcov",
    ".ipynb_checkpoints",
    "target",
    ".next",
    ".nuxt",
    ".output",
    ".svelte-kit",
    ".vite",
    ".turbo",
    ".parcel-cache",
    ".angular",
    ".cache",
    ".nyc_output",
    ".gradle",
    ".dart_tool",
    "elm-stuff",
    "_build",
    ".stack-work",
    "dist-newstyle",
    "zig-cache",
    ".zig-cache",
    "zig-out",
    "DerivedData",
    "Pods",
    ".terraform",
    ".serverless",
    "playwright-report",
    "test-results",
    "storybook-static",
    ".pnpm-store",
    ".bundle",
    ".build",
    "CMakeFiles",
    ".ccls-cache",
    ".clangd",
    ".webpack",
    ".rollup.cache",
    ".eslintcache",
    ".stylelintcache",
    ".coverage",
    ".docusaurus",
    ".vercel",
    ".netlify",
    ".expo",
    ".metadata",
    ".swc",
    ".wrangler",
];
/// Folders that tools write, and sometimes people.
const OFTEN_MADE: &[&str] = &[
    "build", "dist", "out", "tmp", "temp", "logs", "log", "coverage", "obj", "site", "_site",
    "env", "debug", "release", "Debug", "Release",
];
/// Endings of files that only tools write.
const JUNK: &[&str] = &[
    "log",
    "tmp",
    "temp",
    "pyc",
    "pyo",
    "o",
    "obj",
    "a",
    "class",
    "bak",
    "orig",
    "rej",
    "swp",
    "swo",
    "cache",
    "out",
    "pid",
    "lock",
    "tsbuildinfo",
    "egg-info",
    "profraw",
    "gcda",
    "gcno",
    "DS_Store",
    "map",
    "d",
    "rlib",
    "rmeta",
    "prof",
    "trace",
];

/// How sure it is that something is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    Always,
    /// Unless it is tracked.
    Often,
    No,
}

/// Whether a path in a folder is something that is made again.
pub(super) fn made(path: &Path, project: &Path) -> Made {
    let inside = path.strip_prefix(project).unwrap_or(path);
    let names: Vec<String> = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let is = |list: &[&str]| names.iter().any(|name| list.contains(&name.as_str()));
    if is(MADE)
        || names
            .iter()
            .any(|name| name.ends_with(".egg-info") || name.starts_with("cmake-build-"))
    {
        return Made::Always;
    }
    if is(OFTEN_MADE) {
        return Made::Often;
    }
    match names.last() {
        Some(name) if is_junk(name) => Made::Always,
        _ => Made::No,
    }
}

/// Whether a name, or a pattern of names, is that of files that only tools write.
pub(super) fn is_junk(name: &str) -> bool {
    let is_listed = MADE.contains(&name) || OFTEN_MADE.contains(&name);
    is_listed
        || name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| JUNK.contains(&ending) && !name.ends_with("-lock.json"))
        || name.ends_with('~')
        || name.starts_with("npm-debug.log")
}
