//! The address that opens the page once.

use super::access::Keys;
use crate::shared::{Shared, locked};

/// A new one, or why there is none.
pub(crate) fn address(shared: &Shared, keys: &Keys) -> Result<String, String> {
    let port = locked(&shared.http).clone()?;
    let port = port.ok_or("no port is served: `daemon.port` is 0")?;
    let code = keys.new_code().map_err(|error| error.to_string())?;
    Ok(format!("http://127.0.0.1:{port}/open?code={code}"))
}
