//! gofmt, which has no settings.

use std::path::Path;

use super::{Call, Way};
use crate::format::target::Target;

pub(super) const ENDINGS: &[&str] = &["go"];
pub(super) const USED: &str = "a `go.mod` or `go.work`";
pub(super) const WAY: Way = Way::Stream;
pub(super) const PROGRAMS: &[&str] = &["gofmt"];
pub(super) const LOCAL: &[&str] = &[];

pub(super) fn is_used(target: &Target) -> bool {
    target.nearest(&["go.mod", "go.work"]).is_some()
}

pub(super) fn call(target: &Target, _: &Path) -> Call {
    Call::new(target.root(), &[])
}
