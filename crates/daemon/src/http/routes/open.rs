//! Opens the page in a browser: the one-time address that `bellwether open` gives becomes a cookie.
//!
//! An address stands in the list of processes while a browser is started with it, so another user's
//! connection cannot use it. The answer is a page that leads on, and no redirection: browsers keep a
//! strict cookie back from one that another site began.

use hyper::body::Bytes;
use hyper::header::SET_COOKIE;
use hyper::{Method, StatusCode};

use super::super::access::{Access, COOKIE_LIVES_S, browser, cookie_name};
use super::super::answer::{Answer, Fault, whole};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/open",
    about: "Opens the page in a browser, once",
    more: "`bellwether open` makes the address. The answer sets a cookie that only this daemon reads and no script sees, \
           and leads to the page.",
    access: Access::Anybody,
    parameters: &[
        Parameter {
            name: "code",
            about: "what `bellwether open` gave",
            kind: Kind::Text(200),
        },
        Parameter {
            name: "to",
            about: "a place in the page, as it stands behind `#` in its address, for instance `/flock`",
            kind: Kind::Text(200),
        },
    ],
    takes: None,
    gives: Gives::Page,
    refuses: &[
        (401, "the code was used already, is too old, or is none"),
        (403, "it is another user's connection"),
    ],
    handle: |ask| Box::pin(async move { open(&ask) }),
};

/// What leads on to a place that is safe to be written there.
fn leading_to(place: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>bellwether</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={place}\"></head>\
         <body><a href=\"{place}\">bellwether</a></body></html>\n"
    )
}

/// The address of a place in the page; what is none leads to its beginning.
fn place(to: Option<&str>) -> String {
    match to {
        Some(to) if is_place(to) => format!("/#{to}"),
        _ => "/".to_owned(),
    }
}

/// Whether a text may stand behind `#` in the page's address.
pub(super) fn is_place(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~%".contains(&byte);
    text.starts_with('/') && text.bytes().all(is_plain)
}

fn open(ask: &Ask) -> Result<Answer, Fault> {
    if ask.other_end.peer.is_another_user() {
        let text = "this is for the daemon's own user, and another one asks";
        return Err(Fault::new(StatusCode::FORBIDDEN, text));
    }
    let page = leading_to(&place(ask.values.text("to")));
    let mut answer = whole(
        StatusCode::OK,
        "text/html; charset=utf-8",
        Bytes::from(page),
    );
    // Whoever only asks about the address, as programs do that show where a link leads, does not use it up.
    if ask.method == Method::HEAD {
        return Ok(answer);
    }
    let code = ask.values.text("code").unwrap_or_default();
    if !ask.state.keys.redeem(code) {
        let text =
            "this address was used already, or is too old: `bellwether open` gives a new one";
        return Err(Fault::new(StatusCode::UNAUTHORIZED, text).field("code"));
    }
    let value = ask.state.keys.new_cookie(browser(&ask.headers));
    ask.state.watched.settle();
    let (name, value) = (cookie_name(ask.state.port), value.map_err(Fault::ours)?);
    let cookie =
        format!("{name}={value}; Path=/; Max-Age={COOKIE_LIVES_S}; HttpOnly; SameSite=Strict");
    let headers = answer.headers_mut();
    headers.insert(SET_COOKIE, cookie.try_into().map_err(Fault::ours)?);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_cannot_leave_the_page() {
        assert_eq!(place(None), "/");
        assert_eq!(
            place(Some("/sessions/5e-55%2F_.~")),
            "/#/sessions/5e-55%2F_.~"
        );
        for wrong in ["flock", "/a b", "/\"><script>", "/a;b", "/é", "/a&b", ""] {
            assert_eq!(place(Some(wrong)), "/", "{wrong}");
        }
    }
}
