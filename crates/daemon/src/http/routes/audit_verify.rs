//! Whether the guard's chain holds.

use bellwether_flock::Reader;
use bellwether_spine::chain::{self, Head};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::route::{Ask, Gives, Route, Verb, shape};

/// Whether the chain holds.
#[derive(Serialize, JsonSchema)]
struct Verified {
    /// Whether nothing is wrong with it.
    holds: bool,
    /// How many lines there are.
    lines: u64,
    /// How many lines tell of a gap before them.
    gaps: u64,
    /// What does not hold.
    faults: Vec<Broken>,
    /// How many refusals the store has kept that are not in it: the chain was cut, or made anew.
    missing: usize,
}

/// What does not hold.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ChainFault")]
struct Broken {
    /// The line of the file.
    line: u64,
    /// What is wrong with it.
    why: &'static str,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/audit/verify",
    about: "Says whether the record of what the guard stopped is whole and unchanged",
    more: "The chain of hashes is held against what the store has kept of it, as `bellwether guard log --verify` does.",
    access: Access::Key,
    parameters: &[],
    takes: None,
    gives: Gives::Json(shape::<Verified>),
    refuses: &[],
    handle: |ask| Box::pin(async move { verify(&ask).await }),
};

async fn verify(ask: &Ask) -> Result<Answer, Fault> {
    let heads: Vec<Head> = ask.state.library.read(Reader::audit_heads).await?;
    let home = ask.state.home.clone();
    let verify = tokio::task::spawn_blocking(move || {
        let text = std::fs::read(home.audit()).unwrap_or_default();
        chain::verify(&String::from_utf8_lossy(&text), &heads)
    });
    let found = verify.await.map_err(Fault::ours)?;
    Ok(ok(&Verified {
        holds: found.holds(),
        lines: found.lines,
        gaps: found.gaps,
        faults: found
            .faults
            .iter()
            .map(|(line, why)| Broken { line: *line, why })
            .collect(),
        missing: found.missing.len(),
    }))
}
