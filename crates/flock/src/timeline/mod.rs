//! The timeline: when each agent worked on what, called which tool and waited for somebody, as spans made
//! of stored events.

mod view;
mod weave;

pub use view::{Lane, Span, SpanKind, Timeline, TimelineWindow};
pub(crate) use weave::{Told, Weaver, Woven};
