//! A permission request that waits for the page: the real hook, the real daemon, and everything that can end it.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::installation::filled_stdin;
use bellwether_tests::{Installation, Served, process};
use serde_json::{Value, json};

use super::waiting::{ASKED, AT_ONCE, ON, answer, event, hook, page, settled};

#[test]
fn a_request_that_is_allowed_on_the_page_goes_on_once_and_is_stored() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let told = page.next_of("permission")?;
    assert_eq!(told.id, "");
    let permission = told.data;
    assert_eq!(
        (
            &permission["tool"],
            &permission["command"],
            &permission["guard"]
        ),
        (&json!("Bash"), &json!("touch x"), &Value::Null)
    );
    assert_eq!(permission["can_allow_for"], false);
    assert_eq!(permission["agent_id"], "s");
    let list = served.web.json("/api/permissions")?;
    assert_eq!(list["enabled"], true);
    assert_eq!(list["waiting"][0]["id"], permission["id"]);
    let wrong = answer(
        &served,
        &permission["id"],
        &json!({"answer": "allow", "for_seconds": 600}),
    )?;
    assert_eq!(wrong.status, 400, "{wrong:?}");
    let done = answer(&served, &permission["id"], &json!({"answer": "allow"}))?;
    assert_eq!((done.status, done.json()?), (200, json!({"settled": true})));
    assert_eq!(hook.decision()?, json!({"behavior": "allow"}));
    assert_eq!(settled(&mut page)?, "allowed");
    let again = answer(&served, &permission["id"], &json!({"answer": "deny"}))?;
    assert_eq!(again.status, 409);
    assert!(again.body.contains("allowed on the page"), "{again:?}");
    assert_eq!(
        answer(&served, &json!("x"), &json!({"answer": "deny"}))?.status,
        404
    );
    assert_eq!(served.web.json("/api/permissions")?["waiting"], json!([]));
    let events = served.web.json("/api/events?name=PermissionAnswered")?;
    assert_eq!(
        events["events"].as_array().map(Vec::len),
        Some(1),
        "{events}"
    );
    Ok(())
}

#[test]
fn a_request_that_is_refused_on_the_page_tells_the_agent_why() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let permission = page.next_of("permission")?.data;
    let wish = json!({"answer": "deny", "message": "use the\nother one"});
    assert_eq!(answer(&served, &permission["id"], &wish)?.status, 200);
    assert_eq!(
        hook.decision()?,
        json!({"behavior": "deny", "message": "The person refused this: use the other one"})
    );
    assert_eq!(settled(&mut page)?, "denied");
    Ok(())
}

/// What the guard asks about can be allowed for a while, by the same file as `guard allow` has.
#[test]
fn what_the_guard_asks_about_is_allowed_for_a_while() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let judged = |name| hook(&served.place, &event(name, ASKED))?.end();
    assert!(
        judged("PreToolUse")?
            .0
            .contains(r#""permissionDecision":"ask""#)
    );
    let waiting = hook(&served.place, &event("PermissionRequest", ASKED))?;
    let permission = page.next_of("permission")?.data;
    assert_eq!(permission["can_allow_for"], true);
    assert_eq!(permission["guard"]["verdict"], "ask", "{permission}");
    let wish = json!({"answer": "allow", "for_seconds": 600});
    assert_eq!(answer(&served, &permission["id"], &wish)?.status, 200);
    assert_eq!(waiting.decision()?, json!({"behavior": "allow"}));
    assert_eq!(judged("PreToolUse")?.0, "");
    let listed = served.place.cli(["guard", "allow", "--list"]).output()?;
    let listed = String::from_utf8(listed.stdout)?;
    assert!(listed.contains("grep victim"), "{listed}");
    Ok(())
}

#[test]
fn the_terminal_s_own_answer_comes_first() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let first = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let permission = page.next_of("permission")?.data;
    let second = hook(&served.place, &event("PermissionRequest", "touch y"))?;
    page.next_of("permission")?;
    // Neither another tool call of the agent nor a word about the waiting is an answer.
    served.place.visit(&event("PostToolUse", "pwd"))?;
    served.place.visit(
        br#"{"hook_event_name":"Notification","session_id":"s","notification_type":"permission_prompt","message":"m"}"#,
    )?;
    served.place.visit(&event("PostToolUse", "touch x"))?;
    assert_eq!(settled(&mut page)?, "terminal");
    assert_eq!(first.end()?.0, "");
    let late = answer(&served, &permission["id"], &json!({"answer": "allow"}))?;
    assert!(
        late.status == 409 && late.body.contains("in the terminal"),
        "{late:?}"
    );
    let list = served.web.json("/api/permissions")?;
    assert_eq!(list["waiting"][0]["command"], "touch y", "{list}");
    served
        .place
        .visit(br#"{"hook_event_name":"Stop","session_id":"s"}"#)?;
    assert_eq!(second.end()?.0, "");
    Ok(())
}

#[test]
fn two_that_wait_are_answered_each_for_itself() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let one = hook(&served.place, &event("PermissionRequest", "touch 1"))?;
    let first = page.next_of("permission")?.data;
    let two = hook(&served.place, &event("PermissionRequest", "touch 2"))?;
    let second = page.next_of("permission")?.data;
    assert_eq!(second["command"], "touch 2");
    answer(&served, &second["id"], &json!({"answer": "deny"}))?;
    answer(&served, &first["id"], &json!({"answer": "allow"}))?;
    assert_eq!(one.decision()?["behavior"], "allow");
    assert_eq!(two.decision()?["behavior"], "deny");
    Ok(())
}

#[test]
fn a_hook_that_is_stopped_is_gone_from_the_page() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let mut hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    page.next_of("permission")?;
    hook.child.kill()?;
    hook.child.wait()?;
    assert_eq!(settled(&mut page)?, "gone");
    Ok(())
}

#[test]
fn a_daemon_that_dies_lets_the_hook_go() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    page.next_of("permission")?;
    process::kill(served.daemon.pid()?);
    let killed = Instant::now();
    assert_eq!(hook.end()?.0, "");
    ensure!(killed.elapsed() < AT_ONCE, "{:?}", killed.elapsed());
    Ok(())
}

#[test]
fn a_page_that_is_closed_lets_the_hook_go_and_one_that_is_loaded_again_does_not() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut first = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    first.next_of("permission")?;
    drop(first);
    let again = page(&served)?;
    let list = served.web.json("/api/permissions")?;
    assert_eq!(list["waiting"].as_array().map(Vec::len), Some(1), "{list}");
    drop(again);
    let closed = Instant::now();
    assert_eq!(hook.end()?.0, "");
    ensure!(
        closed.elapsed() > Duration::from_secs(5),
        "a page may be loaded again"
    );
    Ok(())
}

#[test]
fn a_request_that_nobody_answers_in_time_is_settled_as_expired() -> Result<()> {
    let served = Served::configured("page: {answer: true, wait: 2}\n")?;
    let mut page = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let permission = page.next_of("permission")?.data;
    let number = |name: &str| permission[name].as_u64().unwrap_or_default();
    assert_eq!(number("until_ms") - number("asked_ms"), 2_000);
    assert_eq!(settled(&mut page)?, "expired");
    assert_eq!(hook.end()?.0, "");
    Ok(())
}

#[test]
fn a_hook_does_not_wait_where_nobody_can_answer() -> Result<()> {
    let served = Served::configured(ON)?;
    let request = event("PermissionRequest", "touch x");
    // No page is open.
    hook(&served.place, &request)?.falls_through()?;
    let _page = page(&served)?;
    // A question, and a plan, need the terminal's own dialog.
    for tool in ["AskUserQuestion", "ExitPlanMode"] {
        let request = String::from_utf8(request.clone())?.replace("Bash", tool);
        hook(&served.place, request.as_bytes())?.falls_through()?;
    }
    // Nobody sits in front of it.
    let (_open, stdin) = filled_stdin(&request)?;
    let mut unattended = served.place.hook();
    unattended.env("CLAUDE_CODE_SESSION_ATTENDED", "0");
    let output = unattended.stdin(stdin).stdout(Stdio::piped()).output()?;
    assert_eq!(String::from_utf8(output.stdout)?, "");
    assert_eq!(served.web.json("/api/permissions")?["waiting"], json!([]));
    // It is off.
    let off = Served::start(&[])?;
    let _page = page(&off)?;
    hook(&off.place, &request)?.falls_through()?;
    assert_eq!(off.web.json("/api/permissions")?["enabled"], false);
    // No daemon is there.
    let alone = Installation::fresh_with(ON)?;
    let (_open, stdin) = filled_stdin(&request)?;
    let begun = Instant::now();
    let output = alone
        .hook()
        .arg("--no-daemon")
        .stdin(stdin)
        .stdout(Stdio::piped())
        .output()?;
    assert_eq!(String::from_utf8(output.stdout)?, "");
    ensure!(begun.elapsed() < AT_ONCE);
    Ok(())
}

#[test]
fn only_a_browser_that_holds_the_token_answers() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let permission = page.next_of("permission")?.data;
    let path = format!(
        "/api/permissions/{}",
        permission["id"].as_str().context("no id")?
    );
    let body = json!({"answer": "allow"}).to_string();
    assert_eq!(served.bare.post(&path, &body)?.status, 401);
    assert_eq!(served.bare.get("/api/permissions")?.status, 401);
    let wrong = served.bare.ask("POST", &path).json(&body);
    let wrong = wrong.header("authorization", "Bearer 00");
    assert_eq!(wrong.send()?.status, 401);
    let foreign = served.web.ask("POST", &path).json(&body);
    let foreign = foreign.header("origin", "https://evil.example");
    assert_eq!(foreign.send()?.status, 403);
    // A cookie without our own `Origin` is no answer either.
    let opened = served.place.at_terminal(["open", "--print"]).output()?;
    let address = String::from_utf8(opened.stdout)?;
    let (_, code) = address.trim().split_once("/open").context("no address")?;
    let given = served.bare.get(&format!("/open{code}"))?;
    let cookie = given.header("set-cookie").context("no cookie")?;
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    let by_cookie = served.bare.ask("POST", &path).json(&body);
    let by_cookie = by_cookie.header("cookie", &cookie);
    assert_eq!(by_cookie.send()?.status, 403);
    let origin = format!("http://127.0.0.1:{}", served.web.port());
    assert_eq!(by_cookie.header("origin", &origin).send()?.status, 200);
    assert_eq!(hook.decision()?["behavior"], "allow");
    Ok(())
}

/// The client's own HTTP hooks wait in the same way.
#[test]
fn a_request_by_http_waits_too() -> Result<()> {
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    // The client asks in a process of its own: who sends events is no person to the daemon.
    let address = format!("http://127.0.0.1:{}/hook", served.bare.port());
    let body = String::from_utf8(event("PermissionRequest", "touch x"))?;
    let asking = std::thread::spawn(move || {
        let kind = "content-type: application/json";
        std::process::Command::new("curl")
            .args(["-s", "-H", kind, "-d", &body, &address])
            .output()
    });
    let permission = page.next_of("permission");
    let permission = permission?.data;
    answer(&served, &permission["id"], &json!({"answer": "allow"}))?;
    let said = asking.join().map_err(|_| anyhow::anyhow!("panicked"))??;
    let said: Value = serde_json::from_slice(&said.stdout)?;
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "allow");
    Ok(())
}

/// Whatever key it has: what a client started does not answer, and the person is told.
#[test]
fn an_agent_does_not_answer_its_own_question() -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let served = Served::configured(ON)?;
    let mut page = page(&served)?;
    let hook = hook(&served.place, &event("PermissionRequest", "touch x"))?;
    let permission = page.next_of("permission")?.data;
    let id = permission["id"].as_str().context("no id")?;
    let token = bellwether_tests::key::token(served.place.home())?;
    let client = served.place.root().join("claude");
    let port = served.web.port();
    let script = format!(
        "#!/bin/bash\nfor try in 'curl' 'env -i /usr/bin/curl'; do $try -s -w ' %{{http_code}}\\n' -H 'authorization: Bearer {token}' \
         -H 'content-type: application/json' -d '{{\"answer\":\"allow\"}}' http://127.0.0.1:{port}/api/permissions/{id}; done\n"
    );
    std::fs::write(&client, script)?;
    std::fs::set_permissions(&client, std::fs::Permissions::from_mode(0o755))?;
    let output = std::process::Command::new(&client).output()?;
    let said = String::from_utf8(output.stdout)?;
    assert_eq!(said.matches(" 403").count(), 2, "{said}");
    assert!(said.contains("the person has been told"), "{said}");
    let troubles = bellwether_spine::trouble::Troubles(served.place.home()).recent();
    let told = troubles.iter().any(|it| it.text.contains("only you may"));
    assert!(told, "{troubles:?}");
    let answer = served.web.ask("POST", &format!("/api/permissions/{id}"));
    let answer = answer.json(json!({"answer": "deny"}).to_string()).send()?;
    assert_eq!(answer.status, 200);
    assert_eq!(hook.decision()?["behavior"], "deny");
    Ok(())
}
