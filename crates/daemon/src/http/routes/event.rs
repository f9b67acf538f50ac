//! One event, whole.

use bellwether_flock::{EventDetail, StoreReader as _};

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/events/{seq}",
    about: "Gives one event whole: normalised, with what was sent, masked",
    more: "",
    access: Access::Key,
    parameters: &[Parameter {
        name: "seq",
        about: "its place in the order",
        kind: Kind::Path,
    }],
    takes: None,
    gives: Gives::Json(shape::<EventDetail>),
    refuses: &[(404, "no such event is stored")],
    handle: |ask| Box::pin(async move { event(&ask).await }),
};

async fn event(ask: &Ask) -> Result<Answer, Fault> {
    let missing = || Fault::not_found("no such event is stored").field("seq");
    let seq: i64 = ask.part("seq").parse().map_err(|_| missing())?;
    let found = ask
        .state
        .library
        .read(move |reader| reader.event(seq))
        .await?;
    Ok(ok(&found.ok_or_else(missing)?))
}
