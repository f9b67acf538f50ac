//! Changes settings.

use bellwether_config::{Unchanged, UnchangedBy, settable};
use hyper::StatusCode;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::access::Access;
use super::super::answer::{Answer, Fault};
use super::super::person::refuse_agents;
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};
use super::settings::{Settings, settings};

/// More changes than this are not made at once.
const MOST: usize = 200;

/// What is to be changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Changes {
    /// Keys with dots, and their new values.
    #[schemars(schema_with = "listed")]
    changes: Map<String, Value>,
}

fn listed(_: &mut SchemaGenerator) -> Schema {
    settable::schema().try_into().unwrap_or_default()
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Put,
    path: "/api/settings",
    about: "Changes some of the person's settings, all of what is given or nothing",
    more: "They are written into the person's file, which keeps its comments and its order. Gives the settings as they are \
           then. Only what the request's shape names can be changed here; all else is changed in the file.",
    access: Access::Key,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<Changes>,
        most: 1 << 20,
    }),
    gives: Gives::Json(shape::<Settings>),
    refuses: &[
        (403, "an agent asks, and only a person may"),
        (
            409,
            "the file is written in a way that only a person can change, and `error` says where",
        ),
    ],
    handle: |ask| Box::pin(async move { change(&ask).await }),
};

async fn change(ask: &Ask) -> Result<Answer, Fault> {
    refuse_agents(ask).await?;
    let Changes { changes } = ask.json()?;
    if changes.is_empty() || changes.len() > MOST {
        let text = format!("`changes` must name from 1 to {MOST} settings");
        return Err(Fault::bad(text).field("changes"));
    }
    let changes: Vec<(String, Value)> = changes.into_iter().collect();
    let home = ask.state.home.clone();
    let done = tokio::task::spawn_blocking(move || bellwether_config::change(&home, &changes));
    done.await.map_err(Fault::ours)?.map_err(refused)?;
    ask.state.watched.settle();
    ask.state.shared.preferences.look(&ask.state.home);
    settings(ask).await
}

fn refused(unchanged: Unchanged) -> Fault {
    let Unchanged { key, why, fault } = unchanged;
    let why = bellwether_spine::text::shown(&why, 600);
    let fault = match fault {
        UnchangedBy::Wish => Fault::bad(why),
        UnchangedBy::File => Fault::new(StatusCode::CONFLICT, why),
        UnchangedBy::System => Fault::ours(why),
    };
    match key {
        Some(key) => fault.field(bellwether_spine::text::shown(&key, 200)),
        None => fault,
    }
}
