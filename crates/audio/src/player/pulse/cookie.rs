//! The secret by which a sound server knows its own people. On this machine the socket's owner is
//! proof enough; over the network the cookie is.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use bellwether_spine::meta::variable;

/// A cookie has exactly this many bytes.
const LENGTH: usize = 256;

/// The person's cookie. A server hangs up on whoever sends none, so without one there are zeros.
pub(super) fn load() -> Vec<u8> {
    places().find_map(read).unwrap_or_else(|| vec![0; LENGTH])
}

fn places() -> impl Iterator<Item = PathBuf> {
    let home = variable("HOME").map(PathBuf::from);
    let config = variable("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.or_else(|| home.as_ref().map(|home| home.join(".config")));
    [
        variable("PULSE_COOKIE").map(PathBuf::from),
        config.map(|folder| folder.join("pulse/cookie")),
        home.map(|home| home.join(".pulse-cookie")),
    ]
    .into_iter()
    .flatten()
    .filter(|path| path.is_absolute())
}

fn read(path: PathBuf) -> Option<Vec<u8>> {
    let mut cookie = Vec::new();
    let file = File::open(path).ok()?;
    // A pipe would be waited for.
    file.metadata().ok()?.is_file().then_some(())?;
    file.take(LENGTH as u64 + 1).read_to_end(&mut cookie).ok()?;
    (cookie.len() == LENGTH).then_some(cookie)
}
