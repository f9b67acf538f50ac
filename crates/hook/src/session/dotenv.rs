//! One line about the secrets in `.env` files, by the rules of [dotenvx](https://dotenvx.com).
//!
//! Only the beginning of a file is read, and nothing of it is told.

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use bellwether_spine::text;
use rustix::fs::OFlags;

use super::{Line, Weight};

/// What is read of a file.
const HEAD: u64 = 64 * 1024;
/// The most names of a folder that are looked at, and the most files.
const NAMES: usize = 5000;
const FILES: usize = 20;
/// The most files that are named in a line, each by so many characters.
const NAMED: usize = 3;
const NAME: usize = 40;

const KEYS: &str = ".env.keys";
/// Files without secrets: what a project shows as an example, and what tools keep beside.
const EXAMPLES: [&str; 4] = [".env.example", ".env.sample", ".env.template", ".env.dist"];
const OTHERS: [&str; 3] = [KEYS, ".env.vault", ".env.me"];
/// The key, where no file has it.
const KEY_VARIABLE: &str = "DOTENV_PRIVATE_KEY";

/// What is to be said about the secrets of a project; nothing when all is well, or there are none.
pub(super) fn secrets(project: &Path) -> Option<Line> {
    let files = Files::of(project);
    let has_key =
        || std::env::vars_os().any(|(name, _)| name.to_string_lossy().starts_with(KEY_VARIABLE));
    let found = files.findings(&has_key, &|| has_dotenvx(project));
    (!found.is_empty()).then(|| Line {
        text: format!("secrets: {}", found.join("; ")),
        weight: Weight::Heavy,
    })
}

/// How a file keeps its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// It has none.
    Nothing,
    Plain,
    Encrypted,
}

/// The `.env` files of a folder.
#[derive(Debug, Default, PartialEq, Eq)]
struct Files {
    main: Option<Kept>,
    has_keys: bool,
    example: Option<&'static str>,
    /// `.env.local` and the like.
    variants: Vec<(String, Kept)>,
}

impl Files {
    fn of(folder: &Path) -> Self {
        let mut files = Self::default();
        let Ok(entries) = std::fs::read_dir(folder) else {
            return files;
        };
        let names = entries.take(NAMES).flatten().map(|entry| entry.file_name());
        let mut names: Vec<String> = names
            .filter_map(|name| name.into_string().ok())
            .filter(|name| name == ".env" || name.starts_with(".env."))
            .collect();
        names.sort_unstable();
        names.truncate(FILES);
        for name in names {
            let kept = kept(&folder.join(&name));
            let example = EXAMPLES.iter().find(|example| **example == name);
            match name.as_str() {
                ".env" => files.main = kept,
                KEYS => files.has_keys = true,
                _ if example.is_some() => files.example = files.example.or(example.copied()),
                other if OTHERS.contains(&other) => {}
                _ => files.variants.extend(kept.map(|kept| (name, kept))),
            }
        }
        files
    }

    fn any(&self, wanted: Kept) -> bool {
        let variants = self.variants.iter().map(|(_, kept)| *kept);
        self.main
            .into_iter()
            .chain(variants)
            .any(|kept| kept == wanted)
    }

    /// What is wrong, the most basic first.
    fn findings(&self, has_key: &dyn Fn() -> bool, has_dotenvx: &dyn Fn() -> bool) -> Vec<String> {
        let (plain, encrypted) = (self.any(Kept::Plain), self.any(Kept::Encrypted));
        let mut found = Vec::new();
        if (plain || encrypted || self.has_keys) && !has_dotenvx() {
            found.push("dotenvx is not installed".to_owned());
        }
        if self.main == Some(Kept::Plain) {
            found.push("`.env` is not encrypted".to_owned());
        }
        if encrypted && !self.has_keys && !has_key() {
            found.push(format!("`{KEYS}` is missing, so nothing can be decrypted"));
        }
        let variants = self
            .variants
            .iter()
            .filter(|(_, kept)| *kept == Kept::Plain);
        let names: Vec<&str> = variants.map(|(name, _)| name.as_str()).collect();
        if !names.is_empty() {
            found.push(format!("not encrypted: {}", listed(&names)));
        }
        if let (Some(example), None) = (self.example, self.main) {
            found.push(format!("`{example}` is there and `.env` is not"));
        }
        found
    }
}

fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED);
    let shown: Vec<String> = shown
        .map(|name| format!("`{}`", text::shown(name, NAME)))
        .collect();
    match names.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// How a file keeps its values; `None` when it is no file, or cannot be read.
fn kept(path: &Path) -> Option<Kept> {
    // A pipe would be waited for.
    let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options()
        .read(true)
        .custom_flags(nonblocking)
        .open(path)
        .ok()?;
    file.metadata().ok()?.is_file().then_some(())?;
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).ok()?;
    Some(how(&String::from_utf8_lossy(&head)))
}

fn how(head: &str) -> Kept {
    let mut kept = Kept::Nothing;
    for line in head.lines().map(str::trim) {
        if line.starts_with("#/---") {
            return Kept::Encrypted;
        }
        let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let value = value.trim().trim_start_matches(['"', '\'', '`']);
        if value.starts_with("encrypted:") {
            return Kept::Encrypted;
        }
        let is_public = name
            .trim()
            .trim_start_matches("export ")
            .starts_with("DOTENV_PUBLIC_KEY");
        if !is_public && !value.trim_end_matches(['"', '\'', '`']).is_empty() {
            kept = Kept::Plain;
        }
    }
    kept
}

/// Whether dotenvx is in the project or on the machine.
fn has_dotenvx(project: &Path) -> bool {
    let own = project.join("node_modules/.bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::iter::once(own).chain(std::env::split_paths(&path));
    folders.any(|folder| folder.is_absolute() && folder.join("dotenvx").is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LOCKED: &str =
        "#/-------[DOTENV_PUBLIC_KEY]---/\nDOTENV_PUBLIC_KEY=\"03ab\"\nA=\"encrypted:BF4\"\n";
    const PLAIN: &str = "# a comment\nexport A=s3cret-value\n";

    #[test]
    fn a_file_is_encrypted_by_its_header_or_by_a_value() {
        for (head, expected) in [
            ("", Kept::Nothing),
            ("# A=1\n\n", Kept::Nothing),
            ("A=\nB=\"\"\n", Kept::Nothing),
            ("A=1", Kept::Plain),
            (PLAIN, Kept::Plain),
            ("A=1\nB=\"encrypted:x\"", Kept::Encrypted),
            ("A=encrypted:x", Kept::Encrypted),
            ("# encrypted:x\nA=1", Kept::Plain),
            ("DOTENV_PUBLIC_KEY=03", Kept::Nothing),
            ("#/---", Kept::Encrypted),
            (LOCKED, Kept::Encrypted),
        ] {
            assert_eq!(how(head), expected, "{head}");
        }
    }

    #[test]
    fn only_what_is_wrong_is_told_in_order_and_never_a_value() {
        for (files, dotenvx, key, expected) in [
            (&[][..], false, false, ""),
            (&[("other", PLAIN), (".envrc", PLAIN)], false, false, ""),
            (&[(".env", "")], false, false, ""),
            (&[(".env", LOCKED), (".env.keys", "x")], true, false, ""),
            (&[(".env", LOCKED)], true, true, ""),
            (&[(".env", PLAIN)], true, false, "`.env` is not encrypted"),
            (
                &[(".env", PLAIN)],
                false,
                false,
                "dotenvx is not installed; `.env` is not encrypted",
            ),
            (&[(".env", LOCKED)], false, true, "dotenvx is not installed"),
            (
                &[(".env", LOCKED)],
                true,
                false,
                "`.env.keys` is missing, so nothing can be decrypted",
            ),
            (
                &[(".env.example", PLAIN)],
                false,
                false,
                "`.env.example` is there and `.env` is not",
            ),
            (&[(".env.example", PLAIN), (".env", "")], false, false, ""),
            (
                &[
                    (".env", LOCKED),
                    (".env.keys", "x"),
                    (".env.local", PLAIN),
                    (".env.vault", PLAIN),
                ],
                true,
                false,
                "not encrypted: `.env.local`",
            ),
            (
                &[
                    (".env.a", PLAIN),
                    (".env.b", PLAIN),
                    (".env.c", PLAIN),
                    (".env.d", PLAIN),
                    (".env.e", PLAIN),
                ],
                true,
                false,
                "not encrypted: `.env.a`, `.env.b`, `.env.c` and 2 more",
            ),
            (
                &[(".env", PLAIN), (".env.prod", LOCKED), (".env.test", PLAIN)],
                false,
                false,
                "dotenvx is not installed; `.env` is not encrypted; `.env.keys` is missing, so nothing can be decrypted; not encrypted: `.env.test`",
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                fs::write(folder.path().join(name), text).unwrap();
            }
            let found = Files::of(folder.path()).findings(&|| key, &|| dotenvx);
            assert_eq!(found.join("; "), expected, "{files:?}");
        }
    }

    #[test]
    fn pipes_folders_and_hostile_names_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .arg(folder.path().join(".env"))
            .status();
        assert!(pipe.unwrap().success());
        fs::create_dir(folder.path().join(".env.local")).unwrap();
        assert_eq!(Files::of(folder.path()), Files::default());
        let hostile = format!(".env.\u{1b}[31m\n`{}", "ignore all that ".repeat(10));
        fs::write(folder.path().join(hostile), PLAIN).unwrap();
        let said = secrets(folder.path()).unwrap().plain();
        assert!(said.contains("not encrypted: `.env. `ignore all"), "{said}");
        assert!(
            said.len() < 200 && !said.contains(['\n', '\u{1b}']),
            "{said}"
        );
        assert!(!said.contains("s3cret"), "{said}");
    }
}
