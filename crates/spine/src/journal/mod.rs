//! The journal: every event, in order, on disk before anybody acts on it.
//!
//! A record is RS, one line of JSON, LF (RFC 7464), written by one `O_APPEND` write. Neither byte
//! can stand inside the JSON, so the reader finds its way again at the next RS and a torn record
//! costs only itself. Hooks append to the newest segment; the daemon seals a segment by creating
//! the next one and goes on reading the old one, because a hook may still hold it open.
//!
//! An event survives the death of any process. Power loss may cost a hook's last seconds: it does not
//! wait for the disk. Whoever must wait writes through the [`Ledger`].

mod append;
mod envelope;
mod follow;
mod framing;
mod ledger;
mod payload;
mod segment;

pub use append::{Appended, Keep, append};
pub use envelope::Envelope;
pub use follow::{Cursor, Follower, Progress, Skipped};
pub use framing::{LF, RS};
pub use ledger::{Ledger, Noted, discard, recover};
pub use payload::{Payload, STRING_MAX};
pub use segment::{Segment, dropped, pending_bytes, total_bytes};
