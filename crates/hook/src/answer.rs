//! What a handler answers: a reply, and what has to be done for it.
//!
//! A handler does nothing itself. What outlives the hook is a [`Deed`] in its answer, which the hook
//! does and `explain` only shows; so one code answers the client and explains the answer.

use bellwether_protocol::reply::Reply;
use bellwether_spine::SpineError;
use bellwether_spine::chain::Head;

/// What a handler answers. The default says nothing and does nothing.
#[derive(Default)]
pub struct Answer<'a> {
    /// What is said.
    pub reply: Reply,
    /// What is to be done before it is said.
    pub deed: Option<Deed<'a>>,
    /// What is to be done once it has been said.
    pub afterwards: Option<Afterwards<'a>>,
}

/// Something that is to be done, and that outlives the hook.
pub struct Deed<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    /// What is said instead when it cannot be done.
    pub otherwise: Reply,
    /// Does it.
    pub act: Box<dyn FnOnce() -> Result<(), SpineError> + 'a>,
}

/// Something that is done once the reply has been said, so that it can neither hold nor change it.
pub struct Afterwards<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    /// Does it; where the audit chain stands then goes with the event.
    pub act: Box<dyn FnOnce() -> Result<Option<Head>, SpineError> + 'a>,
}

impl<'a> Answer<'a> {
    /// Does what is to be done first, and returns what is then to be said, and what to be done then.
    pub fn settle(self) -> (Reply, Option<Afterwards<'a>>) {
        let reply = match self.deed {
            Some(deed) => (deed.act)().map_or(deed.otherwise, |()| self.reply),
            None => self.reply,
        };
        (reply, self.afterwards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str) -> Reply {
        Reply {
            message: Some(text.into()),
            ..Reply::default()
        }
    }

    #[test]
    fn what_is_said_depends_on_what_could_be_done() {
        let answer = |done: bool| Answer {
            reply: says("done"),
            deed: Some(Deed {
                about: "try",
                otherwise: says("not done"),
                act: Box::new(move || {
                    done.then_some(())
                        .ok_or_else(|| SpineError::Record("no".into()))
                }),
            }),
            afterwards: None,
        };
        assert_eq!(answer(true).settle().0, says("done"));
        assert_eq!(answer(false).settle().0, says("not done"));
        assert_eq!(Answer::default().settle().0, Reply::default());
    }
}
