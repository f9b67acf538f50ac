//! HTTP: who may ask, and what is refused and how.

use std::process::Command;

use anyhow::{Context as _, Result};
use bellwether_tests::Served;
use bellwether_tests::served::STARTED;

#[test]
fn other_names_and_other_sites_get_nothing() -> Result<()> {
    let served = Served::start(&[])?;
    let port = served.web.port();
    let status = |ask: bellwether_tests::web::Ask| -> Result<u16> { Ok(ask.send()?.status) };
    for path in ["/health", "/api/overview", "/open?code=x", "/nothing"] {
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "10.0.0.1:4820",
            "",
        ] {
            assert_eq!(
                status(served.web.ask("GET", path).header("host", host))?,
                421,
                "{path} {host}"
            );
        }
        assert_eq!(
            status(served.web.ask("GET", path).without("host"))?,
            421,
            "{path}"
        );
    }
    let localhost = served
        .web
        .ask("GET", "/health")
        .header("host", &format!("localhost:{port}"));
    assert_eq!(status(localhost)?, 200);
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let sent = |path| {
            served
                .web
                .ask("POST", path)
                .json(STARTED)
                .header(name, value)
        };
        assert_eq!(status(sent("/ingest"))?, 403, "{value}");
        assert_eq!(status(sent("/hook"))?, 403, "{value}");
        assert_eq!(
            status(served.web.ask("GET", "/api/agents").header(name, value))?,
            403,
            "{value}"
        );
        assert_eq!(
            status(served.web.ask("GET", "/events/stream").header(name, value))?,
            403,
            "{value}"
        );
    }
    let preflight = served
        .web
        .ask("OPTIONS", "/ingest")
        .header("origin", "https://evil.example")
        .send()?;
    assert!(
        preflight.status == 405 && !preflight.head.contains("access-control"),
        "{preflight:?}"
    );
    assert_eq!(served.web.json("/api/overview")?["store"]["events"], 0);
    Ok(())
}

#[test]
fn without_the_token_there_is_nothing_to_see() -> Result<()> {
    let served = Served::start(&[])?;
    let document = served.web.json("/api/openapi.json")?;
    let paths = document["paths"].as_object().context("no paths")?;
    assert!(paths.len() > 12, "{}", paths.len());
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().context("no methods")? {
            let needs = operation["security"]
                .as_array()
                .is_some_and(|all| !all.is_empty());
            let is_public = ["/favicon.svg", "/help.css"].contains(&path.as_str());
            let is_others = ["/health", "/ingest", "/hook", "/open"].contains(&path.as_str());
            assert_eq!(needs, !is_public && !is_others, "{path}");
            if !needs {
                continue;
            }
            let path = path
                .replace("{id}", "x")
                .replace("{seq}", "1")
                .replace("{name}", "index.js");
            let method = method.to_uppercase();
            let answer = served.bare.ask(&method, &path).send()?;
            assert_eq!(answer.status, 401, "{method} {path}");
            assert!(answer.header("www-authenticate").is_some());
            let wrong = served
                .bare
                .ask(&method, &path)
                .header("authorization", "Bearer 00");
            assert_eq!(wrong.send()?.status, 401, "{method} {path}");
        }
    }
    Ok(())
}

/// The tests may run as root; then another user is tried.
#[test]
fn another_user_gets_nothing() -> Result<()> {
    if !rustix::process::getuid().is_root() {
        eprintln!("only root can become another user: not tried");
        return Ok(());
    }
    let served = Served::start(&[])?;
    let port = served.web.port();
    let token = bellwether_tests::key::token(served.place.home())?;
    let as_nobody = |line: &str| -> Result<String> {
        let output = Command::new("setpriv")
            .args([
                "--reuid",
                "65534",
                "--regid",
                "65534",
                "--clear-groups",
                "sh",
                "-c",
                line,
            ])
            .output()?;
        Ok(String::from_utf8(output.stdout)?)
    };
    let curl = "curl -s -w ' %{http_code}'";
    let told = as_nobody(&format!("{curl} http://127.0.0.1:{port}/health"))?;
    assert!(
        told.contains("user 65534 asks") && told.ends_with(" 403"),
        "{told}"
    );
    let sending = format!(
        "{curl} -H 'Content-Type: application/json' -H 'Authorization: Bearer {token}' -d '{STARTED}'"
    );
    for path in ["ingest", "hook"] {
        let told = as_nobody(&format!("{sending} http://127.0.0.1:{port}/{path}"))?;
        assert!(told.ends_with(" 403"), "{told}");
    }
    // One who sends and goes at once leaves a socket that belongs to nobody, which the system shows as root's.
    let hasty = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'POST /ingest HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nContent-Type: application/json\\r\\nContent-Length: {}\\r\\n\\r\\n%s' '{STARTED}' >&3; exec 3<&-; exec 3>&-",
        STARTED.len()
    );
    for _ in 0..50 {
        as_nobody(&format!("exec bash -c \"$(cat <<'X'\n{hasty}\nX\n)\""))?;
    }
    // A code that was seen in the list of processes is of no use to them.
    let opened = String::from_utf8(served.place.cli(["open", "--print"]).output()?.stdout)?;
    let told = as_nobody(&format!("{curl} '{}'", opened.trim()))?;
    assert!(told.ends_with(" 403"), "{told}");
    assert_eq!(served.web.json("/api/overview")?["store"]["events"], 0);
    Ok(())
}

#[test]
fn a_page_is_opened_once_and_then_by_its_cookie() -> Result<()> {
    let served = Served::start(&[])?;
    let printed = served.place.cli(["open", "--print"]).output()?;
    let address = String::from_utf8(printed.stdout)?;
    let path = address
        .trim()
        .strip_prefix(&format!("http://127.0.0.1:{}", served.web.port()));
    let path = path.context("another address")?;
    let opened = served.bare.get(path)?;
    assert_eq!(opened.status, 200);
    let cookie = opened.header("set-cookie").context("no cookie")?.to_owned();
    assert!(
        cookie.contains("; httponly")
            && cookie.contains("; samesite=strict")
            && cookie.contains("; path=/"),
        "{cookie}"
    );
    assert_eq!(served.bare.get(path)?.status, 401, "it works once");
    let cookie = cookie.split(';').next().unwrap_or_default();
    let token = bellwether_tests::key::token(served.place.home())?;
    assert!(!cookie.contains(&token));
    let by_cookie = |method, path| served.bare.ask(method, path).header("cookie", cookie);
    assert_eq!(by_cookie("GET", "/api/overview").send()?.status, 200);
    let mute = by_cookie("PUT", "/api/mutes").json("{}");
    assert_eq!(mute.send()?.status, 403, "a write says its origin");
    let ours = format!("http://127.0.0.1:{}", served.web.port());
    assert_eq!(mute.clone().header("origin", &ours).send()?.status, 200);
    assert_eq!(
        mute.header("origin", "http://127.0.0.1:1").send()?.status,
        403
    );
    Ok(())
}

#[test]
fn an_agent_is_not_given_the_page() -> Result<()> {
    let served = Served::start(&[])?;
    let output = served
        .place
        .cli(["open", "--print"])
        .env("CLAUDECODE", "1")
        .output()?;
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty() && String::from_utf8(output.stderr)?.contains("for a person"));
    Ok(())
}

#[test]
fn what_a_browser_shows_is_guarded() -> Result<()> {
    let served = Served::start(&[])?;
    for (path, kept) in [
        ("/", "no-cache"),
        ("/api/overview", "no-store"),
        ("/open", "no-store"),
        ("/favicon.svg", "no-cache"),
        ("/nothing", "no-store"),
    ] {
        let answer = served.web.get(path)?;
        let policy = answer
            .header("content-security-policy")
            .context("no policy")?;
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some(kept), "{path}");
    }
    let nothing = served.web.get("/nothing")?;
    assert_eq!(nothing.status, 404);
    assert!(nothing.json()?["error"].is_string());
    Ok(())
}
