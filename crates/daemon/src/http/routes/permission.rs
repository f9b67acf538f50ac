//! An answer to a permission request.

use bellwether_flock::{ANSWERED, OwnWay, Sender, frame};
use bellwether_hook::guard::allow::{Grant, Grants, What};
use bellwether_spine::permission::{Subject, Told};
use bellwether_spine::{Home, SpineError, clock, text};
use hyper::StatusCode;
use schemars::JsonSchema;
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tracing::{info, warn};

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::permission::can_allow_for;
use super::super::person::refuse_agents;
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};
use crate::permissions::{How, Request, Unanswerable, Waiting};

/// What the agent hears is no longer than this.
const MESSAGE: usize = 1000;
/// Longer is for the configuration, where it can be seen.
const LONGEST_S: u32 = 24 * 60 * 60;

/// What is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    /// It may happen.
    Allow,
    /// It must not.
    Deny,
}

/// An answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PermissionAnswer {
    /// What is answered.
    answer: Verdict,
    /// What the agent hears with a refusal.
    #[schemars(length(max = 1000))]
    message: Option<String>,
    /// Also let the guard allow this for so many seconds; only where `can_allow_for` says so.
    #[serde(default, deserialize_with = "whole")]
    #[schemars(range(min = 1, max = 86_400))]
    for_seconds: Option<u32>,
}

/// A whole number, however it is written: in JSON `5.0` is as whole as `5`.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let fits = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was just checked"
    )]
    let whole = fits.then_some(number as u32);
    match whole {
        Some(whole) => Ok(Some(whole)),
        None => Err(de::Error::custom(format!("{number} is no whole number"))),
    }
}

/// It is settled.
#[derive(Serialize, JsonSchema)]
struct Settled {
    /// Always true.
    settled: bool,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/api/permissions/{id}",
    about: "Answers a permission request",
    more: "The answer goes back through the hook that waits. With `for_seconds` the guard also lets the same command or file \
           pass for that time, as `bellwether guard allow` does, in the same project.",
    access: Access::Key,
    parameters: &[Parameter {
        name: "id",
        about: "the request's id",
        kind: Kind::Path,
    }],
    takes: Some(Takes {
        schema: shape::<PermissionAnswer>,
        most: 1 << 20,
    }),
    gives: Gives::Json(shape::<Settled>),
    refuses: &[
        (403, "an agent asks, and only a person may"),
        (404, "there is no such request"),
        (409, "it is settled already; the error says how"),
    ],
    handle: |ask| Box::pin(async move { answer(&ask).await }),
};

async fn answer(ask: &Ask) -> Result<Answer, Fault> {
    refuse_agents(ask).await?;
    let wish: PermissionAnswer = ask.json()?;
    let permissions = &ask.state.shared.permissions;
    let waiting = permissions
        .take_to_answer(ask.part("id"))
        .map_err(refused)?;
    if let Err(fault) = prepare(&wish, &waiting.request, &ask.state.home).await {
        permissions.put_back(waiting);
        return Err(fault);
    }
    let request = std::sync::Arc::clone(&waiting.request);
    if wish.for_seconds.is_some() {
        ask.state.watched.settle();
    }
    finish(ask, &wish, waiting)?;
    record(ask, &wish, &request).await;
    Ok(ok(&Settled { settled: true }))
}

fn refused(refused: Unanswerable) -> Fault {
    match refused {
        Unanswerable::Unknown => {
            Fault::not_found("there is no such permission request").field("id")
        }
        Unanswerable::Settled(how) => settled(how),
        Unanswerable::InTerminal => {
            let text = "only the terminal can answer this: the agent runs in the background";
            Fault::new(StatusCode::CONFLICT, text).field("id")
        }
    }
}

fn settled(how: How) -> Fault {
    let text = format!("this is settled already: {}", how.said());
    Fault::new(StatusCode::CONFLICT, text).field("id")
}

/// Checks an answer, and has the guard allow what is to be allowed for a while.
async fn prepare(wish: &PermissionAnswer, request: &Request, home: &Home) -> Result<(), Fault> {
    let wrong = |text: &'static str| Err(Fault::bad(text).field("for_seconds"));
    let Some(seconds) = wish.for_seconds else {
        return Ok(());
    };
    if wish.answer == Verdict::Deny {
        return wrong("`for_seconds` is for an answer of `allow`");
    }
    if !(1..=LONGEST_S).contains(&seconds) {
        return wrong("`for_seconds` must be from 1 to 86400, a day");
    }
    let what = request.asked.subject.as_ref().map(what);
    let Some(what) = what.filter(|_| can_allow_for(request)) else {
        return wrong("the guard does not ask about this, so there is nothing that it could allow");
    };
    let since_ms = clock::wall_ms();
    let grant = Grant {
        what,
        rule: None,
        project: request.asked.project.as_ref().map(Into::into),
        since_ms,
        until_ms: since_ms + u64::from(seconds) * 1000,
    };
    let home = home.clone();
    let granted = tokio::task::spawn_blocking(move || add(&home, grant));
    granted.await.map_err(Fault::ours)?.map_err(Fault::ours)
}

fn what(subject: &Subject) -> What {
    match subject {
        Subject::Command(command) => What::command(command),
        Subject::Path(path) => What::Path(path.into()),
    }
}

fn add(home: &Home, grant: Grant) -> Result<(), SpineError> {
    let mut grants = Grants::load(home);
    grants.add(grant);
    grants.save(home)
}

fn finish(ask: &Ask, wish: &PermissionAnswer, waiting: Waiting) -> Result<(), Fault> {
    let (told, how) = match wish.answer {
        Verdict::Allow => (Told::Allowed, How::Allowed),
        Verdict::Deny => (Told::Denied(message(wish)), How::Denied),
    };
    let heard = ask.state.shared.permissions.finish(waiting, told, how);
    heard.then_some(()).ok_or_else(|| settled(How::Gone))
}

/// What the agent hears with a refusal.
fn message(wish: &PermissionAnswer) -> String {
    let words = text::line(wish.message.as_deref().unwrap_or_default(), MESSAGE);
    if words.is_empty() {
        "The person refused this.".to_owned()
    } else {
        format!("The person refused this: {words}")
    }
}

/// Keeps it that somebody with the page answered: in the log, and as an event of our own.
async fn record(ask: &Ask, wish: &PermissionAnswer, request: &Request) {
    let asked = &request.asked;
    let verdict = match wish.answer {
        Verdict::Allow => "allowed",
        Verdict::Deny => "refused",
    };
    let (tool, session) = (&asked.tool, asked.session.as_deref().unwrap_or("?"));
    let line = format!(
        "{verdict} on the page: {tool} in session {session}, request {}",
        asked.id
    );
    info!("{}", text::shown(&line, 400));
    let event = json!({
        "hook_event_name": ANSWERED,
        "session_id": asked.session,
        "agent_id": asked.agent.id,
        "cwd": asked.project,
        "tool_name": asked.tool,
        "tool_input": asked.input,
        "request_id": asked.id,
        "answer": wish.answer,
        "message": wish.message,
        "for_seconds": wish.for_seconds,
        "_meta": {"source": "synthetic"},
    });
    let framed = frame(&event.to_string(), Sender::Own(OwnWay::Page));
    if let Err(error) = ask.state.collector.keep(&framed.record).await {
        warn!("an answer from the page is not among the events: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_hears_one_bounded_line_that_says_who_refused() {
        let said = |message: Option<&str>| message_of(message.map(str::to_owned));
        assert_eq!(said(None), "The person refused this.");
        assert_eq!(said(Some(" \n")), "The person refused this.");
        assert_eq!(
            said(Some("use\n\u{1b}[31mgit mv")),
            "The person refused this: use git mv"
        );
        assert!(said(Some(&"x".repeat(5000))).chars().count() < MESSAGE + 40);
    }

    fn message_of(text: Option<String>) -> String {
        message(&PermissionAnswer {
            answer: Verdict::Deny,
            message: text,
            for_seconds: None,
        })
    }
}
