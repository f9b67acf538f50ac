//! What a person has agreed to by using our program, and telling the daemon of it: it warns of changes that come by
//! another way.

use std::path::Path;

use bellwether_daemon::control::Client;
use bellwether_hook::guard::registered::Registered;
use bellwether_spine::Home;
use bellwether_spine::confirmed::Confirmed;

/// Tells the daemon that a person has changed settings. One that does not run takes them as they are when it begins.
pub(crate) fn changed(home: &Home) {
    if let Ok(Some(mut daemon)) = Client::connect(home) {
        let _ = daemon.changed();
    }
}

/// Remembers how many of our entries a client's settings hold: some that vanish are then told. Where no event has come
/// yet there is nothing to remember it in; the daemon does so when it first begins.
pub(crate) fn registered(home: &Home, settings: &Path) -> anyhow::Result<()> {
    if !home.state().exists() {
        return Ok(());
    }
    bellwether_config::confirm_first(home)?;
    let text = std::fs::read_to_string(settings).unwrap_or_default();
    let count = Registered::read(&text).map_or(0, |ours| ours.running());
    let mut confirmed = Confirmed::load(home).unwrap_or_default();
    confirmed.registered.remove(settings);
    if count > 0 {
        confirmed.registered.insert(settings.to_owned(), count);
    }
    confirmed.save(home)?;
    changed(home);
    Ok(())
}

/// Forgets them, for they were taken out on purpose.
pub(crate) fn unregistered(home: &Home, settings: &Path) -> anyhow::Result<()> {
    match Confirmed::load(home) {
        Some(_) => registered(home, settings),
        None => Ok(()),
    }
}
