//! What of a message is said: where it begins, how much of it, and whether it asks something.

use crate::speech::{self, Sentence};
use crate::{Mode, Start, Summary};

/// What an agent says it has done. The first word of a sentence, behind "I", "I've" or "I have".
const DEEDS: &[&str] = &[
    "added",
    "built",
    "changed",
    "cleaned up",
    "committed",
    "completed",
    "configured",
    "converted",
    "created",
    "deleted",
    "deployed",
    "done",
    "extracted",
    "finished",
    "fixed",
    "generated",
    "implemented",
    "improved",
    "installed",
    "made",
    "merged",
    "migrated",
    "modified",
    "moved",
    "published",
    "pushed",
    "ran",
    "refactored",
    "released",
    "removed",
    "renamed",
    "replaced",
    "resolved",
    "restored",
    "reverted",
    "rewrote",
    "set up",
    "simplified",
    "split",
    "tested",
    "updated",
    "upgraded",
    "verified",
    "wrote",
];
/// Nobody says "successfully" before these.
const NOT_SUCCESSFULLY: &[&str] = &["done", "made"];

/// A question of more words takes too long to say.
const LONGEST_QUESTION: usize = 30;

/// So much of a message as the settings want; `nothing` when it has no words.
pub fn summary(message: &str, settings: &Summary, nothing: &str) -> String {
    let all = speech::sentences(message);
    if settings.mode == Mode::Full {
        let whole = speech::joined(all.iter().map(|sentence| sentence.text.as_str()));
        let cut: String = whole
            .chars()
            .take(settings.max_characters as usize)
            .collect();
        return if cut.is_empty() {
            nothing.to_owned()
        } else {
            cut
        };
    }
    let sentences = without_headings(&all);
    let start = match settings.start {
        Start::Action => action_start(&sentences),
        Start::Beginning => 0,
    };
    let Some((first, more)) = sentences.get(start..).and_then(<[&str]>::split_first) else {
        return nothing.to_owned();
    };
    match settings.mode {
        Mode::Characters => characters(first, more, settings.max_characters as usize),
        Mode::Sentences | Mode::Full => {
            let more = more
                .iter()
                .take((settings.max_sentences as usize).saturating_sub(1));
            speech::joined([first].into_iter().chain(more).copied())
        }
    }
}

/// A heading says what is told below it; it is said itself only when there is nothing below.
fn without_headings(all: &[Sentence]) -> Vec<&str> {
    let only_headings = all.iter().all(|sentence| sentence.is_heading);
    all.iter()
        .filter(|sentence| only_headings || !sentence.is_heading)
        .map(|sentence| sentence.text.as_str())
        .collect()
}

/// The first sentence, cut if it must be, and those behind it that fit.
fn characters(first: &str, more: &[&str], most: usize) -> String {
    let length = first.chars().count();
    if length > most {
        // Without room for the dots they stand behind what remains, as in the kit whose settings
        // these are.
        let kept = if most >= 3 {
            most - 3
        } else {
            length.saturating_sub(3 - most)
        };
        return first.chars().take(kept).chain("...".chars()).collect();
    }
    let mut said = first.to_owned();
    for sentence in more {
        let longer = speech::joined([said.as_str(), sentence].into_iter());
        if longer.chars().count() > most {
            break;
        }
        said = longer;
    }
    said
}

/// The first sentence that tells what was done; the first of all when none does.
pub fn action_start(sentences: &[&str]) -> usize {
    sentences
        .iter()
        .position(|sentence| tells_a_deed(sentence))
        .unwrap_or(0)
}

fn tells_a_deed(sentence: &str) -> bool {
    let sentence = sentence.trim_start().to_lowercase();
    let mut rest = sentence.as_str();
    for start in ["i've ", "i have ", "i "] {
        if let Some(after) = rest.strip_prefix(start) {
            rest = after.trim_start();
            break;
        }
    }
    if let Some(rest) = rest.strip_prefix("successfully ") {
        let deed = deed(rest.trim_start());
        return deed.is_some_and(|deed| !NOT_SUCCESSFULLY.contains(&deed));
    }
    deed(rest).is_some()
}

/// The deed that a text begins with, as a whole word.
fn deed(text: &str) -> Option<&'static str> {
    DEEDS.iter().copied().find(|deed| {
        text.strip_prefix(deed)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// The last sentence that asks something.
pub fn last_question(message: &str) -> Option<String> {
    let sentences = speech::sentences(message).into_iter().rev();
    sentences
        .map(|sentence| sentence.text)
        .find(|text| asks(text))
}

/// A question that can be listened to: of a long one the sentence that asks, and no more than so many words of that.
pub fn short_question(question: &str) -> String {
    let is_short = |text: &str| text.split_whitespace().count() <= LONGEST_QUESTION;
    if is_short(question) {
        return question.to_owned();
    }
    let asking = last_question(question).unwrap_or_else(|| question.to_owned());
    if is_short(&asking) {
        return asking;
    }
    let words: Vec<&str> = asking.split_whitespace().take(LONGEST_QUESTION).collect();
    words.join(" ") + "..."
}

/// Whether a message ends by asking something.
pub fn ends_with_question(message: &str) -> bool {
    speech::sentences(message)
        .last()
        .is_some_and(|last| asks(&last.text))
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end().ends_with('?')
}

#[cfg(test)]
mod tests;
