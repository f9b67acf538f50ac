//! What every announcement has: the events it is about, whether it is made, its effect and its voice.

/// Declares the settings of an announcement, and the events that it is about:
/// `announcement! { /// About it. on Stop("a_placeholder") { /// A setting of its own. pub summary: Summary, } }`.
/// The words in brackets are the placeholders that its own messages may have, beside
/// [`SHARED`](crate::template::SHARED).
macro_rules! announcement {
    (
        $(#[$about:meta])+
        on $event:ident($($placeholder:literal),*) { $($(#[$said:meta])+ pub $name:ident: $type:ty,)* }
    ) => {
        pub(crate) const EVENTS: &[bellwether_protocol::event::Kind] =
            &[bellwether_protocol::event::Kind::$event];
        pub(crate) const PLACEHOLDERS: &[&str] = &[$($placeholder),*];

        $(#[$about])+
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Config {
            /// Announce it.
            pub enabled: bool,
            /// The effect.
            pub sound: $crate::Sound,
            /// The voice.
            pub voice: $crate::Voice,
            $($(#[$said])+ pub $name: $type,)*
        }

        impl $crate::preset::Switch for Config {
            fn off(self) -> Self {
                Self { enabled: false, ..self }
            }
        }

        impl $crate::preset::Clear for Config {
            fn clear(self) -> Self {
                Self { sound: self.sound.clear(), voice: self.voice.clear(), ..self }
            }
        }

        impl Config {
            /// This text, with the effect and the voice of these settings.
            pub(super) fn says(&self, text: impl Into<String>, priority: $crate::tell::Priority) -> $crate::tell::Said {
                $crate::tell::Said::new(text, &self.sound, &self.voice, priority)
            }
        }
    };
}

pub(crate) use announcement;
