//! A permission request that the person may answer from the page: what they are shown, and waiting for it.

mod shown;
mod wait;

use bellwether_protocol::reply::{Decision, Reply};
use bellwether_spine::permission::Told;

use crate::handlers::Context;

/// Asks the person, by way of the daemon. Nothing is said unless they answer.
pub(crate) fn ask(context: Context<'_>, id: &str, wait_s: u32) -> Reply {
    let told = shown::asked(context, id, wait_s).and_then(|asked| wait::wait(context.home, &asked));
    let decision = match told {
        Some(Told::Allowed) => Some(Decision::Allow),
        Some(Told::Denied(message)) => Some(Decision::Deny(message)),
        _ => None,
    };
    Reply {
        decision,
        ..Reply::default()
    }
}
