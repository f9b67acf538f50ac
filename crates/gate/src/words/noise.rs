//! Lines that say nothing about what is wrong: what package managers and builds print around it.

/// Beginnings of lines that are noise, blanks before them aside.
const STARTS: &[&str] = &[
    "npm notice",
    "npm warn",
    "npm WARN",
    "npm error Lifecycle script",
    "npm error code",
    "npm error path",
    "npm error workspace",
    "npm error location",
    "npm error command",
    "npm error A complete log",
    "npm ERR! A complete log",
    "npm ERR! code ELIFECYCLE",
    "yarn run v",
    "info Visit https://yarnpkg.com",
    "error Command failed with exit code",
    "error: script \"",
    "ELIFECYCLE",
    "warning package.json: No license field",
    "warning: build failed, waiting for other jobs",
    "error: could not compile",
    "Node.js v",
    "at node:internal",
    "(Use `node --trace-",
    "markdownlint-cli2 v",
    "Finding: ",
    "Linting: ",
    "Creating virtual environment",
    "Using CPython",
    "warning: `VIRTUAL_ENV=",
];

/// What cargo does at the moment, which it writes with blanks before it.
const CARGO: &[&str] = &[
    "Blocking",
    "Checking",
    "Compiling",
    "Building",
    "Finished",
    "Fresh",
    "Downloading",
    "Downloaded",
    "Updating",
    "Locking",
];

/// Parts of lines that are noise wherever they stand.
const PARTS: &[&str] = &[
    "(node:internal/",
    "Local package.json exists, but node_modules missing",
];

/// The command is shown within so many lines.
const BANNER: usize = 6;

/// The lines that may say what is wrong.
pub(super) fn without_noise(lines: &[String]) -> Vec<&String> {
    let numbered = lines.iter().enumerate();
    numbered
        .filter(|(number, line)| !(is_noise(line) || *number < BANNER && is_banner(line)))
        .map(|(_, line)| line)
        .collect()
}

fn is_noise(line: &str) -> bool {
    let trimmed = line.trim();
    let first = trimmed.split(' ').next().unwrap_or_default();
    STARTS.iter().any(|start| trimmed.starts_with(start))
        || PARTS.iter().any(|part| line.contains(part))
        || line.starts_with("   ") && CARGO.contains(&first)
}

/// `> shop@1.0.0 lint` and `> eslint .` of npm and pnpm; `$ eslint .` of yarn and bun.
fn is_banner(line: &str) -> bool {
    line.starts_with("> ") || line.starts_with("$ ")
}
