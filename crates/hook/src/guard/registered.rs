//! Our entries in the client's settings, as far as the guard has to know them: whether an edit leaves
//! them there.

use serde_json::Value;

/// How our plugin's name begins, whichever marketplace it comes from.
const PLUGIN: &str = "bellwether@";

/// Our entries in a settings file: each with its event, its group's matcher and all of its own words.
#[derive(Debug, Default, PartialEq)]
pub struct Registered {
    entries: Vec<(String, Value, Value)>,
    disabled: bool,
    /// Our plugin is switched off by name: a project's settings can do that to a person's.
    plugin_off: bool,
}

impl Registered {
    /// Our entries in a text; `None` when it is no JSON object: the client then takes none of it.
    pub fn read(text: &str) -> Option<Self> {
        let settings: Value = serde_json::from_str(text).ok()?;
        settings.is_object().then_some(())?;
        let groups = settings["hooks"].as_object().into_iter().flatten();
        let groups = groups.flat_map(|(event, groups)| {
            let groups = groups.as_array().into_iter().flatten();
            groups.map(move |group| (event, group))
        });
        let entries = groups.flat_map(|(event, group)| {
            let handlers = group["hooks"].as_array().into_iter().flatten();
            let ours = handlers.filter(|handler| is_ours(handler));
            ours.map(move |handler| (event.clone(), group["matcher"].clone(), handler.clone()))
        });
        // Our plugin brings hooks too, and a word in the settings switches it off.
        let plugins = settings["enabledPlugins"].as_object().into_iter().flatten();
        let mut ours = plugins.filter(|(name, _)| name.starts_with(PLUGIN));
        let on = ours
            .clone()
            .filter(|(_, on)| **on == Value::Bool(true))
            .map(|(name, on)| (name.clone(), Value::Null, on.clone()));
        Some(Self {
            entries: entries.chain(on).collect(),
            plugin_off: ours.any(|(_, on)| *on == Value::Bool(false)),
            disabled: settings["disableAllHooks"] == Value::Bool(true),
        })
    }

    /// How many there are; none of them runs where hooks are turned off.
    pub fn running(&self) -> usize {
        if self.disabled { 0 } else { self.entries.len() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A handler that runs our hook, among whatever else.
fn is_ours(handler: &Value) -> bool {
    let arguments = handler["args"].as_array().into_iter().flatten();
    let words = std::iter::once(&handler["command"]).chain(arguments);
    let line: Vec<&str> = words.filter_map(Value::as_str).collect();
    let line = line.join(" ");
    line.contains("bellwether-hook") || line.contains("bellwether hook")
}

/// Why a new text would take our entries away; `None` when they stay.
pub(super) fn loses(before: &Registered, text: &str) -> Option<&'static str> {
    let Some(after) = Registered::read(text) else {
        return Some("would no longer be valid JSON, and none of its hooks would run");
    };
    if after.disabled && !before.disabled {
        return Some("would turn every hook off");
    }
    if after.plugin_off && !before.plugin_off && before.entries.is_empty() {
        return Some("would switch the plugin of bellwether off");
    }
    let stays = |entry: &(String, Value, Value)| after.entries.contains(entry);
    (!before.entries.iter().all(stays))
        .then_some("would lose or change the registration of bellwether")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_plugin_must_stay_on() {
        let on = r#"{"enabledPlugins": {"bellwether@m": true, "lint@shop": true}}"#;
        let before = Registered::read(on).unwrap();
        assert_eq!(before.running(), 1);
        assert_eq!(
            loses(
                &before,
                &on.replace("\"lint@shop\": true", "\"lint@shop\": false")
            ),
            None
        );
        let lost = Some("would lose or change the registration of bellwether");
        for text in [
            "{}",
            r#"{"enabledPlugins": {}}"#,
            r#"{"enabledPlugins": {"bellwether@m": false}}"#,
        ] {
            assert_eq!(loses(&before, text), lost, "{text}");
        }
        let off = Registered::read(r#"{"enabledPlugins": {"bellwether@m": false}}"#).unwrap();
        assert!(off.is_empty());
        // In a project's settings, which never had it on.
        let project = Registered::read("{}").unwrap();
        let turned_off = r#"{"enabledPlugins": {"bellwether@m": false}}"#;
        assert_eq!(
            loses(&project, turned_off),
            Some("would switch the plugin of bellwether off")
        );
        assert_eq!(loses(&off, turned_off), None, "it was off");
        let other = r#"{"enabledPlugins": {"lint@shop": false}}"#;
        assert_eq!(loses(&project, other), None);
    }
}
