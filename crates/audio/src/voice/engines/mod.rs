//! The engines: one file each, one line in the list below. A file has its settings (`Config`, if it
//! has any), what it is (`ABOUT`) and how it is made (`build`).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Engine, Keys, Settings};

macro_rules! engines {
    ($($module:ident $name:ident),* $(,)?) => {
        /// The name of an engine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum EngineName {
            $(#[doc = concat!("`", stringify!($module), "`")] $name),*
        }

        impl EngineName {
            /// Every engine, the most capable first.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name, as the configuration has it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($module)),* }
            }

            /// What it is, in a few words.
            pub fn about(self) -> &'static str {
                match self { $(Self::$name => $module::ABOUT),* }
            }

            pub(super) fn build(self, settings: &Settings, keys: &Keys) -> Box<dyn Engine> {
                match self { $(Self::$name => $module::build(settings, keys)),* }
            }
        }
    };
}

pub mod elevenlabs;
pub mod openai;
pub mod piper;
pub mod system;
pub mod embedded;

bellwether_listed::modules!(engines, "src/voice/engines/mod.rs", camel);

impl fmt::Display for EngineName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_calls_engines_by_the_names_of_their_files() {
        for name in EngineName::ALL {
            let text = serde_json::to_value(name).unwrap();
            assert_eq!(text, name.as_str());
            assert_eq!(
                name.build(&Settings::default(), &Keys::default()).name(),
                name.as_str()
            );
        }
    }
}
