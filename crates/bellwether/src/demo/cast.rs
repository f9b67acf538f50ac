//! Who plays: the projects' folders, the sessions and their transcripts.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bellwether_protocol::event::Kind;
use bellwether_spine::clock;
use serde_json::{Map, Value, json};

use super::scene::{Happening, Says};

/// The model that the demo's agents are.
const MODEL: &str = "demo";

/// The folder of the demo, and what makes this showing's ids its own.
pub(super) struct Cast {
    folder: PathBuf,
    showing: String,
}

/// What the id of every session of a demo begins with.
const MARK: &str = "demo-";

/// Whether a session is one of a demo.
pub(crate) fn is_its(session: &str) -> bool {
    session.starts_with(MARK)
}

impl Cast {
    /// Makes a folder for the projects, which goes with the demo. It is none of our own folders: those are
    /// guarded, and the agents of the demo could not work in them.
    pub(super) fn gather() -> anyhow::Result<Self> {
        let showing = format!("{MARK}{}", clock::wall_ms());
        let folder = std::env::temp_dir().join(format!("bellwether-{showing}"));
        fs::DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Self { folder, showing })
    }

    /// What the ids of all its sessions begin with.
    pub(super) fn sessions(&self) -> &str {
        &self.showing
    }

    /// The folder of a project; it is made when it is asked for.
    pub(super) fn project(&self, who: &str) -> anyhow::Result<PathBuf> {
        let project = self.folder.join(format!("demo-{}", project_of(who)));
        fs::create_dir_all(&project)
            .with_context(|| format!("cannot create {}", project.display()))?;
        Ok(project)
    }

    /// The payload of an event, as the client would write it.
    pub(super) fn payload(&self, event: &Happening) -> anyhow::Result<String> {
        let project = self.project(&event.who)?;
        let mut payload = Map::new();
        let mut put = |name: &str, value: Value| payload.insert(name.to_owned(), value);
        put("session_id", self.session(&event.who).into());
        put("transcript_path", text_of(&self.transcript(&event.who)));
        put("cwd", text_of(&project));
        put("permission_mode", "default".into());
        put("hook_event_name", event.event.as_str().into());
        if let Some(kind) = agent_of(&event.who) {
            put("agent_id", self.id(&event.who).into());
            put("agent_type", kind.into());
        }
        if let Some(call) = &event.call {
            put(
                "tool_use_id",
                self.id(&format!("{}/{call}", event.who)).into(),
            );
        }
        let fields = serde_json::to_string(&event.fields)?;
        let place = serde_json::to_string(&project.to_string_lossy())?;
        let fields: Map<String, Value> =
            serde_json::from_str(&fields.replace("{project}", place.trim_matches('"')))?;
        payload.extend(fields);
        // A permission request has no id of its own.
        if event.kind() == Kind::PermissionRequest {
            payload.remove("tool_use_id");
        }
        Ok(serde_json::to_string(&payload)?)
    }

    /// Adds to the transcript what is said at an event.
    pub(super) fn write_down(&self, event: &Happening, says: &Says) -> anyhow::Result<()> {
        let path = self.transcript(&event.who);
        let mut file = File::options().create(true).append(true).open(&path)?;
        let (role, content) = match (&says.user, &says.assistant) {
            (Some(words), _) => ("user", json!(words)),
            (None, words) => ("assistant", json!([{ "type": "text", "text": words }])),
        };
        let mut message = json!({ "role": role, "content": content });
        if role == "assistant" {
            message["model"] = json!(MODEL);
            message["usage"] = json!({ "input_tokens": says.input, "output_tokens": says.output });
        }
        let line = json!({
            "type": role, "uuid": self.id(&format!("{} {}", event.who, event.event)), "sessionId": self.session(&event.who), "isSidechain": false,
            "timestamp": clock::utc(clock::wall_ms()), "message": message,
        });
        writeln!(file, "{line}")?;
        Ok(())
    }

    fn session(&self, who: &str) -> String {
        self.id(project_of(who))
    }

    fn transcript(&self, who: &str) -> PathBuf {
        self.folder.join(format!("{}.jsonl", self.session(who)))
    }

    /// An id of this showing: the same for the same name.
    fn id(&self, name: &str) -> String {
        format!("{}-{}", self.showing, name.replace(['/', ' '], "-"))
    }
}

impl Drop for Cast {
    fn drop(&mut self) {
        // What is left behind is small and in the folder for such things.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn text_of(path: &Path) -> Value {
    path.to_string_lossy().into_owned().into()
}

fn project_of(who: &str) -> &str {
    who.split('/').next().unwrap_or(who)
}

/// The type of a subagent.
fn agent_of(who: &str) -> Option<&str> {
    match who.split_once('/')?.1 {
        "explore" => Some("Explore"),
        "tests" => Some("test-writer"),
        other => Some(other),
    }
}
