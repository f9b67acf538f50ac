//! The link to the daemon: a thread that listens and begins again, and what is asked of the daemon on the way.

mod bell;
mod deeds;
mod events;
mod http;
mod port;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bellwether_spine::Home;
use serde::Deserialize;
use serde_json::Value;

use crate::flock::{Agent, Permission};
use crate::settings::Settings;

pub use bell::{Bell, News, Post};
pub use deeds::{Deed, Deeds, encoded};
pub use http::{Daemon, HttpError};

/// What the stream is asked for: what is drawn, and nothing else.
const STREAM: &str = "/events/stream?only=agents,permissions,settings";
/// How long to wait before the daemon is looked for again: at first, and at most.
const AGAIN: Duration = Duration::from_millis(250);
const AGAIN_AT_MOST: Duration = Duration::from_secs(4);

/// The daemon as it was last found.
pub type Found = Arc<Mutex<Option<Daemon>>>;

#[derive(Deserialize)]
struct Agents {
    agents: Vec<Agent>,
}

#[derive(Deserialize)]
struct Permissions {
    waiting: Vec<Permission>,
}

#[derive(Deserialize)]
struct Departed {
    agent_id: String,
}

#[derive(Deserialize)]
struct Settled {
    id: String,
    how: String,
}

/// Why the stream ended.
enum End {
    /// The daemon may come back.
    Lost(String),
    /// It will not have us: another overlay took this display, or a person ended the token.
    Refused(String),
}

impl From<HttpError> for End {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Refused {
                status: 401 | 403,
                why,
            } => Self::Refused(why),
            other => Self::Lost(other.to_string()),
        }
    }
}

impl From<std::io::Error> for End {
    fn from(error: std::io::Error) -> Self {
        Self::Lost(error.to_string())
    }
}

/// Listens until the daemon will not have us any more, or nobody hears the news.
pub fn follow(home: &Home, token: &str, found: &Found, post: &Post) {
    let mut pause = AGAIN;
    let mut is_lost = false;
    loop {
        let mut began = false;
        let end = listen(home, token, found, post, &mut began);
        keep(found, None);
        is_lost &= !began;
        let told = match end {
            End::Refused(why) => return drop(post.send(News::Refused(why))),
            End::Lost(why) if !is_lost => post.send(News::Lost(why)),
            End::Lost(_) => Ok(()),
        };
        if told.is_err() {
            return;
        }
        is_lost = true;
        pause = if began {
            AGAIN
        } else {
            (pause * 2).min(AGAIN_AT_MOST)
        };
        std::thread::sleep(pause);
    }
}

fn keep(found: &Found, daemon: Option<Daemon>) {
    *found.lock().unwrap_or_else(PoisonError::into_inner) = daemon;
}

/// One connection, from everything as it is now through all that changes.
fn listen(home: &Home, token: &str, found: &Found, post: &Post, began: &mut bool) -> End {
    match stream(home, token, found, post, began) {
        Ok(()) => End::Lost("the daemon has ended".to_owned()),
        Err(end) => end,
    }
}

fn stream(
    home: &Home,
    token: &str,
    found: &Found,
    post: &Post,
    began: &mut bool,
) -> Result<(), End> {
    let daemon = Daemon {
        port: port::of(home).map_err(End::Lost)?,
        token: token.to_owned(),
    };
    let mut events = events::Events::new(daemon.listen(STREAM)?);
    while let Some(told) = events.next()? {
        let news = match told.name.as_str() {
            "ready" => {
                keep(found, Some(daemon.clone()));
                *began = true;
                all(&daemon)?
            }
            // What cannot be sent one by one is asked for as a whole.
            "gap" => all(&daemon)?,
            "settings" => News::Settings(Box::new(daemon.get("/api/overlay")?)),
            name => match news(name, &told.data) {
                Some(news) => news,
                None => continue,
            },
        };
        if post.send(news).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

fn all(daemon: &Daemon) -> Result<News, HttpError> {
    let settings: Settings = daemon.get("/api/overlay")?;
    let Agents { agents } = daemon.get("/api/agents")?;
    let Permissions { waiting } = daemon.get("/api/permissions")?;
    Ok(News::All {
        settings: Box::new(settings),
        agents,
        permissions: waiting,
    })
}

/// What an event says; what cannot be read is left out, because a newer daemon may say more than we know.
fn news(name: &str, data: &str) -> Option<News> {
    Some(match name {
        "mascot://agent-appeared" | "mascot://agent-update" => {
            News::Agent(Box::new(serde_json::from_str(data).ok()?))
        }
        "mascot://agent-departed" => {
            let Departed { agent_id } = serde_json::from_str(data).ok()?;
            News::Departed(agent_id)
        }
        "permission" => News::Asked(serde_json::from_str(data).ok()?),
        "permission-settled" => {
            let Settled { id, how } = serde_json::from_str(data).ok()?;
            News::Settled { id, how }
        }
        _ => return None,
    })
}

/// An answer that nobody reads.
type Ignored = Value;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        assert!(news("event", "{}").is_none());
        assert!(news("permission", "{").is_none());
        let departed = news("mascot://agent-departed", r#"{"agent_id":"a","newer":1}"#);
        assert!(matches!(departed, Some(News::Departed(id)) if id == "a"));
        let settled = news("permission-settled", r#"{"id":"1","how":"allowed"}"#);
        assert!(matches!(settled, Some(News::Settled { how, .. }) if how == "allowed"));
    }
}
