//! What opens the page and the API: a token in a file of the owner's, codes that open it once, and the
//! cookie that a browser gets for one.
//!
//! Architecture Invariant: nothing of this is logged or shown. A cookie is made of the token and the
//! time until which it counts, so that it outlives the daemon without being kept by it; whoever has one
//! cannot make the token of it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use bellwether_spine::{Home, SpineError, clock, digest, place};

use crate::shared::locked;

/// How long a code may wait to be used.
const CODE_LIVES: Duration = Duration::from_mins(5);
/// More codes than this do not wait.
const CODES: usize = 16;
/// How long a cookie counts, in seconds.
pub(crate) const COOKIE_LIVES_S: u64 = 30 * 24 * 60 * 60;
/// How many random bytes make a secret.
const RANDOM: usize = 32;

/// What opens the page and the API.
pub(crate) struct Keys {
    token: String,
    codes: Mutex<Vec<(String, Instant)>>,
}

impl Keys {
    /// Reads the token, or makes one.
    pub(crate) fn load(home: &Home) -> Result<Self, SpineError> {
        let path = home.token();
        let kept = std::fs::read_to_string(&path).ok();
        let token = match kept.map(|text| text.trim().to_owned()) {
            Some(token) if is_token(&token) => token,
            _ => {
                let token = random()?;
                place::replace_private(&path, token.as_bytes())?;
                token
            }
        };
        Ok(Self {
            token,
            codes: Mutex::default(),
        })
    }

    /// Whether this is the token.
    pub(crate) fn is_token(&self, text: &str) -> bool {
        same(text, &self.token)
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

    pub(crate) fn cookie(&self) -> String {
        self.cookie_until(clock::wall_ms() / 1000 + COOKIE_LIVES_S)
    }

    fn cookie_until(&self, until_s: u64) -> String {
        // Hashed twice, so that nothing can be added to what was hashed.
        let inner = digest::sha256(format!("{}{until_s}", self.token).as_bytes());
        let seal = digest::sha256(format!("{}{inner}", self.token).as_bytes());
        format!("{until_s}.{seal}")
    }

    /// Whether a cookie's value is one of ours and still counts.
    pub(crate) fn is_cookie(&self, value: &str) -> bool {
        let until = value
            .split_once('.')
            .and_then(|(until, _)| until.parse().ok());
        until.is_some_and(|until: u64| {
            clock::wall_ms() / 1000 < until && same(value, &self.cookie_until(until))
        })
    }
}

fn is_token(text: &str) -> bool {
    text.len() == RANDOM * 2 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
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

    fn keys() -> (tempfile::TempDir, Home, Keys) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let keys = Keys::load(&home).unwrap();
        (folder, home, keys)
    }

    #[test]
    fn the_token_stays_and_is_its_owners() {
        let (_folder, home, keys) = keys();
        let mode = std::fs::metadata(home.token())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(Keys::load(&home).unwrap().token, keys.token);
        assert!(keys.is_token(&keys.token) && !keys.is_token("") && !keys.is_token("0"));
        std::fs::write(home.token(), "short").unwrap();
        assert!(is_token(&Keys::load(&home).unwrap().token));
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
    fn a_cookie_counts_until_its_time_and_cannot_be_changed() {
        let (_folder, home, keys) = keys();
        let cookie = keys.cookie();
        assert!(keys.is_cookie(&cookie));
        assert!(
            Keys::load(&home).unwrap().is_cookie(&cookie),
            "another daemon knows it"
        );
        assert!(!cookie.contains(&keys.token));
        let (until, seal) = cookie.split_once('.').unwrap();
        let later = until.parse::<u64>().unwrap() + 1;
        assert!(!keys.is_cookie(&format!("{later}.{seal}")));
        assert!(!keys.is_cookie(&keys.cookie_until(5)), "long past");
        for wrong in ["", ".", "x.y", &keys.token, &format!("{until}.")] {
            assert!(!keys.is_cookie(wrong), "{wrong}");
        }
    }
}
