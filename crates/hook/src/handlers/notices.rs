//! Tells the person, once, what the daemon has noticed and what is no trouble: that the client was updated.

use bellwether_protocol::client::feature::Feature;
use bellwether_protocol::event::Kind;
use bellwether_protocol::reply::Reply;
use bellwether_spine::meta;
use bellwether_spine::notice::Notices;

use super::{Context, troubles};
use crate::answer::{Answer, Deed};

pub(super) const ABOUT: &str =
    "tell the person once that Claude Code was updated and what that adds";
pub(super) const TIMEOUT_S: u32 = 10;
pub(super) const EVENTS: &[Kind] = &[Kind::SessionStart, Kind::UserPromptSubmit];

pub(super) fn handle(context: Context<'_>) -> Answer<'_> {
    // It is told once: not to a session that nobody sits in front of, and not to a client that cannot show it.
    let is_heard = || {
        context.client.has(Feature::SystemMessage) && context.client.is_attended(&meta::variable)
    };
    answer(context, &is_heard)
}

fn answer<'a>(context: Context<'a>, is_heard: &dyn Fn() -> bool) -> Answer<'a> {
    let notices = Notices(context.home).untold();
    let wanted = || {
        let settings = context.settings;
        settings
            .section::<troubles::Config>(troubles::SECTION)
            .enabled
    };
    if notices.is_empty() || !is_heard() || !wanted() {
        return Answer::default();
    }
    let lines = notices.iter().map(|notice| troubles::line(&notice.text));
    Answer {
        reply: Reply {
            message: Some(lines.collect::<Vec<_>>().join("\n")),
            ..Reply::default()
        },
        deed: Some(Deed {
            about: "remember that the person was told",
            // What cannot be remembered would be told for ever; `bellwether status` shows it.
            otherwise: Reply::default(),
            act: Box::new(move || Notices(context.home).told(&notices)),
        }),
        ..Answer::default()
    }
}

#[cfg(test)]
mod tests {
    use bellwether_protocol::client::Client;
    use bellwether_protocol::event::Event;
    use bellwether_spine::Home;

    use super::*;
    use crate::settings::{Making, Settings};

    #[test]
    fn a_notice_is_told_once_to_somebody_who_sees_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let event = Event {
            kind: Kind::SessionStart,
            ..Event::default()
        };
        let told = |is_heard: bool| {
            let settings = Settings::new(&home, None, Making::Never);
            let context = Context {
                event: &event,
                home: &home,
                client: Client::default(),
                registered: Client::default(),
                settings: &settings,
                looked: &crate::looked::Looked::default(),
            };
            answer(context, &|| is_heard).settle().0.message
        };
        assert_eq!(told(true), None);
        Notices(&home)
            .note("2.1.325", "Claude Code is now 2.1.325")
            .unwrap();
        assert_eq!(told(false), None);
        let expected = Some("bellwether: Claude Code is now 2.1.325".to_owned());
        assert_eq!(told(true), expected);
        assert_eq!(told(true), None);
    }
}
