//! A rewrite without any service: a phrase of the profile before the line or after it.
//!
//! The same line always gets the same phrase, and one in three gets none: what is heard all day
//! wears out.

use sha2::{Digest as _, Sha256};

use super::Profile;

/// The line in the character's words; none when it stays as it is.
pub(super) fn rewrite(profile: &Profile, line: &str) -> Option<String> {
    let rules = &profile.transformation_rules;
    let hash = Sha256::digest([profile.name.as_bytes(), b"\0", line.as_bytes()].concat());
    let phrases = &profile.characteristic_phrases;
    if !rules.use_characteristic_phrases || phrases.is_empty() || hash[0] % 3 == 0 {
        return None;
    }
    let phrase = phrases[usize::from(hash[1]) % phrases.len()].trim();
    let line = line.trim();
    Some(match phrase.chars().next_back() {
        Some(',' | ':' | '…' | '—' | '.') if leads(phrase) => format!("{phrase} {line}"),
        Some('.' | '!' | '?') => format!("{} {phrase}", ended(line)),
        _ => format!("{} {phrase}.", ended(line)),
    })
}

/// Whether a phrase wants something behind it.
fn leads(phrase: &str) -> bool {
    phrase.ends_with([',', ':', '…', '—']) || phrase.ends_with("...")
}

/// A line that ends like a sentence.
fn ended(line: &str) -> String {
    if line.ends_with(['.', '!', '?', '…', '。']) {
        return line.to_owned();
    }
    format!("{line}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(phrases: [&str; 3], use_them: bool) -> Profile {
        let text = serde_json::json!({
            "name": "owl", "display_name": "Owl", "system_prompt": "x",
            "characteristic_phrases": phrases,
            "transformation_rules": {"use_characteristic_phrases": use_them}
        });
        Profile::parse("owl", &text.to_string()).unwrap()
    }

    #[test]
    fn the_same_line_gets_the_same_phrase_and_some_get_none() {
        let owl = profile(["Hoo,", "So it is.", "by the moon"], true);
        let lines: Vec<String> = (0..60).map(|it| format!("Line {it} is done")).collect();
        let told: Vec<_> = lines.iter().map(|line| rewrite(&owl, line)).collect();
        let again: Vec<_> = lines.iter().map(|line| rewrite(&owl, line)).collect();
        assert_eq!(told, again);
        let plain = told.iter().filter(|it| it.is_none()).count();
        assert!((5..40).contains(&plain), "{plain}");
        for (line, told) in lines
            .iter()
            .zip(told)
            .filter_map(|(line, told)| Some((line, told?)))
        {
            let fits = [
                format!("Hoo, {line}"),
                format!("{line}. So it is."),
                format!("{line}. by the moon."),
            ];
            assert!(fits.contains(&told), "{told}");
        }
        let quiet = profile(["Hoo,", "So.", "Well."], false);
        assert!(lines.iter().all(|line| rewrite(&quiet, line).is_none()));
    }
}
