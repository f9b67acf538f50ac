//! `bellwether config set` and `unset`: single settings in the person's own file.

use bellwether_spine::Home;
use serde_json::{Value, json};

use super::show::{meant, scalar};
use crate::config::settable::{self, Kind};
use crate::config::{Edit, Loaded, Plan, Unchanged, UnchangedBy, known};
use crate::{agreed, exit, output, person};

/// Every setting, with what may stand there and what does.
pub(super) fn list(loaded: &Loaded, json: bool) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for key in known::all() {
        let kind = known::find(&key).map_or_else(|_| String::new(), |known| known.about());
        let path: Vec<&str> = key.split('.').collect();
        let value = loaded.tree.at(&path).map(|node| &node.value);
        if json {
            rows.push(json!({"key": key, "kind": kind, "value": value.map(meant)}));
        } else {
            tell!(
                "{key:44} {kind:34} {}",
                value.map(scalar).unwrap_or_default()
            );
        }
    }
    if json {
        output::show_json(&rows)?;
    }
    Ok(())
}

pub(super) fn run(home: &Home, key: &str, typed: Option<&str>) -> anyhow::Result<()> {
    let value = value(key, typed)?;
    change(home, key, &Edit::Set(value))?;
    tell!("{key} is changed in {}", home.config_file().display());
    Ok(())
}

/// Sets something in the person's own file, for a command of theirs that needs it.
pub(crate) fn switch_on(home: &Home, key: &str, value: Value) -> anyhow::Result<()> {
    change(home, key, &Edit::Set(value))
}

pub(super) fn unset(home: &Home, key: &str) -> anyhow::Result<()> {
    let (file, edit) = (home.config_file(), Edit::Unset);
    if !planned(home, key, &edit)?.is_change() {
        // What nobody knows may stand in the file, and go from there.
        known::find(key).map_err(exit::usage)?;
        tell!("{key} is not set in {}", file.display());
        return Ok(());
    }
    change(home, key, &edit)?;
    tell!("{key} is no longer set in {}", file.display());
    Ok(())
}

/// What is to stand at a key.
fn value(key: &str, typed: Option<&str>) -> anyhow::Result<Value> {
    let known = known::find(key).map_err(exit::usage)?;
    let kind = settable::find(key);
    let about = || kind.map_or_else(|| known.about(), Kind::about);
    let Some(typed) = typed.filter(|_| !known.is_section()) else {
        return match typed {
            Some(typed) if typed.trim_start().starts_with('{') => Ok(known.read(typed)),
            None if !known.is_section() => {
                Err(exit::usage(format!("give a value for {key}: {}", about())))
            }
            _ => Err(exit::usage(format!(
                "`{key}` has several settings: name one of them, as {key}.…; `bellwether config get {key}` shows them"
            ))),
        };
    };
    let Some(kind) = kind else {
        return Ok(known.read(typed));
    };
    let value = kind.read(typed);
    kind.check(&value).map_err(|what| {
        let near = match kind {
            Kind::Word(words) => output::did_you_mean(typed, words),
            _ => String::new(),
        };
        exit::usage(format!("`{key}` must be {what}, not `{typed}`{near}"))
    })?;
    Ok(kind.settled(value))
}

fn change(home: &Home, key: &str, edit: &Edit) -> anyhow::Result<()> {
    person::refuse_agents(home, "changing settings")?;
    put(home, &|| planned(home, key, edit))
}

fn planned(home: &Home, key: &str, edit: &Edit) -> anyhow::Result<Plan> {
    Plan::of(home, &[(key.to_owned(), edit.clone())]).map_err(unchanged)
}

/// Makes a change. What loosens the guard is shown, and asked about, first: nobody else may edit while the file is held, so
/// it is planned again then.
pub(super) fn put(home: &Home, plan: &dyn Fn() -> anyhow::Result<Plan>) -> anyhow::Result<()> {
    let first = plan()?;
    if first.loosens.is_empty() {
        first.apply(home).map_err(unchanged)?;
    } else {
        let loosens = first.loosens.clone();
        drop(first);
        for what in &loosens {
            tell!("{}", output::red(what));
        }
        person::confirm(home, "loosening the guard")?;
        let second = plan()?;
        anyhow::ensure!(
            second.loosens == loosens,
            "the file has been changed meanwhile; nothing was changed"
        );
        second.apply_agreed(home).map_err(unchanged)?;
    }
    agreed::changed(home);
    Ok(())
}

fn unchanged(refused: Unchanged) -> anyhow::Error {
    match refused.fault {
        UnchangedBy::Wish => exit::usage(refused.why),
        UnchangedBy::File | UnchangedBy::System => anyhow::anyhow!(refused.why),
    }
}

pub(super) fn planned_text(home: &Home, seen: &str, new: &str) -> anyhow::Result<Plan> {
    Plan::of_text(home, seen, new.to_owned()).map_err(unchanged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_key_or_value_is_answered_with_what_is_right() {
        for (key, typed, said) in [
            ("audio.volum", Some("1"), "(did you mean `audio.volume`?)"),
            (
                "audio.volume",
                Some("11"),
                "must be a number from 0 to 1, not `11`",
            ),
            ("preset", Some("clam"), "(did you mean `calm`?)"),
            ("audio", Some("1"), "has several settings"),
            (
                "guard.mode",
                None,
                "give a value for guard.mode: loss, strict",
            ),
        ] {
            let why = value(key, typed).unwrap_err();
            assert!(why.is::<exit::Usage>(), "{why}");
            assert!(why.to_string().contains(said), "{key}: {why}");
        }
        assert_eq!(value("guard.mode", Some("strict")).unwrap(), "strict");
    }

    #[test]
    fn every_setting_can_be_set_to_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let loaded = crate::config::load(&home, None, &|_| None);
        for key in known::all() {
            let path: Vec<&str> = key.split('.').collect();
            let now = &loaded.tree.at(&path).unwrap().value;
            let typed = match now {
                bellwether_spine::config::Value::Text(text) => text.clone(),
                now => scalar(now),
            };
            let value = value(&key, Some(&typed)).unwrap_or_else(|why| panic!("{key}: {why}"));
            let plan = planned(&home, &key, &Edit::Set(value));
            let plan = plan.unwrap_or_else(|why| panic!("{key} {typed}: {why}"));
            assert!(plan.loosens.is_empty(), "{key}: {:?}", plan.loosens);
        }
    }
}
