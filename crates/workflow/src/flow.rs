//! Phases, and which may come after which.

use serde::{Deserialize, Serialize};

use crate::error::FlowError;

/// More phases than this are no plan that a person can follow.
const MOST_PHASES: usize = 20;
/// The longest name of a phase, in characters.
const LONGEST_NAME: usize = 30;

/// One phase. No field is left out when it is written: the hook reads a format without names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Phase {
    /// Its name, such as `review`.
    pub name: String,
    /// The word in brackets by which a task says that it belongs to this phase; without one the name with a capital: `[Review]`.
    pub tag: String,
    /// The phases that may come next. The first comes by itself when the tasks of this one are done.
    pub next: Vec<String>,
    /// The phase that comes next when the match rate is high enough. Goes with `failed`.
    pub passed: Option<String>,
    /// The phase that comes next when the match rate is too low: one more iteration.
    pub failed: Option<String>,
    /// A file of the project that must be there before this phase can be left; `{feature}` stands for the feature.
    pub leaves: Option<String>,
}

impl Phase {
    /// Whether a match rate decides what comes next.
    pub fn is_measured(&self) -> bool {
        self.passed.is_some()
    }

    /// All phases that may come next.
    pub fn targets(&self) -> Vec<&str> {
        let measured = [&self.passed, &self.failed].into_iter().flatten();
        let mut all: Vec<&str> = Vec::new();
        for name in measured.chain(&self.next) {
            if !all.contains(&name.as_str()) {
                all.push(name);
            }
        }
        all
    }

    /// Whether nothing comes after it.
    pub fn is_last(&self) -> bool {
        self.targets().is_empty()
    }
}

/// The flows that come with the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shipped {
    /// Plan, design, do, check, act, report.
    #[default]
    Pdca,
    /// Todo, doing, review, done.
    Kanban,
}

impl Shipped {
    pub const ALL: [Self; 2] = [Self::Pdca, Self::Kanban];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdca => "pdca",
            Self::Kanban => "kanban",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Pdca => include_str!("../flows/pdca.json"),
            Self::Kanban => include_str!("../flows/kanban.json"),
        }
    }
}

/// The name of a flow that is none of ours.
const OWN: &str = "own";

/// Phases that have been checked: names and tags are their own, and every phase that is named is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    name: String,
    phases: Vec<Phase>,
}

impl Flow {
    /// The person's phases, or a flow that comes with the program where they have none.
    pub fn of(shipped: Shipped, own: &[Phase]) -> Result<Self, FlowError> {
        if !own.is_empty() {
            return Self::checked(OWN, own.to_vec());
        }
        let phases = serde_json::from_str(shipped.text());
        Self::checked(
            shipped.name(),
            phases.map_err(|error| FlowError::Unreadable(error.to_string()))?,
        )
    }

    fn checked(name: &str, mut phases: Vec<Phase>) -> Result<Self, FlowError> {
        for phase in &mut phases {
            if phase.tag.is_empty() {
                phase.tag = capitalised(&phase.name);
            }
        }
        if phases.is_empty() || phases.len() > MOST_PHASES {
            return Err(FlowError::Count(phases.len(), MOST_PHASES));
        }
        for (place, phase) in phases.iter().enumerate() {
            check_names(phase)?;
            check_targets(phase, &phases)?;
            let before = &phases[..place];
            if before.iter().any(|other| other.name == phase.name) {
                return Err(FlowError::Twice("name", phase.name.clone()));
            }
            if before.iter().any(|other| other.tag == phase.tag) {
                return Err(FlowError::Twice("tag", phase.tag.clone()));
            }
        }
        Ok(Self {
            name: name.to_owned(),
            phases,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The phase in which a feature begins.
    pub fn first(&self) -> &Phase {
        &self.phases[0]
    }

    pub fn phase(&self, name: &str) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.name == name)
    }

    /// Its place in the list, counted from 1.
    pub fn number(&self, name: &str) -> Option<usize> {
        let place = self.phases.iter().position(|phase| phase.name == name);
        place.map(|place| place + 1)
    }

    /// Whether one phase may come after another.
    pub fn allows(&self, from: &str, to: &str) -> bool {
        let from = self.phase(from);
        from.is_some_and(|from| from.targets().contains(&to))
    }
}

pub(crate) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

fn check_names(phase: &Phase) -> Result<(), FlowError> {
    let in_name = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
    let fits = |text: &str| (1..=LONGEST_NAME).contains(&text.chars().count());
    if !fits(&phase.name) || !phase.name.chars().all(in_name) {
        return Err(FlowError::Name(phase.name.clone()));
    }
    let in_tag = |letter: char| in_name(letter) || letter == ' ';
    if !fits(&phase.tag) || !phase.tag.chars().all(in_tag) {
        return Err(FlowError::Tag(phase.tag.clone()));
    }
    Ok(())
}

fn check_targets(phase: &Phase, all: &[Phase]) -> Result<(), FlowError> {
    let known = |name: &str| all.iter().any(|other| other.name == name);
    if let Some(missing) = phase.targets().into_iter().find(|name| !known(name)) {
        return Err(FlowError::Missing {
            from: phase.name.clone(),
            to: missing.to_owned(),
        });
    }
    if phase.passed.is_some() != phase.failed.is_some() {
        return Err(FlowError::Half(phase.name.clone()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_can_be_read() {
        for shipped in Shipped::ALL {
            assert_eq!(Flow::of(shipped, &[]).unwrap().name(), shipped.name());
        }
        let pdca = Flow::of(Shipped::Pdca, &[]).unwrap();
        assert!(pdca.allows("plan", "design") && pdca.allows("check", "report"));
        assert!(!pdca.allows("plan", "do") && !pdca.allows("act", "report"));
        assert_eq!(pdca.number("act"), Some(5));
        assert!(pdca.phase("check").unwrap().is_measured());
        assert!(pdca.phase("report").unwrap().is_last());
    }

    fn own(name: &str, next: &[&str]) -> Phase {
        Phase {
            name: name.into(),
            next: next.iter().map(|&name| name.into()).collect(),
            ..Phase::default()
        }
    }

    #[test]
    fn a_wrong_flow_says_what_is_wrong() {
        let wrong = |phases: &[Phase]| Flow::of(Shipped::Pdca, phases).unwrap_err().to_string();
        let twice = [own("a", &[]), own("a", &[])];
        assert_eq!(wrong(&twice), "two phases have the name \"a\"");
        assert_eq!(
            wrong(&[own("a", &["b"])]),
            "phase \"a\" leads to \"b\", which is no phase"
        );
        assert!(wrong(&[own("a b", &[])]).contains("\"a b\""));
        let half = Phase {
            passed: Some("a".into()),
            ..own("a", &[])
        };
        assert!(wrong(&[half]).contains("`passed` and `failed`"));
        let tag = Phase {
            tag: "x]".into(),
            ..own("a", &[])
        };
        assert!(wrong(&[tag]).contains("\"x]\""));
        let many: Vec<Phase> = (0..21).map(|n| own(&format!("p{n}"), &[])).collect();
        assert!(wrong(&many).contains("21"));
    }

    #[test]
    fn a_tag_is_the_name_with_a_capital_where_none_is_given() {
        let flow = Flow::of(Shipped::Pdca, &[own("review", &[])]).unwrap();
        assert_eq!((flow.name(), flow.first().tag.as_str()), ("own", "Review"));
    }
}
