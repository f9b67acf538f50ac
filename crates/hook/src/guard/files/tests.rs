use bellwether_protocol::client::Client;
use bellwether_protocol::event::Deed;
use serde_json::{Value, json};

use super::*;

const SETTINGS: &str = "/home/dev/.claude/settings.json";

struct Place {
    _folder: tempfile::TempDir,
    home: Home,
    programs: Vec<PathBuf>,
    settings: String,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::find(Some(folder.path().to_owned())).unwrap();
        let settings = json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/bin/bellwether-hook --from user"}]}]}, "model": "x"});
        Self {
            _folder: folder,
            home,
            programs: vec![
                "/opt/bin/bellwether".into(),
                "/opt/bin/bellwether-hook".into(),
            ],
            settings: format!("{settings:#}"),
        }
    }

    fn with<T>(&self, look: impl FnOnce(Files<'_>) -> T) -> T {
        let real = |path: &Path| match path.to_str().unwrap() {
            "/home/dev/shop/link" => Some("/home/dev/shop/.env".into()),
            "/" => Some("/".into()),
            _ => None,
        };
        let text = |path: &Path| (path == Path::new(SETTINGS)).then(|| self.settings.clone());
        look(Files {
            ground: Ground {
                cwd: Path::new("/home/dev/shop"),
                project: Some(Path::new("/home/dev/shop")),
                user: Some(Path::new("/home/dev")),
                real: &real,
            },
            ours: Ours {
                home: &self.home,
                programs: &self.programs,
                claude: Some(Path::new("/srv/claude")),
            },
            patterns: &["*.pem".to_owned()],
            read: &text,
        })
    }

    fn judge(&self, path: &str, change: Change<'_>) -> Option<(String, Verdict)> {
        let found = self.with(|files| files.judge(Path::new(path), change))?;
        Some((found.rule, found.verdict))
    }

    fn tool(&self, tool: &str, input: &Value) -> Option<(String, Verdict)> {
        let input = serde_json::value::to_raw_value(input).unwrap();
        let Deed::Change(change) = Client::default().tool(tool, Some(&input)).deed() else {
            return None;
        };
        let found = self.with(|files| files.judge_change(&change))?;
        Some((found.rule, found.verdict))
    }
}

#[test]
fn what_is_protected_is_found_however_it_is_written() {
    let place = Place::new();
    for (path, rule) in [
        (".env", "protect-secrets"),
        ("a/b/.ENV.local", "protect-secrets"),
        ("x/../.env.keys", "protect-secrets"),
        ("/proc/self/root/home/dev/shop/.env", "protect-secrets"),
        (".env.", "protect-secrets"),
        (".env.sample", "protect-secrets"),
        (".env.d/x", "protect-secrets"),
        ("link", "protect-secrets"),
        ("package-lock.json", "protect-lockfile"),
        ("packages/a/Yarn.lock", "protect-lockfile"),
        ("pnpm-lock.yaml", "protect-lockfile"),
        (".git/config", "protect-git"),
        ("sub/.GIT/hooks/pre-commit", "protect-git"),
        (".g\u{200c}it/config", "protect-git"),
        ("keys/a.pem", "protect-files"),
        ("/opt/bin/bellwether-hook", "protect-own"),
    ] {
        let expected = Some((rule.to_owned(), Verdict::Deny));
        assert_eq!(place.judge(path, Change::Unknown), expected, "{path}");
    }
    for path in [
        ".env.example",
        ".envrc",
        ".gitignore",
        ".github/workflows/ci.yml",
        "src/env.rs",
        "Cargo.lock",
        "settings.json",
        "/opt/bin/bellwether-else",
        "/opt/bin",
    ] {
        assert_eq!(place.judge(path, Change::Unknown), None, "{path}");
    }
}

#[test]
fn our_programs_files_and_configuration_are_protected() {
    let place = Place::new();
    let deny = Some(("protect-own".to_owned(), Verdict::Deny));
    let state = place.home.audit().display().to_string();
    let config = place.home.config_file().display().to_string();
    assert_eq!(place.judge(&state, Change::To("")), deny);
    assert_eq!(place.judge(&config, Change::Unknown), deny);
    assert_eq!(place.judge("/opt", Change::Gone), deny);
    let ask = Some(("protect-own".to_owned(), Verdict::Ask));
    assert_eq!(place.judge(".claude/bellwether.yaml", Change::Unknown), ask);
    assert_eq!(
        place.judge(".bellwether/workflow.json", Change::To("{}")),
        ask
    );
    assert_eq!(
        place.judge(".claude/settings.local.json", Change::Unknown),
        ask
    );
    assert_eq!(place.judge("/srv/claude/settings.json", Change::Gone), ask);
}

#[test]
fn our_entries_in_settings_must_stay() {
    let place = Place::new();
    let deny = Some(("protect-own".to_owned(), Verdict::Deny));
    let ask = Some(("protect-own".to_owned(), Verdict::Ask));
    assert_eq!(place.judge(SETTINGS, Change::Gone), deny);
    assert_eq!(place.judge(SETTINGS, Change::Unknown), ask);
    let write =
        |content: &str| place.tool("Write", &json!({"file_path": SETTINGS, "content": content}));
    assert_eq!(write("{}"), deny);
    assert_eq!(write("no JSON"), deny);
    assert_eq!(write(&place.settings), ask);
    assert_eq!(write(&place.settings.replace("\"x\"", "\"y\"")), ask);
    let off = place
        .settings
        .replacen('{', "{\"disableAllHooks\": true,", 1);
    assert_eq!(write(&off), deny);
    let edit =
        |old: &str, new: &str| json!({"file_path": SETTINGS, "old_string": old, "new_string": new});
    assert_eq!(place.tool("Edit", &edit("\"x\"", "\"y\"")), ask);
    assert_eq!(place.tool("Edit", &edit("bellwether-hook", "true")), deny);
    assert_eq!(place.tool("Edit", &edit("PreToolUse", "PostToolUse")), deny);
    assert_eq!(place.tool("Edit", &edit("not there", "x")), ask);
    let edits = json!({"file_path": SETTINGS, "edits": [edit("\"x\"", "\"y\""), edit("--from user", "--from me")]});
    assert_eq!(place.tool("MultiEdit", &edits), deny);
}

#[test]
fn each_tool_names_its_file_in_its_own_field() {
    let place = Place::new();
    let secret = Some(("protect-secrets".to_owned(), Verdict::Deny));
    assert_eq!(
        place.tool("Write", &json!({"file_path": ".env", "content": "A=1"})),
        secret
    );
    assert_eq!(place.tool("Edit", &json!({"filePath": "/x/.env"})), secret);
    let git = Some(("protect-git".to_owned(), Verdict::Deny));
    assert_eq!(
        place.tool("NotebookEdit", &json!({"notebook_path": ".git/x.ipynb"})),
        git
    );
    assert_eq!(place.tool("Read", &json!({"file_path": ".env"})), None);
    assert_eq!(place.tool("Write", &json!({"content": 1})), None);
}
