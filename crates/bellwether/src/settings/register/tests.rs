//! Every row: a file before, what installing makes of it, and that uninstalling gives the same
//! bytes back.

use bellwether_protocol::client::{Product, Version};
use proptest::prelude::*;

use super::*;

const CLIENT: Client = Client::new(Product::Claude, Version(2, 1, 325));

fn handler(version: &str) -> Handler {
    Handler {
        kind: "command",
        command: "/b/bellwether-hook".to_owned(),
        args: Some(vec!["--client".to_owned(), version.to_owned()]),
        timeout: Some(10),
        on_failure: None,
    }
}

fn wanted<'a>(events: &[&'a str]) -> Vec<(&'a str, Handler)> {
    events
        .iter()
        .map(|event| (*event, handler("2.1.325")))
        .collect()
}

fn registered(before: &str, events: &[&str]) -> Change {
    register(
        &Document::parse(before).unwrap(),
        &wanted(events),
        CLIENT,
        None,
    )
    .unwrap()
}

fn unregistered(text: &str, before: Option<&str>) -> Left {
    let before = before.map(|before| Document::parse(before).unwrap());
    unregister(&Document::parse(text).unwrap(), before.as_ref()).unwrap()
}

/// Our handler on one line and on several, in the tables below.
const LINE: &str = r#"{"type":"command","command":"/b/bellwether-hook","args":["--client","2.1.325"],"timeout":10}"#;
const SPACED: &str = r#"{"type": "command", "command": "/b/bellwether-hook", "args": ["--client", "2.1.325"], "timeout": 10}"#;

#[test]
fn a_new_entry_looks_like_the_rest_of_the_file() {
    for (before, after) in [
        // One line stays one line, with or without spaces.
        (
            r#"{"a":1}"#,
            r#"{"a":1,"hooks":{"Stop":[{"hooks":[LINE]}]}}"#,
        ),
        (
            r#"{"a": 1}"#,
            r#"{"a": 1, "hooks": {"Stop": [{"hooks": [SPACED]}]}}"#,
        ),
        (
            r#"{"hooks":{}, "a":1}"#,
            r#"{"hooks":{"Stop":[{"hooks":[LINE]}]}, "a":1}"#,
        ),
        (
            r#"{"hooks":{"Stop":[]}}"#,
            r#"{"hooks":{"Stop":[{"hooks":[LINE]}]}}"#,
        ),
        (
            r#"{"hooks":{"Stop":[{"hooks":[]}]}}"#,
            r#"{"hooks":{"Stop":[{"hooks":[]},{"hooks":[LINE]}]}}"#,
        ),
        (
            r#"{"hooks":{"Halt":[7]}}"#,
            r#"{"hooks":{"Halt":[7],"Stop":[{"hooks":[LINE]}]}}"#,
        ),
        // A list on one line in a file of many keeps to its line.
        (
            "{\n  \"hooks\": { \"Stop\": [{ \"hooks\": [] }] }\n}",
            "{\n  \"hooks\": { \"Stop\": [{ \"hooks\": [] }, {\"hooks\": [SPACED]}] }\n}",
        ),
        // Names may be spelled with escapes.
        (
            r#"{"h\u006foks":{"St\u006fp":[]}}"#,
            r#"{"h\u006foks":{"St\u006fp":[{"hooks":[LINE]}]}}"#,
        ),
    ] {
        let after = after.replace("LINE", LINE).replace("SPACED", SPACED);
        assert_eq!(registered(before, &["Stop"]).text, after);
        assert_eq!(
            unregistered(&after, Some(before)),
            Left::Text(before.to_owned()),
            "{after}"
        );
    }
}

#[test]
fn lines_are_indented_as_the_file_is() {
    let before = "{\r\n\t\"model\": \"opus\",\r\n\t\"env\": {}\r\n}\r\n";
    let after = registered(before, &["Stop"]).text;
    let expected = "{
\t\"model\": \"opus\",
\t\"env\": {},
\t\"hooks\": {
\t\t\"Stop\": [
\t\t\t{
\t\t\t\t\"hooks\": [
\t\t\t\t\t{
\t\t\t\t\t\t\"type\": \"command\",
\t\t\t\t\t\t\"command\": \"/b/bellwether-hook\",
\t\t\t\t\t\t\"args\": [
\t\t\t\t\t\t\t\"--client\",
\t\t\t\t\t\t\t\"2.1.325\"
\t\t\t\t\t\t],
\t\t\t\t\t\t\"timeout\": 10
\t\t\t\t\t}
\t\t\t\t]
\t\t\t}
\t\t]
\t}
}
";
    assert_eq!(after, expected.replace('\n', "\r\n"));
    assert_eq!(
        unregistered(&after, Some(before)),
        Left::Text(before.to_owned())
    );
}

#[test]
fn it_is_written_as_the_client_writes() {
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let after = registered(before, &["PreToolUse", "Stop"]).text;
    let entry = serde_json::json!([{"hooks": [handler("2.1.325")]}]);
    // The names happen to be in the order that this printer sorts by, but for those of a handler.
    let value: serde_json::Value = serde_json::from_str(&after).unwrap();
    assert_eq!(value["hooks"]["PreToolUse"], entry);
    assert_eq!(value["hooks"]["Stop"], entry);
    assert!(
        after.starts_with(
            "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n"
        ),
        "{after}"
    );
}

/// Whatever was empty is written again as it was.
#[test]
fn empty_things_come_back_as_they_were() {
    for before in [
        "{}",
        "{ }",
        "{\n}\n",
        "\n{\r\n\r\n}",
        "  {}  ",
        r#"{"hooks": { }}"#,
        "{\"hooks\": {\n}\n}",
        r#"{"hooks": {"Stop": [ ], "PreToolUse":[]}}"#,
        "{\n  \"hooks\": {\n    \"Stop\": [\n    ]\n  }\n}\n",
    ] {
        let after = registered(before, &["PreToolUse", "Stop"]);
        assert_eq!(
            unregistered(&after.text, Some(before)),
            Left::Text(before.to_owned()),
            "{}",
            after.text
        );
    }
}

#[test]
fn without_a_backup_nothing_of_ours_is_left() {
    let after = registered("{}\n", &["Stop"]).text;
    assert_eq!(unregistered(&after, None), Left::Nothing);
    let after = registered("{\n  \"a\": 1\n}\n", &["Stop"]).text;
    assert_eq!(
        unregistered(&after, None),
        Left::Text("{\n  \"a\": 1\n}\n".to_owned())
    );
}

#[test]
fn a_second_time_changes_nothing() {
    let after = registered("{\"a\": 1}", &["PreToolUse", "Stop"]).text;
    let again = registered(&after, &["PreToolUse", "Stop"]);
    assert_eq!(
        again,
        Change {
            text: after,
            ..Change::default()
        }
    );
}

/// The hook that waits is registered beside the others, and taken out with them.
#[test]
fn the_hook_that_waits_leaves_the_others_alone() {
    let waiting = |version: &str| Handler {
        command: "/b/bellwether".to_owned(),
        args: Some(
            ["hook", "--wait", "--client", version]
                .map(str::to_owned)
                .into(),
        ),
        timeout: Some(30),
        ..handler("")
    };
    let wait = |text: &str, version: &str| {
        let document = Document::parse(text).unwrap();
        register(&document, &[("Stop", waiting(version))], CLIENT, None).unwrap()
    };
    let before = "{\"a\": 1}";
    let heard = registered(before, &["PreToolUse", "Stop"]).text;
    let both = wait(&heard, "2.1.325");
    assert_eq!(
        (&both.added, &both.updated, &both.removed),
        (&vec!["Stop".to_owned()], &Vec::new(), &Vec::new())
    );
    assert_eq!(Document::parse(both.text.as_str()).unwrap().ours().len(), 3);
    // Each way brings only its own up to date.
    let newer = wait(&both.text, "2.1.326");
    assert_eq!((newer.updated.len(), newer.removed.len()), (1, 0));
    let again = registered(&both.text, &["PreToolUse", "Stop"]);
    assert_eq!(again.text, both.text);
    let fewer = registered(&both.text, &["PreToolUse"]);
    assert_eq!(fewer.removed, ["Stop"]);
    assert!(fewer.text.contains("--wait"), "{}", fewer.text);
    // A line for the shell, as older clients take it.
    let line = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/bellwether hook --wait --client 2.0.1"}]}]}}"#;
    assert_eq!(wait(line, "2.1.325").updated, ["Stop"]);
    assert_eq!(registered(line, &["Stop"]).added, ["Stop"]);
    assert_eq!(
        unregistered(&both.text, Some(before)),
        Left::Text(before.to_owned())
    );
}

#[test]
fn old_entries_are_changed_where_they_stand() {
    let other = r#"{"type":"command","command":"lint"}"#;
    let old = r#"{"type":"command","command":"/old/bellwether-hook --client 2.0.1"}"#;
    for (before, after, change) in [
        // Another path and form, between two of somebody else's.
        (
            "{\"hooks\":{\"Stop\":[{\"hooks\":[OTHER, OLD ,OTHER]}]}}",
            "{\"hooks\":{\"Stop\":[{\"hooks\":[OTHER, LINE ,OTHER]}]}}",
            "+ ~Stop -",
        ),
        // Twice: the second goes, with the group that it leaves empty.
        (
            "{\"hooks\":{\"Stop\":[{\"hooks\":[LINE]}, {\"matcher\":\"x\",\"hooks\":[OLD]},{\"hooks\":[OTHER,OLD]}]}}",
            "{\"hooks\":{\"Stop\":[{\"hooks\":[LINE]},{\"hooks\":[OTHER]}]}}",
            "+ ~ -Stop Stop",
        ),
        // Not wanted any more: first, in the middle and last.
        (
            "{\"hooks\":{\"Setup\":[{\"hooks\":[LINE]}], \"Stop\":[{\"hooks\":[LINE]}]}}",
            "{\"hooks\":{\"Stop\":[{\"hooks\":[LINE]}]}}",
            "+ ~ -Setup",
        ),
        (
            "{\"hooks\":{\"Stop\":[{\"hooks\":[LINE]}] , \"Setup\":[{\"hooks\":[LINE]}],\"X\":[]}}",
            "{\"hooks\":{\"Stop\":[{\"hooks\":[LINE]}],\"X\":[]}}",
            "+ ~ -Setup",
        ),
    ] {
        let filled = |text: &str| {
            text.replace("OTHER", other)
                .replace("OLD", old)
                .replace("LINE", LINE)
        };
        let made = registered(&filled(before), &["Stop"]);
        let shown = format!(
            "+{} ~{} -{}",
            made.added.join(" "),
            made.updated.join(" "),
            made.removed.join(" ")
        );
        assert_eq!(shown, change, "{before}");
        assert_eq!(made.text, filled(after), "{before}");
        assert_eq!(registered(&made.text, &["Stop"]).text, made.text);
    }
}

/// What an older client would stumble over is not in the way when it is our own.
#[test]
fn an_older_client_gets_its_own_entries() {
    let new = registered("{\"a\":1}", &["PreModelSwitch", "Stop"]).text;
    let old = Client::new(Product::Claude, Version(2, 1, 100));
    let change = register(
        &Document::parse(new).unwrap(),
        &wanted(&["Stop"]),
        old,
        None,
    )
    .unwrap();
    assert_eq!(change.removed, ["PreModelSwitch"]);
    assert_eq!(change.text, registered("{\"a\":1}", &["Stop"]).text);
    let theirs = Document::parse(r#"{"hooks":{"PreModelSwitch":[]}}"#).unwrap();
    let refusal = register(&theirs, &wanted(&["Stop"]), old, None).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "Claude Code 2.1.100 ignores this whole file until it is corrected:\n  line 1, column 28: Claude Code 2.1.100 does not know the event `PreModelSwitch`"
    );
}

#[test]
fn what_somebody_else_added_since_stays() {
    let mixed = r#"{"hooks":{"Stop":[{"matcher":"*","hooks":[OURS,{"type":"command","command":"ding"}]}],"Setup":[{"hooks":[OURS]}]},"a":1}"#;
    let left = unregistered(&mixed.replace("OURS", LINE), Some("{}"));
    let expected = r#"{"hooks":{"Stop":[{"matcher":"*","hooks":[{"type":"command","command":"ding"}]}]},"a":1}"#;
    assert_eq!(left, Left::Text(expected.to_owned()));
}

#[test]
fn what_cannot_be_changed_safely_is_refused() {
    for (text, message) in [
        (
            r#"{"hooks":{},"hooks":{}}"#,
            "`hooks` is there twice, and Claude Code sees only the last, at line 1, column 13; make one of them",
        ),
        (
            r#"{"hooks":{"Stop":[],"Stop":[]}}"#,
            "`Stop` is there twice, and Claude Code sees only the last, at line 1, column 21; make one of them",
        ),
        (
            r#"{"hooks":[]}"#,
            "Claude Code 2.1.325 ignores this whole file until it is corrected:\n  line 1, column 10: `hooks` is an array, not an object",
        ),
        (
            r#"{"hooks":{"Stop":{}}}"#,
            "`Stop` is an object at line 1, column 18, not an array, so Claude Code ignores it; correct or remove it",
        ),
        (
            r#"{"hooks":{"Stop":{},"PreToolUse":[7]}}"#,
            "Claude Code 2.1.325 ignores this whole file until it is corrected:\n  line 1, column 35: a group of `PreToolUse` is a number, not an object",
        ),
        (
            "[]",
            "Claude Code 2.1.325 ignores this whole file until it is corrected:\n  line 1, column 1: the settings are an array, not an object",
        ),
    ] {
        let document = Document::parse(text).unwrap();
        let refusal = register(&document, &wanted(&["Stop"]), CLIENT, None).unwrap_err();
        assert_eq!(refusal.to_string(), message);
    }
    // An event that is dropped alone is somebody's business, unless it is one of ours.
    let halt = Document::parse(r#"{"hooks":{"Halt":7}}"#).unwrap();
    assert!(register(&halt, &wanted(&["Stop"]), CLIENT, None).is_ok());
}

/// Any JSON text: values of every kind, names and strings with escapes, names that come twice, and
/// any white space between the tokens.
fn any_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
        any_string(),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let members = prop::collection::vec((any_string(), inner.clone(), any_gap()), 0..4);
        prop_oneof![
            (prop::collection::vec(inner, 0..4), any_gap()).prop_map(|(items, gap)| format!(
                "[{gap}{}{gap}]",
                items.join(&format!("{gap},{gap}"))
            )),
            (members, any_gap()).prop_map(|(members, gap)| object(&members, &gap)),
        ]
    })
}

fn object(members: &[(String, String, String)], gap: &str) -> String {
    let members = members
        .iter()
        .map(|(name, value, inner)| format!("{name}{inner}:{inner}{value}"));
    let members: Vec<String> = members.collect();
    format!("{{{gap}{}{gap}}}", members.join(&format!(",{gap}")))
}

fn any_string() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "\"[a-zäß😀 ]{0,6}\"",
        1 => "\"(\\\\n|\\\\u00e9|\\\\\\\\|\\\\\"|hooks|Stop){0,3}\"",
    ]
}

fn any_gap() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just(" ".to_owned()),
        "\n[ ]{0,4}",
        "\n\t{0,3}",
        "\r\n[ ]{0,4}",
        "[ \t\r\n]{0,4}",
    ]
}

/// A group of somebody else's handlers.
fn any_group() -> impl Strategy<Value = String> {
    let handler = "[a-z /']{0,8}"
        .prop_map(|command| format!("{{\"type\": \"command\", \"command\": {command:?}}}"));
    (
        prop::collection::vec(handler, 0..3),
        any_gap(),
        any::<bool>(),
    )
        .prop_map(|(handlers, gap, matcher)| {
            let matcher = if matcher { "\"matcher\":\"Bash\"," } else { "" };
            format!(
                "{{{gap}{matcher}\"hooks\":{gap}[{gap}{}{gap}]}}",
                handlers.join(&format!(",{gap}"))
            )
        })
}

/// A settings file: anything, and `hooks` with any of our events and others, or without.
fn any_settings() -> impl Strategy<Value = String> {
    let event = |name: &'static str| {
        let groups = (prop::collection::vec(any_group(), 0..3), any_gap());
        prop::option::of(groups).prop_map(move |groups| {
            let (groups, gap) = groups?;
            Some((
                format!("{name:?}"),
                format!("[{gap}{}{gap}]", groups.join(&format!(",{gap}"))),
                gap,
            ))
        })
    };
    let events = (
        event("Stop"),
        event("Halt"),
        event("PreToolUse"),
        event("SessionEnd"),
        any_gap(),
    );
    let hooks = prop::option::of(events.prop_map(|(a, b, c, d, gap)| {
        let events: Vec<_> = [a, b, c, d].into_iter().flatten().collect();
        object(&events, &gap)
    }));
    let others = prop::collection::vec(("\"[a-z]{1,4}\"", any_value(), any_gap()), 0..4);
    (others, hooks, any::<prop::sample::Index>(), any_gap()).prop_map(
        |(mut members, hooks, index, gap)| {
            if let Some(hooks) = hooks {
                let at = index.index(members.len() + 1);
                members.insert(at, ("\"hooks\"".to_owned(), hooks, gap.clone()));
            }
            format!("{gap}{}{gap}", object(&members, &gap))
        },
    )
}

/// Some of the events that we could register.
fn any_events() -> impl Strategy<Value = Vec<&'static str>> {
    let events = vec!["PreToolUse", "Stop", "SessionStart", "SessionEnd"];
    prop::sample::subsequence(events, 1..=4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// However often it is installed, and for whatever events: uninstalling gives the same bytes,
    /// and in between every other value is what it was.
    #[test]
    fn uninstalling_gives_the_same_bytes(before in any_settings(), rounds in prop::collection::vec(any_events(), 1..4)) {
        let original = Document::parse(before.clone()).unwrap();
        let mut current = original.clone();
        for (round, events) in rounds.iter().enumerate() {
            let version = format!("2.1.{}", 325 + round);
            let wanted: Vec<_> = events.iter().map(|event| (*event, handler(&version))).collect();
            let change = register(&current, &wanted, CLIENT, Some(&original)).unwrap();
            current = Document::parse(change.text).unwrap();
            let registered: Vec<&str> = current.ours().iter().map(|entry| entry.event).collect();
            prop_assert_eq!(registered.len(), events.len());
            prop_assert!(events.iter().all(|event| registered.contains(event)));
            prop_assert_eq!(without_hooks(&before), without_hooks(current.text()));
        }
        prop_assert_eq!(unregister(&current, Some(&original)).unwrap(), Left::Text(before));
    }
}

/// What a reader that everybody trusts finds in a file beside its hooks.
fn without_hooks(text: &str) -> serde_json::Value {
    let mut settings: serde_json::Value = serde_json::from_str(text).unwrap();
    settings.as_object_mut().unwrap().remove("hooks");
    settings
}
