//! What was used and done, and what that is thought to have cost.

use bellwether_flock::{Spending, StoreReader as _};
use bellwether_prices::Prices;
use bellwether_spine::clock;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::Parameter;
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::PLACE;

/// How much is shown when nothing else is asked for.
const USUAL_MS: u64 = 24 * 60 * 60 * 1000;

/// What was used and done.
#[derive(Serialize, JsonSchema)]
struct Costs {
    /// The day on which the table of prices was true. Prices of the person's own win over it.
    prices: &'static str,
    /// What was used and done, by hour, project and model.
    spending: Spending,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/costs",
    about: "Gives tokens, estimated costs, turns, waiting and refusals by hour, project and model",
    more: "Costs are estimates, made when a transcript is read. An answer counts in the hour in which it came, a wait in the \
           hour in which it ended.",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "since",
            about: "from this moment on, milliseconds since 1970, in whole hours; a day before `until` when not given",
            kind: PLACE,
        },
        Parameter {
            name: "until",
            about: "up to this moment, in whole hours; now when not given",
            kind: PLACE,
        },
    ],
    takes: None,
    gives: Gives::Json(shape::<Costs>),
    refuses: &[],
    handle: |ask| Box::pin(async move { costs(&ask).await }),
};

async fn costs(ask: &Ask) -> Result<Answer, Fault> {
    let moment = |name| ask.values.number(name).map(i64::unsigned_abs);
    let until = moment("until").unwrap_or_else(clock::wall_ms);
    let since = moment("since").unwrap_or_else(|| until.saturating_sub(USUAL_MS));
    let spending = ask
        .state
        .library
        .read(move |reader| reader.spending(since, until))
        .await?;
    Ok(ok(&Costs {
        prices: Prices::default().date(),
        spending,
    }))
}
