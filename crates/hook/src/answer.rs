//! What a handler answers: a reply, and what has to be done for it.
//!
//! A handler does nothing itself. What outlives the hook is a [`Deed`] in its answer, which the hook
//! does and `explain` only shows; so one code answers the client and explains the answer.

use bellwether_protocol::reply::Reply;
use bellwether_spine::SpineError;
use bellwether_spine::chain::Head;
use bellwether_spine::meta::Ruling;

/// What a handler answers. The default says nothing and does nothing.
#[derive(Default)]
pub struct Answer<'a> {
    pub reply: Reply,
    /// What is to be done before it is said.
    pub deed: Option<Deed<'a>>,
    /// What is to be done once it has been said.
    pub afterwards: Option<Afterwards<'a>>,
    /// What the guard said, for the event's record.
    pub ruling: Option<Ruling<'static>>,
    /// What is to be asked of the person once the event is kept.
    pub question: Option<Question<'a>>,
}

/// Something that is to be done, and that outlives the hook.
pub struct Deed<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    /// What is said instead when it cannot be done.
    pub otherwise: Reply,
    pub act: Box<dyn FnOnce() -> Result<(), SpineError> + 'a>,
}

/// Something that is done once the reply has been said, so that it can neither hold nor change it.
pub struct Afterwards<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    /// Does it; where the audit chain stands then goes with the event.
    pub act: Box<dyn FnOnce() -> Result<Option<Head>, SpineError> + 'a>,
}

/// Something that is asked of the person while the client waits. Nothing else does: the event is kept and told before.
pub struct Question<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    /// Asks it, by the id that the event has in the journal, and returns what is to be said.
    pub ask: Box<dyn FnOnce(&str) -> Reply + 'a>,
}

/// What all handlers come to.
#[derive(Default)]
pub struct Settled<'a> {
    pub reply: Reply,
    /// What is to be done once it has been said.
    pub afterwards: Vec<Afterwards<'a>>,
    /// What the guard said, for the event's record.
    pub ruling: Option<Ruling<'static>>,
    /// What is to be asked once the event is kept.
    pub question: Option<Question<'a>>,
}

impl<'a> Settled<'a> {
    /// With one more handler's answer, whose deed is done by it.
    #[must_use]
    pub fn with(mut self, mut answer: Answer<'a>) -> Self {
        self.ruling = self.ruling.or(answer.ruling.take());
        let (said, afterwards, question) = answer.settle();
        self.reply = self.reply.merge(said);
        self.afterwards.extend(afterwards);
        self.question = self.question.or(question);
        self
    }
}

impl<'a> Answer<'a> {
    /// Does what is to be done first, and returns what is then to be said, done and asked.
    pub(crate) fn settle(self) -> (Reply, Option<Afterwards<'a>>, Option<Question<'a>>) {
        let reply = match self.deed {
            Some(deed) => (deed.act)().map_or(deed.otherwise, |()| self.reply),
            None => self.reply,
        };
        (reply, self.afterwards, self.question)
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
            ..Answer::default()
        };
        assert_eq!(answer(true).settle().0, says("done"));
        assert_eq!(answer(false).settle().0, says("not done"));
        assert_eq!(Answer::default().settle().0, Reply::default());
    }
}
