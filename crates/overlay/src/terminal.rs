//! placeholder
use crate::words::Words;
#[derive(Debug, thiserror::Error)]
#[error("no")]
pub struct NotRaised;
impl NotRaised {
    pub fn in_words(&self, words: &Words) -> String {
        words.terminal_failed.to_owned()
    }
}
pub fn raise(_: u32) -> Result<(), NotRaised> {
    Err(NotRaised)
}
