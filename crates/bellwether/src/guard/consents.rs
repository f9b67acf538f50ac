//! What becomes of a question once the person has answered it with yes, as it is shown.

use std::path::Path;

use bellwether_hook::guard::consent::{Lasts, Matter, Print, Rests, Unsure};
use bellwether_hook::guard::judge::{Analysis, Judged};
use bellwether_hook::guard::{Config, Judgement, Verdict, machine};
use bellwether_hook::handlers::guard::Case;
use bellwether_protocol::event::Deed;
use bellwether_spine::clock;
use serde_json::{Value, json};

use crate::managed;

/// What a yes to a question would be worth.
pub(crate) fn after_a_yes(deed: &Deed<'_>, cwd: &Path, judged: &Judged, config: &Config) -> String {
    if !config.remember_yes {
        return told(Err(Unsure("guard.remember_yes is off")));
    }
    if managed::is_registered(&bellwether_spine::Managed::default()) {
        return told(Err(Unsure("this machine's policy is in effect")));
    }
    let user = machine::user();
    let rests = Rests::of(&Matter {
        judgement: &judged.judgement,
        analysis: judged.analysis.as_ref(),
        deed,
        cwd,
        user: user.as_deref(),
        config,
    });
    told(rests.and_then(|rests| Print::of(&rests, user.as_deref()).map(|_| rests.lasts)))
}

fn told(lasts: Result<Lasts, Unsure>) -> String {
    match lasts {
        Ok(Lasts::Session) => {
            "not asked again in that session while all that it rests on stays the same".to_owned()
        }
        Ok(Lasts::Moments) => {
            "not asked again in that session for ten minutes, in the same words and folder"
                .to_owned()
        }
        Err(Unsure(why)) => format!("asked again each time: {why}"),
    }
}

/// The same for an event, with the yes that its session has.
pub(crate) fn json(
    case: &Case<'_>,
    judgement: &Judgement,
    analysis: Option<&Analysis>,
    config: &Config,
) -> Value {
    if judgement.verdict != Verdict::Ask {
        return Value::Null;
    }
    let rests = case.rests(judgement, analysis, config);
    let earlier = case.earlier(judgement, analysis, config);
    json!({
        "then": told(rests.map(|rests| rests.lasts)),
        "said": earlier.map(|yes| json!({
            "call": yes.call, "at": clock::utc(yes.at_ms), "until": clock::utc(yes.until_ms),
        })),
    })
}
