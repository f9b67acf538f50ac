//! What a run found: for the hook, for people and for other programs. The hook has its shape, because it reads it.

pub use bellwether_hook::gate::{Outcome, Report, State, StepReport};
