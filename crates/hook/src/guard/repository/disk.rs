//! What a repository's own files say, so that git need not be started for it: where it is, its settings, the branch that
//! is checked out.
//!
//! Architecture Invariant: nothing is guessed. Whatever is not as plain as in nearly every repository (settings that
//! include other files, another format of references, a repository that is named) is left to git.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use bellwether_shell::git::Site;

/// A settings file that is longer is left to git.
const LARGEST: u64 = 128 * 1024;
/// How many folders above are searched.
const HIGHEST: usize = 64;

/// Where git's own settings for the machine are, for the places that git is looked for in.
const OF_MACHINE: &[&str] = &["/etc/gitconfig", "/usr/local/etc/gitconfig"];
/// With git in another folder, they may be anywhere.
const USUAL: &[&str] = &["/usr/bin/git", "/usr/local/bin/git", "/bin/git"];

/// A plain repository.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    /// Its work tree.
    pub(super) root: PathBuf,
    /// What is the work tree's own.
    git_dir: PathBuf,
    /// What all of its work trees share.
    common: PathBuf,
    settings: Vec<Setting>,
}

/// What is checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Head {
    Branch(String),
    /// A commit, and no branch.
    Commit,
}

/// One setting: `branch`, `main`, `merge`, `refs/heads/main`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setting {
    section: String,
    part: Option<String>,
    key: String,
    value: String,
}

impl Disk {
    /// The repository around a folder, when it is a plain one.
    pub(super) fn find(site: &Site, program: &Path, home: Option<&Path>) -> Option<Self> {
        let usual =
            cfg!(target_os = "linux") && USUAL.iter().any(|path| Path::new(path) == program);
        if !usual || site.git_dir.is_some() || site.work_tree.is_some() {
            return None;
        }
        let folder = site.folder.canonicalize().ok()?;
        let root = root_of(&folder)?;
        let git_dir = git_dir_of(&root)?;
        // Within git's own folder there is no work tree.
        (!folder.starts_with(&git_dir)).then_some(())?;
        let common = common_of(&git_dir)?;
        let mut texts = Vec::new();
        let of_home = home.map(|home| [home.join(".config/git/config"), home.join(".gitconfig")]);
        let files = OF_MACHINE.iter().map(PathBuf::from);
        let files = files.chain(of_home.into_iter().flatten());
        for file in files.chain([common.join("config")]) {
            if let Ok(text) = read(&file) {
                texts.push(text?);
            }
        }
        let settings = settings(&texts)?;
        let disk = Self {
            root,
            git_dir,
            common,
            settings,
        };
        disk.is_plain().then_some(disk)
    }

    fn is_plain(&self) -> bool {
        const OTHER: [(&str, &str); 4] = [
            ("core", "worktree"),
            ("core", "bare"),
            ("extensions", "worktreeconfig"),
            ("extensions", "refstorage"),
        ];
        self.settings.iter().all(|setting| {
            let is_other = |(section, key): &(&str, &str)| {
                setting.section == *section && setting.key == *key && setting.value != "false"
            };
            !OTHER.iter().any(is_other) && !setting.section.starts_with("include")
        })
    }

    /// The value of a setting.
    pub(super) fn setting(&self, key: &str) -> Option<String> {
        let (section, rest) = key.split_once('.')?;
        let (part, key) = match rest.rsplit_once('.') {
            Some((part, key)) => (Some(part), key),
            None => (None, rest),
        };
        let mut settings = self.settings.iter().rev();
        let found = settings.find(|setting| {
            setting.section.eq_ignore_ascii_case(section)
                && setting.part.as_deref() == part
                && setting.key.eq_ignore_ascii_case(key)
        });
        found.map(|setting| setting.value.clone())
    }

    /// The names of the filters that are set up.
    pub(super) fn filters(&self) -> Vec<String> {
        let filters = self.settings.iter();
        let filters = filters.filter(|setting| setting.section == "filter");
        filters.filter_map(|setting| setting.part.clone()).collect()
    }

    /// What is checked out, when that is plainly said.
    pub(super) fn head(&self) -> Option<Head> {
        let head = read(&self.git_dir.join("HEAD")).ok()??;
        match head.trim_end().strip_prefix("ref: ") {
            Some(name) => {
                let name = name.strip_prefix("refs/heads/")?;
                Some(Head::Branch(name.to_owned()))
            }
            None => Some(Head::Commit),
        }
    }

    /// The branch of the remote that a branch follows.
    pub(super) fn upstream(&self, branch: &str) -> Option<String> {
        let merge = self.setting(&format!("branch.{branch}.merge"))?;
        self.setting(&format!("branch.{branch}.remote"))?;
        Some(merge.strip_prefix("refs/heads/")?.to_owned())
    }

    /// The main branches of the remotes, which are never packed.
    pub(super) fn default_branches(&self) -> Vec<String> {
        let remotes = std::fs::read_dir(self.common.join("refs/remotes"));
        let remotes = remotes.into_iter().flatten().flatten();
        let heads = remotes.filter_map(|remote| read(&remote.path().join("HEAD")).ok()?);
        heads
            .filter_map(|head| {
                let name = head.trim_end().strip_prefix("ref: refs/remotes/")?;
                name.split_once('/').map(|(_, branch)| branch.to_owned())
            })
            .collect()
    }
}

/// The folder around one that holds `.git`.
pub fn root_of(folder: &Path) -> Option<PathBuf> {
    let mut above = folder.ancestors().take(HIGHEST);
    let root = above.find(|folder| folder.join(".git").symlink_metadata().is_ok());
    root.map(Path::to_owned)
}

/// Where the repository of a site keeps what is the work tree's own, and what all of its work trees share.
pub(in crate::guard) fn folders_of(site: &Site) -> Option<(PathBuf, PathBuf)> {
    let git_dir = match &site.git_dir {
        Some(named) => site.folder.join(named).canonicalize().ok()?,
        None => git_dir_of(&root_of(&site.folder.canonicalize().ok()?)?)?,
    };
    let common = common_of(&git_dir)?;
    Some((git_dir, common))
}

fn common_of(git_dir: &Path) -> Option<PathBuf> {
    match read(&git_dir.join("commondir")) {
        Ok(text) => git_dir.join(text?.trim_end()).canonicalize().ok(),
        Err(Absent) => Some(git_dir.to_owned()),
    }
}

fn git_dir_of(root: &Path) -> Option<PathBuf> {
    let entry = root.join(".git");
    let found = entry.symlink_metadata().ok()?;
    if found.is_dir() {
        return entry.join("HEAD").is_file().then_some(entry);
    }
    let text = read(&entry).ok()??;
    let path = text.trim_end().strip_prefix("gitdir: ")?;
    root.join(path).canonicalize().ok()
}

/// There is no such file.
struct Absent;

/// The text of a file; `None` when it is there and is no short, regular text.
fn read(path: &Path) -> Result<Option<String>, Absent> {
    let found = path.metadata().map_err(|_| Absent)?;
    if !found.is_file() || found.len() > LARGEST {
        return Ok(None);
    }
    let mut text = String::new();
    let file = File::open(path).map(|file| file.take(LARGEST));
    Ok(file
        .and_then(|mut file| file.read_to_string(&mut text))
        .ok()
        .map(|_| text))
}

/// The settings of files, the weakest first. `None` when one is not as plain as people and git write them.
fn settings(texts: &[String]) -> Option<Vec<Setting>> {
    let mut all = Vec::new();
    for text in texts {
        let mut section = (String::new(), None);
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            // A line that goes on on the next one.
            if line.ends_with('\\') {
                return None;
            }
            if let Some(header) = line.strip_prefix('[') {
                section = self::section(header)?;
                continue;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, "true"));
            all.push(Setting {
                section: section.0.clone(),
                part: section.1.clone(),
                key: key.trim().to_ascii_lowercase(),
                value: self::value(value)?,
            });
        }
    }
    Some(all)
}

/// `branch "main"]`. Something behind the bracket is left to git.
fn section(header: &str) -> Option<(String, Option<String>)> {
    let inside = header.strip_suffix(']')?;
    let Some((name, part)) = inside.split_once(char::is_whitespace) else {
        let plain = inside
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        return plain.then(|| (inside.to_ascii_lowercase(), None));
    };
    let part = part.trim().strip_prefix('"')?.strip_suffix('"')?;
    let plain = !part.contains(['"', '\\', ']']);
    plain.then(|| (name.to_ascii_lowercase(), Some(part.to_owned())))
}

/// A value without its quotes and what is said behind it.
fn value(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix('"') {
        let inside = quoted.strip_suffix('"')?;
        return (!inside.contains(['"', '\\'])).then(|| inside.to_owned());
    }
    let plain = text.split(['#', ';']).next().unwrap_or_default().trim_end();
    // What is quoted in the middle or escaped means something, but nothing that is asked for here.
    Some(plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str) -> Option<Vec<Setting>> {
        settings(&[text.to_owned()])
    }

    #[test]
    fn plain_settings_are_read_and_others_are_left_to_git() {
        let text = "[core]\n\tbare = false ; no\n[Branch \"main\"]\n  Merge = refs/heads/main\n[filter \"lfs\"]\nclean = \"git-lfs clean\"\n[user]\nname\n";
        let all = read_all(text).unwrap();
        let shown: Vec<String> = all
            .iter()
            .map(|it| {
                let part = it.part.as_deref().unwrap_or("-");
                format!("{} {part} {} {}", it.section, it.key, it.value)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "core - bare false",
                "branch main merge refs/heads/main",
                "filter lfs clean git-lfs clean",
                "user - name true"
            ]
        );
        for odd in [
            "[filter.lfs]\nclean = x",
            "[a] b = c\n",
            "[a]\nb = c \\\n d\n",
            "[filter \"a\\\"b\"]\n",
            "[a\n",
            "[a]\nb = \"c\" d\n",
        ] {
            assert_eq!(read_all(odd), None, "{odd}");
        }
    }
}
