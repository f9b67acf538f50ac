//! Functions of awk.

use crate::foreign::act::Verb;

pub(super) const ACTS: &[(&str, Verb)] = &[("system", Verb::Shell)];
