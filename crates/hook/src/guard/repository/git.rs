//! Answers from git itself.
//!
//! Architecture Invariant: nothing that a repository's configuration names is run. There is no pager,
//! prompt, hook, file monitor, signature check or fetch; filters, which `git status` would run over
//! changed files, are looked up first and switched off; submodules are not entered. The environment is
//! ours alone, and git comes from a fixed list of folders.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use bellwether_shell::Text;
use bellwether_shell::git::{Cleaning, Site};
use bellwether_spine::text::line;

use super::blobs::{Held, Moment};
use super::disk::{Disk, Head};
use super::{Changes, GitAnswer, Kind, Leaving, Names, Repository, Silence};
use crate::child::{self, ChildOutput, Cut, Limits};

/// How long all look-ups of one judgement may take together.
pub const BUDGET: Duration = Duration::from_millis(300);
/// The share of that which is kept for the question whose code it is.
const KEPT: u32 = 3;

const FOLDERS: &[&str] = &[
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
    "/run/current-system/sw/bin",
];

/// Settings that would run something, show something else than we read, or write.
pub const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.quotePath", "false"),
    ("core.untrackedCache", "keep"),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
];

/// The most that is read of what git says: enough for thousands of names, and for every script that is read.
const MOST: usize = 256 * 1024;
/// The most commits that are counted.
const MOST_COMMITS: &str = "--max-count=1000";

/// Git, asked on behalf of one judgement.
pub struct Git {
    program: OnceCell<Option<PathBuf>>,
    home: Option<PathBuf>,
    left: Cell<Duration>,
    /// What is kept for the question whose code it is: when a large work tree took too long, it must still be asked.
    kept: Cell<Duration>,
    /// What was answered: nothing changes while a command is judged, however often it says the same.
    answered: RefCell<BTreeMap<GitQuestion, GitAnswer<ChildOutput>>>,
    /// The repositories that can be read without git, by the folder that they were looked for from.
    disks: RefCell<BTreeMap<Site, Option<Rc<Disk>>>>,
}

/// What git was asked: where, with which settings, in which words.
type GitQuestion = (Site, Vec<(String, String)>, Vec<String>);

impl Git {
    /// Git with the settings of a person, who may wait for so long.
    pub fn new(home: Option<PathBuf>, budget: Duration) -> Self {
        Self {
            program: OnceCell::new(),
            home,
            left: Cell::new(budget.saturating_sub(budget / KEPT)),
            kept: Cell::new(budget / KEPT),
            answered: RefCell::default(),
            disks: RefCell::default(),
        }
    }

    /// Where git is; looked for when it is first needed.
    fn program(&self) -> Option<&Path> {
        self.program.get_or_init(program).as_deref()
    }

    #[cfg(test)]
    pub(super) fn with_program(
        program: Option<PathBuf>,
        home: Option<PathBuf>,
        budget: Duration,
    ) -> Self {
        Self {
            program: OnceCell::from(program),
            home,
            left: Cell::new(budget.saturating_sub(budget / KEPT)),
            kept: Cell::new(budget / KEPT),
            answered: RefCell::default(),
            disks: RefCell::default(),
        }
    }

    /// Asks git, once for each question; every exit code is an answer.
    pub(super) fn ask(
        &self,
        site: &Site,
        settings: &[(String, String)],
        words: &[&str],
    ) -> GitAnswer<ChildOutput> {
        let owned = words.iter().map(|word| (*word).to_owned()).collect();
        let question = (site.clone(), settings.to_vec(), owned);
        if let Some(answer) = self.answered.borrow().get(&question) {
            return answer.clone();
        }
        let answer = self.ask_anew(site, settings, words, b"", &self.left);
        self.answered.borrow_mut().insert(question, answer.clone());
        answer
    }

    fn ask_anew(
        &self,
        site: &Site,
        settings: &[(String, String)],
        words: &[&str],
        input: &[u8],
        budget: &Cell<Duration>,
    ) -> GitAnswer<ChildOutput> {
        let Some(program) = self.program() else {
            return Err(trouble("git was not found"));
        };
        if !site.folder.is_dir() {
            return Err(Silence::NoRepository);
        }
        let left = budget.get();
        if left.is_zero() {
            return Err(trouble(&unanswered(&Cut::Late)));
        }
        let mut command = Command::new(program);
        prepare(&mut command, site, self.home.as_deref(), settings);
        command.args(words);
        let start = Instant::now();
        let limits = Limits {
            end: start + left,
            most: MOST,
            called_off: &|| false,
        };
        let said = child::run(&mut command, input, limits);
        budget.set(left.saturating_sub(start.elapsed()));
        let said = said.map_err(|cut| trouble(&unanswered(&cut)))?;
        match said.code {
            Some(128..) => Err(refusal(&said.complaint)),
            _ => Ok(said),
        }
    }

    /// Asks git about what it is told.
    pub(super) fn ask_of(
        &self,
        site: &Site,
        words: &[&str],
        input: &[u8],
    ) -> GitAnswer<ChildOutput> {
        self.ask_anew(site, &[], words, input, &self.kept)
    }

    /// The repository around a site, when its files say enough.
    fn disk(&self, site: &Site) -> Option<Rc<Disk>> {
        if let Some(known) = self.disks.borrow().get(site) {
            return known.clone();
        }
        let program = self.program()?;
        let disk = Disk::find(site, program, self.home.as_deref()).map(Rc::new);
        self.disks.borrow_mut().insert(site.clone(), disk.clone());
        disk
    }

    /// Asks git something that does not read the work tree.
    fn simply(&self, site: &Site, words: &[&str]) -> GitAnswer<ChildOutput> {
        self.ask(site, &[], words)
    }

    /// Its first line, or nothing when git has no answer.
    fn one(&self, site: &Site, words: &[&str]) -> GitAnswer<Option<String>> {
        let said = self.simply(site, words)?;
        let text = String::from_utf8_lossy(&said.out);
        let first = text.lines().next().unwrap_or_default();
        Ok((said.code == Some(0) && !first.is_empty()).then(|| first.to_owned()))
    }

    /// Asks for the state of the work tree, with its filters switched off.
    fn status(&self, site: &Site, untracked: &str, rest: &[&str]) -> GitAnswer<(Changes, bool)> {
        let off = self.filters_off(site)?;
        let mut words = vec![
            "status",
            "--porcelain=v2",
            "-z",
            "--no-renames",
            "--ignore-submodules=dirty",
            untracked,
        ];
        words.extend(rest);
        let said = self.ask(site, &off, &words)?;
        Ok((changes(&said.out), said.cut))
    }

    /// The settings that keep filters from running.
    pub(super) fn filters_off(&self, site: &Site) -> GitAnswer<Vec<(String, String)>> {
        if let Some(disk) = self.disk(site) {
            return Ok(switched_off(&disk.filters()));
        }
        let pattern = r"^filter\..*\.(clean|smudge|process)$";
        let words = ["config", "-z", "--name-only", "--get-regexp", pattern];
        let said = self.simply(site, &words)?;
        if said.cut {
            return Err(trouble("there are too many filters"));
        }
        let drivers: Vec<String> = records(&said.out)
            .filter_map(|key| Some(key.strip_prefix("filter.")?.rsplit_once('.')?.0.to_owned()))
            .collect();
        Ok(switched_off(&drivers))
    }

    pub(super) fn root(&self, site: &Site) -> GitAnswer<PathBuf> {
        if let Some(disk) = self.disk(site) {
            return Ok(disk.root.clone());
        }
        let words = ["rev-parse", "--show-toplevel"];
        let root = self.one(site, &words)?;
        root.map(PathBuf::from)
            .ok_or_else(|| trouble("there is no work tree"))
    }
}

impl Repository for Git {
    fn changes(&self, folder: &Path, paths: &[PathBuf]) -> GitAnswer<Changes> {
        let site = Site::of(folder);
        let root = self.root(&site)?;
        let mut words = vec!["--ignored=matching", "--"];
        let paths: Vec<String> = paths
            .iter()
            .map(|path| format!(":(literal){}", path.display()))
            .collect();
        words.extend(paths.iter().map(String::as_str));
        let (changes, _) = self.status(&site, "--untracked-files=normal", &words)?;
        Ok(Changes { root, ..changes })
    }

    fn modified(&self, site: &Site, pathspecs: &[String]) -> GitAnswer<Names> {
        let mut words = vec!["--"];
        words.extend(pathspecs.iter().map(String::as_str));
        let (changes, more) = self.status(site, "--untracked-files=no", &words)?;
        Ok(Names {
            names: changes.modified,
            more,
        })
    }

    fn cleaned(&self, site: &Site, cleaning: &Cleaning, kind: Kind) -> GitAnswer<Names> {
        let mut words = vec!["clean".to_owned(), "-n".to_owned()];
        let flags = [
            (cleaning.folders, "-d"),
            (cleaning.repositories, "-ff"),
            (kind == Kind::Ignored, "-X"),
        ];
        words.extend(
            flags
                .iter()
                .filter(|(set, _)| *set)
                .map(|(_, flag)| (*flag).to_owned()),
        );
        for except in cleaning.except.iter().filter_map(Text::literal) {
            words.push(format!("--exclude={except}"));
        }
        words.push("--".to_owned());
        words.extend(pathspecs(&cleaning.paths));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let said = self.simply(site, &words)?;
        let text = String::from_utf8_lossy(&said.out);
        let names = text
            .lines()
            .filter_map(|line| line.strip_prefix("Would remove "));
        Ok(Names {
            names: names.map(ToOwned::to_owned).collect(),
            more: said.cut,
        })
    }

    fn current_branch(&self, site: &Site) -> GitAnswer<Option<String>> {
        match self.disk(site).and_then(|disk| disk.head()) {
            Some(Head::Branch(name)) => return Ok(Some(name)),
            Some(Head::Commit) => return Ok(None),
            None => {}
        }
        let head = self.one(site, &["symbolic-ref", "-q", "HEAD"])?;
        Ok(head.and_then(|head| Some(head.strip_prefix("refs/heads/")?.to_owned())))
    }

    fn upstream(&self, site: &Site, branch: &str) -> GitAnswer<Option<String>> {
        if let Some(disk) = self.disk(site) {
            return Ok(disk.upstream(branch));
        }
        let name = format!("refs/heads/{branch}");
        let words = ["for-each-ref", "--format=%(upstream:remoteref)", &name];
        let upstream = self.one(site, &words)?;
        Ok(upstream.and_then(|name| Some(name.strip_prefix("refs/heads/")?.to_owned())))
    }

    fn default_branches(&self, site: &Site) -> GitAnswer<Vec<String>> {
        if let Some(disk) = self.disk(site) {
            return Ok(disk.default_branches());
        }
        let words = ["for-each-ref", "--format=%(symref)", "refs/remotes/*/HEAD"];
        let said = self.simply(site, &words)?;
        Ok(String::from_utf8_lossy(&said.out)
            .lines()
            .filter_map(|name| name.strip_prefix("refs/remotes/")?.split_once('/'))
            .map(|(_, branch)| branch.to_owned())
            .collect())
    }

    fn exists(&self, site: &Site, name: &str) -> GitAnswer<bool> {
        let name = format!("{}^{{commit}}", revision(name)?);
        let words = ["rev-parse", "-q", "--verify", "--end-of-options", &name];
        Ok(self.simply(site, &words)?.code == Some(0))
    }

    fn left(&self, site: &Site, leaving: &Leaving) -> GitAnswer<usize> {
        let mut words = vec!["rev-list".to_owned(), "--count".to_owned()];
        words.push(MOST_COMMITS.to_owned());
        for tip in &leaving.tips {
            words.push(revision(tip)?.to_owned());
        }
        words.push("--not".to_owned());
        for kept in &leaving.kept {
            words.push(revision(kept)?.to_owned());
        }
        words.extend(
            leaving
                .branches
                .iter()
                .map(|name| format!("--exclude={name}")),
        );
        words.extend(["--branches".to_owned(), "--remotes".to_owned()]);
        words.extend(leaving.tags.iter().map(|name| format!("--exclude={name}")));
        words.push("--tags".to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let count = self.one(site, &words)?;
        count
            .and_then(|count| count.parse().ok())
            .ok_or_else(|| trouble("git did not count"))
    }

    fn stashes(&self, site: &Site) -> GitAnswer<Names> {
        let said = self.simply(site, &["stash", "list", "--format=%gs"])?;
        let text = String::from_utf8_lossy(&said.out);
        Ok(Names {
            names: text.lines().map(ToOwned::to_owned).collect(),
            more: said.cut,
        })
    }

    fn setting(&self, site: &Site, key: &str) -> GitAnswer<Option<String>> {
        if let Some(disk) = self.disk(site) {
            return Ok(disk.setting(key));
        }
        // Ours come with the call and would hide the repository's.
        let words = ["config", "--includes", "--get", key];
        self.one(site, &words)
    }

    fn has_submodules(&self, site: &Site) -> GitAnswer<bool> {
        Ok(self.root(site)?.join(".gitmodules").exists())
    }

    fn held(&self, root: &Path, moment: &Moment, paths: &[String]) -> GitAnswer<Held> {
        self.held_at(root, moment, paths)
    }

    fn text(&self, root: &Path, moment: &Moment, path: &str) -> GitAnswer<String> {
        self.text_at(root, moment, path)
    }
}

/// The pathspecs that words name; all of the tree when one of them is not known.
pub(super) fn pathspecs(paths: &[Text]) -> Vec<String> {
    let known: Option<Vec<String>> = paths
        .iter()
        .map(|path| path.literal().map(std::borrow::Cow::into_owned))
        .collect();
    known.unwrap_or_default()
}

fn program() -> Option<PathBuf> {
    let mut places = FOLDERS.iter().map(|folder| Path::new(folder).join("git"));
    places.find(|path| path.is_file())
}

/// Git in a place, with nothing to read and further settings; `None` when there is none.
pub(crate) fn command(
    site: &Site,
    home: Option<&Path>,
    settings: &[(String, String)],
) -> Option<Command> {
    let mut command = Command::new(program()?);
    prepare(&mut command, site, home, settings);
    Some(command)
}

fn prepare(command: &mut Command, site: &Site, home: Option<&Path>, off: &[(String, String)]) {
    let ours = SETTINGS
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let settings: Vec<(String, String)> = ours.chain(off.iter().cloned()).collect();
    command
        .stdin(Stdio::null())
        .current_dir(&site.folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_clear()
        .env("PATH", FOLDERS.join(":"))
        .env("LC_ALL", "C")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (number, (key, value)) in settings.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{number}"), key);
        command.env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
    if let Some(home) = home {
        command.env("HOME", home);
    }
    command.args(["--no-optional-locks", "--no-pager"]);
    for (option, path) in [
        ("--git-dir", &site.git_dir),
        ("--work-tree", &site.work_tree),
    ] {
        if let Some(path) = path {
            command.arg(option).arg(path);
        }
    }
}

fn switched_off(drivers: &[String]) -> Vec<(String, String)> {
    drivers
        .iter()
        .flat_map(|driver| {
            [
                ("clean", ""),
                ("smudge", ""),
                ("process", ""),
                ("required", "false"),
            ]
            .map(|(key, value)| (format!("filter.{driver}.{key}"), value.to_owned()))
        })
        .collect()
}

/// A name that git cannot take for an option.
fn revision(name: &str) -> GitAnswer<&str> {
    if name.is_empty() || name.starts_with(['-', '^']) {
        Err(trouble("that is no commit"))
    } else {
        Ok(name)
    }
}

/// Why git has not answered.
pub(crate) fn unanswered(cut: &Cut) -> String {
    match cut {
        Cut::NotStarted(error) => format!("git did not start: {error}"),
        Cut::Late | Cut::CalledOff => "git took too long".to_owned(),
        Cut::Killed => "git was killed".to_owned(),
        Cut::Failed(error) => error.clone(),
    }
}

fn trouble(what: &str) -> Silence {
    Silence::Trouble(what.to_owned())
}

fn refusal(complaint: &str) -> Silence {
    if complaint.contains("not a git repository") {
        return Silence::NoRepository;
    }
    if complaint.contains("dubious ownership") {
        return trouble("git does not trust the owner of the folder");
    }
    let first = complaint.lines().next().unwrap_or("git refused");
    trouble(&line(first.trim_start_matches("fatal: "), 80))
}

pub(super) fn records(out: &[u8]) -> impl Iterator<Item = String> {
    out.split(|byte| *byte == 0)
        .filter(|record| !record.is_empty())
        .map(|record| String::from_utf8_lossy(record).into_owned())
}

/// Reads `status --porcelain=v2 -z`.
pub(super) fn changes(out: &[u8]) -> Changes {
    let mut changes = Changes::default();
    for record in records(out) {
        let Some((kind, rest)) = record.split_once(' ') else {
            continue;
        };
        // How many fields stand before the path.
        let fields = match kind {
            "1" => 7,
            "u" => 9,
            "?" => {
                changes.untracked.push(rest.to_owned());
                continue;
            }
            "!" => {
                changes.ignored.push(rest.to_owned());
                continue;
            }
            _ => continue,
        };
        if let Some(path) = rest.splitn(fields + 1, ' ').nth(fields) {
            changes.modified.push(path.to_owned());
        }
    }
    changes
}
