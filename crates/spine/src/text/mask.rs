//! Masks secrets: known kinds of keys by their shape, and values by the name they are given.
//!
//! One pass over the text, no regular expressions. The text may be prose, a command line or JSON,
//! also JSON inside a JSON string. A reference such as `$TOKEN` is not a secret and stays.

use std::borrow::Cow;

/// What stands in place of a secret.
pub const MASKED: &str = "[masked]";

/// Keys that are known by how they begin, with how long the rest is at least.
const KEYS: &[(&str, usize)] = &[
    ("AGE-SECRET-KEY-1", 20),
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("SG.", 30),
    ("dckr_pat_", 10),
    ("dop_v1_", 20),
    ("eyJ", 20),
    ("gho_", 20),
    ("ghp_", 20),
    ("ghr_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("gsk_", 20),
    ("hf_", 20),
    ("lin_api_", 16),
    ("npm_", 20),
    ("pk_live_", 16),
    ("pplx-", 20),
    ("pypi-", 20),
    ("r8_", 20),
    ("rk_live_", 16),
    ("shpat_", 20),
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("tvly-", 16),
    ("whsec_", 16),
    ("xai-", 20),
    ("xapp-", 16),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxe-", 10),
    ("xoxp-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("ya29.", 20),
];

/// No kind of key is shorter.
const SHORTEST_KEY: usize = 15;

/// Words that make a name the name of a secret when one of its words ends so.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "authorization",
];
/// Words that make a name the name of a secret at its end.
const SECRET_ENDS: &[&str] = &[
    "token",
    "pwd",
    "pass",
    "sshpass",
    "cookie",
    "credential",
    "credentials",
];
/// Options of commands that are followed by a name and a password with a colon between them.
const LOGINS: &[&str] = &["-u", "--user", "--proxy-user"];
/// Words that make a following `key` a secret.
const KEY_OF: &[&str] = &[
    "api",
    "access",
    "private",
    "signing",
    "encryption",
    "auth",
    "master",
];
/// What may stand around a name, and behind it.
const QUOTES: &[u8] = b"\\\"'";
const BLANKS: &[u8] = b" \t";
/// Words between a name and its secret: `Authorization: Bearer …`.
const SCHEMES: &[&str] = &["bearer", "basic", "token", "digest"];

/// The text with every secret replaced by [`MASKED`].
pub fn mask(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < text.len() {
        let step = step(text, at);
        if let Some((from, to)) = step.secret {
            out.push_str(&text[copied..from]);
            out.push_str(MASKED);
            copied = to;
        }
        at = step.next;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// What was found at one place, and where to look next.
struct Step {
    secret: Option<(usize, usize)>,
    next: usize,
}

impl Step {
    fn past(next: usize) -> Self {
        Self { secret: None, next }
    }

    fn over(from: usize, to: usize) -> Self {
        Self {
            secret: Some((from, to)),
            next: to,
        }
    }
}

/// Looks at what begins at `at`: only there is the text cut, so what lies between two places may be
/// passed over byte by byte.
fn step(text: &str, at: usize) -> Step {
    let bytes = text.as_bytes();
    let run = run_length(&bytes[at..]);
    if run == 0 {
        if bytes[at..].starts_with(b"://") {
            return in_url(text, at + 3);
        }
        return Step::past(at + 1);
    }
    let end = at + run;
    if run < SHORTEST_KEY && bytes[at] != b'-' && sign_behind(text, end).is_none() {
        return Step::past(end);
    }
    if bytes[at] == b'-'
        && let Some(length) = private_key(&text[at..])
    {
        return Step::over(at, at + length);
    }
    if is_key(&text[at..end]) {
        return Step::over(at, end);
    }
    match named_value(text, at, end).or_else(|| login(text, at, end)) {
        Some((from, to)) => Step::over(from, to),
        None => Step::past(end),
    }
}

/// A PEM block that holds a private key; without its end, the rest of the text.
fn private_key(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix("-----BEGIN ")?;
    let title = &body[..body.find("-----")?];
    let plain = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == ' ';
    (title.ends_with("PRIVATE KEY") && title.chars().all(plain)).then_some(())?;
    let end = format!("-----END {title}-----");
    Some(
        rest.find(&end)
            .map_or(rest.len(), |found| found + end.len()),
    )
}

/// The password, or the token that stands alone, before the `@` of a URL.
fn in_url(text: &str, start: usize) -> Step {
    let stop = |char: char| {
        matches!(char, '/' | '?' | '#' | '"' | '\'' | '`' | '\\' | '<' | '>')
            || char.is_whitespace()
    };
    let end = text[start..]
        .find(stop)
        .map_or(text.len(), |found| start + found);
    let Some(at_sign) = text[start..end].rfind('@') else {
        return Step::past(start);
    };
    let user = &text[start..start + at_sign];
    let from = match user.find(':') {
        Some(colon) => colon + 1,
        None if user.len() >= 20 || is_key(user) => 0,
        None => return Step::past(start),
    };
    let secret = &user[from..];
    let known = secret.is_empty() || secret == MASKED || secret.starts_with('$');
    Step {
        secret: (!known).then_some((start + from, start + at_sign)),
        next: start + at_sign,
    }
}

/// Which bytes belong to a name, key or number: looked up, as every byte of every event is asked for.
static IN_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-' | b'.');
        byte += 1;
    }
    table
};

/// How many characters of a name, key or number stand at the beginning.
fn run_length(text: &[u8]) -> usize {
    let ends = |byte: &u8| !IN_RUN[usize::from(*byte)];
    text.iter().position(ends).unwrap_or(text.len())
}

fn is_key(run: &str) -> bool {
    run.len() >= SHORTEST_KEY
        && KEYS.iter().any(|(start, least)| {
            run.strip_prefix(start)
                .is_some_and(|rest| rest.len() >= *least && (*start != "eyJ" || rest.contains('.')))
        })
}

/// The value behind the name of a secret: `name=value`, `name: value`, `"name": "value"`,
/// `--name value`.
fn named_value(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let name = &text[start..end];
    let at = if let Some(sign) = sign_behind(text, end) {
        skip(text, sign + 1, b" \t=")
    } else {
        let quoted = skip(text, end, QUOTES);
        let spaced = skip(text, quoted, BLANKS);
        (name.starts_with("--") && spaced > quoted && spaced < text.len()).then_some(spaced)?
    };
    // The shell's own names for folders.
    let is_folder = matches!(name, "PWD" | "OLDPWD");
    (is_secret_name(name) && !is_folder).then_some(())?;
    value(text, at)
}

/// The password in `-u name:password`.
fn login(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let name = &text[start..end];
    (name.starts_with('-') && LOGINS.contains(&name)).then_some(())?;
    let at = skip(text, end, b" \t=");
    (at > end).then_some(())?;
    let (from, to) = value(text, at)?;
    let colon = text[from..to].find(':')?;
    let from = from + colon + 1;
    let known = text[from..].starts_with(MASKED) || text[from..].starts_with('$');
    (from < to && !known).then_some((from, to))
}

/// Where a value begins and ends, the scheme before it left out.
fn value(text: &str, at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    loop {
        let opened = skip(text, from, b"\\");
        let quote = text[opened..]
            .chars()
            .next()
            .filter(|char| matches!(char, '"' | '\'' | '`'));
        let (start, end) = match quote {
            Some(quote) => (opened + 1, closing(text, opened + 1, quote, opened - from)),
            None => (from, bare_end(text, from)),
        };
        let word = &text[start..end];
        let first = word.split_whitespace().next().unwrap_or_default();
        let next = skip(text, start + first.len(), b" \t");
        if SCHEMES.contains(&first.to_ascii_lowercase().as_str()) && next > start + first.len() {
            // A scheme before a bare secret; inside quotes the rest of the quotes is the secret.
            if quote.is_some() {
                return (next < end && !is_reference(&text[next..end])).then_some((next, end));
            }
            from = next;
            continue;
        }
        return (!word.is_empty() && !is_reference(&text[start..])).then_some((start, end));
    }
}

fn is_reference(word: &str) -> bool {
    word.starts_with('$') || word.starts_with("{{") || word.starts_with(MASKED)
}

/// The end of a value in quotes that were escaped `depth` times: the next such quote with no more
/// escapes before it.
fn closing(text: &str, start: usize, quote: char, depth: usize) -> usize {
    let mut escapes = 0;
    for (at, char) in text[start..].char_indices() {
        match char {
            '\\' => escapes += 1,
            _ if char == quote && escapes <= depth => return start + at - escapes,
            '\n' => return start + at,
            _ => escapes = 0,
        }
    }
    text.len()
}

fn bare_end(text: &str, start: usize) -> usize {
    let ends = |char: char| {
        char.is_whitespace()
            || matches!(
                char,
                '"' | '\'' | '`' | '\\' | ',' | ';' | '&' | '|' | ')' | '}' | ']' | '<' | '>'
            )
    };
    text[start..]
        .find(ends)
        .map_or(text.len(), |found| start + found)
}

/// Where the `=` or `:` stands that makes what ends at `end` a name. Most words are followed by another one: that
/// is seen sooner than what they mean.
fn sign_behind(text: &str, end: usize) -> Option<usize> {
    let sign = skip(text, skip(text, end, QUOTES), BLANKS);
    matches!(text.as_bytes().get(sign), Some(b'=' | b':')).then_some(sign)
}

/// Where the first character stands, from `at` on, that is none of these ASCII ones.
fn skip(text: &str, at: usize, over: &[u8]) -> usize {
    let rest = &text.as_bytes()[at..];
    let kept = rest.iter().position(|byte| !over.contains(byte));
    at + kept.unwrap_or(rest.len())
}

/// Whether a name is that of a secret: `DB_PASSWORD`, `apiKey`, `x-api-key`, `github.token`.
pub(super) fn is_secret_name(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last() else {
        return false;
    };
    let ends_so = |word: &String| SECRET_WORDS.iter().any(|secret| word.ends_with(secret));
    words.iter().any(ends_so)
        || SECRET_ENDS.contains(&last.as_str())
        || last.ends_with("token")
        || words
            .windows(2)
            .any(|pair| pair[1] == "key" && KEY_OF.contains(&pair[0].as_str()))
}

/// The words of a name in any of the usual spellings.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = '_';
    for char in name.chars() {
        let parted = !char.is_ascii_alphanumeric();
        if parted || (char.is_ascii_uppercase() && before.is_ascii_lowercase()) {
            words.push(String::new());
        }
        if !parted && let Some(word) = words.last_mut() {
            word.push(char.to_ascii_lowercase());
        }
        before = char;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn secrets_are_masked_and_the_rest_stays() {
        let rows = [
            (
                "key sk-ant-api03-abcdefghijklmnop0123 end",
                "key [masked] end",
            ),
            ("export AWS=AKIAIOSFODNN7EXAMPLE;", "export AWS=[masked];"),
            ("ghp_0123456789abcdefghijABCDEFGHIJ", "[masked]"),
            (
                "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
                "jwt [masked]",
            ),
            (
                "curl -H 'Authorization: Bearer abc.def' x",
                "curl -H 'Authorization: Bearer [masked]' x",
            ),
            (
                "curl -H \"X-Api-Key: 12345\"",
                "curl -H \"X-Api-Key: [masked]\"",
            ),
            (
                "postgres://app:s3cr3t@db/main",
                "postgres://app:[masked]@db/main",
            ),
            (
                "https://oauth2-token-of-some-length@host/x",
                "https://[masked]@host/x",
            ),
            (
                "git@github.com:a/b and https://git@host/x",
                "git@github.com:a/b and https://git@host/x",
            ),
            ("DB_PASSWORD=hunter2 make", "DB_PASSWORD=[masked] make"),
            (
                "{\"password\": \"two words\", \"n\": 1}",
                "{\"password\": \"[masked]\", \"n\": 1}",
            ),
            (
                r#"{"c":"{\"apiKey\":\"abc\"}"}"#,
                r#"{"c":"{\"apiKey\":\"[masked]\"}"}"#,
            ),
            (
                "tool --token abc --verbose",
                "tool --token [masked] --verbose",
            ),
            ("tool --password=abc", "tool --password=[masked]"),
            ("password=[masked]", "password=[masked]"),
            (
                "PGPASSWORD=x SSHPASS=y dbpassword=z",
                "PGPASSWORD=[masked] SSHPASS=[masked] dbpassword=[masked]",
            ),
            (
                "curl -u user:pa55 https://x",
                "curl -u user:[masked] https://x",
            ),
            ("curl --user \"me:$PW\" x", "curl --user \"me:$PW\" x"),
            (
                r#"{"password":"ab\"cd","n":1}"#,
                r#"{"password":"[masked]","n":1}"#,
            ),
            ("bypass: no, compass: north", "bypass: no, compass: north"),
            ("echo $TOKEN; TOKEN=$OTHER x", "echo $TOKEN; TOKEN=$OTHER x"),
            (
                "max_tokens: 4096, tokenizer: x",
                "max_tokens: 4096, tokenizer: x",
            ),
            ("the secret of success", "the secret of success"),
            ("task-123 sk-8 key=value", "task-123 sk-8 key=value"),
            (
                "a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b",
                "a [masked] b",
            ),
            ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb", "[masked]"),
            (
                "-----BEGIN CERTIFICATE-----\nMII",
                "-----BEGIN CERTIFICATE-----\nMII",
            ),
            (
                "비밀번호 password=한글암호 끝",
                "비밀번호 password=[masked] 끝",
            ),
        ];
        for (text, masked) in rows {
            assert_eq!(mask(text), masked, "{text}");
        }
    }

    proptest! {
        #[test]
        fn masking_twice_is_masking_once(text in "([a-zA-Z0-9_:=@/\"'\\\\ $.-]|password|token|://|é){0,40}") {
            let once = mask(&text).into_owned();
            prop_assert_eq!(mask(&once), once.clone());
        }

        #[test]
        fn a_planted_key_never_shows(before in "[a-z \n]{0,20}", after in "[ \n\"'][a-z ]{0,20}", kind in 0..KEYS.len()) {
            let (start, least) = KEYS[kind];
            let key = format!("{start}{}.{}", "a1B2".repeat(10), "c".repeat(least));
            let text = format!("{before} {key}{after}");
            prop_assert!(!mask(&text).contains(&key));
        }
    }
}
