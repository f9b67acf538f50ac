//! Takes events from others: the collector of seed 004.

use hyper::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, json, ok};
use super::super::intake::{Rejected, Sent};
use super::super::route::{Ask, Gives, Route, Takes, Verb};

/// An array may be long.
const MOST: usize = 16 * 1024 * 1024;

/// What became of events that were sent.
#[derive(Debug, Serialize, JsonSchema)]
struct Taken {
    /// How many are stored, or had been before.
    accepted: usize,
}

/// What became of events of which some are wrong.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Refused {
    /// What is wrong with the first of them.
    error: String,
    /// The field of it that is wrong, with dots between its parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// How many are stored all the same, or had been before.
    accepted: usize,
    /// What is wrong with each that is; such a one is stored as a `schema_error`.
    rejected: Vec<Rejected>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/ingest",
    about: "Takes one event, or an array of them, and answers once they are stored",
    more: "An event is what the client gives to a hook, in its new form or in the old one, with `_meta` added by a \
           forwarder. What has come within the last seconds is not stored again. With 400, what was right in an array is \
           stored, and `rejected` says which others are wrong.",
    access: Access::SameUser,
    parameters: &[],
    takes: Some(Takes {
        schema: |generator| generator.subschema_for::<Value>(),
        most: MOST,
    }),
    gives: Gives::Json(|generator| generator.subschema_for::<Taken>()),
    refuses: &[(400, "it is no JSON, or an event in it is wrong; `field` names the field")],
    handle: |ask| Box::pin(ingest(ask)),
};

async fn ingest(ask: Ask) -> Result<Answer, Fault> {
    let sent = Sent::read(&ask.body).map_err(Fault::bad)?;
    let (all, rejected) = (sent.rows.len(), sent.rejected);
    ask.state.asker.ingest(sent.rows).await.map_err(Fault::ours)?;
    let accepted = all - rejected.len();
    let Some(first) = rejected.first() else {
        return Ok(ok(&Taken { accepted }));
    };
    let refused = Refused {
        error: first.error.clone(),
        field: first.field.clone(),
        accepted,
        rejected,
    };
    Ok(json(StatusCode::BAD_REQUEST, &refused))
}
