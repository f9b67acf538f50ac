//! What the program answers to an event, before any client's wire format.

/// The answer to one event. The default says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    pub decision: Option<Decision>,
    /// What the model is told beside its work.
    pub context: Option<String>,
    /// What the person is told.
    pub message: Option<String>,
}

/// A decision, from the mildest to the strictest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may happen, and the person is not asked.
    Allow,
    /// The person is asked, with this reason. Where a client cannot ask, it is refused.
    Ask(String),
    /// The agent hears this instead of going on: its stop, its prompt or its result is sent back.
    Block(String),
    /// It must not happen, for this reason.
    Deny(String),
}

impl Reply {
    /// Joins the answers of two handlers: the stricter decision stands, and where both are equally
    /// strict both reasons do; contexts and messages are all kept. Texts are joined by a newline,
    /// in the order of the handlers.
    #[must_use]
    pub fn merge(self, later: Self) -> Self {
        Self {
            decision: either(self.decision, later.decision, Decision::merge),
            context: either(self.context, later.context, join),
            message: either(self.message, later.message, join),
        }
    }
}

impl Decision {
    /// The reason; allowing needs none.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Allow => None,
            Self::Ask(reason) | Self::Block(reason) | Self::Deny(reason) => Some(reason),
        }
    }

    fn merge(self, later: Self) -> Self {
        match (self, later) {
            (Self::Ask(a), Self::Ask(b)) => Self::Ask(join(a, b)),
            (Self::Block(a), Self::Block(b)) => Self::Block(join(a, b)),
            (Self::Deny(a), Self::Deny(b)) => Self::Deny(join(a, b)),
            (a, b) if a.strictness() >= b.strictness() => a,
            (_, b) => b,
        }
    }

    fn strictness(&self) -> u8 {
        match self {
            Self::Allow => 0,
            Self::Ask(_) => 1,
            Self::Block(_) => 2,
            Self::Deny(_) => 3,
        }
    }
}

fn either<T>(a: Option<T>, b: Option<T>, both: impl FnOnce(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(both(a, b)),
        (a, b) => a.or(b),
    }
}

fn join(mut a: String, b: String) -> String {
    if a.is_empty() {
        return b;
    }
    if !b.is_empty() && a != b {
        a.push('\n');
        a.push_str(&b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(decision: Decision) -> Reply {
        Reply {
            decision: Some(decision),
            ..Reply::default()
        }
    }

    #[test]
    fn the_stricter_decision_stands_whichever_comes_first() {
        let ladder = [
            Decision::Allow,
            Decision::Ask("a".into()),
            Decision::Block("b".into()),
            Decision::Deny("d".into()),
        ];
        for (index, strict) in ladder.iter().enumerate() {
            for mild in &ladder[..index] {
                let (strict, mild) = (decided(strict.clone()), decided(mild.clone()));
                assert_eq!(strict.clone().merge(mild.clone()), strict);
                assert_eq!(mild.merge(strict.clone()), strict);
            }
        }
    }

    #[test]
    fn equal_decisions_keep_both_reasons() {
        let merged =
            decided(Decision::Deny("one".into())).merge(decided(Decision::Deny("two".into())));
        assert_eq!(merged, decided(Decision::Deny("one\ntwo".into())));
        let repeated =
            decided(Decision::Ask("same".into())).merge(decided(Decision::Ask("same".into())));
        assert_eq!(repeated, decided(Decision::Ask("same".into())));
    }

    #[test]
    fn texts_are_joined_and_nothing_changes_nothing() {
        let said = |text: &str| Reply {
            context: Some(text.into()),
            message: Some(text.into()),
            ..Reply::default()
        };
        assert_eq!(said("a").merge(said("b")), said("a\nb"));
        assert_eq!(said("a").merge(Reply::default()), said("a"));
        assert_eq!(Reply::default().merge(said("a")), said("a"));
    }
}
