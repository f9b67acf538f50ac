//! Each kind of project, passing and failing, by its real tools.

use anyhow::Result;
use bellwether_tests::Project;

use super::{ON, lines, nothing_left, report, states};

const ESLINT: &str = "export default [{rules: {'no-unused-vars': 'error'}}];\n";

fn node(project: &Project, lock: &str) -> Result<()> {
    let package = r#"{"name":"shop","version":"1.0.0","type":"module","scripts":{"lint":"eslint .","build":"node build.js"},"devDependencies":{"eslint":"*"}}"#;
    project
        .tools()
        .link(&["eslint"], &project.root().join("node_modules/.bin"))?;
    project.stage(&[
        (".gitignore", "node_modules\n"),
        ("package.json", package),
        (lock, ""),
        ("eslint.config.js", ESLINT),
        ("build.js", "import './a.js';\n"),
        ("a.js", "export const a = 1;\n"),
    ])
}

#[test]
fn node_with_the_package_manager_of_its_lock_file() -> Result<()> {
    for (lock, manager) in [
        ("package-lock.json", "npm"),
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
    ] {
        let project = Project::trusted(ON)?;
        node(&project, lock)?;
        let good = report(&project, &[])?;
        assert_eq!(
            states(&good),
            "node-lint passed, node-build passed",
            "{good:#}"
        );
        assert_eq!(good["outcome"], "passed");
        assert_eq!(good["steps"][0]["command"], format!("{manager} run lint"));
        project.stage(&[("a.js", "const unused = 1;\nthrow new Error('no build');\n")])?;
        let bad = report(&project, &[])?;
        assert_eq!(
            states(&bad),
            "node-lint failed, node-build failed",
            "{bad:#}"
        );
        let (lint, build) = (lines(&bad, "node-lint"), lines(&bad, "node-build"));
        assert!(
            lint.starts_with("a.js\n  1:7  error  'unused' is assigned"),
            "{lint}"
        );
        assert!(build.contains("Error: no build"), "{build}");
        assert!(
            !lint.contains("shop@1.0.0") && !lint.contains("notice"),
            "{lint}"
        );
        project.write("untracked.txt", "so that the tree is laid out elsewhere\n")?;
        let apart = report(&project, &["--again"])?;
        assert_eq!(lines(&apart, "node-lint"), lint, "{apart:#}");
        assert!(
            lines(&apart, "node-build").contains("Error: no build"),
            "{apart:#}"
        );
        let reason = bad["reason"].as_str().unwrap_or_default();
        assert!(
            reason.contains("no-unused-vars") && reason.contains("bellwether gate run"),
            "{reason}"
        );
        nothing_left(&project)?;
    }
    Ok(())
}

#[test]
fn python_with_ruff_on_the_path_in_the_environment_and_by_uv() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[
        (".gitignore", ".venv\n"),
        (
            "pyproject.toml",
            "[project]\nname = \"p\"\nversion = \"0\"\nrequires-python = \">=3.8\"\n",
        ),
        ("a.py", "x = 1\n"),
    ])?;
    let good = report(&project, &[])?;
    assert_eq!(
        states(&good),
        "python-check passed, python-format passed",
        "{good:#}"
    );
    // Two ways to be wrong, one for each check.
    project.stage(&[("a.py", "import os\n\nx = 1\n"), ("b.py", "y=2\n")])?;
    let bad = report(&project, &[])?;
    assert_eq!(
        states(&bad),
        "python-check failed, python-format failed",
        "{bad:#}"
    );
    assert!(lines(&bad, "python-check").contains("a.py:1:8"), "{bad:#}");
    assert!(lines(&bad, "python-format").contains("b.py"), "{bad:#}");
    project
        .tools()
        .link(&["ruff"], &project.root().join(".venv/bin"))?;
    let local = report(&project, &["--again"])?;
    assert_eq!(local["steps"][0]["command"], "ruff check --no-fix .");
    project.stage(&[("uv.lock", "version = 1\nrequires-python = \">=3.8\"\n\n[[package]]\nname = \"p\"\nversion = \"0\"\nsource = { virtual = \".\" }\n")])?;
    project.write(".venv/pyvenv.cfg", "home = /usr/bin\n")?;
    project
        .tools()
        .link(&["python3"], &project.root().join(".venv/bin"))?;
    let uv = report(&project, &[])?;
    assert_eq!(
        uv["steps"][0]["command"],
        "uv run --no-sync ruff check --no-fix ."
    );
    assert_eq!(
        states(&uv),
        "python-check failed, python-format failed",
        "{uv:#}"
    );
    assert!(lines(&uv, "python-check").contains("a.py:1:8"), "{uv:#}");
    project.write("untracked.py", "import os\n")?;
    let apart = report(&project, &["--again"])?;
    assert_eq!(
        lines(&apart, "python-check"),
        lines(&uv, "python-check"),
        "{apart:#}"
    );
    project.stage(&[("a.py", "x = 1\n"), ("b.py", "y = 2\n")])?;
    assert_eq!(report(&project, &[])?["outcome"], "passed");
    nothing_left(&project)
}

#[test]
fn rust_with_rustfmt_and_clippy() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[
        (".gitignore", "target\n"),
        (
            "Cargo.toml",
            "[package]\nname = \"r\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        (
            "Cargo.lock",
            "version = 3\n\n[[package]]\nname = \"r\"\nversion = \"0.1.0\"\n",
        ),
        ("src/main.rs", "fn main() {}\n"),
    ])?;
    let good = report(&project, &[])?;
    assert_eq!(
        states(&good),
        "rust-clippy passed, rust-fmt passed",
        "{good:#}"
    );
    project.stage(&[("src/main.rs", "fn main() {\n    let x  = 1;\n}\n")])?;
    let bad = report(&project, &[])?;
    assert_eq!(
        states(&bad),
        "rust-clippy failed, rust-fmt failed",
        "{bad:#}"
    );
    assert!(
        lines(&bad, "rust-clippy").starts_with("error: unused variable: `x`"),
        "{bad:#}"
    );
    assert!(
        lines(&bad, "rust-fmt").starts_with("Diff in src/main.rs:1"),
        "{bad:#}"
    );
    // A tree of its own builds into the project's folder: what is built there once is not built again.
    project.write("src/main.rs", "fn main() { not staged")?;
    let apart = report(&project, &["--again"])?;
    assert!(
        lines(&apart, "rust-clippy").contains("src/main.rs:2:9"),
        "{apart:#}"
    );
    assert!(project.root().join("target/debug").exists());
    nothing_left(&project)
}

#[test]
fn go_with_vet_and_gofmt() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[
        ("go.mod", "module example.com/g\n\ngo 1.19\n"),
        ("main.go", "package main\n\nfunc main() {}\n"),
        ("vendored/testdata/odd.go", "package   odd\n"),
    ])?;
    let good = report(&project, &[])?;
    assert_eq!(states(&good), "go-vet passed, go-fmt passed", "{good:#}");
    let wrong =
        "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Printf(\"%d\\n\", \"x\")\n}\n";
    project.stage(&[
        ("main.go", wrong),
        ("b.go", "package main\n\nfunc  b() {}\n"),
    ])?;
    let bad = report(&project, &[])?;
    assert_eq!(states(&bad), "go-vet failed, go-fmt failed", "{bad:#}");
    assert!(lines(&bad, "go-vet").contains("main.go:6:2"), "{bad:#}");
    assert_eq!(
        lines(&bad, "go-fmt"),
        "these files are not formatted:\nb.go"
    );
    Ok(())
}

#[test]
fn markdown_that_is_committed_by_the_projects_rules() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[
        (".markdownlint.jsonc", "{\"MD013\": false}\n"),
        ("old.md", "#wrong\n"),
    ])?;
    project.git("commit -q -m one")?;
    project.stage(&[("new.md", "# Title\n\nText.\n")])?;
    let good = report(&project, &[])?;
    assert_eq!(
        states(&good),
        "markdown passed",
        "what is not committed is not judged: {good:#}"
    );
    project.stage(&[("-odd [name].md", "# Title\n\n### Skipped\n")])?;
    let bad = report(&project, &[])?;
    assert_eq!(states(&bad), "markdown failed", "{bad:#}");
    assert!(lines(&bad, "markdown").contains("MD001"), "{bad:#}");
    project.git_words(&["mv", ".markdownlint.jsonc", ".markdownlint-cli2.jsonc"])?;
    project.stage(&[(
        ".markdownlint-cli2.jsonc",
        "{\"config\": {\"MD013\": false}}\n",
    )])?;
    let second = report(&project, &[])?;
    assert!(
        second["steps"][0]["command"]
            .as_str()
            .is_some_and(|it| it.starts_with("markdownlint-cli2"))
    );
    assert!(lines(&second, "markdown").contains("MD001"), "{second:#}");
    project.git_words(&["rm", "-q", "-f", "--", "-odd [name].md"])?;
    project.stage(&[("new.md", "# Title\n\nOther text.\n")])?;
    assert_eq!(report(&project, &[])?["outcome"], "passed");
    Ok(())
}

#[test]
fn a_monorepo_is_checked_where_the_commit_changes_it() -> Result<()> {
    let project = Project::trusted(ON)?;
    let script =
        |name: &str, lint: &str| format!(r#"{{"name":"{name}","scripts":{{"lint":"{lint}"}}}}"#);
    project.stage(&[
        ("web/package.json", &script("web", "echo web")),
        ("api/pyproject.toml", ""),
        ("api/a.py", "import os\n"),
    ])?;
    project.git("commit -q -m one")?;
    project.stage(&[("web/src/deep/a.js", "1;\n")])?;
    assert_eq!(states(&report(&project, &[])?), "node-lint:web passed");
    project.stage(&[("api/a.py", "import sys\n")])?;
    let both = report(&project, &[])?;
    assert_eq!(
        states(&both),
        "node-lint:web passed, python-check:api failed, python-format:api passed",
        "{both:#}"
    );
    Ok(())
}
