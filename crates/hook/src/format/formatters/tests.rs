//! Where a project uses which formatter, and how it is called.

use std::fs;
use std::path::{Path, PathBuf};

use super::{ALL, Formatter};
use crate::format::target::Target;

struct Project(tempfile::TempDir);

impl Project {
    fn with(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = project.root().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        project
    }

    fn root(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn target(&self, file: &str) -> Target {
        let path = self.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        Target::new(&path, &self.root()).unwrap()
    }

    fn used(&self, file: &str) -> Vec<&'static str> {
        let target = self.target(file);
        let fitting = ALL.iter().filter(|formatter| formatter.fits(&target));
        fitting.map(|formatter| formatter.name).collect()
    }

    /// The folder, from the project's, and the words.
    fn called(&self, name: &str, file: &str, program: &str) -> (String, Vec<String>) {
        let target = self.target(file);
        let formatter: &Formatter = ALL.iter().find(|known| known.name == name).unwrap();
        let call = formatter.call(&target, Path::new(program));
        let root = self.root();
        let folder = call
            .folder
            .strip_prefix(&root)
            .unwrap()
            .display()
            .to_string();
        let shown = |word: &std::ffi::OsString| {
            let word = word.to_str().unwrap();
            word.replace(&format!("{}/", root.display()), "")
        };
        (folder, call.words.iter().map(shown).collect())
    }
}

#[test]
fn a_formatter_that_nobody_chose_is_not_used() {
    for (files, file, expected) in [
        (&[][..], "a.ts", &[][..]),
        (&[], "a.rs", &[]),
        (&[], "a.py", &[]),
        (&[], "a.go", &[]),
        (&[], "a.md", &[]),
        (&[("package.json", "{}")], "a.ts", &[]),
        (&[("package.json", "rubbish")], "a.ts", &[]),
        (
            &[("package.json", r#"{"devDependencies":{"prettier":"3"}}"#)],
            "src/a.ts",
            &["prettier"],
        ),
        (
            &[("package.json", r#"{"dependencies":{"prettier":"3"}}"#)],
            "a.CSS",
            &["prettier"],
        ),
        (
            &[("package.json", r#"{"prettier":{"semi":false}}"#)],
            "a.yml",
            &["prettier"],
        ),
        (
            &[(
                "package.json",
                r#"{"devDependencies":{"prettier-eslint":"3"}}"#,
            )],
            "a.ts",
            &[],
        ),
        (&[(".prettierrc", "")], "a/b/c.md", &["prettier"]),
        (
            &[("web/prettier.config.mjs", "")],
            "web/c.vue",
            &["prettier"],
        ),
        (&[("web/prettier.config.mjs", "")], "docs/c.md", &[]),
        (&[(".prettierrc", "")], "a.rs", &[]),
        (&[(".prettierrc", "")], "Makefile", &[]),
        (
            &[(".prettierrc", ""), (".markdownlint.jsonc", "{}")],
            "a.md",
            &["prettier", "markdownlint"],
        ),
        (
            &[(
                "package.json",
                r#"{"devDependencies":{"markdownlint-cli2":"1"}}"#,
            )],
            "a.md",
            &["markdownlint"],
        ),
        (&[("Cargo.toml", "[package]")], "src/a.rs", &["rustfmt"]),
        (&[("go.mod", "module x")], "a.go", &["gofmt"]),
        (&[("ruff.toml", "")], "a.py", &["ruff"]),
        (
            &[("pyproject.toml", "[tool.ruff]\nline-length = 100\n")],
            "a.pyi",
            &["ruff"],
        ),
        (
            &[("pyproject.toml", "[tool.ruff.lint]\n[tool.black]\n")],
            "a.py",
            &[],
        ),
        (
            &[("pyproject.toml", "[tool.ruff.format]\n[tool.black]\n")],
            "a.py",
            &["ruff"],
        ),
        (
            &[(
                "pyproject.toml",
                "[dependency-groups]\ndev = [\"pytest\", \"ruff>=0.6\"]\n",
            )],
            "a.py",
            &["ruff"],
        ),
        (
            &[(
                "pyproject.toml",
                "[project]\ndependencies = [\"ruffian\"] # ruff\n",
            )],
            "a.py",
            &[],
        ),
    ] {
        assert_eq!(
            Project::with(files).used(file),
            expected,
            "{file} {files:?}"
        );
    }
}

#[test]
fn each_is_called_as_the_project_would() {
    let words = |words: &str| words.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>();
    let project = Project::with(&[
        ("web/.prettierignore", "dist"),
        ("docs/.markdownlint.json", "{}"),
        (
            "Cargo.toml",
            "[workspace]\n[workspace.package]\nedition = \"2021\" # old\n",
        ),
        (
            "a/Cargo.toml",
            "[package]\nname = \"a\"\nedition.workspace = true\n[dependencies]\nedition = \"9\"\n",
        ),
        (
            "b/Cargo.toml",
            "[package]\nedition = { workspace = true }\n",
        ),
        (
            "c/Cargo.toml",
            "[lib]\nedition = \"2018\"\n[package]\nedition = '2024'\n",
        ),
        ("d/Cargo.toml", "[package]\nname = \"d\"\n"),
    ]);
    for (name, file, program, folder, expected) in [
        ("prettier", "a.ts", "prettier", "", "--stdin-filepath a.ts"),
        (
            "prettier",
            "web/x/a.ts",
            "prettier",
            "web",
            "--stdin-filepath web/x/a.ts",
        ),
        ("markdownlint", "a.md", "/x/markdownlint", "", "--fix a.md"),
        (
            "markdownlint",
            "docs/x/a.md",
            "/x/markdownlint",
            "docs",
            "--fix docs/x/a.md",
        ),
        (
            "markdownlint",
            "a.md",
            "/x/markdownlint-cli2",
            "",
            "--fix :a.md",
        ),
        (
            "rustfmt",
            "a/src/x.rs",
            "rustfmt",
            "a/src",
            "--quiet --edition 2021",
        ),
        (
            "rustfmt",
            "b/x.rs",
            "rustfmt",
            "b",
            "--quiet --edition 2021",
        ),
        (
            "rustfmt",
            "c/x.rs",
            "rustfmt",
            "c",
            "--quiet --edition 2024",
        ),
        ("rustfmt", "d/x.rs", "rustfmt", "d", "--quiet"),
        (
            "ruff",
            "x/a.py",
            "ruff",
            "",
            "format --quiet --force-exclude --stdin-filename x/a.py -",
        ),
    ] {
        let called = project.called(name, file, program);
        assert_eq!(
            called,
            (folder.to_owned(), words(expected)),
            "{name} {file}"
        );
    }
}

#[test]
fn the_docs_list_every_formatter() {
    let docs = include_str!("../../../../../docs/sessions.md");
    for formatter in ALL {
        let endings: Vec<String> = formatter
            .endings
            .iter()
            .map(|ending| format!("`.{ending}`"))
            .collect();
        let row = format!(
            "| {} | {} | {} |",
            formatter.name,
            endings.join(" "),
            formatter.used
        );
        assert!(docs.contains(&row), "docs/sessions.md lacks: {row}");
    }
}
