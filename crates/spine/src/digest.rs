//! The one hash, as everybody's `sha256sum` prints it.

use sha2::{Digest as _, Sha256};

use crate::place::hex;

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}
