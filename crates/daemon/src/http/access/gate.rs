//! What a request must show before anything is done for it.
//!
//! A name that leads here from somewhere else (DNS rebinding) is refused by `Host`, another site's
//! page by `Origin` and `Sec-Fetch-Site`. A browser's cookie is not enough for a write: it must also
//! say that it comes from our own page.

use hyper::header::{AUTHORIZATION, COOKIE, HOST, HeaderMap, HeaderName, ORIGIN, USER_AGENT};
use hyper::{Method, StatusCode};

use super::{Keys, Peer};
use crate::http::answer::Fault;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The user that the daemon runs as, without more.
    SameUser,
    /// Whoever holds a token or a browser's cookie.
    Key,
    /// Anybody: the route looks for itself.
    Anybody,
}

/// Where the daemon is reached, as a request says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site(String);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub peer: Peer,
    /// What is to be done.
    pub method: &'a Method,
    pub headers: &'a HeaderMap,
    /// The port that the daemon listens on.
    pub port: u16,
}

/// How somebody has shown that the page is theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Token,
    Cookie,
}

impl Site {
    /// Our own address in whatever form, or a fault.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Fault> {
        let mut hosts = headers.get_all(HOST).iter();
        let (host, second) = (hosts.next(), hosts.next());
        let host = host
            .and_then(|host| host.to_str().ok())
            .filter(|_| second.is_none());
        let ours = host.filter(|host| is_loopback(host));
        ours.map(|host| Self(host.to_ascii_lowercase())).ok_or_else(|| {
            Fault::new(
                StatusCode::MISDIRECTED_REQUEST,
                "this is served as 127.0.0.1, localhost or [::1] only, and `Host` names another",
            )
        })
    }
}

fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_number = |port: &str| port.parse::<u16>().is_ok();
    let names = ["127.0.0.1", "localhost", "[::1]"];
    names.iter().any(|ours| name.eq_ignore_ascii_case(ours)) && port.is_none_or(is_number)
}

/// Lets a request in, or says why not.
pub(crate) fn admit(
    access: Access,
    caller: Caller<'_>,
    site: &Site,
    keys: &Keys,
) -> Result<Option<Shown>, Fault> {
    let from_here = comes_from_here(caller.headers, site)?;
    match access {
        Access::Anybody => Ok(None),
        Access::SameUser => same_user(caller, keys).map(|()| None),
        Access::Key => match shown(caller, keys) {
            Some(Shown::Cookie) if !caller.method.is_safe() && !from_here => Err(Fault::new(
                StatusCode::FORBIDDEN,
                "a browser's write must say its `Origin`",
            )),
            Some(shown) => Ok(Some(shown)),
            None => Err(Fault::new(
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong: open the page with `bellwether open`, or send `Authorization: Bearer` \
                 with a token that `bellwether open --new-token NAME` made",
            )),
        },
    }
}

/// Whether our own page says that it asks; a fault when another one does.
fn comes_from_here(headers: &HeaderMap, site: &Site) -> Result<bool, Fault> {
    let refused = || {
        Err(Fault::new(
            StatusCode::FORBIDDEN,
            "another site's page asks, and only our own may",
        ))
    };
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    // A page that the person goes to from elsewhere shows nothing of itself to that place.
    let navigates = text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
    match text(HeaderName::from_static("sec-fetch-site")) {
        None | Some("same-origin" | "none") => {}
        Some(_) if navigates && !headers.contains_key(ORIGIN) => {}
        Some(_) => return refused(),
    }
    match text(ORIGIN) {
        None => Ok(false),
        Some(origin) if origin.eq_ignore_ascii_case(&format!("http://{}", site.0)) => Ok(true),
        Some(_) => refused(),
    }
}

fn same_user(caller: Caller<'_>, keys: &Keys) -> Result<(), Fault> {
    let why = match caller.peer {
        Peer::Ours(_) => return Ok(()),
        Peer::Unknown if bearer(caller.headers).is_some_and(|token| keys.is_token(token)) => {
            return Ok(());
        }
        Peer::Unknown => {
            "bellwether cannot tell whose connection this is, and only the daemon's own user may use it; with the token \
             (`Authorization: Bearer`) it is served"
                .to_owned()
        }
        Peer::Other(uid) => format!("this is for the daemon's own user, and user {uid} asks"),
    };
    Err(Fault::new(StatusCode::FORBIDDEN, why))
}

fn shown(caller: Caller<'_>, keys: &Keys) -> Option<Shown> {
    if bearer(caller.headers).is_some_and(|token| keys.is_token(token)) {
        return Some(Shown::Token);
    }
    // A browser shows its cookie to every port of this machine, and so to other users' programs.
    if caller.peer.is_another_user() {
        return None;
    }
    let name = cookie_name(caller.port);
    let mut cookies = cookies(caller.headers);
    let ours =
        cookies.find(|(key, value)| *key == name && keys.is_cookie(value, browser(caller.headers)));
    ours.map(|_| Shown::Cookie)
}

/// What a browser says of itself.
pub(crate) fn browser(headers: &HeaderMap) -> &str {
    let said = headers.get(USER_AGENT).and_then(|said| said.to_str().ok());
    said.unwrap_or_default()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// The cookie's name: browsers do not tell ports of one host apart.
pub(crate) fn cookie_name(port: u16) -> String {
    format!("bellwether_{port}")
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
}

#[cfg(test)]
mod tests {
    use bellwether_spine::Home;

    use super::*;

    const PORT: u16 = 4820;

    struct Door {
        _folder: tempfile::TempDir,
        keys: Keys,
        token: String,
    }

    fn door() -> Door {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let keys = Keys::load(&home).unwrap();
        home.create().unwrap();
        let token = keys.new_token("test").unwrap();
        Door {
            _folder: folder,
            keys,
            token,
        }
    }

    impl Door {
        fn ask(&self, access: Access, peer: Peer, method: &Method, lines: &[(&str, &str)]) -> u16 {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "127.0.0.1:4820".parse().unwrap());
            for (name, value) in lines {
                let name: HeaderName = name.parse().unwrap();
                headers.insert(name, value.parse().unwrap());
            }
            let caller = Caller {
                peer,
                method,
                headers: &headers,
                port: PORT,
            };
            let admitted =
                Site::of(&headers).and_then(|site| admit(access, caller, &site, &self.keys));
            admitted.map_or_else(|fault| fault.status().as_u16(), |_| 200)
        }
    }

    #[test]
    fn only_our_own_names_are_served() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:4820",
            "LocalHost:9000",
            "[::1]:4820",
            "[::1]",
        ] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example:4820",
            "127.0.0.2",
            "::1",
            "localhost:",
            "localhost:x",
            "a@localhost",
            "[::1]x:5",
            "0.0.0.0:4820",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
        assert_eq!(
            door().ask(
                Access::Anybody,
                Peer::Ours(1),
                &Method::GET,
                &[("host", "evil.example")]
            ),
            421
        );
    }

    #[test]
    fn the_same_user_needs_no_more_and_others_get_nothing() {
        let door = door();
        let bearer = format!("Bearer {}", door.token);
        let post =
            |peer, lines: &[(&str, &str)]| door.ask(Access::SameUser, peer, &Method::POST, lines);
        assert_eq!(post(Peer::Ours(1), &[]), 200);
        assert_eq!(post(Peer::Other(7), &[]), 403);
        assert_eq!(post(Peer::Other(7), &[("authorization", &bearer)]), 403);
        assert_eq!(post(Peer::Unknown, &[]), 403);
        assert_eq!(post(Peer::Unknown, &[("authorization", &bearer)]), 200);
        // A page in the user's own browser is the user's connection and somebody else's wish.
        assert_eq!(
            post(Peer::Ours(1), &[("origin", "https://evil.example")]),
            403
        );
        assert_eq!(post(Peer::Ours(1), &[("origin", "null")]), 403);
        assert_eq!(
            post(Peer::Ours(1), &[("sec-fetch-site", "cross-site")]),
            403
        );
    }

    #[test]
    fn the_api_is_for_whoever_holds_the_token() {
        let door = door();
        let bearer = format!("bearer {}", door.token);
        let cookie = format!(
            "x=1; {}={}",
            cookie_name(PORT),
            door.keys.new_cookie("").unwrap()
        );
        let other = format!("{}={}", cookie_name(1), door.keys.new_cookie("").unwrap());
        let ask = |method: &Method, lines: &[(&str, &str)]| {
            door.ask(Access::Key, Peer::Ours(1), method, lines)
        };
        let (get, post) = (&Method::GET, &Method::POST);
        assert_eq!(ask(get, &[]), 401);
        assert_eq!(ask(get, &[("authorization", "Bearer 0")]), 401);
        assert_eq!(ask(get, &[("authorization", &bearer)]), 200);
        assert_eq!(ask(post, &[("authorization", &bearer)]), 200);
        assert_eq!(ask(get, &[("cookie", &cookie)]), 200);
        assert_eq!(ask(get, &[("cookie", &other)]), 401);
        let elsewhere = ("user-agent", "curl/8.5.0");
        assert_eq!(ask(get, &[("cookie", &cookie), elsewhere]), 401);
        let by = |peer, line: (&str, &str)| door.ask(Access::Key, peer, get, &[line]);
        assert_eq!(by(Peer::Other(9), ("cookie", &cookie)), 401);
        assert_eq!(by(Peer::Other(0), ("cookie", &cookie)), 200);
        assert_eq!(by(Peer::Unknown, ("cookie", &cookie)), 200);
        assert_eq!(by(Peer::Other(9), ("authorization", &bearer)), 200);
        assert_eq!(ask(post, &[("cookie", &cookie)]), 403);
        let ours = ("origin", "http://127.0.0.1:4820");
        assert_eq!(ask(post, &[("cookie", &cookie), ours]), 200);
        assert_eq!(
            ask(
                get,
                &[("cookie", &cookie), ours, ("sec-fetch-site", "same-origin")]
            ),
            200
        );
        for foreign in [
            "http://127.0.0.1:9999",
            "http://localhost:4820",
            "https://127.0.0.1:4820",
        ] {
            assert_eq!(
                ask(get, &[("cookie", &cookie), ("origin", foreign)]),
                403,
                "{foreign}"
            );
        }
        assert_eq!(
            ask(get, &[("cookie", &cookie), ("sec-fetch-site", "same-site")]),
            403
        );
        let navigating = [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        assert_eq!(
            ask(get, &[("cookie", &cookie), navigating[0], navigating[1]]),
            200
        );
    }
}
