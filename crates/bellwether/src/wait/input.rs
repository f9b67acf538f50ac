//! What the client says on stdin: where the transcript is, and perhaps the message itself.

use std::borrow::Cow;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bellwether_protocol::client::Client;
use bellwether_protocol::fields::Fields;

use super::Ending;

/// What is needed of the event.
pub(super) struct Input {
    pub path: PathBuf,
    pub transcript: File,
    /// The agent's last words, where the client sends them along.
    pub message: Option<String>,
    /// The folder that the session is in.
    pub folder: Option<PathBuf>,
}

/// The session that an event is of, if that can be read.
pub(super) fn session(bytes: &[u8]) -> Option<String> {
    let fields = Fields::parse(std::str::from_utf8(bytes).ok()?).ok()?;
    fields
        .get::<Cow<'_, str>>("session_id")
        .map(Cow::into_owned)
}

impl Input {
    /// Reads it. The transcript comes first: without one nothing else is looked at.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Ending> {
        let text = std::str::from_utf8(bytes).map_err(|_| Ending::BadInput(None))?;
        let fields = Fields::parse(text).map_err(|_| Ending::BadInput(None))?;
        let path: Cow<'_, str> = fields
            .get("transcript_path")
            .ok_or(Ending::BadInput(Some(NO_PATH)))?;
        let transcript = open(Path::new(path.as_ref()))
            .map_err(|cause| Ending::NoTranscript(path.clone().into_owned(), cause))?;
        let message = Client::default()
            .parse(text)
            .ok()
            .and_then(|event| event.message.map(Cow::into_owned));
        Ok(Self {
            path: PathBuf::from(path.as_ref()),
            transcript,
            message,
            folder: fields
                .get::<Cow<'_, str>>("cwd")
                .map(|cwd| PathBuf::from(cwd.as_ref())),
        })
    }
}

/// Why an event without a transcript is none.
const NO_PATH: &str = "transcript_path is missing, or is no text";

/// Opens a transcript: an absolute path to a regular file of this user, no link, no pipe that is waited for. Why it
/// cannot be used is told where it is there.
fn open(path: &Path) -> Result<File, Option<String>> {
    let because = |cause: &str| Some(cause.to_owned());
    if !path.is_absolute() {
        return Err(because("the path does not begin with /"));
    }
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let opened = File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path);
    let file = opened.map_err(|error| match error.kind() {
        ErrorKind::NotFound => None,
        _ if path.is_symlink() => because("it is a link"),
        _ => Some(error.to_string()),
    })?;
    let seen = file.metadata().map_err(|error| Some(error.to_string()))?;
    if !seen.is_file() {
        return Err(because("it is not a regular file"));
    }
    if seen.uid() != rustix::process::getuid().as_raw() {
        return Err(because("it belongs to another user"));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(bytes: &[u8]) -> Ending {
        match Input::read(bytes) {
            Err(ending) => ending,
            Ok(input) => panic!("{} was opened", input.path.display()),
        }
    }

    #[test]
    fn what_is_no_event_is_said_to_be_none() {
        for bytes in [
            "",
            "{",
            "[]",
            "null",
            "\"x\"",
            "{}",
            r#"{"transcript_path":5}"#,
        ] {
            let ending = ending(bytes.as_bytes());
            assert!(matches!(ending, Ending::BadInput(_)), "{bytes}");
            let is_event = bytes.starts_with('{') && bytes.ends_with('}');
            assert_eq!(
                ending == Ending::BadInput(Some(NO_PATH)),
                is_event,
                "{bytes}"
            );
        }
        assert_eq!(ending(b"\xff"), Ending::BadInput(None));
    }

    #[test]
    fn a_transcript_is_a_regular_file_at_an_absolute_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jsonl");
        std::fs::write(&file, "").unwrap();
        let link = folder.path().join("link.jsonl");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for (path, cause) in [
            ("t.jsonl", Some("the path does not begin with /")),
            ("/nowhere/t.jsonl", None),
            ("", Some("the path does not begin with /")),
            ("/", Some("it is not a regular file")),
            (link.to_str().unwrap(), Some("it is a link")),
        ] {
            let event = serde_json::json!({ "transcript_path": path }).to_string();
            let cause = cause.map(str::to_owned);
            assert_eq!(
                ending(event.as_bytes()),
                Ending::NoTranscript(path.to_owned(), cause)
            );
        }
        let event = serde_json::json!({ "transcript_path": file, "cwd": "/" }).to_string();
        assert!(Input::read(event.as_bytes()).is_ok());
        assert_eq!(session(b"{\"session_id\":\"abc\"}").as_deref(), Some("abc"));
        assert_eq!(session(b"[]"), None);
    }
}
