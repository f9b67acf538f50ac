//! Checks of the person's own.

use std::path::{Component, Path};

use bellwether_hook::gate;
use bellwether_shell::matches_path;

use super::{Found, Place, Scene};

const HOW: &str = "configured in gate.steps";
const SHELL: &str = "/bin/sh";

/// Those that are configured, with those among them that do not apply to this commit.
pub(super) fn configured(scene: Scene<'_>) -> Vec<Found> {
    let all = scene.config.steps.iter();
    all.map(|(name, step)| found(scene, name, step)).collect()
}

fn found(scene: Scene<'_>, name: &str, step: &gate::Step) -> Found {
    let shown = step.run.trim();
    let root = Place {
        scene,
        folder: scene.base,
    };
    let wrong =
        |what: &str, advice: &str| root.missing(name, shown, HOW.to_owned(), (what, advice));
    if shown.is_empty() {
        return wrong(
            &format!("gate.steps.{name}.run"),
            "say which command to run",
        );
    }
    let wanted = Path::new(step.folder.as_deref().unwrap_or_default());
    let folder = scene.root.join(scene.base).join(wanted);
    if !is_inside(wanted) || !folder.is_dir() {
        let what = format!("the folder {}", wanted.display());
        return wrong(
            &what,
            &format!("name a folder of the project in gate.steps.{name}.folder"),
        );
    }
    if !step.files.is_empty()
        && !scene
            .within(scene.changed)
            .any(|file| fits(scene, step, file))
    {
        return Found::Skipped {
            name: name.to_owned(),
            shown: shown.to_owned(),
        };
    }
    let mut ours = root.step(name, Path::new(SHELL), shown, HOW.to_owned());
    ours.words = ["-c", shown].map(Into::into).to_vec();
    ours.folder = folder;
    Found::Step(ours)
}

fn is_inside(folder: &Path) -> bool {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    folder.components().all(inside)
}

/// Whether a file is one that a check is for. A pattern without `/` fits a name in any folder.
fn fits(scene: Scene<'_>, step: &gate::Step, file: &str) -> bool {
    let path = Path::new(file)
        .strip_prefix(scene.base)
        .unwrap_or(Path::new(file));
    let (path, name) = (path.to_string_lossy(), path.file_name().unwrap_or_default());
    step.files.iter().any(|pattern| {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        if pattern.contains('/') {
            matches_path(pattern, &path)
        } else {
            matches_path(pattern, &name.to_string_lossy())
        }
    })
}
