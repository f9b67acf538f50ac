//! `bellwether open`: the page in a browser, by an address that works once.

use std::process::{Command, Stdio};

use bellwether_daemon::encoded;
use bellwether_flock::{Filter, StoreReader as _};
use bellwether_spine::{Home, text};
use clap::Args;
use serde_json::json;

use crate::{exit, installation, output, person};

/// What opens an address, in the order in which they are tried.
const OPENERS: [&str; 4] = ["xdg-open", "open", "wslview", "sensible-browser"];
/// The page's own list of its views.
const VIEWS: &str = include_str!("../../../../web/src/views/list.ts");

#[derive(Args, Default)]
pub(crate) struct Arguments {
    /// A view of the page, for instance `guard`, or a session by the beginning of its id.
    #[arg(value_name = "VIEW|SESSION")]
    place: Option<String>,
    /// Print the address instead of opening it. It works once, within five minutes.
    #[arg(long)]
    print: bool,
    /// Make a token for a program that uses the API, and print it. It is never shown again.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["place", "print"])]
    new_token: Option<String>,
    /// List the tokens that there are.
    #[arg(long, conflicts_with_all = ["place", "print", "new_token"])]
    tokens: bool,
    /// End a token.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["place", "print", "new_token", "tokens"])]
    end_token: Option<String>,
    /// Print JSON: {address} instead of opening it, or an array of {name, `made_ms`} with `--tokens`.
    #[arg(long, conflicts_with_all = ["new_token", "end_token"])]
    json: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    // Whoever has the address may change things on the page.
    person::refuse_agents(home, "the page")?;
    if arguments.tokens || arguments.new_token.is_some() || arguments.end_token.is_some() {
        return tokens(home, arguments);
    }
    let place = arguments
        .place
        .as_ref()
        .map(|place| find(home, place))
        .transpose()?;
    let (mut client, _) = installation::reach(home, &[])?;
    let mut address = client.open()?;
    if let Some(place) = place {
        address.push_str("&to=");
        address.push_str(&encoded(&place));
    }
    if arguments.json {
        return output::show_json(&json!({ "address": address }));
    }
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
    let has_display = cfg!(target_os = "macos")
        || has_display
            .iter()
            .any(|name| std::env::var_os(name).is_some());
    if !arguments.print && has_display && OPENERS.iter().any(|opener| opens(opener, &address)) {
        tell!("the page opens in your browser");
        return Ok(());
    }
    tell!("{address}");
    if !arguments.print {
        note!(
            "bellwether: there is no browser to open it with; this address works once, within five minutes"
        );
    }
    Ok(())
}

/// Makes, lists or ends tokens for programs.
fn tokens(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let (mut client, _) = installation::reach(home, &[])?;
    if let Some(name) = &arguments.new_token {
        person::confirm(home, "making a token")?;
        tell!("{}", client.new_token(name)?);
        note!(
            "bellwether: whoever has this token can do what you can on the page; `bellwether open --end-token` ends it"
        );
    } else if let Some(name) = &arguments.end_token {
        client.revoke(name)?;
        tell!("the token {} is ended", text::shown(name, 80));
    } else {
        let tokens = client.tokens()?;
        if arguments.json {
            let rows = tokens
                .iter()
                .map(|token| json!({"name": token.name, "made_ms": token.made_ms}));
            return output::show_json(&rows.collect::<Vec<_>>());
        }
        for token in &tokens {
            tell!(
                "{}  since {}",
                text::shown(&token.name, 80),
                output::moment(token.made_ms)
            );
        }
        if tokens.is_empty() {
            tell!("there are no tokens");
        }
    }
    Ok(())
}

/// The views, as they stand behind `#/` in the page's address.
fn views() -> impl Iterator<Item = &'static str> {
    let names = VIEWS
        .lines()
        .filter_map(|line| line.strip_prefix("export * as "));
    names.filter_map(|rest| rest.split(' ').next())
}

/// The place in the page that a word means.
fn find(home: &Home, word: &str) -> anyhow::Result<String> {
    if views().any(|view| view == word) {
        return Ok(format!("/{word}"));
    }
    let filter = Filter {
        session: Some(word.to_owned()),
        ..Filter::default()
    };
    let reader = installation::up_to_date(home)?;
    let newest = reader.map(|reader| reader.last(&filter, 1)).transpose()?;
    let session = newest
        .into_iter()
        .flatten()
        .next()
        .and_then(|event| bellwether_flock::Row::from_record(event.record.as_bytes()).ok())
        .and_then(|row| row.session)
        .filter(|_| !word.is_empty());
    let session = session.ok_or_else(|| {
        let views = views().collect::<Vec<_>>().join(", ");
        let word = text::shown(word, 80);
        exit::usage(format!(
            "there is no view and no session {word:?}; the views are {views}"
        ))
    })?;
    Ok(format!("/sessions/{}", encoded(&session)))
}

fn opens(opener: &str, address: &str) -> bool {
    let status = Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}
