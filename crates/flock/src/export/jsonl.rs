//! One normalised event a line.

use std::io::{self, Write};

use crate::NormalizedEvent;

pub(super) fn write(out: &mut impl Write, events: &[(i64, NormalizedEvent)]) -> io::Result<()> {
    for (_, event) in events {
        serde_json::to_writer(&mut *out, event)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
