//! Where a request can be answered.
//!
//! For its main agent, and for a subagent that it waits for, the client shows its dialog while our hook waits. For an agent
//! in the background it waits for the hook first and asks nobody meanwhile: nobody at the terminal would know. So there
//! no hook is held.

use bellwether_flock::StoreReader as _;
use bellwether_flock::normal::Role;
use bellwether_spine::permission::Asked;

use super::waiting::agent_of;
use crate::http::Library;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the page and in the terminal.
    Both,
    Terminal,
}

impl Place {
    /// Only where it is known that the terminal asks as well can the page answer.
    pub(crate) async fn of(asked: &Asked, library: &Library) -> Self {
        let names = &asked.agent;
        if names.id.is_none() && names.name.is_none() {
            return Self::Both;
        }
        let id = agent_of(asked);
        let agent = library.read(move |reader| reader.agent(&id)).await;
        let agent = agent.ok().flatten();
        let is_waited_for = agent.is_some_and(|agent| {
            agent.role == Role::Subagent && agent.in_background == Some(false)
        });
        if is_waited_for {
            Self::Both
        } else {
            Self::Terminal
        }
    }
}
