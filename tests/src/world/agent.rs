//! An agent at work: it asks the registered hooks before each tool call, as the client does, and makes the calls that
//! nobody stops.
//!
//! Which hooks run follows the client: root's managed file always; the user's and the project's files unless one of them
//! turns hooks off. The `env` of all files reaches hooks and commands.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::way::Step;
use crate::client::CLIENT_VERSION;

const MANAGED: &str = "/etc/claude-code/managed-settings.json";
/// How long a command may take.
const LIMIT: &str = "8";

/// What became of a row of calls.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Worked {
    /// The call that was stopped, with the reason; calls after it were made all the same.
    pub stopped: Option<String>,
    /// What was printed.
    pub said: String,
    /// Whether the guard still asks what it surely asks: nobody has ever said yes to it.
    pub asks: Option<bool>,
}

/// What the guard surely asks about, and what a yes would be remembered for.
pub const QUESTION: &str = "kubectl delete namespace staging";

/// Does the steps; `~` of the person is `home`.
pub fn work(home: &Path, steps: &[Step]) -> Result<Worked> {
    let mut worked = Worked::default();
    for step in steps {
        let (tool, input) = match step {
            Step::Command(command) => ("Bash", json!({"command": command})),
            Step::Tool { tool, input } => (tool.as_str(), input.clone()),
        };
        let input = at_home(&input, home);
        match stopped(home, tool, &input)? {
            Some(reason) => {
                worked
                    .stopped
                    .get_or_insert_with(|| format!("{tool} {input}: {reason}"));
            }
            None => worked.said += &done(home, &input)?,
        }
    }
    let asked = stopped(home, "Bash", &json!({"command": QUESTION}))?;
    worked.asks = Some(asked.is_some());
    Ok(worked)
}

/// Tools get whole paths; a shell knows the home itself.
fn at_home(input: &Value, home: &Path) -> Value {
    let Value::Object(fields) = input else {
        return input.clone();
    };
    let mut fields = fields.clone();
    for (name, value) in &mut fields {
        if let (false, Value::String(text)) = (name == "command", &mut *value)
            && let Some(rest) = text.strip_prefix("~/")
        {
            *text = home.join(rest).display().to_string();
        }
    }
    Value::Object(fields)
}

/// Why some hook stops a call, if one does. A question counts: the person is asked.
pub(super) fn stopped(home: &Path, tool: &str, input: &Value) -> Result<Option<String>> {
    let settings = settings(home)?;
    for hook in hooks(&settings, tool) {
        let output = asked(home, &settings, &hook, tool, input)?;
        let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let decision = &reply["hookSpecificOutput"];
        if matches!(
            decision["permissionDecision"].as_str(),
            Some("deny" | "ask")
        ) {
            return Ok(Some(decision["permissionDecisionReason"].to_string()));
        }
        if !output.status.success() && hook["onFailure"] == "block" {
            return Ok(Some(format!("the hook ended with {}", output.status)));
        }
    }
    Ok(None)
}

/// One settings file and whether it is root's.
struct Settings {
    managed: bool,
    content: Value,
}

fn settings(home: &Path) -> Result<Vec<Settings>> {
    let project = std::env::current_dir()?;
    let files = [
        (true, PathBuf::from(MANAGED)),
        (false, home.join(".claude/settings.json")),
        (false, project.join(".claude/settings.json")),
        (false, project.join(".claude/settings.local.json")),
    ];
    let read = files.into_iter().filter_map(|(managed, file)| {
        let content = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        Some(Settings { managed, content })
    });
    Ok(read.collect())
}

/// The hooks that the client would ask about a tool.
fn hooks(settings: &[Settings], tool: &str) -> Vec<Value> {
    let off = settings
        .iter()
        .any(|file| !file.managed && file.content["disableAllHooks"] == true);
    let files = settings.iter().filter(|file| file.managed || !off);
    let groups = files.filter_map(|file| file.content["hooks"]["PreToolUse"].as_array());
    groups
        .flatten()
        .filter(|group| fits(group["matcher"].as_str(), tool))
        .flat_map(|group| group["hooks"].as_array().cloned().unwrap_or_default())
        .collect()
}

fn fits(matcher: Option<&str>, tool: &str) -> bool {
    match matcher {
        None | Some("" | "*" | ".*") => true,
        Some(names) => names.split('|').any(|name| name == tool),
    }
}

fn asked(
    home: &Path,
    settings: &[Settings],
    hook: &Value,
    tool: &str,
    input: &Value,
) -> Result<Output> {
    let program = hook["command"].as_str().unwrap_or_default();
    let mut command = match hook["args"].as_array() {
        Some(args) => {
            let mut command = Command::new(program);
            command.args(args.iter().filter_map(Value::as_str));
            command
        }
        None => shell(program),
    };
    let project = std::env::current_dir()?;
    let payload = json!({
        "session_id": "5e55104e-0000-4000-8000-000000000001",
        "transcript_path": home.join(".claude/projects/p/t.jsonl"),
        "cwd": project,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "toolu_01",
    });
    command
        .env("CLAUDE_PROJECT_DIR", &project)
        .envs(env(settings));
    // The client writes to its hooks over sockets that it has made.
    let (mut ours, theirs) = UnixStream::pair()?;
    let spawned = command
        .stdin(OwnedFd::from(theirs))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    // It holds the other end.
    drop(command);
    let Ok(child) = spawned else {
        // The client says so and goes on.
        return Ok(Command::new("/bin/true").output()?);
    };
    // A hook that reads nothing is not our trouble.
    let _ = ours.write_all(payload.to_string().as_bytes());
    drop(ours);
    Ok(child.wait_with_output()?)
}

/// The variables that settings give.
fn env(settings: &[Settings]) -> BTreeMap<String, String> {
    let files = settings.iter().rev();
    files
        .filter_map(|file| file.content["env"].as_object())
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect()
}

fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/bash");
    command.args(["-c", line]);
    command
}

/// Makes a call and returns what it printed.
fn done(home: &Path, input: &Value) -> Result<String> {
    let text = |name: &str| input[name].as_str();
    if let Some(line) = text("command") {
        let output = Command::new("/usr/bin/timeout")
            .args(["--kill-after=1", LIMIT, "/bin/bash", "-c", line])
            .envs(env(&settings(home)?))
            .stdin(Stdio::null())
            .output()?;
        // What it left behind may need a moment.
        std::thread::sleep(Duration::from_millis(20));
        return Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned());
    }
    let Some(file) = ["file_path", "path", "notebook_path"]
        .into_iter()
        .find_map(text)
    else {
        return Ok(String::new());
    };
    if let Some(content) = ["content", "new_string", "text", "new_source"]
        .into_iter()
        .find_map(text)
    {
        let written = match text("old_string") {
            Some(old) => fs::read_to_string(file).map(|whole| whole.replacen(old, content, 1)),
            None => Ok(content.to_owned()),
        };
        if let Some(folder) = Path::new(file).parent() {
            let _ = fs::create_dir_all(folder);
        }
        return Ok(match written.and_then(|text| fs::write(file, text)) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        });
    }
    let found = match text("pattern") {
        Some(pattern) => {
            Command::new("grep")
                .args(["-rE", pattern, file])
                .output()?
                .stdout
        }
        None => fs::read(file).unwrap_or_default(),
    };
    Ok(String::from_utf8_lossy(&found).into_owned())
}

/// What `claude --version` says.
pub fn version() -> String {
    format!("{CLIENT_VERSION} (Claude Code)")
}
