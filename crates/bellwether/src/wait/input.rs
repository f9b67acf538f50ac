//! What the client says on stdin: where the transcript is, and perhaps the message itself.

use std::borrow::Cow;
use std::fs::File;
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

impl Input {
    /// Reads it. The transcript comes first: without one nothing else is looked at.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Ending> {
        let text = std::str::from_utf8(bytes).map_err(|_| Ending::BadInput)?;
        let fields = Fields::parse(text).map_err(|_| Ending::BadInput)?;
        let path: Cow<'_, str> = fields.get("transcript_path").ok_or(Ending::BadInput)?;
        let transcript = open(Path::new(path.as_ref()))
            .ok_or_else(|| Ending::NoTranscript(path.clone().into_owned()))?;
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

/// Opens a transcript: an absolute path to a regular file of this user, no link, no pipe that is waited for.
fn open(path: &Path) -> Option<File> {
    if !path.is_absolute() {
        return None;
    }
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = File::options()
        .read(true)
        .custom_flags(i32::try_from(flags.bits()).ok()?)
        .open(path)
        .ok()?;
    let seen = file.metadata().ok()?;
    let ours = seen.is_file() && seen.uid() == rustix::process::getuid().as_raw();
    ours.then_some(file)
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
            assert_eq!(ending(bytes.as_bytes()), Ending::BadInput, "{bytes}");
        }
        assert_eq!(ending(b"\xff"), Ending::BadInput);
    }

    #[test]
    fn a_transcript_is_a_regular_file_at_an_absolute_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jsonl");
        std::fs::write(&file, "").unwrap();
        let link = folder.path().join("link.jsonl");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        for path in [
            "t.jsonl",
            "/nowhere/t.jsonl",
            "",
            "/",
            link.to_str().unwrap(),
        ] {
            let event = serde_json::json!({ "transcript_path": path }).to_string();
            assert_eq!(
                ending(event.as_bytes()),
                Ending::NoTranscript(path.to_owned())
            );
        }
        let event = serde_json::json!({ "transcript_path": file, "cwd": "/" }).to_string();
        assert!(Input::read(event.as_bytes()).is_ok());
    }
}
