//! Go: vet and gofmt.

use std::path::Path;

use super::{Found, Place};
use crate::steps::Verdict;

pub(super) const ABOUT: &str = "go vet, gofmt -l";
pub(super) const MANIFESTS: &[&str] = &["go.mod"];

const ABSENT: &[(&str, &str)] = &[(
    "module lookup disabled by GOPROXY=off",
    "a module is not downloaded; run `go mod download`",
)];

/// Folders whose files are not the project's own writing.
const NOT_OURS: &[&str] = &["vendor", "testdata", "node_modules"];

/// So many bytes of names fit into a command line everywhere.
const MOST: usize = 128 * 1024;

pub(super) fn find(place: Place<'_>) -> Vec<Found> {
    vec![vet(place), format(place)]
}

fn vet(place: Place<'_>) -> Found {
    let (shown, how) = ("go vet ./...", "there is go.mod".to_owned());
    match place.scene.tools.find("go") {
        None => place.missing("go-vet", shown, how, ("go", "install Go")),
        Some(go) => {
            let mut step = place.step("go-vet", &go, shown, how);
            step.absent = ABSENT;
            Found::Step(step)
        }
    }
}

fn format(place: Place<'_>) -> Found {
    let (shown, how) = ("gofmt -l", "there is go.mod".to_owned());
    let Some(gofmt) = place.scene.tools.find("gofmt") else {
        return place.missing("go-fmt", shown, how, ("gofmt", "install Go"));
    };
    let mut step = place.step("go-fmt", &gofmt, shown, how);
    step.verdict = Verdict::BySilence("these files are not formatted:");
    let files: Vec<&str> = own_files(place).collect();
    if files.iter().map(|file| file.len() + 1).sum::<usize>() > MOST {
        step.words.push(".".into());
    } else {
        step.words.extend(files.into_iter().map(Into::into));
    }
    Found::Step(step)
}

/// The committed Go files of a module, relative to its folder.
fn own_files(place: Place<'_>) -> impl Iterator<Item = &str> {
    let files = place.scene.files.iter();
    let inside = files.filter_map(move |file| Path::new(file).strip_prefix(place.folder).ok());
    inside
        .filter(|file| file.extension().is_some_and(|ending| ending == "go"))
        .filter(|file| {
            !file
                .iter()
                .any(|part| NOT_OURS.iter().any(|name| part == *name))
        })
        .filter_map(Path::to_str)
}
