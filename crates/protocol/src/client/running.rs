//! How a running client is known among the processes of a machine, and what it starts.
//!
//! A name can be had by anybody: what looks like a client is taken for one, and what does not look like one is
//! not thereby a person.

use std::path::{Path, PathBuf};

use super::{Product, Version};
use crate::fields::Fields;

/// How one program looks while it runs.
pub struct Running {
    /// What its process, its file or its first word is called.
    pub names: &'static [&'static str],
    /// Parts of a path that only its own files have: of its program, or of the script that an interpreter runs.
    pub files: &'static [&'static str],
    /// Variables that it sets for what it starts, and nobody else does.
    pub marks: &'static [&'static str],
    /// How the path of its file leads to its version.
    pub versions: &'static [VersionPlace],
}

/// Where the path of a program's file tells its version.
#[derive(Debug, Clone, Copy)]
pub enum VersionPlace {
    /// Behind this part the next one is the version.
    Behind(&'static str),
    /// The folder whose path has this part in it, to the end of its name, is a package that describes itself.
    Package {
        part: &'static str,
        manifest: &'static str,
    },
}

/// What a path tells of a version.
#[derive(Debug, PartialEq, Eq)]
pub enum ToldVersion {
    Is(Version),
    /// It is in this file, as [`manifest_version`] reads it.
    In(PathBuf),
}

/// The version that a package's own description says.
pub fn manifest_version(text: &str) -> Option<Version> {
    let fields = Fields::parse(text).ok()?;
    Version::parse(&fields.get::<std::borrow::Cow<'_, str>>("version")?)
}

/// A process as the system tells of it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The short name that the system keeps.
    pub name: &'a str,
    /// The file that runs.
    pub program: Option<&'a Path>,
    /// The first words of its command line.
    pub words: &'a [String],
}

/// The client that a process looks like.
pub fn client_that_runs(seen: Seen<'_>) -> Option<Product> {
    let mut all = Product::ALL.iter().copied();
    all.find(|product| product.wire().running.fits(seen))
}

/// The variables by which anything that a client started is known.
pub fn marks() -> impl Iterator<Item = &'static str> {
    Product::ALL
        .iter()
        .flat_map(|product| product.wire().running.marks.iter().copied())
}

impl Running {
    /// What the path of its program, or of the script that an interpreter runs, tells of its version.
    pub fn version_by(&self, path: &Path) -> Option<ToldVersion> {
        let path = path.to_str()?;
        self.versions.iter().find_map(|place| place.told_by(path))
    }

    fn fits(&self, seen: Seen<'_>) -> bool {
        let file = seen.program.and_then(Path::file_name);
        let first = seen.words.first().map(Path::new).and_then(Path::file_name);
        let named = |name: &&str| {
            seen.name == *name
                || file.is_some_and(|file| file == *name)
                || first.is_some_and(|first| first == *name)
        };
        self.names.iter().any(named) || self.is_own_file(seen)
    }

    fn is_own_file(&self, seen: Seen<'_>) -> bool {
        let program = seen.program.and_then(Path::to_str);
        // An interpreter's own options may stand before the script.
        let scripts = seen.words.iter().take(4).map(String::as_str);
        let mut paths = program.into_iter().chain(scripts);
        paths.any(|path| self.files.iter().any(|part| path.contains(part)))
    }
}

impl VersionPlace {
    fn told_by(self, path: &str) -> Option<ToldVersion> {
        match self {
            Self::Behind(part) => {
                let (_, rest) = path.split_once(part)?;
                let name = rest.split('/').next()?;
                Version::parse(name).map(ToldVersion::Is)
            }
            Self::Package { part, manifest } => {
                let end = path.find(part)? + part.len();
                let name = path.get(end..)?.find('/')?;
                let folder = Path::new(path.get(..end + name)?);
                Some(ToldVersion::In(folder.join(manifest)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_client_leads_to_its_version() {
        let told = |path: &str| {
            Product::default()
                .wire()
                .running
                .version_by(Path::new(path))
        };
        let is = |version| Some(ToldVersion::Is(version));
        let kept = "/home/dev/.local/share/claude/versions/2.1.325";
        assert_eq!(told(kept), is(Version(2, 1, 325)));
        // The client removes old versions while they run.
        assert_eq!(told(&format!("{kept} (deleted)")), is(Version(2, 1, 325)));
        let package = "/usr/lib/node_modules/@anthropic-ai/claude-code";
        let manifest = || Some(ToldVersion::In(format!("{package}/package.json").into()));
        assert_eq!(told(&format!("{package}/cli.js")), manifest());
        assert_eq!(told(&format!("{package}/bin/claude.exe")), manifest());
        for other in [
            "/usr/bin/node",
            "/home/dev/.local/share/claude/versions/latest",
            "/home/dev/claude/cli.js",
            "/x/@anthropic-ai/claude-code",
        ] {
            assert_eq!(told(other), None, "{other}");
        }
    }

    #[test]
    fn a_package_says_its_version() {
        let said = r#"{"name":"@anthropic-ai/claude-code","version":"2.0.30","type":"module"}"#;
        assert_eq!(manifest_version(said), Some(Version(2, 0, 30)));
        for other in ["", "[]", "{}", r#"{"version":2}"#, r#"{"version":"new"}"#] {
            assert_eq!(manifest_version(other), None, "{other}");
        }
    }

    fn client(name: &str, program: &str, words: &[&str]) -> Option<&'static str> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let seen = Seen {
            name,
            program: Some(Path::new(program)),
            words: &words,
        };
        client_that_runs(seen).map(Product::name)
    }

    #[test]
    fn a_client_is_known_by_name_file_or_script() {
        let claude = Some("claude");
        let versions = "/home/dev/.local/share/claude/versions/2.1.325";
        assert_eq!(client("claude", versions, &["claude"]), claude);
        assert_eq!(client("2.1.325", versions, &["x"]), claude);
        assert_eq!(client("x", "/tmp/x", &["/opt/bin/claude", "-p"]), claude);
        let script = "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js";
        assert_eq!(
            client("node", "/usr/bin/node", &["node", "--no-warnings", script]),
            claude
        );
        assert_eq!(
            client("node", "/usr/bin/node", &["node", "/usr/bin/gemini"]),
            Some("gemini")
        );
    }

    #[test]
    fn what_only_talks_of_a_client_is_none() {
        assert_eq!(client("vim", "/usr/bin/vim", &["vim", "claude.md"]), None);
        assert_eq!(client("bash", "/bin/bash", &["-bash"]), None);
        assert_eq!(
            client("node", "/usr/bin/node", &["node", "server.js"]),
            None
        );
        assert_eq!(
            client("claude-desktop", "/usr/bin/electron", &["electron"]),
            None
        );
    }
}
