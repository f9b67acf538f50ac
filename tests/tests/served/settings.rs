//! HTTP: sounds, settings and mutes, as the page changes them.

use anyhow::{Context as _, Result};
use bellwether_tests::Served;
use serde_json::{Value, json};

#[test]
fn sounds_are_listed_and_tried() -> Result<()> {
    let served = Served::start(&[])?;
    served.place.configure("audio: {enabled: false}\n")?;
    let web = &served.web;
    let sounds = web.json("/api/sounds")?;
    assert_eq!(sounds["effects"].as_array().map(Vec::len), Some(30));
    let voices = sounds["voices"].as_array().context("no voices")?;
    assert!(
        voices
            .iter()
            .any(|voice| voice["engine"] == "embedded" && voice["ready"] == true),
        "{sounds}"
    );
    assert!(
        voices
            .iter()
            .any(|voice| voice["engine"] == "elevenlabs" && voice["trouble"].is_string()),
        "{sounds}"
    );
    // Sound is off: that is the answer, from the thread that would have made it.
    for wish in [
        json!({"effect": "bell_call"}),
        json!({"text": "hello", "voice": "embedded"}),
    ] {
        let tried = web.post("/api/sounds/test", wish.to_string())?;
        assert_eq!(tried.status, 200, "{tried:?}");
        let tried = tried.json()?;
        assert_eq!(tried["heard"], false, "{tried}");
        assert!(tried["why"].is_string(), "{tried}");
    }
    let wrong = web.post("/api/sounds/test", r#"{"effect":"none"}"#)?;
    assert_eq!(
        (wrong.status, &wrong.json()?["field"]),
        (400, &json!("effect"))
    );
    Ok(())
}

#[test]
fn settings_are_changed_in_the_file_and_nothing_else_is() -> Result<()> {
    let served = Served::start(&[])?;
    let text = "# mine\naudio:\n  volume: 0.5 # enough\nguard:\n  enabled: true\n";
    served.place.configure(text)?;
    let web = &served.web;
    let put = |body: Value| {
        web.ask("PUT", "/api/settings")
            .json(body.to_string())
            .send()
    };
    let changed = put(json!({"changes": {"audio.volume": 0.25, "quiet.hours": ["22:00-07:30"]}}))?;
    assert_eq!(changed.status, 200, "{changed:?}");
    let settings = changed.json()?;
    assert_eq!(settings["settings"]["audio"]["volume"], 0.25, "{settings}");
    let now = std::fs::read_to_string(served.place.home().config_file())?;
    assert_eq!(
        now,
        text.replace("0.5", "0.25") + "quiet:\n  hours: [\"22:00-07:30\"]\n"
    );
    for (body, status, field) in [
        (
            json!({"changes": {"guard.enabled": false}}),
            400,
            json!("guard.enabled"),
        ),
        (
            json!({"changes": {"audio.volume": 7}}),
            400,
            json!("audio.volume"),
        ),
        (json!({"changes": {}}), 400, json!("changes")),
        (json!({"change": {}}), 400, Value::Null),
    ] {
        let refused = put(body.clone())?;
        assert_eq!(
            (refused.status, &refused.json()?["field"]),
            (status, &field),
            "{body}"
        );
    }
    assert_eq!(
        std::fs::read_to_string(served.place.home().config_file())?,
        now
    );
    let set = served
        .place
        .cli(["config", "set", "voice.chain", "embedded,system"])
        .output()?;
    assert!(set.status.success(), "{set:?}");
    let settings = web.json("/api/settings")?;
    assert_eq!(
        settings["settings"]["voice"]["chain"],
        json!(["embedded", "system"])
    );
    let wrong = served
        .place
        .cli(["config", "set", "audio.volume", "loud"])
        .output()?;
    assert_eq!(wrong.status.code(), Some(64));
    assert!(String::from_utf8(wrong.stderr)?.contains("must be a number from 0 to 1"));
    let agent = served
        .place
        .cli(["config", "set", "preset", "full"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert_eq!(agent.status.code(), Some(1));
    std::fs::write(served.place.home().config_file(), "audio: [\n")?;
    assert_eq!(put(json!({"changes": {"audio.volume": 1}}))?.status, 409);
    Ok(())
}

#[test]
fn mutes_settings_status_and_announcements_are_there() -> Result<()> {
    let served = Served::start(&[])?;
    let web = &served.web;
    let muted = web
        .ask("PUT", "/api/mutes")
        .json(r#"{"seconds":60,"project":"/p/shop"}"#)
        .send()?;
    assert_eq!(muted.json()?["mutes"][0]["project"], "/p/shop");
    assert_eq!(
        web.ask("PUT", "/api/mutes")
            .json(r#"{"seconds":0}"#)
            .send()?
            .json()?["field"],
        "seconds"
    );
    let array = web.ask("PUT", "/api/mutes").json("[null, null]");
    assert_eq!(array.send()?.status, 400);
    assert_eq!(
        web.ask("PUT", "/api/mutes")
            .json(r#"{"minutes":1}"#)
            .send()?
            .status,
        400
    );
    assert_eq!(web.json("/api/overview")?["mutes"][0]["project"], "/p/shop");
    let lifted = web.ask("DELETE", "/api/mutes?project=%2Fp%2Fshop").send()?;
    assert_eq!(lifted.json()?, json!({"mutes": []}));
    let settings = web.json("/api/settings")?;
    assert_eq!(
        settings["settings"]["daemon"]["idle_exit"], 3600,
        "{settings}"
    );
    assert_eq!(web.json("/api/status")?["port"], web.port());
    let stop = json!({"hook_event_name": "StopFailure", "session_id": "s", "cwd": "/p", "error": "overloaded"});
    served.bare.post("/ingest", stop.to_string())?;
    served.place.wait_for("the announcer", || {
        Ok(web.json("/api/announcements")?["announcements"]
            .as_array()
            .is_some_and(|all| !all.is_empty()))
    })
}
