//! Keys that are known by how they look.

use super::table::{FORMS, Letters, Part, SHORTEST_KEY, STARTS, Start};

/// No form is shorter.
const SHORTEST_FORM: usize = 30;

/// How long the key is that a run begins with; `rest` is the text from the run on.
pub(super) fn length(run: &str, rest: &str) -> Option<usize> {
    // The end of a sentence is none of the key.
    let run = run.trim_end_matches('.');
    if run.len() < SHORTEST_KEY {
        return None;
    }
    let first = usize::from(*run.as_bytes().first()?);
    let starts = STARTS.get(first)?.iter();
    if let Some(start) = starts.into_iter().find(|start| start.fits(run)) {
        let padding = if start.padded {
            padding(&rest.as_bytes()[run.len()..])
        } else {
            0
        };
        return Some(run.len() + padding);
    }
    let has_form = run.len() >= SHORTEST_FORM
        && FORMS
            .iter()
            .any(|form| has_form(run.as_bytes(), form) == Some(0));
    has_form.then_some(run.len())
}

/// Whether a run is a key as a whole.
pub(super) fn is_key(run: &str) -> bool {
    length(run, run) == Some(run.len())
}

impl Start {
    fn fits(&self, run: &str) -> bool {
        let Some(rest) = run.strip_prefix(self.prefix) else {
            return false;
        };
        let any = |wanted: fn(&u8) -> bool| rest.as_bytes().iter().any(wanted);
        (self.least..=self.most).contains(&rest.len())
            && (self.letters == Letters::Run || rest.bytes().all(|byte| self.letters.has(byte)))
            && (!self.mixed || any(u8::is_ascii_digit) && any(u8::is_ascii_alphabetic))
            && (!self.dotted || rest.contains('.'))
    }
}

/// How much of `bytes` goes on with what base64 has and a run has not.
fn padding(bytes: &[u8]) -> usize {
    let goes_on = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
    };
    let begins = matches!(bytes.first(), Some(b'+' | b'/' | b'='));
    let length = || bytes.iter().position(|byte| !goes_on(byte));
    if begins {
        length().unwrap_or(bytes.len())
    } else {
        0
    }
}

/// What is left of a run behind a form.
fn has_form(mut run: &[u8], form: &[Part]) -> Option<usize> {
    for part in form {
        let length = match part {
            Part::Text(text) => {
                run.starts_with(text.as_bytes()).then_some(())?;
                text.len()
            }
            Part::Some(letters, least, most) => {
                let there = run
                    .iter()
                    .take(*most)
                    .take_while(|byte| letters.has(**byte));
                Some(there.count()).filter(|count| count >= least)?
            }
        };
        run = &run[length..];
    }
    Some(run.len())
}
