//! The announcements: one file each, one word in the list below. The name of the file is the name of
//! the section under `hooks:` in the configuration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Presets;

macro_rules! announcements {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name;)*

        $(impl Default for $name::Config {
            fn default() -> Self {
                Self::calm()
            }
        })*

        /// The settings of every announcement.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Hooks {
            $(#[doc = concat!("Settings of `", stringify!($name), "`.")] pub $name: $name::Config,)*
        }

        impl Presets for Hooks {
            fn full() -> Self {
                Self { $($name: Presets::full(),)* }
            }

            fn calm() -> Self {
                Self { $($name: Presets::calm(),)* }
            }

            fn plain() -> Self {
                Self { $($name: Presets::plain(),)* }
            }
        }

        /// The name of every announcement.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

announcements![
    ask_user_question,
    notification,
    permission_request,
    post_tool_use_failure,
    pre_compact,
    stop,
    subagent_start,
    subagent_stop,
    task_completed,
    teammate_idle,
    user_prompt_submit,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/handlers");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .filter(|name| name != "mod")
            .collect();
        assert_eq!(files, NAMES.iter().map(|name| (*name).to_owned()).collect());
    }

    #[test]
    fn the_calm_preset_is_full_without_what_wears_out() {
        let (calm, full) = (Hooks::default(), Hooks::full());
        let off = |hooks: &Hooks| {
            [
                hooks.post_tool_use_failure.enabled,
                hooks.subagent_start.enabled,
                hooks.pre_compact.enabled,
            ]
        };
        assert_eq!((off(&full), off(&calm)), ([true; 3], [false; 3]));
        assert_eq!(
            (full.stop.min_turn_seconds, calm.stop.min_turn_seconds),
            (0, 20)
        );
        assert!(full.subagent_stop.voice.enabled && !calm.subagent_stop.voice.enabled);
        assert_eq!(calm.permission_request, full.permission_request);
    }

    #[test]
    fn the_plain_preset_speaks_of_five_moments_without_an_effect() {
        let plain = Hooks::plain();
        let spoken = [
            (plain.stop.enabled, &plain.stop.sound, &plain.stop.voice),
            (
                plain.notification.enabled,
                &plain.notification.sound,
                &plain.notification.voice,
            ),
            (
                plain.permission_request.enabled,
                &plain.permission_request.sound,
                &plain.permission_request.voice,
            ),
            (
                plain.subagent_stop.enabled,
                &plain.subagent_stop.sound,
                &plain.subagent_stop.voice,
            ),
            (
                plain.task_completed.enabled,
                &plain.task_completed.sound,
                &plain.task_completed.voice,
            ),
        ];
        for (enabled, sound, voice) in spoken {
            assert!(enabled && !sound.enabled && voice.name == "Samantha" && voice.rate == 200);
        }
        assert!(!plain.ask_user_question.enabled && !plain.teammate_idle.enabled);
    }
}
