//! How a running client is known among the processes of a machine, and what it starts.
//!
//! A name can be had by anybody: what looks like a client is taken for one, and what does not look like one is
//! not thereby a person.

use std::path::Path;

use super::Product;

/// How one program looks while it runs.
pub struct Running {
    /// What its process, its file or its first word is called.
    pub names: &'static [&'static str],
    /// Parts of a path that only its own files have: of its program, or of the script that an interpreter runs.
    pub files: &'static [&'static str],
    /// Variables that it sets for what it starts, and nobody else does.
    pub marks: &'static [&'static str],
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

#[cfg(test)]
mod tests {
    use super::*;

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
