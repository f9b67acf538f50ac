//! `bellwether open`: the page in a browser, by an address that works once.

use std::process::{Command, Stdio};

use anyhow::ensure;
use bellwether_spine::Home;
use clap::Args;

use crate::{installation, person};

/// What opens an address, in the order in which they are tried.
const OPENERS: [&str; 4] = ["xdg-open", "open", "wslview", "sensible-browser"];

#[derive(Args, Default)]
pub(crate) struct Arguments {
    /// Print the address instead of opening it. It works once, within five minutes.
    #[arg(long)]
    print: bool,
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    // Whoever has the address may change things on the page.
    ensure!(
        !person::is_agent(),
        "the page is for a person, not for an agent"
    );
    let (mut client, _) = installation::reach(home, &[])?;
    let address = client.open()?;
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"];
    let has_display = cfg!(target_os = "macos")
        || has_display
            .iter()
            .any(|name| std::env::var_os(name).is_some());
    if !arguments.print && has_display && OPENERS.iter().any(|opener| opens(opener, &address)) {
        println!("the page opens in your browser");
        return Ok(());
    }
    println!("{address}");
    if !arguments.print {
        eprintln!(
            "bellwether: there is no browser to open it with; this address works once, within five minutes"
        );
    }
    Ok(())
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
