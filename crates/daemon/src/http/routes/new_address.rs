//! An address that opens the page once, for a program that shows the person something else.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::access::Access;
use super::super::address::address;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::encoded;
use super::super::person::refuse_agents;
use super::super::route::{Ask, Gives, Route, Takes, Verb, shape};
use super::open::is_place;

/// What is to be opened.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlaceWish {
    /// A place in the page, as it stands behind `#` in its address, for instance `/flock`; its beginning when there is none.
    #[schemars(length(max = 200), regex(pattern = "^/[A-Za-z0-9/_.~%-]*$"))]
    to: Option<String>,
}

/// An address.
#[derive(Debug, Serialize, JsonSchema)]
struct PageAddress {
    /// It works once, within five minutes.
    address: String,
}

/// A place is no longer than this.
const LONGEST: usize = 200;

pub(super) const ROUTE: Route = Route {
    method: Verb::Post,
    path: "/api/open",
    about: "Gives an address that opens the page in a browser, once",
    more: "As `bellwether open` does.",
    access: Access::Key,
    parameters: &[],
    takes: Some(Takes {
        schema: shape::<PlaceWish>,
        most: 1 << 12,
    }),
    gives: Gives::Json(shape::<PageAddress>),
    refuses: &[(403, "an agent asks, and only a person may")],
    handle: |ask| Box::pin(async move { new_address(&ask).await }),
};

async fn new_address(ask: &Ask) -> Result<Answer, Fault> {
    refuse_agents(ask).await?;
    let PlaceWish { to } = ask.json()?;
    let is_wrong = |to: &String| to.chars().count() > LONGEST || !is_place(to);
    if to.as_ref().is_some_and(is_wrong) {
        let text = format!(
            "`to` must be a place in the page of at most {LONGEST} letters, such as `/flock`"
        );
        return Err(Fault::bad(text).field("to"));
    }
    let mut address = address(&ask.state.shared, &ask.state.keys).map_err(Fault::ours)?;
    if let Some(to) = to {
        address.push_str("&to=");
        address.push_str(&encoded(&to));
    }
    Ok(ok(&PageAddress { address }))
}
