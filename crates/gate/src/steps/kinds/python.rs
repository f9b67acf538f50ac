//! Python: ruff, as the project has it.

use std::path::PathBuf;

use super::{Found, Place};

pub(super) const ABOUT: &str = "ruff check, ruff format --check";
pub(super) const MANIFESTS: &[&str] = &["pyproject.toml", "ruff.toml", ".ruff.toml"];

/// Where programs of a virtual environment are.
const LOCAL: &[&str] = &[".venv/bin/ruff", "venv/bin/ruff"];

/// The checks. A project that lets ruff mend what it finds must not have that done here.
const CHECKS: &[(&str, &str)] = &[
    ("python-check", "check --no-fix ."),
    ("python-format", "format --check ."),
];

const ABSENT: &[(&str, &str)] = &[(
    "Failed to spawn: `ruff`",
    "add ruff to the project: `uv add --dev ruff`",
)];

/// How ruff is started.
struct Ruff {
    program: PathBuf,
    /// The words before ruff's own.
    words: String,
    why: String,
}

pub(super) fn find(place: Place<'_>) -> Vec<Found> {
    let manifest = place.nearest(MANIFESTS).unwrap_or("pyproject.toml");
    let ruff = ruff(place);
    let found = CHECKS.iter().map(|(name, words)| match &ruff {
        None => {
            let how = format!("there is {manifest}");
            let advice = "install ruff, for instance with `uv add --dev ruff`";
            place.missing(name, &format!("ruff {words}"), how, ("ruff", advice))
        }
        Some(ruff) => {
            let how = format!("there is {manifest}; {}", ruff.why);
            let shown = format!("{} {words}", ruff.words);
            let mut step = place.step(name, &ruff.program, &shown, how);
            step.absent = ABSENT;
            Found::Step(step)
        }
    });
    found.collect()
}

/// The project's own by uv, the project's own, or the person's.
fn ruff(place: Place<'_>) -> Option<Ruff> {
    let (local, tools) = (
        LOCAL.iter().find_map(|path| place.local(path)),
        place.scene.tools,
    );
    if let (Some("uv.lock"), Some(program), Some(_)) =
        (place.nearest(&["uv.lock"]), tools.find("uv"), &local)
    {
        return Some(Ruff {
            program,
            words: "uv run --no-sync ruff".to_owned(),
            why: "uv.lock means uv".to_owned(),
        });
    }
    if let Some(program) = local {
        return Some(Ruff {
            program,
            words: "ruff".to_owned(),
            why: "ruff is in the virtual environment".to_owned(),
        });
    }
    if let Some(program) = tools.find("ruff") {
        return Some(Ruff {
            program,
            words: "ruff".to_owned(),
            why: "ruff is on PATH".to_owned(),
        });
    }
    let program = tools.find("uv").filter(|_| place.scene.config.download)?;
    Some(Ruff {
        program,
        words: "uv tool run ruff".to_owned(),
        why: "uv may download ruff".to_owned(),
    })
}
