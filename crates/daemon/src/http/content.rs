//! The content of an answer: whole, or coming as it is made.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

/// What was being made broke off. The connection is closed without the answer's end, so that whoever reads it knows.
#[derive(Debug, thiserror::Error)]
#[error("what was being sent broke off: {0}")]
pub(crate) struct BrokenOff(pub String);

pub(crate) type Piece = Result<Bytes, BrokenOff>;

/// Pieces that come one after another.
pub(crate) trait Pieces: Send {
    /// The next piece; `None` at the end.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Piece>>;
}

/// The content of an answer.
pub(crate) enum Content {
    Whole(Option<Bytes>),
    Coming(Box<dyn Pieces>),
}

impl Content {
    pub(crate) fn whole(bytes: Bytes) -> Self {
        Self::Whole(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        let next = match self.get_mut() {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(Ok)),
            Self::Coming(pieces) => pieces.poll_next(context),
        };
        next.map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Self::Coming(_) => SizeHint::default(),
        }
    }
}
