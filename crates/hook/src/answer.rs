//! What a handler answers: a reply, and what has to be done for it.
//!
//! A handler does nothing itself. What outlives the hook is a [`Deed`] in its answer, which the hook
//! does and `explain` only shows; so one code answers the client and explains the answer.

use bellwether_protocol::reply::Reply;
use bellwether_spine::SpineError;

/// What a handler answers. The default says nothing and does nothing.
#[derive(Default)]
pub struct Answer<'a> {
    /// What is said.
    pub reply: Reply,
    /// What is to be done before it is said.
    pub deed: Option<Deed<'a>>,
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

impl Answer<'_> {
    /// Does what is to be done, and returns what is then to be said.
    pub fn settle(self) -> Reply {
        match self.deed {
            Some(deed) => (deed.act)().map_or(deed.otherwise, |()| self.reply),
            None => self.reply,
        }
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
        };
        assert_eq!(answer(true).settle(), says("done"));
        assert_eq!(answer(false).settle(), says("not done"));
        assert_eq!(Answer::default().settle(), Reply::default());
    }
}
