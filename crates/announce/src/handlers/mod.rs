//! The announcements: one file each, one `mod` line below. The name of the file is the name of
//! the section under `hooks:` in the configuration.

use bellwether_protocol::event::Kind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Presets;
use crate::language::{Language, Words};
use crate::preset::{Clear, Preset, Switch};
use crate::tell::{Moment, Said, Silence, Tell as _};

/// What the handler of an event says.
pub(crate) struct Found {
    pub handler: &'static str,
    pub said: Result<Said, Silence>,
}

macro_rules! announcements {
    ($($name:ident),* $(,)?) => {
        $(impl Default for $name::Config {
            fn default() -> Self {
                Self::of(Preset::Calm, Language::default())
            }
        })*

        /// The settings of every announcement.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Hooks {
            $(#[doc = concat!("Settings of `", stringify!($name), "`.")] pub $name: $name::Config,)*
        }

        impl Switch for Hooks {
            fn off(self) -> Self {
                Self { $($name: self.$name.off(),)* }
            }
        }

        impl Clear for Hooks {
            fn clear(self) -> Self {
                Self { $($name: self.$name.clear(),)* }
            }
        }

        impl Presets for Hooks {
            fn full(words: &Words) -> Self {
                Self { $($name: Presets::full(words),)* }
            }

            fn calm(words: &Words) -> Self {
                Self { $($name: Presets::calm(words),)* }
            }

            fn plain(words: &Words) -> Self {
                Self { $($name: Presets::plain(words),)* }
            }
        }

        impl Hooks {
            /// Asks the handler that an event is for. It is asked only if it is switched on and
            /// nothing else is against it, because asking changes what is remembered.
            pub(crate) fn tell(
                &self,
                moment: &mut Moment<'_>,
                allowed: impl Fn() -> Result<(), Silence>,
            ) -> Option<Found> {
                $(if $name::EVENTS.contains(&moment.event.kind) && self.$name.concerns(moment) {
                    let said = match self.$name.enabled {
                        true => allowed().and_then(|()| self.$name.tell(moment)),
                        false => Err(Silence::Off),
                    };
                    return Some(Found { handler: stringify!($name), said });
                })*
                None
            }
        }

        /// The name of every announcement, with the events that it is about.
        pub const ALL: &[(&str, &[Kind])] = &[$((stringify!($name), $name::EVENTS)),*];

        /// The placeholders of each announcement's own.
        pub(crate) const PLACEHOLDERS: &[(&str, &[&str])] =
            &[$((stringify!($name), $name::PLACEHOLDERS)),*];
    };
}

pub mod ask_user_question;
pub mod elicitation;
pub mod guard_refusal;
pub mod notification;
pub mod permission_denied;
pub mod permission_request;
pub mod post_compact;
pub mod post_tool_use_failure;
pub mod pre_compact;
pub mod session_end;
pub mod session_start;
pub mod stop;
pub mod stop_failure;
pub mod subagent_start;
pub mod subagent_stop;
pub mod task_completed;
pub mod task_created;
pub mod teammate_idle;
pub mod user_prompt_submit;
pub mod workflow;

bellwether_listed::modules!(announcements, "src/handlers/mod.rs");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_announcement_is_in_the_documents() {
        let page = include_str!("../../../../docs/announcements.md");
        let rows = page
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let named: Vec<&str> = rows
            .map(|(name, _)| name)
            .filter(|name| !name.contains(' '))
            .collect();
        let listed: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, listed);
    }

    #[test]
    fn the_calm_preset_is_full_without_what_wears_out() {
        let (calm, full) = (Hooks::default(), Hooks::full(Language::En.words()));
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
        assert!(full.guard_refusal.voice.enabled && !calm.guard_refusal.voice.enabled);
        assert!(calm.guard_refusal.enabled && calm.guard_refusal.sound.enabled);
        let who_and_what = permission_request::Config {
            message_mode: permission_request::PermissionMode::Call,
            message_template: "{project}: allow {command}?".into(),
            subagent_template: "{project}, {agent}: allow {command}?".into(),
            ..full.permission_request.clear()
        };
        assert_eq!(calm.permission_request, who_and_what);
    }

    #[test]
    fn the_calm_preset_is_loud_and_slow_enough_and_full_has_the_values_of_the_kit() {
        let heard = |hooks: &Hooks| {
            let (stop, ask) = (&hooks.stop, &hooks.ask_user_question);
            [
                (stop.sound.volume, stop.voice.volume, stop.voice.rate),
                (ask.sound.volume, ask.voice.volume, ask.voice.rate),
            ]
        };
        let full = Hooks::full(Language::En.words());
        assert_eq!(heard(&full), [(0.2, 0.2, 350), (0.6, 0.6, 350)]);
        assert_eq!(heard(&Hooks::default()), [(0.5, 0.5, 200), (0.6, 0.6, 200)]);
    }

    #[test]
    fn the_plain_preset_speaks_of_five_moments_without_an_effect() {
        let plain = Hooks::plain(Language::En.words());
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
        assert!(!plain.guard_refusal.enabled);
    }
}
