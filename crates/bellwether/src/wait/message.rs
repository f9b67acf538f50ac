//! What is spoken: all of the agent's last message.

use bellwether_announce::speech;
use bellwether_transcript::{Ending as TranscriptEnding, TranscriptError, Whose};

use super::Ending;
use super::input::Input;

/// Shorter messages are not spoken.
const SHORTEST: usize = 5;

/// The message, fit to be spoken.
pub(super) fn of(input: &Input) -> Result<String, Ending> {
    let said = match &input.message {
        Some(message) => Some(message.clone()),
        None => in_transcript(input)?,
    };
    let said = said.ok_or(Ending::NothingSaid)?;
    let words = speech::whole(&said);
    let is_short = |text: &str| text.trim().chars().count() < SHORTEST;
    if is_short(&said) || is_short(&words) {
        return Err(Ending::TooShort);
    }
    Ok(words)
}

fn in_transcript(input: &Input) -> Result<Option<String>, Ending> {
    let ending = TranscriptEnding::of_file(&input.transcript, &input.path, Whose::of(&input.path));
    let unreadable = |error: TranscriptError| {
        Ending::NoTranscript(input.path.display().to_string(), Some(error.to_string()))
    };
    let words = ending.map_err(unreadable)?.and_then(|ending| ending.words);
    Ok(words.map(|words| words.text))
}
