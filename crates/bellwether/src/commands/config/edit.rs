//! `bellwether config edit`: the person's own file in the person's own editor. What is written there takes effect once
//! nothing is wrong with it; until then the file is as it was.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use bellwether_spine::Home;

use super::set::{planned_text, put};
use crate::{config, person};

/// What is there on most machines, when nobody has said what to edit with.
const EDITORS: [&str; 4] = ["sensible-editor", "nano", "vim", "vi"];

pub(super) fn run(home: &Home) -> anyhow::Result<()> {
    person::require(home, "editing settings")?;
    let editor = editor(&|name| std::env::var(name).ok())?;
    let file = home.config_file();
    let seen = match fs::read_to_string(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.with_context(|| format!("cannot read {}", file.display()))?,
    };
    let draft = draft(home, &seen)?;
    let kept = || {
        format!(
            "nothing was changed; what you wrote is in {}",
            draft.display()
        )
    };
    let new = written(&file, &draft, &editor)?.with_context(kept)?;
    if new == seen {
        tell!("nothing was changed");
    } else {
        put(home, &|| planned_text(home, &seen, &new)).with_context(kept)?;
        tell!("{} is changed", file.display());
    }
    fs::remove_file(&draft).with_context(|| format!("cannot delete {}", draft.display()))
}

/// The command that edits a file.
fn editor(variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<String> {
    let said = |name| variable(name).filter(|said| !said.trim().is_empty());
    if let Some(editor) = said("VISUAL").or_else(|| said("EDITOR")) {
        return Ok(editor);
    }
    let path = variable("PATH").unwrap_or_default();
    let there = |name: &&&str| {
        std::env::split_paths(&path)
            .any(|folder| folder.is_absolute() && folder.join(name).is_file())
    };
    let found = EDITORS.iter().find(there);
    let found = found.context("no editor was found: set EDITOR, for instance EDITOR=nano")?;
    Ok((*found).to_owned())
}

/// A copy to write in, beside the file and for its owner alone.
fn draft(home: &Home, text: &str) -> anyhow::Result<PathBuf> {
    let name = format!("config.edit-{}.yaml", std::process::id());
    let path = home.config().join(name);
    let made = fs::create_dir_all(home.config()).and_then(|()| {
        let mut options = File::options();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&path)?.write_all(text.as_bytes())
    });
    made.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// What the person has written, once nothing is wrong with it; `None` when the person has given up.
fn written(file: &Path, draft: &Path, editor: &str) -> anyhow::Result<Option<String>> {
    loop {
        edit(draft, editor)?;
        let text = fs::read_to_string(draft)
            .with_context(|| format!("cannot read {}", draft.display()))?;
        let problems = config::problems_of(file, &text);
        if problems.is_empty() {
            return Ok(Some(text));
        }
        for problem in &problems {
            tell!("{problem}");
        }
        if !person::agrees("Edit it again?")? {
            return Ok(None);
        }
    }
}

/// Has the editor open a file, in the shell's words: `EDITOR` may hold options.
fn edit(draft: &Path, editor: &str) -> anyhow::Result<()> {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &format!("{editor} \"$@\""), editor])
        .arg(draft);
    let status = command.status().context("cannot start /bin/sh")?;
    if !status.success() {
        bail!(
            "`{editor}` failed ({status}); what you wrote is in {}",
            draft.display()
        );
    }
    ensure!(draft.exists(), "{} has gone", draft.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_is_the_persons_or_one_that_is_there() {
        let of = |pairs: &'static [(&str, &str)]| {
            editor(&|name| {
                let found = pairs.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(
            of(&[("VISUAL", "code --wait"), ("EDITOR", "vi")]).unwrap(),
            "code --wait"
        );
        assert_eq!(of(&[("VISUAL", " "), ("EDITOR", "vi")]).unwrap(), "vi");
        assert!(
            of(&[("PATH", "/nowhere")])
                .unwrap_err()
                .to_string()
                .contains("EDITOR")
        );
    }

    #[test]
    fn what_was_written_comes_back_and_an_editor_that_fails_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let draft = draft(&home, "preset: calm\n").unwrap();
        let file = home.config_file();
        let text = written(&file, &draft, "sed -i s/calm/full/").unwrap();
        assert_eq!(text.as_deref(), Some("preset: full\n"));
        let failed = written(&file, &draft, "false").unwrap_err().to_string();
        assert!(failed.contains("what you wrote is in"), "{failed}");
    }
}
