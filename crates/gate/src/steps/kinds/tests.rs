//! Which checks are found in which projects.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use bellwether_hook::gate::{Config, Step};

use crate::environment::Environment;
use crate::steps::{Found, Plan, Scene};
use crate::tools::Tools;

/// A project made of files, and a search path with some programs.
struct Project {
    folder: tempfile::TempDir,
    files: Vec<String>,
    config: Config,
}

impl Project {
    /// Files that are written `name` or `name=text`; all are tracked.
    fn new(files: &[&str], programs: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut project = Self {
            folder,
            files: Vec::new(),
            config: Config::default(),
        };
        for file in files {
            let (name, text) = file.split_once('=').unwrap_or((file, ""));
            project.write(name, text);
            project.files.push(name.to_owned());
        }
        for program in programs {
            project.program(&format!("bin/{program}"));
        }
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join("p").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn program(&self, name: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn plan(&self, changed: &[&str]) -> Plan {
        let root = self.folder.path().join("p");
        let path = self.folder.path().join("bin");
        let variables = [("PATH".into(), path.into())].into_iter();
        let environment = Environment::from(variables, &self.config, "r");
        let changed: Vec<String> = changed.iter().map(ToString::to_string).collect();
        Plan::of(Scene {
            root: &root,
            real: &root,
            base: Path::new(""),
            files: &self.files,
            changed: &changed,
            tools: &Tools::of(&environment),
            config: &self.config,
        })
    }

    /// Each check as `name: command`, or `name: ! what is missing`.
    fn found(&self, changed: &[&str]) -> Vec<String> {
        let told = self
            .plan(changed)
            .found
            .into_iter()
            .map(|found| match found {
                Found::Step(step) => format!("{}: {}", step.name, step.shown),
                Found::Missing(missing) => format!("{}: ! {}", missing.name, missing.what),
                Found::Skipped { name, .. } => format!("{name}: skipped"),
            });
        told.collect()
    }
}

#[test]
fn the_docs_list_every_kind() {
    let docs = include_str!("../../../../../docs/gate.md");
    for kind in super::ALL {
        let row = format!("| `{}` | ", kind.name);
        assert!(docs.contains(&row), "docs/gate.md lacks: {row}");
    }
}

const SCRIPTS: &str = r#"package.json={"scripts":{"lint":"eslint .","build":"x","test":"x"}}"#;

#[test]
fn the_lock_file_names_the_package_manager() {
    for (lock, manager) in [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("package-lock.json", "npm"),
        ("README", "npm"),
    ] {
        let project = Project::new(&[SCRIPTS, lock], &[manager]);
        let expected =
            ["lint", "build"].map(|script| format!("node-{script}: {manager} run {script}"));
        assert_eq!(project.found(&[]), expected, "{lock}");
    }
    for lock in ["bun.lock", "bun.lockb"] {
        let bun = Project::new(&[SCRIPTS, lock], &["bun"]);
        assert_eq!(bun.found(&[])[0], "node-lint: bun run --no-install lint");
    }
    let named = r#"package.json={"packageManager":"yarn@4.1.0","scripts":{"lint":"x"}}"#;
    assert_eq!(
        Project::new(&[named], &["yarn"]).found(&[]),
        ["node-lint: yarn run lint"]
    );
}

#[test]
fn a_package_without_these_scripts_has_no_checks() {
    for text in [
        "{}",
        "not json",
        r#"{"scripts":{"lint":""}}"#,
        r#"{"scripts":{"lint":7}}"#,
        "[]",
    ] {
        let project = Project::new(&[&format!("package.json={text}")], &["npm"]);
        assert_eq!(project.found(&[]), [""; 0], "{text}");
    }
}

#[test]
fn packages_that_are_not_installed_are_missing_only_where_there_are_some() {
    let package = r#"package.json={"scripts":{"lint":"x"},"devDependencies":{"eslint":"1"}}"#;
    let project = Project::new(&[package, "pnpm-lock.yaml"], &["pnpm"]);
    assert_eq!(project.found(&[]), ["node-lint: ! node_modules"]);
    project.write("node_modules/x", "");
    assert_eq!(project.found(&[]), ["node-lint: pnpm run lint"]);
    assert_eq!(
        Project::new(&[package], &[]).found(&[]),
        ["node-lint: ! npm"]
    );
}

#[test]
fn ruff_is_the_projects_own_before_the_persons() {
    let project = Project::new(&["pyproject.toml"], &[]);
    assert_eq!(
        project.found(&[]),
        ["python-check: ! ruff", "python-format: ! ruff"]
    );
    project.program("bin/ruff");
    assert_eq!(
        project.found(&[]),
        [
            "python-check: ruff check --no-fix .",
            "python-format: ruff format --check ."
        ]
    );
    project.program("p/.venv/bin/ruff");
    let Found::Step(step) = project.plan(&[]).found.remove(0) else {
        panic!("it is there");
    };
    assert!(step.program.ends_with("p/.venv/bin/ruff"), "{step:?}");
    project.write("uv.lock", "");
    project.program("bin/uv");
    assert_eq!(
        project.found(&[])[0],
        "python-check: uv run --no-sync ruff check --no-fix ."
    );
    assert_eq!(Project::new(&["ruff.toml"], &["ruff"]).found(&[]).len(), 2);
}

#[test]
fn rust_and_go_need_their_tools() {
    let rust = Project::new(&["Cargo.toml"], &["cargo", "cargo-clippy"]);
    assert_eq!(
        rust.found(&[]),
        [
            "rust-clippy: cargo clippy --workspace --all-targets --offline -- -D warnings",
            "rust-fmt: ! cargo-fmt"
        ]
    );
    let go = Project::new(
        &["go.mod", "a.go", "vendor/b.go", "x/testdata/c.go", "x/d.go"],
        &["go", "gofmt"],
    );
    assert_eq!(go.found(&[]), ["go-vet: go vet ./...", "go-fmt: gofmt -l"]);
    let Found::Step(step) = go.plan(&[]).found.remove(1) else {
        panic!("it is there");
    };
    assert_eq!(step.words, ["-l", "a.go", "x/d.go"]);
}

#[test]
fn markdown_is_checked_where_the_project_has_rules_for_it() {
    let changed = ["README.md", "src/a.rs"];
    let tools = ["markdownlint", "markdownlint-cli2"];
    assert_eq!(
        Project::new(&["README.md"], &tools).found(&changed),
        [""; 0]
    );
    let rules = Project::new(&["README.md", ".markdownlint.jsonc"], &tools);
    assert_eq!(rules.found(&changed), ["markdown: markdownlint README.md"]);
    assert_eq!(
        rules.found(&["src/a.rs"]),
        [""; 0],
        "no Markdown is committed"
    );
    let second = Project::new(&[".markdownlint-cli2.yaml"], &tools);
    assert_eq!(
        second.found(&changed),
        ["markdown: markdownlint-cli2 --no-globs README.md"]
    );
    let local = Project::new(&[], &[]);
    local.program("p/node_modules/.bin/markdownlint");
    assert_eq!(local.found(&changed), ["markdown: markdownlint README.md"]);
    let none = Project::new(&[".markdownlint.json"], &[]);
    assert_eq!(none.found(&changed), ["markdown: ! markdownlint"]);
}

#[test]
fn without_a_manifest_at_the_root_the_nearest_ones_count() {
    let files = [
        "api/pyproject.toml",
        "web/Cargo.toml",
        "web/crates/a/Cargo.toml",
        "old/pyproject.toml",
    ];
    let project = Project::new(&files, &["ruff", "cargo", "cargo-clippy", "cargo-fmt"]);
    let found = project.found(&["api/src/x.py", "web/crates/a/src/lib.rs", "README"]);
    let names: Vec<&str> = found
        .iter()
        .map(|found| found.rsplit_once(": ").unwrap().0)
        .collect();
    assert_eq!(
        names,
        [
            "rust-clippy:web/crates/a",
            "rust-fmt:web/crates/a",
            "python-check:api",
            "python-format:api"
        ]
    );
    assert_eq!(project.found(&["README"]), [""; 0]);
}

#[test]
fn many_folders_are_bounded_and_that_is_said() {
    let files: Vec<String> = (0..12).map(|n| format!("p{n:02}/pyproject.toml")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let project = Project::new(&files, &["ruff"]);
    let plan = project.plan(&files);
    assert_eq!(plan.found.len(), 16);
    assert!(
        plan.notes[0].contains("12 folders with pyproject.toml"),
        "{:?}",
        plan.notes
    );
}

#[test]
fn the_person_leaves_out_replaces_and_adds() {
    let mut project = Project::new(&[SCRIPTS, "docs/a.md"], &["npm"]);
    project.config.skip = vec!["node-build".to_owned()];
    let step = |run: &str, folder: Option<&str>, files: &[&str]| Step {
        run: run.to_owned(),
        folder: folder.map(ToOwned::to_owned),
        files: files.iter().map(ToString::to_string).collect(),
    };
    project.config.steps = [
        ("node-lint", step("make lint", None, &[])),
        ("types", step("tsc", None, &["*.ts"])),
        ("docs", step("make", Some("docs"), &["docs/**"])),
        ("outside", step("true", Some("../.."), &[])),
        ("empty", step(" ", None, &[])),
    ]
    .map(|(name, step)| (name.to_owned(), step))
    .into();
    let expected = [
        "docs: make",
        "empty: ! gate.steps.empty.run",
        "node-lint: make lint",
        "outside: ! the folder ../..",
        "types: skipped",
    ];
    assert_eq!(project.found(&["docs/a.md"]), expected);
    assert_eq!(project.found(&["src/x.ts"])[4], "types: tsc");
    project.config.detect = false;
    project.config.steps.clear();
    assert_eq!(project.found(&[]), [""; 0]);
}
