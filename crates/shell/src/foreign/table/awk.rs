//! Functions of awk.

use crate::foreign::act::Act;

pub(super) const ACTS: &[(&str, Act)] = &[("system", Act::Shell)];
