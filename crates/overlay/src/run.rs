//! Puts the parts together: the display, the link to the daemon, and the stage.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bellwether_spine::overlay::{Display, Held, receive_key};
use bellwether_spine::{Home, SpineError};

use crate::desktop::{Desktop, DesktopError};
use crate::drawn::Theme;
use crate::link::{self, Bell, Deeds};
use crate::options::{Backend, Options};
use crate::places::Places;
use crate::stage::{Over, Parts, Stage};
use crate::wayland::Wayland;
use crate::x11::X11;

/// Why it cannot begin, or has ended although nobody wanted it to.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Desktop(#[from] DesktopError),
    #[error(transparent)]
    Spine(#[from] SpineError),
    #[error("an overlay runs on {0} already; `bellwether overlay --stop` ends it")]
    RunsAlready(String),
    #[error(
        "start it with `bellwether overlay`: it needs a key to the daemon, which that command gives it"
    )]
    NoKey,
    #[error(
        "the daemon does not let this overlay in any more ({0}); `bellwether overlay` starts another"
    )]
    Refused(String),
    #[error("cannot begin: {0}")]
    System(#[from] std::io::Error),
}

pub fn run(options: &Options) -> Result<(), RunError> {
    let began = Instant::now();
    let home = Home::find(options.home.clone())?;
    let display = Display::here().ok_or(DesktopError::NoDisplay)?;
    let held = Held::by_program(&home, &display, options.lock)?;
    let held = held.ok_or_else(|| RunError::RunsAlready(display.name().to_owned()))?;
    let key = receive_key(options.key.ok_or(RunError::NoKey)?)?;
    let over = match connect(options.backend)? {
        Either::X11(desktop) => show(*desktop, &home, key),
        Either::Wayland(desktop) => show(*desktop, &home, key),
    };
    match over {
        Ok(Over::Quit) => Ok(()),
        Ok(Over::Refused(why)) => Err(RunError::Refused(why)),
        Ok(Over::NoDesktop) | Err(RunError::Desktop(DesktopError::Gone(_))) => {
            // A display that goes at once would have us started again and again.
            if began.elapsed() > Duration::from_secs(10) {
                held.forget()?;
            }
            Err(DesktopError::Gone(display.name().to_owned()).into())
        }
        Err(error) => Err(error),
    }
}

enum Either {
    X11(Box<X11>),
    Wayland(Box<Wayland>),
}

fn connect(backend: Backend) -> Result<Either, DesktopError> {
    let x11 = || X11::connect().map(|desktop| Either::X11(Box::new(desktop)));
    let wayland = || Wayland::connect().map(|desktop| Either::Wayland(Box::new(desktop)));
    match backend {
        Backend::X11 => x11(),
        Backend::Wayland => wayland(),
        Backend::Auto => wayland().or_else(|why| {
            let no_wayland = matches!(why, DesktopError::NoDisplay);
            x11().map_err(|other| if no_wayland { other } else { why })
        }),
    }
}

fn show<D: Desktop>(desktop: D, home: &Home, key: String) -> Result<Over, RunError> {
    let (post, bell) = Bell::new()?;
    let found = Arc::new(Mutex::new(None));
    let deeds = Deeds::new(home.clone(), Arc::clone(&found), post.clone());
    let (home_there, post_there) = (home.clone(), post.clone());
    std::thread::Builder::new()
        .name("link".to_owned())
        .spawn(move || link::follow(&home_there, &key, &found, &post_there))?;
    let parts = Parts {
        desktop,
        deeds,
        post,
        places: Places::load(home),
        theme: theme(),
    };
    Ok(Stage::new(parts).run(&bell)?)
}

/// Bubbles are light on a light desktop and dark on a dark one, as far as the desktop tells.
fn theme() -> &'static Theme {
    let named = std::env::var("GTK_THEME")
        .unwrap_or_default()
        .to_lowercase();
    if named.contains("light") {
        &Theme::LIGHT
    } else {
        &Theme::DARK
    }
}
