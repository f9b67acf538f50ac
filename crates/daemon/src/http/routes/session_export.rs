//! A session as a page or as Markdown, made by the program itself as a process of its own while it is being sent: its
//! memory is not the daemon's, and a transcript of any length can be had.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::task::{Context, Poll};

use bellwether_flock::StoreReader as _;
use bellwether_spine::{Home, launch, text};
use bellwether_transcript::render::html::policy;
use bellwether_transcript::{Form, Projects};
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, HeaderValue};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};
use tracing::warn;

use super::super::access::Access;
use super::super::answer::{Answer, Fault, with_kind};
use super::super::content::{BrokenOff, Content, Piece, Pieces};
use super::super::parameter::{Kind, Parameter};
use super::super::route::{Ask, Gives, Route, Verb};

/// So many are made at once; others are asked to come again.
static PLACES: Semaphore = Semaphore::const_new(2);
const PIECE: usize = 64 * 1024;
/// As much of what an export complains about is told.
const COMPLAINT: u64 = 4096;
const FORMATS: &[&str] = &["html", "md"];
/// What is said at the end of a page that broke off, behind the ends of all that may be open there: a notice in something
/// folded would not be seen, and an end without a beginning is passed over.
const CUT_PAGE: &str = "</style></script>";
const CUT_OPEN: &str = "</code></pre></td></tr></table></div></details>";
const DEEPEST: usize = 24;
const CUT: &str =
    "This export is cut short: the program that made it has ended too early. Ask for it again.";

pub(super) const ROUTE: Route = Route {
    method: Verb::Get,
    path: "/api/sessions/{id}/export",
    about: "Gives a session as one page for a browser, or as Markdown",
    more: "As `bellwether transcript export` writes it: turns, folded tool calls, changes, subagents, tokens and costs, what the \
           guard stopped; secrets are masked. Only the file that the client named in an event of the session is read, and only in \
           the client's own folder.",
    access: Access::Key,
    parameters: &[
        Parameter {
            name: "id",
            about: "the session's id",
            kind: Kind::Path,
        },
        Parameter {
            name: "format",
            about: "`html` when not given",
            kind: Kind::Word(FORMATS),
        },
        Parameter {
            name: "download",
            about: "1 for a file to be saved",
            kind: Kind::Number {
                least: 0,
                most: 1,
                usual: Some(0),
            },
        },
    ],
    takes: None,
    gives: Gives::File("text/*"),
    refuses: &[
        (
            404,
            "no such session was ever seen, or its transcript is gone",
        ),
        (503, "others are being exported"),
    ],
    handle: |ask| Box::pin(async move { give(&ask).await }),
};

async fn give(ask: &Ask) -> Result<Answer, Fault> {
    let form = match ask.values.text("format") {
        Some("md") => Form::Markdown,
        _ => Form::Html,
    };
    let id = ask.part("id").to_owned();
    let wanted = id.clone();
    let path = ask
        .state
        .library
        .read(move |reader| reader.transcript(&wanted));
    let path = path
        .await?
        .ok_or_else(|| gone("no event of such a session has named its transcript"))?;
    let (path, projects) = checked(PathBuf::from(path)).await?;
    let place = PLACES
        .try_acquire()
        .map_err(|_| Fault::busy("other sessions are being exported"))?;
    let mut command = command(&ask.state.home, &projects, &path, form).map_err(Fault::ours)?;
    let child = command.spawn().map_err(Fault::ours)?;
    let export = Export::begin(child, form, place).await?;
    let is_download = ask.values.number("download") == Some(1);
    Ok(answer(export.coming(), form, &id, is_download))
}

fn gone(why: impl Into<String>) -> Fault {
    Fault::not_found(why.into()).field("id")
}

/// The transcript, if it is one that may be read, and the client's folder that it is in.
async fn checked(path: PathBuf) -> Result<(PathBuf, PathBuf), Fault> {
    let check = tokio::task::spawn_blocking(move || {
        let projects = Projects::of_user();
        projects.open(&path)?;
        let folder = projects.folder_of(&path).map(Path::to_owned);
        Ok::<_, bellwether_transcript::TranscriptError>((path, folder.unwrap_or_default()))
    });
    let checked = check.await.map_err(Fault::ours)?;
    checked.map_err(|error| gone(text::shown(&error.to_string(), 400)))
}

fn command(
    home: &Home,
    projects: &Path,
    path: &Path,
    form: Form,
) -> Result<Command, bellwether_spine::SpineError> {
    let mut command = Command::new(launch::program()?);
    if let Some(root) = home.root() {
        command.arg("--home").arg(root);
    }
    command.args(["transcript", "export", "--output", "-"]);
    command.arg(format!("--{}", form.ending()));
    command.arg("--within").arg(projects).arg("--").arg(path);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    Ok(command)
}

fn answer(export: Coming, form: Form, id: &str, is_download: bool) -> Answer {
    let kind = match form {
        Form::Html => "text/html; charset=utf-8",
        Form::Markdown => "text/markdown; charset=utf-8",
    };
    let mut answer = with_kind(StatusCode::OK, kind, Content::Coming(Box::new(export)));
    let headers = answer.headers_mut();
    let policy = format!("{}; frame-ancestors 'none'", policy());
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    let plain = |char: &char| char.is_ascii_alphanumeric() || *char == '-';
    let name: String = id.chars().filter(plain).take(40).collect();
    let how = if is_download { "attachment" } else { "inline" };
    let disposition = format!("{how}; filename=\"session-{name}.{}\"", form.ending());
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    answer
}

/// An export on its way. The process ends with it.
struct Export {
    form: Form,
    /// What was read and not yet sent.
    held: Vec<u8>,
    out: ChildStdout,
    child: Child,
    _place: SemaphorePermit<'static>,
}

impl Export {
    /// Waits for the first piece: before it, what goes wrong can be told.
    async fn begin(
        mut child: Child,
        form: Form,
        place: SemaphorePermit<'static>,
    ) -> Result<Self, Fault> {
        let out = child.stdout.take();
        let mut out = out.ok_or_else(|| Fault::ours("an export has no output"))?;
        let mut held = Vec::with_capacity(PIECE);
        let length = out.read_buf(&mut held).await.map_err(Fault::ours)?;
        if length == 0 {
            return Err(Fault::ours(complaint(&mut child).await));
        }
        Ok(Self {
            form,
            held,
            out,
            child,
            _place: place,
        })
    }

    /// Has it sent, piece by piece, for as long as somebody reads.
    fn coming(self) -> Coming {
        // One piece waits for whoever reads.
        let (to, from) = mpsc::channel(1);
        tokio::spawn(async move {
            tokio::select! {
                () = to.closed() => {}
                _ = self.send(&to) => {}
            }
        });
        Coming(from)
    }

    async fn send(mut self, to: &mpsc::Sender<Piece>) -> Option<()> {
        loop {
            let ready = whole_lines(&mut self.held);
            if !ready.is_empty() {
                to.send(Ok(ready)).await.ok()?;
            }
            self.held.reserve(PIECE);
            match self.out.read_buf(&mut self.held).await {
                Ok(length) if length > 0 => {}
                Ok(_) if self.child.wait().await.is_ok_and(|ended| ended.success()) => break,
                _ => return self.break_off(to).await,
            }
        }
        let last = Bytes::from(self.held);
        to.send(Ok(last)).await.ok()
    }

    /// Says in the text that it is cut short, and breaks the connection off, so that a browser does not take what it has
    /// saved for the whole.
    async fn break_off(mut self, to: &mpsc::Sender<Piece>) -> Option<()> {
        to.send(Ok(cut_short(self.form).into())).await.ok()?;
        let _ = self.child.start_kill();
        let why = complaint(&mut self.child).await;
        warn!("{why}");
        to.send(Err(BrokenOff(why))).await.ok()
    }
}

/// Takes what ends with a whole line. What comes last is cut anywhere when an export breaks off; a line without an end in sight
/// is not waited for.
fn whole_lines(held: &mut Vec<u8>) -> Bytes {
    let end = held.iter().rposition(|byte| *byte == b'\n');
    let end = end.map_or(0, |end| end + 1);
    let end = if end == 0 && held.len() >= PIECE {
        held.len()
    } else {
        end
    };
    let rest = held.split_off(end);
    std::mem::replace(held, rest).into()
}

fn cut_short(form: Form) -> String {
    match form {
        Form::Html => format!(
            "{CUT_PAGE}{}</section><p class=\"note bad cut\" role=\"alert\"><span>{CUT}</span></p>\n",
            CUT_OPEN.repeat(DEEPEST)
        ),
        Form::Markdown => format!("\n\n> **{CUT}**\n"),
    }
}

async fn complaint(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(stderr) = child.stderr.take() {
        let _ = stderr.take(COMPLAINT).read_to_string(&mut said).await;
    }
    format!(
        "the session cannot be exported: {}",
        text::shown(said.trim(), 400)
    )
}

/// The pieces of an export, as they are made.
struct Coming(mpsc::Receiver<Piece>);

impl Pieces for Coming {
    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Piece>> {
        self.0.poll_recv(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_ends_with_a_whole_line() {
        let mut held = b"one\ntwo\nthr".to_vec();
        assert_eq!(&whole_lines(&mut held)[..], b"one\ntwo\n");
        assert_eq!(held, b"thr");
        assert!(whole_lines(&mut held).is_empty());
        let mut long = vec![b'x'; PIECE];
        assert_eq!(whole_lines(&mut long).len(), PIECE);
        assert!(long.is_empty());
    }
}
