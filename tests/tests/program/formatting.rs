//! Files that an agent has changed, given to the real formatters of their project by the real hook.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use bellwether_tests::doctor::Said;
use bellwether_tests::run::{fed, printed, said};
use bellwether_tests::{Installation, Tools, processes, wait};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);
const ON: &str = "format: {enabled: true}\n";

/// A project beside the home of a bellwether.
struct Project {
    place: Installation,
    folder: tempfile::TempDir,
    path: String,
}

impl Project {
    /// A project that the person trusts, with this configuration.
    fn trusted(config: &str) -> Result<Self> {
        let project = Self::with(config)?;
        project.trust()?;
        Ok(project)
    }

    fn with(config: &str) -> Result<Self> {
        let project = Self {
            place: Installation::fresh()?,
            folder: tempfile::tempdir()?,
            path: Tools::installed()?.path(),
        };
        project.write(".claude/bellwether.yaml", config)?;
        Ok(project)
    }

    fn trust(&self) -> Result<()> {
        let root = self.root().display().to_string();
        let words = ["config", "trust", "--project", &root];
        let trusted = self.place.at_terminal(words).output()?;
        ensure!(trusted.status.success(), "{}", said(&trusted));
        self.compile()
    }

    /// What a hook would let be made in passing, but waits for no longer than 200 ms.
    fn compile(&self) -> Result<()> {
        let root = self.root().display().to_string();
        let words = ["config", "compile", "--project", &root];
        printed(&mut self.place.cli(words)).map(drop)
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap_or_default()
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().context("a file has a folder")?)?;
        fs::write(&path, text)?;
        Ok(path)
    }

    fn script(&self, name: &str, text: &str) -> Result<()> {
        let path = self.write(name, &format!("#!/bin/sh\n{text}\n"))?;
        Ok(fs::set_permissions(
            path,
            fs::Permissions::from_mode(0o755),
        )?)
    }

    fn read(&self, name: &str) -> Result<String> {
        Ok(fs::read_to_string(self.root().join(name))?)
    }

    fn event(&self, file: &Path) -> String {
        json!({
            "hook_event_name": "PostToolUse", "session_id": "s", "cwd": self.root(), "permission_mode": "default",
            "tool_name": "Write", "tool_use_id": "t", "tool_input": {"file_path": file, "content": "x"},
            "tool_response": {"type": "create"},
        })
        .to_string()
    }

    fn hook(&self) -> std::process::Command {
        let mut hook = self.place.hook();
        hook.arg("--no-daemon");
        hook.env("CLAUDE_PROJECT_DIR", self.root());
        hook.env("HOME", self.place.root()).env("PATH", &self.path);
        hook
    }

    /// An agent writes a file; what it is told beside that, or nothing.
    fn written(&self, name: &str, text: &str) -> Result<Option<String>> {
        let file = self.write(name, text)?;
        let output = fed(self.hook(), self.event(&file))?;
        ensure!(output.status.success() && output.stderr.is_empty());
        if output.stdout.is_empty() {
            return Ok(None);
        }
        let reply: Value = serde_json::from_slice(&output.stdout)?;
        assert_eq!(
            reply["systemMessage"],
            Value::Null,
            "the person is not bothered"
        );
        let context = &reply["hookSpecificOutput"]["additionalContext"];
        Ok(context.as_str().map(ToOwned::to_owned))
    }

    /// What `explain` says about formatting a file.
    fn explained(&self, file: &Path) -> Result<Value> {
        let mut explain = self.place.cli(["explain"]);
        explain.env("CLAUDE_PROJECT_DIR", self.root());
        explain.env("PATH", &self.path);
        let output = fed(explain, self.event(file))?;
        ensure!(output.status.success(), "{}", said(&output));
        let explained: Value = serde_json::from_slice(&output.stdout)?;
        Ok(explained["format"].clone())
    }

    /// What a check of `doctor` finds.
    fn findings(&self, check: &str) -> Result<String> {
        let mut doctor = self.place.cli(["doctor", "--json"]);
        doctor.current_dir(self.root());
        doctor
            .env("PATH", &self.path)
            .env("HOME", self.place.root());
        let said = Said::by(&doctor.output()?)?;
        let texts = said.of(check).into_iter().map(Value::to_string);
        Ok(texts.collect::<Vec<_>>().join("\n"))
    }
}

#[test]
fn every_formatter_formats_as_its_project_would() -> Result<()> {
    let project = Project::trusted(ON)?;
    let tools = Tools::installed()?;
    tools.link(
        &["prettier", "markdownlint"],
        &project.root().join("node_modules/.bin"),
    )?;
    tools.link(&["ruff"], &project.root().join("api/.venv/bin"))?;
    project.write(
        "package.json",
        r#"{"devDependencies": {"prettier": "3", "markdownlint-cli": "0"}}"#,
    )?;
    project.write(".prettierrc", "semi: false\n")?;
    project.write(".prettierignore", "generated.ts\n")?;
    project.write(".markdownlint.jsonc", "{\"MD041\": false}\n")?;
    project.write(
        "api/pyproject.toml",
        "[tool.ruff]\nexclude = [\"old.py\"]\n[tool.ruff.format]\nquote-style = \"single\"\n",
    )?;
    project.write(
        "core/Cargo.toml",
        "[package]\nname = \"core\"\nedition = \"2024\"\n",
    )?;
    project.write("core/rustfmt.toml", "tab_spaces = 2\n")?;
    let module = project.write("core/src/other.rs", "fn  untouched( ){}\n")?;
    project.write("go/go.mod", "module x\n")?;
    for (name, before, after, told) in [
        (
            "src/a.ts",
            "const  a = {b:1};\nlet c = 1\n",
            "const a = { b: 1 }\nlet c = 1\n",
            "by prettier after your edit: line 1 of 2 changed to",
        ),
        ("b.json", "{\"a\":1}", "{ \"a\": 1 }\n", "by prettier after"),
        (
            "docs/한글 문서.md",
            "* one\n* two\n",
            "- one\n- two\n",
            "\"docs/한글 문서.md\" was formatted by prettier after your edit: lines 1 to 2 of 2 changed",
        ),
        (
            "c.md",
            "#Title\n\ntext\n",
            "# Title\n\ntext\n",
            "by markdownlint after your edit: line 1 of 3 changed",
        ),
        ("api/x.py", "a  =  \"b\"\n", "a = 'b'\n", "by ruff after"),
        (
            "core/src/lib.rs",
            "mod other;\nasync fn a(){ let x=1; }\n",
            "mod other;\nasync fn a() {\n  let x = 1;\n}\n",
            "by rustfmt after your edit: lines 2 to 4 of 4 changed",
        ),
        (
            "go/x.go",
            "package x\nfunc  a() {}\n",
            "package x\n\nfunc a() {}\n",
            "by gofmt after",
        ),
    ] {
        let context = project.written(name, before)?;
        assert_eq!(project.read(name)?, after, "{name}: {context:?}");
        let context = context.with_context(|| format!("nothing is told of {name}"))?;
        assert!(context.contains(told), "{context}");
        assert_eq!(
            project.written(name, after)?,
            None,
            "{name} is well formatted"
        );
    }
    assert_eq!(fs::read_to_string(module)?, "fn  untouched( ){}\n");
    for (name, text) in [
        ("generated.ts", "const  a = 1\n"),
        ("api/old.py", "a  =  1\n"),
        ("src/wrong.ts", "const  a = {\n"),
        ("core/src/wrong.rs", "fn  a( {\n"),
        ("go/wrong.go", "package  x\nfunc {\n"),
        ("plain.txt", "a  b\n"),
        ("script.py", "a  =  1\n"),
        ("node_modules/x/index.js", "const  a = 1\n"),
        (".env", "A  =  1\n"),
        ("package-lock.json", "{\"a\":1}"),
    ] {
        assert_eq!(project.written(name, text)?, None, "{name}");
        assert_eq!(project.read(name)?, text, "{name}");
    }
    Ok(())
}

#[test]
fn it_is_off_until_a_trusted_project_turns_it_on() -> Result<()> {
    let text = "package x\nfunc  a() {}\n";
    let project = Project::with(ON)?;
    project.write("go.mod", "module x\n")?;
    project.compile()?;
    assert_eq!(
        project.written("x.go", text)?,
        None,
        "nobody has trusted it"
    );
    project.trust()?;
    assert!(project.written("x.go", text)?.is_some());
    project.write(
        ".claude/bellwether.yaml",
        "format: {enabled: true, timeout: 3}\n",
    )?;
    project.compile()?;
    assert_eq!(
        project.written("x.go", text)?,
        None,
        "what was trusted is another text"
    );
    let quiet = Project::trusted("session: {git: false}\n")?;
    quiet.write("go.mod", "module x\n")?;
    assert_eq!(quiet.written("x.go", text)?, None);
    assert_eq!(quiet.read("x.go")?, text);
    Ok(())
}

/// Such a client has no place in its reply for it.
#[test]
fn a_client_that_cannot_be_told_has_its_files_formatted_in_silence() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.write("go.mod", "module x\n")?;
    let file = project.write("x.go", "package x\nfunc  a() {}\n")?;
    let mut hook = project.hook();
    hook.args(["--client", "1.0.64"]).env_remove("AI_AGENT");
    let output = fed(hook, project.event(&file))?;
    assert_eq!(
        (said(&output).as_str(), output.status.code()),
        ("", Some(0))
    );
    assert_eq!(project.read("x.go")?, "package x\n\nfunc a() {}\n");
    Ok(())
}

#[test]
fn nothing_outside_of_the_project_is_touched() -> Result<()> {
    let project = Project::trusted(
        "format: {enabled: true, formatters: {\"*\": \"sed -i s/a/b/ {file}\"}}\nguard: {protected_files: [kept.txt]}\n",
    )?;
    assert!(project.written("x.txt", "a\n")?.is_some());
    assert_eq!(project.read("x.txt")?, "b\n");
    let outside = tempfile::tempdir()?;
    let file = outside.path().join("x.txt");
    fs::write(&file, "a\n")?;
    symlink(&file, project.root().join("link.txt"))?;
    symlink(outside.path(), project.root().join("away"))?;
    fs::write(project.root().join("kept.txt"), "a\n")?;
    for path in [
        file.clone(),
        project.root().join("link.txt"),
        project.root().join("away/x.txt"),
        project.root().join("kept.txt"),
        project.root().join(".claude/bellwether.yaml"),
    ] {
        let before = fs::read(&path)?;
        let output = fed(project.hook(), project.event(&path))?;
        assert_eq!(said(&output), "", "{}", path.display());
        assert_eq!(fs::read(&path)?, before, "{}", path.display());
    }
    Ok(())
}

#[test]
fn a_program_that_is_missing_is_told_by_doctor_and_nothing_is_downloaded() -> Result<()> {
    let mut project = Project::trusted(ON)?;
    let bin = project.root().join("bin");
    for name in ["npx", "npm", "pnpm", "yarn", "bunx", "uvx"] {
        project.script(&format!("bin/{name}"), "touch \"$(dirname \"$0\")/ran\"")?;
    }
    project.path = format!("{}:/usr/bin:/bin", bin.display());
    project.write("package.json", r#"{"devDependencies": {"prettier": "3"}}"#)?;
    let text = "const  a = 1\n";
    assert_eq!(project.written("a.ts", text)?, None);
    assert_eq!(project.read("a.ts")?, text);
    assert!(!bin.join("ran").exists());
    let explained = project.explained(&project.root().join("a.ts"))?;
    assert_eq!(explained["formats"], false);
    assert_eq!(explained["missing"], json!(["prettier"]));
    let found = project.findings("format")?;
    assert!(
        found.contains("uses prettier, and it is not installed"),
        "{found}"
    );
    Ok(())
}

#[test]
fn explain_shows_what_would_be_run_and_runs_nothing() -> Result<()> {
    let project = Project::trusted(
        "format:\n  enabled: true\n  formatters: {\"*.sql\": \"bin/tidy --in '{file}'\", \"gen/**\": \"\"}\n",
    )?;
    project.script("bin/tidy", "echo formatted > \"$2\"")?;
    let file = project.write("a b.sql", "select 1")?;
    let explained = project.explained(&file)?;
    assert_eq!(explained["formats"], true);
    let step = &explained["steps"][0];
    assert_eq!(
        (&step["name"], &step["chosen_by"], &step["in_place"]),
        (&json!("tidy"), &json!("person"), &json!(true))
    );
    assert_eq!(step["words"], json!(["--in", file]));
    assert_eq!(project.read("a b.sql")?, "select 1");
    let context = project.written("a b.sql", "select 1")?.context("told")?;
    assert!(
        context.contains("\"a b.sql\" was formatted by tidy"),
        "{context}"
    );
    assert_eq!(project.read("a b.sql")?, "formatted\n");
    let left = project.write("gen/x.sql", "select 1")?;
    let explained = project.explained(&left)?;
    assert_eq!(
        explained["because"],
        "`format.formatters` leaves such files alone"
    );
    assert!(project.findings("format")?.contains("on, with bin/tidy"));
    Ok(())
}

/// A formatter that hangs with half of the file written.
fn hanging(timeout: u32) -> Result<Project> {
    let project = Project::trusted(&format!(
        "format: {{enabled: true, timeout: {timeout}, formatters: {{\"*.txt\": \"bin/hang {{file}}\"}}}}\n"
    ))?;
    project.script(
        "bin/hang",
        "printf hal > \"$1\"\nsleep 300 &\necho $$ $! > pids\nsleep 300",
    )?;
    Ok(project)
}

fn assert_gone(project: &Project) -> Result<()> {
    let pids = project.read("pids")?;
    for pid in pids.split_whitespace() {
        let pid = Pid::from_raw(pid.parse()?).context("a process")?;
        let lives = || processes::has_home(pid, project.place.root());
        let gone = wait::until(PATIENCE, || Ok((!lives()).then_some(())))?;
        assert!(gone.is_some(), "{pid:?} still runs");
    }
    Ok(())
}

#[test]
fn a_formatter_that_hangs_is_ended_undone_and_told_to_the_person() -> Result<()> {
    let project = hanging(1)?;
    let begun = Instant::now();
    assert_eq!(project.written("a.txt", "whole\n")?, None);
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(project.read("a.txt")?, "whole\n");
    assert_gone(&project)?;
    let prompt = json!({"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": project.root(), "prompt": "x"});
    let told = said(&fed(project.hook(), prompt.to_string())?);
    assert!(told.contains("hang was stopped after 1 s"), "{told}");
    Ok(())
}

/// The client ends a hook by SIGTERM when the person presses Esc.
#[test]
fn a_hook_that_is_ended_takes_the_formatter_with_it_and_its_event_is_kept() -> Result<()> {
    let project = hanging(8)?;
    let file = project.write("a.txt", "whole\n")?;
    let mut hook: Child = project.hook().stdin(Stdio::piped()).spawn()?;
    let mut stdin = hook.stdin.take().context("stdin is piped")?;
    std::io::Write::write_all(&mut stdin, project.event(&file).as_bytes())?;
    let torn = wait::until(PATIENCE, || {
        let runs = project.root().join("pids").exists();
        Ok((runs && project.read("a.txt")? == "hal").then_some(()))
    })?;
    torn.context("the formatter has begun")?;
    let journal = fs::read_dir(project.place.home().journal())?;
    let kept: u64 = journal
        .flatten()
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .sum();
    assert!(kept > 100, "the event is kept before");
    kill_process(Pid::from_child(&hook), Signal::TERM)?;
    hook.wait()?;
    assert_eq!(project.read("a.txt")?, "whole\n");
    assert_gone(&project)
}

#[test]
fn doctor_names_hooks_that_format_too_and_a_project_without_formatters() -> Result<()> {
    let project = Project::trusted(ON)?;
    assert!(
        project
            .findings("format")?
            .contains("nothing says which formatter")
    );
    project.write("go.mod", "module x\n")?;
    assert!(project.findings("format")?.contains("on, with gofmt"));
    let ours = project.place.programs().hook().display().to_string();
    let kit = "jq -r '.tool_input.file_path // .tool_input.filePath // empty' | xargs -I{} pnpm dlx prettier --write {} 2>/dev/null || true";
    let hooks = json!({"hooks": {"PostToolUse": [{"hooks": [
        {"type": "command", "command": ours, "args": ["--home", project.place.root()]},
        {"type": "command", "command": kit},
    ]}]}});
    project.write(".claude/settings.json", &hooks.to_string())?;
    let found = project.findings("conflicts")?;
    assert!(found.contains("files are formatted twice"), "{found}");
    project.write(".claude/bellwether.yaml", "session: {git: true}\n")?;
    let found = project.findings("conflicts")?;
    assert!(!found.contains("formatted twice"), "{found}");
    assert!(project.findings("format")?.contains("off in this project"));
    Ok(())
}
