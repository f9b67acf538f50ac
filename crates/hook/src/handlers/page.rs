//! Lets the person answer a permission request from the page.
//!
//! The client shows its own dialog while the hook waits, and whoever answers first wins. What needs more than yes or no, and
//! what nobody sits in front of, is not waited for.

use bellwether_protocol::event::{Kind, ToolKind};
use bellwether_protocol::reply::Reply;
use bellwether_spine::meta;
use serde::{Deserialize, Serialize};

use super::Context;
use crate::answer::{Answer, Wait};
use crate::page;

pub(super) const ABOUT: &str = "let the person answer a permission request from the page";
/// The client's own limit; a request waits for a little less.
pub(super) const TIMEOUT_S: u32 = 600;
pub(super) const EVENTS: &[Kind] = &[Kind::PermissionRequest];

/// The name of this section in the configuration.
pub const SECTION: &str = "page";

/// Longer than this the client does not wait.
pub const LONGEST_S: u32 = TIMEOUT_S - 10;

/// What a dialog asks that yes or no does not answer.
const IN_TERMINAL: [ToolKind; 2] = [ToolKind::Question, ToolKind::Plan];

/// The page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Let permission requests be answered from the page as well as in the terminal: see docs/answering.md.
    pub answer: bool,
    /// How many seconds a request can be answered there; the terminal can be longer. At most 590.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 590)))]
    pub wait: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            answer: false,
            wait: LONGEST_S,
        }
    }
}

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    let tool = context.event.tool.as_ref();
    let in_terminal = tool.is_none_or(|tool| IN_TERMINAL.contains(&tool.does));
    if in_terminal || !context.client.is_attended(&meta::variable) {
        return Answer::default();
    }
    let config: Config = context.settings.section(SECTION);
    if !config.answer || !context.settings.page_may_answer() {
        return Answer::default();
    }
    Answer {
        wait: Some(Wait {
            about: "wait for an answer from the page",
            end: Box::new(move |id| match id {
                Some(id) => page::ask(context, id, config.wait.min(LONGEST_S)),
                // Nobody can be asked about an event that nobody hears of.
                None => Reply::default(),
            }),
        }),
        ..Answer::default()
    }
}
