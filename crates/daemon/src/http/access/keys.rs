//! What opens the page and the API: cookies of browsers, and tokens that a person has made for programs. Only their
//! hashes are kept, so that no file holds what opens anything. A code for one use becomes a cookie; codes live in
//! memory alone.
//!
//! A cookie counts for the kind of browser that it was given to.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use bellwether_spine::confirmed::{is_vouched_for, vouch};
use bellwether_spine::{Home, SpineError, clock, digest, place};
use serde::{Deserialize, Serialize};

use crate::shared::locked;

/// How long a code may wait to be used.
const CODE_LIVES: Duration = Duration::from_mins(5);
/// More codes than this do not wait.
const CODES: usize = 16;
/// How long a cookie counts, in seconds.
pub(crate) const COOKIE_LIVES_S: u64 = 30 * 24 * 60 * 60;
/// How many random bytes make a secret.
const RANDOM: usize = 32;
/// So many browsers and tokens are kept; the oldest browser is forgotten first.
const BROWSERS: usize = 64;
const TOKENS: usize = 64;

/// What opens the page and the API.
pub(crate) struct Keys {
    home: Home,
    kept: Mutex<Kept>,
    codes: Mutex<Vec<(String, Instant)>>,
}

/// What is kept of them in a file.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    browsers: Vec<Browser>,
    tokens: Vec<Token>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Browser {
    hash: String,
    /// The hash of the kind of browser.
    kind: String,
    until_s: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Token {
    name: String,
    hash: String,
    made_ms: u64,
}

/// A token as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenView {
    pub name: String,
    /// When it was made, milliseconds since 1970.
    pub made_ms: u64,
}

impl Keys {
    /// Reads what is kept, and removes the token that earlier versions kept in a file. What somebody else wrote there
    /// opens nothing.
    pub(crate) fn load(home: &Home) -> Result<Self, SpineError> {
        let path = home.token();
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(SpineError::io("remove", &path, error));
            }
            _ => {}
        }
        let path = home.page_keys();
        let text = std::fs::read(&path).unwrap_or_default();
        let ours = is_vouched_for(home, &path, &text);
        let kept = ours.then(|| serde_json::from_slice(&text).unwrap_or_default());
        Ok(Self {
            home: home.clone(),
            kept: Mutex::new(kept.unwrap_or_default()),
            codes: Mutex::default(),
        })
    }

    /// A new token under a name, which nothing but this answer ever shows. The same name again replaces the old one.
    pub(crate) fn new_token(&self, name: &str) -> Result<String, SpineError> {
        let token = random()?;
        self.change(|kept| {
            kept.tokens.retain(|other| other.name != name);
            if kept.tokens.len() >= TOKENS {
                kept.tokens.remove(0);
            }
            kept.tokens.push(Token {
                name: name.to_owned(),
                hash: digest::sha256(token.as_bytes()),
                made_ms: clock::wall_ms(),
            });
        })?;
        Ok(token)
    }

    pub(crate) fn tokens(&self) -> Vec<TokenView> {
        let kept = locked(&self.kept);
        let view = |token: &Token| TokenView {
            name: token.name.clone(),
            made_ms: token.made_ms,
        };
        kept.tokens.iter().map(view).collect()
    }

    /// Ends a token; false when there is none of that name.
    pub(crate) fn revoke(&self, name: &str) -> Result<bool, SpineError> {
        let known = locked(&self.kept).tokens.iter().any(|it| it.name == name);
        if known {
            self.change(|kept| kept.tokens.retain(|token| token.name != name))?;
        }
        Ok(known)
    }

    /// Whether this is a token.
    pub(crate) fn is_token(&self, text: &str) -> bool {
        let hash = digest::sha256(text.as_bytes());
        locked(&self.kept).tokens.iter().any(|it| it.hash == hash)
    }

    /// A code that opens the page once.
    pub(crate) fn new_code(&self) -> Result<String, SpineError> {
        let code = random()?;
        let mut codes = locked(&self.codes);
        if codes.len() >= CODES {
            codes.remove(0);
        }
        codes.push((code.clone(), Instant::now()));
        Ok(code)
    }

    /// Uses up a code; false when it is none, or no more.
    pub(crate) fn redeem(&self, code: &str) -> bool {
        let mut codes = locked(&self.codes);
        codes.retain(|(_, made)| made.elapsed() < CODE_LIVES);
        let found = codes.iter().position(|(known, _)| same(known, code));
        found.map(|at| codes.remove(at)).is_some()
    }

    /// A cookie for a browser that says this of itself.
    pub(crate) fn new_cookie(&self, browser: &str) -> Result<String, SpineError> {
        let cookie = random()?;
        let now_s = clock::wall_ms() / 1000;
        self.change(|kept| {
            kept.browsers.retain(|other| now_s < other.until_s);
            if kept.browsers.len() >= BROWSERS {
                kept.browsers.remove(0);
            }
            kept.browsers.push(Browser {
                hash: digest::sha256(cookie.as_bytes()),
                kind: kind_of(browser),
                until_s: now_s + COOKIE_LIVES_S,
            });
        })?;
        Ok(cookie)
    }

    /// Whether a cookie's value is one of ours, still counts, and comes from the kind of browser that it was given to.
    pub(crate) fn is_cookie(&self, value: &str, browser: &str) -> bool {
        let (hash, kind) = (digest::sha256(value.as_bytes()), kind_of(browser));
        let now_s = clock::wall_ms() / 1000;
        let kept = locked(&self.kept);
        let mut browsers = kept.browsers.iter();
        browsers.any(|known| known.hash == hash && known.kind == kind && now_s < known.until_s)
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) -> Result<(), SpineError> {
        let mut kept = locked(&self.kept);
        let mut new = kept.clone();
        change(&mut new);
        self.write(&new)?;
        *kept = new;
        Ok(())
    }

    fn write(&self, kept: &Kept) -> Result<(), SpineError> {
        let path = self.home.page_keys();
        let text = serde_json::to_vec_pretty(kept)
            .map_err(|error| SpineError::io("write", &path, std::io::Error::from(error)))?;
        place::replace_private(&path, &text)?;
        vouch(&self.home, &path, &text)
    }

    /// Writes again what counts, over what somebody else has written.
    pub(crate) fn restore(&self) -> Result<(), SpineError> {
        self.write(&locked(&self.kept))
    }
}

/// The kind of a browser: what it says of itself but for numbers, which every update changes.
fn kind_of(browser: &str) -> String {
    let kind: String = browser.chars().filter(|it| !it.is_numeric()).collect();
    digest::sha256(kind.as_bytes())
}

fn random() -> Result<String, SpineError> {
    let mut bytes = [0; RANDOM];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .map_err(|errno| SpineError::Record(format!("no random numbers: {errno}")))?;
    Ok(place::hex(&bytes))
}

/// Compares without telling by the time it takes how much was right.
fn same(one: &str, other: &str) -> bool {
    let differing = one
        .bytes()
        .zip(other.bytes())
        .fold(0, |found, (a, b)| found | (a ^ b));
    one.len() == other.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    fn keys() -> (tempfile::TempDir, Home, Keys) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        home.create().unwrap();
        bellwether_config::confirm_first(&home).unwrap();
        let keys = Keys::load(&home).unwrap();
        (folder, home, keys)
    }

    fn kept(home: &Home) -> String {
        std::fs::read_to_string(home.page_keys()).unwrap()
    }

    #[test]
    fn a_token_counts_until_it_is_revoked_and_stands_in_no_file() {
        let (_folder, home, keys) = keys();
        let token = keys.new_token("ci").unwrap();
        assert!(keys.is_token(&token) && !keys.is_token("") && !keys.is_token("0"));
        assert!(
            Keys::load(&home).unwrap().is_token(&token),
            "another daemon knows it"
        );
        assert!(!kept(&home).contains(&token));
        let mode = std::fs::metadata(home.page_keys()).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
        assert_eq!(keys.tokens()[0].name, "ci");
        let second = keys.new_token("ci").unwrap();
        assert!(!keys.is_token(&token) && keys.is_token(&second));
        assert!(keys.revoke("ci").unwrap() && !keys.revoke("ci").unwrap());
        assert!(!keys.is_token(&second) && keys.tokens().is_empty());
    }

    #[test]
    fn the_file_of_earlier_versions_goes() {
        let (_folder, home, _) = keys();
        std::fs::write(home.token(), "0".repeat(64)).unwrap();
        let keys = Keys::load(&home).unwrap();
        assert!(!home.token().exists() && !keys.is_token(&"0".repeat(64)));
    }

    #[test]
    fn what_somebody_else_wrote_opens_nothing() {
        let (_folder, home, keys) = keys();
        let token = keys.new_token("mine").unwrap();
        let planted = kept(&home).replace(
            &digest::sha256(token.as_bytes()),
            &digest::sha256(b"planted"),
        );
        std::fs::write(home.page_keys(), &planted).unwrap();
        let again = Keys::load(&home).unwrap();
        assert!(!again.is_token("planted") && !again.is_token(&token));
        keys.restore().unwrap();
        assert!(Keys::load(&home).unwrap().is_token(&token));
    }

    #[test]
    fn a_code_opens_once() {
        let (_folder, _home, keys) = keys();
        let code = keys.new_code().unwrap();
        assert!(!keys.redeem("") && !keys.redeem(&code[1..]));
        assert!(keys.redeem(&code));
        assert!(!keys.redeem(&code));
        let first = keys.new_code().unwrap();
        (0..CODES).for_each(|_| drop(keys.new_code().unwrap()));
        assert!(!keys.redeem(&first), "too many wait");
    }

    #[test]
    fn a_cookie_is_a_kind_of_browsers() {
        let (_folder, home, keys) = keys();
        let cookie = keys.new_cookie(FIREFOX).unwrap();
        let again = Keys::load(&home).unwrap();
        for keys in [&keys, &again] {
            assert!(keys.is_cookie(&cookie, FIREFOX));
            assert!(
                keys.is_cookie(&cookie, &FIREFOX.replace("140", "141")),
                "after an update"
            );
            assert!(!keys.is_cookie(&cookie, "curl/8.5.0") && !keys.is_cookie(&cookie, ""));
            assert!(!keys.is_cookie("", FIREFOX) && !keys.is_token(&cookie));
        }
        assert!(!kept(&home).contains(&cookie));
        let mut late = locked(&keys.kept);
        late.browsers[0].until_s = 5;
        drop(late);
        assert!(!keys.is_cookie(&cookie, FIREFOX), "long past");
    }
}
