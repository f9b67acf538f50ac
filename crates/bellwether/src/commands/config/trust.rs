//! `bellwether config trust` and `confirm`: what counts only once the person has said so.

use std::path::Path;

use anyhow::Context as _;
use bellwether_spine::Home;
use bellwether_spine::config::{Trust, Value};

use super::show::scalar;
use crate::config::{self, Ignored, Loaded, Why};
use crate::{agreed, output, person};

/// The file by which the project is trusted, there or not.
fn file(loaded: &Loaded) -> anyhow::Result<&Path> {
    let none = "here is no project to trust: run this in the project's folder";
    loaded.trust.file.as_deref().context(none)
}

pub(super) fn revoke(home: &Home, loaded: &Loaded) -> anyhow::Result<()> {
    let file = file(loaded)?;
    let mut trust = Trust::load(home);
    let known = trust.revoke(file);
    trust.save(home)?;
    agreed::changed(home);
    tell!(
        "{} {} trusted",
        named(loaded, file),
        if known { "is no longer" } else { "was not" }
    );
    Ok(())
}

/// The file, or the project where it has none.
fn named(loaded: &Loaded, file: &Path) -> String {
    match &loaded.project {
        Some(file) => file.path.display().to_string(),
        None => format!("the project without {}", file.display()),
    }
}

pub(crate) fn run(home: &Home, loaded: &Loaded) -> anyhow::Result<()> {
    let file = file(loaded)?;
    let path = named(loaded, file);
    person::require(home, "trusting a project's file")?;
    // Exactly what was read and is shown here is trusted, whatever stands there a moment later.
    let content = match &loaded.project {
        Some(found) => found.content.as_deref(),
        None => Some([].as_slice()),
    };
    let content = content.filter(|_| loaded.problems.is_empty());
    let content = content.with_context(|| {
        format!("{path} has errors and cannot be trusted: see `bellwether config check`")
    })?;
    for line in shown(&loaded.ignored, &path) {
        tell!("{line}");
    }
    if !person::agrees(&format!("Trust {path} as it is now?"))? {
        tell!("nothing was changed");
        return Ok(());
    }
    person::confirm(home, "trusting a project's file")?;
    let mut trust = Trust::load(home);
    trust.grant(file.to_owned(), content);
    trust.save(home)?;
    agreed::changed(home);
    tell!(
        "{path} is trusted as it is now{}",
        if loaded.trust.trusted {
            ", as it was"
        } else {
            ""
        }
    );
    Ok(())
}

/// What will count once the file is trusted: what loosens the guard first, and in red.
fn shown(ignored: &[Ignored], file: &str) -> Vec<String> {
    let untrusted = ignored
        .iter()
        .filter(|ignored| ignored.why == Why::Untrusted);
    let (guard, others): (Vec<&Ignored>, Vec<&Ignored>) =
        untrusted.partition(|ignored| ignored.path.starts_with("guard."));
    let guard = guard.into_iter().map(|ignored| {
        let what = if ignored.path == "guard.enabled" && ignored.node.value == Value::Bool(false) {
            "this turns the guard OFF in this project"
        } else {
            "this loosens the guard in this project"
        };
        output::red(&format!("{}: {what}", told(ignored)))
    });
    let lines: Vec<String> = guard.chain(others.into_iter().map(told)).collect();
    if lines.is_empty() {
        return vec![format!(
            "trusting {file} changes nothing now: all that it may say counts already"
        )];
    }
    let mut all = vec!["this takes effect in this project:".to_owned()];
    all.extend(lines.into_iter().map(|line| format!("  {line}")));
    all
}

fn told(ignored: &Ignored) -> String {
    let value = bellwether_spine::text::shown(&scalar(&ignored.node.value), 300);
    format!("{}: {value}  ({})", ignored.path, ignored.node.place)
}

/// Takes the person's file as it is now for what the person wants.
pub(super) fn confirm(home: &Home) -> anyhow::Result<()> {
    let waiting = config::unconfirmed(home);
    if waiting.is_empty() {
        tell!("nothing to confirm");
        return Ok(());
    }
    person::require(home, "confirming the guard's settings")?;
    for what in &waiting {
        tell!("{}", output::red(what));
    }
    person::confirm(home, "confirming the guard's settings")?;
    config::confirm(home)?;
    agreed::changed(home);
    tell!(
        "confirmed: {} takes effect as it is now",
        home.config_file().display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_the_guard_off_comes_first_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().join("home"))).unwrap();
        let project = folder.path().join("project");
        let file = project.join(".claude/bellwether.yaml");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        let text = "hooks: {stop: {sound: {file: /tmp/x.wav}}}\nguard: {enabled: false, allow: [{command: rm}]}\n";
        std::fs::write(&file, text).unwrap();
        let loaded = config::load(&home, Some(&project), &|_| None);
        assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
        let lines = shown(&loaded.ignored, "it");
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(
            lines[1].starts_with("  guard.enabled: false  (")
                && lines[1].ends_with(": this turns the guard OFF in this project"),
            "{lines:?}"
        );
        assert!(
            lines[2].contains("guard.allow: [{command: \"rm\"}]"),
            "{lines:?}"
        );
        assert!(
            lines[3].contains("hooks.stop.sound.file: \"/tmp/x.wav\""),
            "{lines:?}"
        );
        assert!(shown(&[], "it")[0].contains("changes nothing"));
    }
}
