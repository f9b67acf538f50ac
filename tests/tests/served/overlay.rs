//! What a program on the desktop has: its settings, addresses of the page, and the daemon that starts it.

use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use bellwether_spine::overlay::{Display, Held};
use bellwether_tests::installation::{PROJECT, filled_stdin};
use bellwether_tests::{Installation, Served, StandIn, Web};
use serde_json::json;

use super::waiting::{answer, event, hook, settled};

const AUTO: &str = "overlay: {auto: true}\npage: {answer: true}\n";

/// A session on a desktop: its client's process, and a hook of it.
struct Session<'a> {
    client: Child,
    variables: &'a [(&'a str, &'a str)],
}

impl<'a> Session<'a> {
    fn with(variables: &'a [(&'a str, &'a str)]) -> Result<Self> {
        let mut client = Command::new("sleep");
        client
            .arg("600")
            .env_clear()
            .envs(variables.iter().copied());
        let client = client.stdin(Stdio::null()).spawn()?;
        Ok(Self { client, variables })
    }

    /// An event of a session that has its own name.
    fn visit(&self, place: &Installation, session: &str) -> Result<()> {
        let payload = json!({"hook_event_name": "SessionStart", "session_id": session, "source": "startup", "cwd": PROJECT});
        let (_open, stdin) = filled_stdin(payload.to_string().as_bytes())?;
        let mut hook = place.hook();
        hook.envs(self.variables.iter().copied())
            .env("CLAUDE_PID", self.client.id().to_string());
        anyhow::ensure!(hook.stdin(stdin).status()?.success(), "the hook failed");
        Ok(())
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

/// A daemon that starts the stand-in.
fn starting(stand_in: &StandIn) -> Result<Served> {
    let place = Installation::configured(&stand_in.programs()?, AUTO)?;
    let compiled = place
        .cli(["config", "compile", "--project", PROJECT])
        .status()?;
    anyhow::ensure!(compiled.success(), "the configuration is not compiled");
    let (daemon, port) = place.start_serving(&[])?;
    Ok(Served {
        web: Web::of(&place, port)?,
        bare: Web::on(port),
        daemon,
        place,
    })
}

/// Waits until it has been started on just these displays.
fn started_on(served: &Served, stand_in: &StandIn, displays: &[&str]) -> Result<()> {
    let started = served.place.wait_for("the overlay", || {
        Ok(stand_in.displays()?.len() >= displays.len())
    });
    assert_eq!(stand_in.displays()?, displays);
    started
}

#[test]
fn the_first_event_on_a_display_starts_it_with_a_token_that_answers() -> Result<()> {
    let stand_in = StandIn::new()?;
    let mut served = starting(&stand_in)?;
    let variables = [
        ("DISPLAY", ":7"),
        ("XAUTHORITY", "/x/authority"),
        ("SECRET_KEY", "hunter2"),
    ];
    let session = Session::with(&variables)?;
    session.visit(&served.place, "s1")?;
    session.visit(&served.place, "s2")?;
    started_on(&served, &stand_in, &[":7"])?;
    let starts = stand_in.starts()?;
    let start = starts.first().context("no start")?;
    assert_eq!(
        start.words,
        format!(
            "--key-fd 3 --lock-fd 4 --home {}",
            served.place.root().display()
        )
    );
    assert_eq!(start.variable("XAUTHORITY"), Some("/x/authority"));
    assert!(!start.environment.contains("SECRET"), "{start:?}");
    assert!(!start.environment.contains(&start.key), "{start:?}");
    let listed = served.place.printed(&["open", "--tokens"])?;
    assert!(listed.contains("overlay on :7  since "), "{listed}");
    served.web = served.web.with(&start.key);
    let mut stream = served.web.listen_only("permissions", None)?;
    stream.next_of("ready")?;
    let waiting = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let permission = stream.next_of("permission")?.data;
    assert_eq!(
        answer(&served, &permission["id"], &json!({"answer": "allow"}))?.status,
        200
    );
    assert_eq!(waiting.decision()?, json!({"behavior": "allow"}));
    assert_eq!(settled(&mut stream)?, "allowed");
    // Nobody was told that what opens the page was changed.
    let troubles = std::fs::read_to_string(served.place.home().troubles());
    assert!(troubles.is_err(), "{troubles:?}");
    Ok(())
}

#[test]
fn it_is_not_started_elsewhere_nor_a_second_time() -> Result<()> {
    let stand_in = StandIn::new()?;
    let mut served = starting(&stand_in)?;
    let away = [("DISPLAY", "localhost:10.0"), ("SSH_CONNECTION", "1 2 3 4")];
    Session::with(&away)?.visit(&served.place, "away")?;
    let remote = [("DISPLAY", "elsewhere.example:0")];
    Session::with(&remote)?.visit(&served.place, "remote")?;
    let alone = [("DISPLAY", ":60"), ("CLAUDE_CODE_SESSION_ATTENDED", "0")];
    Session::with(&alone)?.visit(&served.place, "alone")?;
    let taken = Display::of(|name| (name == "DISPLAY").then(|| ":61".into())).context("none")?;
    let held = Held::take(served.place.home(), &taken)?;
    assert!(held.is_some());
    let here = [("DISPLAY", ":61")];
    Session::with(&here)?.visit(&served.place, "taken")?;
    let first = [("DISPLAY", ":62")];
    let first = Session::with(&first)?;
    first.visit(&served.place, "first")?;
    started_on(&served, &stand_in, &[":62"])?;
    // The person ends it: neither this daemon nor the next one starts it again.
    for start in stand_in.starts()? {
        start.end();
    }
    first.visit(&served.place, "again")?;
    let second = [("DISPLAY", ":63")];
    Session::with(&second)?.visit(&served.place, "second")?;
    started_on(&served, &stand_in, &[":62", ":63"])?;
    bellwether_tests::process::kill(served.daemon.pid()?);
    served.place.wait_for("its end", || served.daemon.ended())?;
    let _next = served.place.start_serving(&[])?;
    first.visit(&served.place, "later")?;
    let third = [("DISPLAY", ":64")];
    Session::with(&third)?.visit(&served.place, "third")?;
    started_on(&served, &stand_in, &[":62", ":63", ":64"])?;
    drop(held);
    Ok(())
}

#[test]
fn without_its_program_there_is_one_trouble_and_everything_else_works() -> Result<()> {
    let stand_in = StandIn::new()?;
    std::fs::remove_file(stand_in.program())?;
    let served = starting(&stand_in)?;
    let here = [("DISPLAY", ":7")];
    let session = Session::with(&here)?;
    session.visit(&served.place, "s1")?;
    session.visit(&served.place, "s2")?;
    let troubles = || std::fs::read_to_string(served.place.home().troubles()).unwrap_or_default();
    served.place.wait_for("the trouble", || {
        Ok(troubles().contains("bellwether-overlay is not beside bellwether"))
    })?;
    served
        .place
        .wait_for("both sessions", || Ok(served.place.count()? >= 2))?;
    assert_eq!(troubles().lines().count(), 1, "{}", troubles());
    Ok(())
}

#[test]
fn its_settings_are_given_and_a_change_is_told() -> Result<()> {
    let served = Served::configured("language: ko\noverlay: {size: 128, place: top_left}\n")?;
    let given = served.web.json("/api/overlay")?;
    assert_eq!(given["settings"]["size"], 128);
    assert_eq!(given["settings"]["place"], "top_left");
    assert_eq!(given["settings"]["auto"], false);
    assert_eq!(
        (&given["language"], &given["answer"], &given["muted"]),
        (&json!("ko"), &json!(false), &json!(null))
    );
    let mut stream = served.web.listen_only("settings", None)?;
    stream.next_of("ready")?;
    let change = json!({"changes": {"overlay.place": "bottom", "overlay.most": 3}});
    let changed = served
        .web
        .ask("PUT", "/api/settings")
        .json(change.to_string())
        .send()?;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(stream.next_event()?.context("ended")?.name, "settings");
    let given = served.web.json("/api/overlay")?;
    assert_eq!(given["settings"]["place"], "bottom");
    assert_eq!(given["settings"]["most"], 3);
    let mute = served.web.ask("PUT", "/api/mutes");
    assert_eq!(mute.json(r#"{"seconds": 60}"#).send()?.status, 200);
    assert_eq!(stream.next_event()?.context("ended")?.name, "settings");
    let muted = served.web.json("/api/overlay")?["muted"]["until_ms"].clone();
    assert!(muted.is_u64(), "{muted}");
    for wrong in [
        json!({"overlay.size": 32}),
        json!({"overlay.place": "middle"}),
    ] {
        let change = json!({ "changes": wrong }).to_string();
        let answer = served.web.ask("PUT", "/api/settings").json(change).send()?;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
    Ok(())
}

#[test]
fn an_address_of_the_page_is_given_and_works_once() -> Result<()> {
    let served = Served::start(&[])?;
    let given = served
        .web
        .post("/api/open", r#"{"to":"/sessions/a%2Fb"}"#)?;
    let address = given.json()?["address"]
        .as_str()
        .context("no address")?
        .to_owned();
    let path = address.split_once("/open").context("no path")?.1;
    let opened = served.bare.get(&format!("/open{path}"))?;
    assert_eq!(opened.status, 200, "{opened:?}");
    assert!(opened.body.contains("/#/sessions/a%2Fb"), "{opened:?}");
    assert_eq!(served.bare.get(&format!("/open{path}"))?.status, 401);
    assert_eq!(served.web.post("/api/open", "{}")?.status, 200);
    let wrong = served
        .web
        .post("/api/open", r#"{"to":"//evil\"><script>"}"#)?;
    assert_eq!(wrong.status, 400, "{wrong:?}");
    assert_eq!(served.bare.post("/api/open", "{}")?.status, 401);
    Ok(())
}
