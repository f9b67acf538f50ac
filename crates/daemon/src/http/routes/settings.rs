//! The settings that count.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};

/// The settings that count.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(
    clippy::struct_field_names,
    reason = "whoever uses the API knows it by this name"
)]
pub(super) struct Settings {
    /// The person's file.
    file: String,
    /// The settings as `bellwether config show` has them outside of any project; `docs/config.schema.json` is their shape.
    settings: Value,
    /// What the file would loosen in the guard and the person has not confirmed; it does not count.
    unconfirmed: Vec<String>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/settings",
    about: "Gives the settings that count, outside of any project",
    more: "`PUT` changes some of them; all are changed in the file that is named. Keys for services are not among them.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Settings>),
    refuses: &[],
    handle: |ask| Box::pin(async move { settings(&ask).await }),
};

pub(super) async fn settings(ask: &Ask) -> Result<Answer, Fault> {
    let home = ask.state.home.clone();
    let file = home.config_file().display().to_string();
    let read = tokio::task::spawn_blocking(move || {
        (
            bellwether_config::shown_settings(&home),
            bellwether_config::unconfirmed(&home),
        )
    });
    let (settings, unconfirmed) = read.await.map_err(Fault::ours)?;
    Ok(ok(&Settings {
        file,
        settings,
        unconfirmed,
    }))
}
