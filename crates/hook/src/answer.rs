//! What a handler answers: a reply, and what has to be done for it.
//!
//! A handler does nothing itself. What outlives the hook is a [`Deed`] in its answer and what takes long an [`Wait`],
//! which the hook does and `explain` only shows; so one code answers the client and explains the answer.

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
    /// What the client is to wait for once the event is kept.
    pub wait: Option<Wait<'a>>,
    /// What is to be done first, and decides what is said beside the reply.
    pub work: Option<Work<'a>>,
}

/// Something that is to be done under a lock, so that only doing it tells what is to be said.
pub struct Work<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    pub act: Box<dyn FnOnce(Doing) -> Worked + 'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    Really,
    /// What would come of it is told, and nothing is changed.
    OnPaper,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Worked {
    pub reply: Reply,
    /// Events of our own that it has led to, as JSON, for the journal.
    pub events: Vec<String>,
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

/// Something that takes long while the client waits, and decides what is said: an answer of the person, the checks of a commit, a
/// formatter. Nothing else waits for it: the event is kept and told before.
pub struct Wait<'a> {
    /// What it is, in a few words.
    pub about: &'static str,
    /// It gets the id that the event has in the journal, if it was kept.
    pub end: Waiting<'a>,
}

/// Waits, and returns what is to be said.
pub type Waiting<'a> = Box<dyn FnOnce(Option<&str>) -> Reply + 'a>;

/// What all handlers come to.
#[derive(Default)]
pub struct Settled<'a> {
    pub reply: Reply,
    /// What is to be done once it has been said.
    pub afterwards: Vec<Afterwards<'a>>,
    /// What the guard said, for the event's record.
    pub ruling: Option<Ruling<'static>>,
    /// What the client is to wait for once the event is kept.
    pub waits: Vec<Wait<'a>>,
    /// Events of our own that go into the journal behind it, as JSON.
    pub events: Vec<String>,
}

impl<'a> Settled<'a> {
    /// With one more handler's answer, whose deed is done by it.
    #[must_use]
    pub fn with(mut self, mut answer: Answer<'a>) -> Self {
        self.ruling = self.ruling.or(answer.ruling.take());
        let worked = answer.work.take().map(|work| (work.act)(Doing::Really));
        let (said, afterwards, wait) = answer.settle();
        self.reply = self.reply.merge(said);
        if let Some(worked) = worked {
            self.reply = self.reply.merge(worked.reply);
            self.events.extend(worked.events);
        }
        self.afterwards.extend(afterwards);
        self.waits.extend(wait);
        self
    }
}

impl<'a> Answer<'a> {
    /// The same with what its work would come to, and the work undone.
    #[must_use]
    pub fn foreseen(mut self) -> Self {
        if let Some(work) = self.work.take() {
            self.reply = self.reply.merge((work.act)(Doing::OnPaper).reply);
            self.deed = self.deed.or(Some(Deed {
                about: work.about,
                otherwise: Reply::default(),
                act: Box::new(|| Ok(())),
            }));
        }
        self
    }

    /// Does what is to be done first, and returns what is then to be said, done and waited for.
    pub(crate) fn settle(self) -> (Reply, Option<Afterwards<'a>>, Option<Wait<'a>>) {
        let reply = match self.deed {
            Some(deed) => (deed.act)().map_or(deed.otherwise, |()| self.reply),
            None => self.reply,
        };
        (reply, self.afterwards, self.wait)
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
