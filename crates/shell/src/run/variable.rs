//! What variables hold, as far as it is known.

use super::Runner;
use crate::state::Held;
use crate::text::{Fill, Text};

impl Runner<'_> {
    /// What a tilde stands for.
    pub(crate) fn tilde(&self, user: &str) -> Text {
        let home = match user {
            "" => match self.state.variables.get("HOME") {
                Some(Held::Text(texts)) if texts.len() == 1 => return texts[0].clone(),
                _ => self.world.variable("HOME"),
            },
            "+" => self
                .state
                .folder()
                .map(|folder| folder.display().to_string()),
            "-" => None,
            user => self
                .world
                .home_of(user)
                .map(|home| home.display().to_string()),
        };
        home.map_or_else(
            || Text::hole(format!("~{user}"), Fill::Anything),
            Text::plain,
        )
    }

    /// The value of a variable that is tried now; `None` when it is not set here.
    pub(crate) fn variable(&mut self, name: &str) -> Option<Text> {
        if let Some(special) = self.special(name) {
            return Some(special);
        }
        let (name, index) = match name.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse().ok()),
            None => (name, Some(0_usize)),
        };
        let (named, index) = (index.is_none(), index.unwrap_or(0));
        match self.state.variables.get(name) {
            Some(Held::Text(texts)) if texts.is_empty() => Some(Text::default()),
            Some(Held::Text(texts)) if texts.len() == 1 => texts.first().cloned(),
            Some(Held::Text(texts)) => {
                let texts = texts.clone();
                let pick = self.choice.pick(name, texts.len());
                texts.get(pick).cloned()
            }
            // A name for an index: it may be any of them.
            Some(Held::List(texts)) if !texts.is_empty() && named => {
                let texts = texts.clone();
                let pick = self.choice.pick(name, texts.len());
                texts.get(pick).cloned()
            }
            Some(Held::List(texts)) => Some(texts.get(index).cloned().unwrap_or_default()),
            None => self.world.variable(name).map(Text::plain).or_else(|| {
                let temporary = matches!(name, "TMPDIR" | "TMP" | "TEMP");
                temporary.then(|| Text::hole(format!("${name}"), Fill::Temporary))
            }),
        }
    }

    fn special(&mut self, name: &str) -> Option<Text> {
        let hole = |fill| Some(Text::hole(format!("${name}"), fill));
        match name {
            "#" if !self.files.is_empty() && !self.state.arguments.iter().any(Text::has_hole) => {
                Some(Text::plain(self.state.arguments.len().to_string()))
            }
            "?" | "$" | "!" | "#" | "-" | "_" | "RANDOM" | "SECONDS" | "LINENO" | "UID"
            | "EUID" | "PPID" | "BASHPID" | "HOSTNAME" | "SRANDOM" | "EPOCHSECONDS" => {
                hole(Fill::Name)
            }
            "0" => self
                .state
                .program
                .clone()
                .or_else(|| Some(Text::plain("bash"))),
            "PWD" if !self.state.variables.contains_key("PWD") => Some(self.folder().map_or_else(
                || Text::hole("$PWD", Fill::Anything),
                |folder| Text::plain(folder.display().to_string()),
            )),
            "IFS" if !self.state.variables.contains_key("IFS") => Some(Text::plain(" \t\n")),
            "OLDPWD" => match self.state.before.as_slice() {
                [folder] => Some(Text::plain(folder.display().to_string())),
                _ => hole(Fill::Anything),
            },
            _ => {
                let place: usize = name.parse().ok()?;
                let argument = self.state.arguments.get(place.checked_sub(1)?);
                Some(argument.cloned().unwrap_or_default())
            }
        }
    }

    /// A variable that has one known value.
    pub(crate) fn known(&self, name: &str) -> Option<&str> {
        match self.state.variables.get(name)? {
            Held::Text(texts) if texts.len() == 1 => texts[0].known(),
            _ => None,
        }
    }

    /// Whether a variable is known not to be set.
    pub(crate) fn is_unset(&self, name: &str) -> bool {
        matches!(self.state.variables.get(name), Some(Held::Text(texts)) if texts.is_empty())
    }

    pub(crate) fn set(&mut self, name: &str, text: Text) {
        self.state.set(name, text);
    }

    /// The variables that change what git does, as they were set on the way.
    pub(crate) fn git_variables(&self) -> Vec<(String, Text)> {
        self.state
            .variables
            .iter()
            .filter(|(name, _)| {
                name.starts_with("GIT_") || matches!(name.as_str(), "HUSKY" | "SKIP")
            })
            .filter_map(|(name, value)| match value {
                Held::Text(texts) => Some((name.clone(), texts.first()?.clone())),
                Held::List(_) => None,
            })
            .collect()
    }

    /// `$@`.
    pub(crate) fn arguments(&self) -> Vec<Text> {
        self.state.arguments.clone()
    }

    pub(crate) fn list(&self, name: &str) -> Option<Vec<Text>> {
        match self.state.variables.get(name)? {
            Held::List(texts) => Some(texts.clone()),
            Held::Text(texts) => Some(texts.first().cloned().into_iter().collect()),
        }
    }
}
