//! Node: the scripts `lint` and `build`, run by the package manager whose lock file is there.

use serde_json::Value;

use super::{Found, Place};

pub(super) const ABOUT: &str = "the scripts `lint` and `build` of package.json";
pub(super) const MANIFESTS: &[&str] = &["package.json"];

/// Which lock file is whose.
const LOCKS: &[(&str, &str)] = &[
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
    ("package-lock.json", "npm"),
    ("npm-shrinkwrap.json", "npm"),
];

const SCRIPTS: &[&str] = &["lint", "build"];

/// Where packages are once they are installed.
const INSTALLED: &[&str] = &["node_modules", ".pnp.cjs"];

/// What says that something is not installed.
const ABSENT: &[(&str, &str)] = &[
    (
        "ENOTCACHED",
        "a package that it runs by npx is not installed; add it to the project",
    ),
    (
        "ERR_PNPM_NO_OFFLINE",
        "a package is not installed; run `pnpm install`",
    ),
];

pub(super) fn find(place: Place<'_>) -> Vec<Found> {
    let text = place.read("package.json").unwrap_or_default();
    let Ok(package) = serde_json::from_str::<Value>(&text) else {
        return Vec::new();
    };
    let (manager, why) = manager(place, &package);
    let scripts = SCRIPTS.iter().filter(|name| {
        let script = package["scripts"][**name].as_str();
        script.is_some_and(|script| !script.trim().is_empty())
    });
    scripts
        .map(|script| step(place, &package, script, (manager, &why)))
        .collect()
}

fn step(place: Place<'_>, package: &Value, script: &str, (manager, why): (&str, &str)) -> Found {
    let name = format!("node-{script}");
    let how = format!("package.json has a script `{script}`; {why}");
    let shown = if manager == "bun" {
        // It would fetch what is not there.
        format!("bun run --no-install {script}")
    } else {
        format!("{manager} run {script}")
    };
    let Some(program) = place.scene.tools.find(manager) else {
        let advice = format!("install {manager}");
        return place.missing(&name, &shown, how, (manager, &advice));
    };
    if needs_packages(package) && place.nearest(INSTALLED).is_none() {
        let advice = format!("run `{manager} install`");
        return place.missing(&name, &shown, how, ("node_modules", &advice));
    }
    let mut step = place.step(&name, &program, &shown, how);
    step.absent = ABSENT;
    Found::Step(step)
}

/// The package manager, and how it is known.
fn manager(place: Place<'_>, package: &Value) -> (&'static str, String) {
    let locks: Vec<&'static str> = LOCKS.iter().map(|(lock, _)| *lock).collect();
    let of_lock = |lock: &str| LOCKS.iter().find(|(known, _)| *known == lock);
    if let Some((lock, manager)) = place.nearest(&locks).and_then(of_lock) {
        return (manager, format!("{lock} means {manager}"));
    }
    let said = package["packageManager"].as_str().unwrap_or_default();
    let named = LOCKS
        .iter()
        .find(|(_, manager)| said.split('@').next() == Some(manager));
    match named {
        Some((_, manager)) => (manager, format!("packageManager means {manager}")),
        None => ("npm", "without a lock file that means npm".to_owned()),
    }
}

fn needs_packages(package: &Value) -> bool {
    ["dependencies", "devDependencies"].iter().any(|key| {
        package[key]
            .as_object()
            .is_some_and(|packages| !packages.is_empty())
    })
}
