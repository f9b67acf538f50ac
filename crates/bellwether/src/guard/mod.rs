//! What commands, doctor and `explain` show of the guard.

pub(crate) mod analysis;
pub(crate) mod consents;
pub(crate) mod log;
pub(crate) mod replay;
pub(crate) mod reviews;
