//! What was said in a session, from the client's own transcript.

use std::path::Path;

use bellwether_flock::StoreReader as _;
use bellwether_transcript::{Entry, Page, Projects, TranscriptError};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, ok};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb, shape};
use super::{LIMIT, PLACE, limit};

/// A page of a transcript.
#[derive(Debug, Serialize, JsonSchema)]
struct Transcript {
    /// What was said and done, the oldest first.
    entries: Vec<Entry>,
    /// Give this as `before` to read what was said before; none at the beginning.
    previous: Option<u64>,
    /// Give this as `after` to read on; none when there is nothing more.
    next: Option<u64>,
    /// Where this page ends: give it as `after` later, and what was said since is read.
    end: u64,
    /// Why there is nothing to read.
    missing: Option<String>,
}

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/sessions/{id}/transcript",
    about: "Gives what was said in a session, from the client's own transcript, the oldest first",
    more: "Long texts are cut, and say so. Only the file that the client named in an event of the session is read, and only \
           in the client's own folder.",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "id",
            about: "the session's id",
            kind: Kind::Path,
        },
        Parameter {
            name: "after",
            about: "only what stands behind this place: `next` of the page before",
            kind: PLACE,
        },
        Parameter {
            name: "before",
            about: "the last of what stands before this place: `previous` of a page; beyond its end the newest",
            kind: PLACE,
        },
        Parameter {
            name: "at",
            about: "only what was said at this moment or later, milliseconds since 1970",
            kind: PLACE,
        },
        LIMIT,
    ],
    takes: None,
    gives: Gives::Json(shape::<Transcript>),
    refuses: &[(404, "no such session was ever seen")],
    handle: |ask| Box::pin(async move { transcript(&ask).await }),
};

async fn transcript(ask: &Ask) -> Result<Answer, Fault> {
    let (id, limit) = (ask.part("id").to_owned(), limit(ask));
    let place = |name| ask.values.number(name).map(i64::unsigned_abs);
    let from = match (place("before"), place("at")) {
        (Some(before), _) => Piece::Back(before),
        (None, Some(at)) => Piece::Moment(at),
        (None, None) => Piece::Place(place("after").unwrap_or_default()),
    };
    let found = ask.state.library.read(move |reader| {
        let session = reader.session(&id)?;
        let path = reader.transcript(&id)?;
        Ok(session.map(|_| path))
    });
    let path = found
        .await?
        .ok_or_else(|| Fault::not_found("no such session was ever seen").field("id"))?;
    let read = tokio::task::spawn_blocking(move || match path {
        Some(path) => read(Path::new(&path), from, limit),
        None => Err("no event of this session has named its transcript".to_owned()),
    });
    let (page, missing) = match read.await.map_err(Fault::ours)? {
        Ok(page) => (page, None),
        Err(why) => (Page::default(), Some(why)),
    };
    Ok(ok(&Transcript {
        entries: page.entries,
        previous: page.previous,
        next: page.next,
        end: page.end,
        missing,
    }))
}

/// Where a page is to begin, or to end.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Place(u64),
    Back(u64),
    Moment(u64),
}

/// A page of a transcript, or why there is none.
fn read(path: &Path, from: Piece, limit: usize) -> Result<Page, String> {
    let file = Projects::of_user().open(path).map_err(why)?;
    let page = match from {
        Piece::Place(after) => Page::read(&file, after, limit),
        Piece::Back(before) => Page::read_back(&file, before, limit),
        Piece::Moment(at_ms) => Page::read_at(&file, at_ms, limit),
    };
    page.map_err(|error| format!("it cannot be read: {error}"))
}

/// What a person is told; where the file would be is no secret of theirs.
fn why(error: TranscriptError) -> String {
    match error {
        TranscriptError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
            let path = bellwether_spine::text::shown(&path.display().to_string(), 400);
            format!("{path} is gone: the client deletes transcripts after a while")
        }
        other => bellwether_spine::text::shown(&other.to_string(), 400),
    }
}
