//! Keeps agents from what the page lets a person do, whatever key they show.
//!
//! A browser is often begun by something that an agent did, and then goes on by itself. So a browser's cookie is
//! doubted only when a client is among the parents of the process that shows it; a token also where the process itself
//! bears an agent's mark.

use bellwether_spine::ancestry::Origin;
use hyper::StatusCode;

use super::access::Shown;
use super::answer::Fault;
use super::route::Ask;
use crate::alarm::Cause;

/// Refuses what an agent asks, and tells the person.
pub(crate) async fn refuse_agents(ask: &Ask) -> Result<(), Fault> {
    let Some(why) = agent(ask).await else {
        return Ok(());
    };
    let what = format!("answer or change something on the page ({why})");
    ask.state.alarm.raise(Cause::ActedAsPerson, &what).await;
    Err(Fault::new(
        StatusCode::FORBIDDEN,
        "this is for a person, not for an agent; the person has been told",
    ))
}

/// Why whoever asks is an agent, if it can be told.
async fn agent(ask: &Ask) -> Option<String> {
    let pid = ask.other_end.client().await?.pid();
    let shared = std::sync::Arc::clone(&ask.state.shared);
    let by_cookie = ask.shown == Some(Shown::Cookie);
    let origin = tokio::task::spawn_blocking(move || {
        if by_cookie {
            shared.people.by_parents(pid)
        } else {
            shared.people.origin(pid)
        }
    });
    match origin.await.ok()? {
        Origin::Agent(why) => Some(why),
        Origin::Person | Origin::Unclear(_) => None,
    }
}
