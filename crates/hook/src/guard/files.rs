//! Files that no tool may change: secrets, lockfiles, git's own, and ours.
//!
//! Everything here is decided by paths and texts that are given; the tools of the client and what
//! shell commands do to files are judged by the same function.

use std::path::{Path, PathBuf};

use bellwether_protocol::event::FileChange;
use bellwether_spine::Home;
use bellwether_workflow::{FOLDER, NAME};

use super::paths::{self, Ground};
use super::places::SETTINGS;
use super::registered::{self, Registered};
use super::startup;
use super::verdict::{Finding, Severity, Verdict};

#[derive(Debug, Clone, Copy)]
pub struct FileRule {
    pub id: &'static str,
    pub about: &'static str,
    /// How bad it would be.
    pub severity: Severity,
    /// What it says by loss; in strict mode it says the same.
    pub by_loss: &'static str,
    /// The strictest that it says.
    pub strict: Verdict,
}

pub const SECRETS: FileRule = FileRule {
    id: "protect-secrets",
    about: "changes of `.env` files",
    severity: Severity::High,
    by_loss: "denied; `.env.example` is free",
    strict: Verdict::Deny,
};
pub const LOCKFILE: FileRule = FileRule {
    id: "protect-lockfile",
    about: "changes of `package-lock.json`, `yarn.lock`, `pnpm-lock.yaml` by hand",
    severity: Severity::Low,
    by_loss: "denied: the package manager writes them",
    strict: Verdict::Deny,
};
pub const GIT: FileRule = FileRule {
    id: "protect-git",
    about: "changes below `.git`",
    severity: Severity::High,
    by_loss: "denied: git writes there",
    strict: Verdict::Deny,
};
pub const LISTED: FileRule = FileRule {
    id: "protect-files",
    about: "changes of the files in `guard.protected_files`",
    severity: Severity::High,
    by_loss: "denied",
    strict: Verdict::Deny,
};
pub const OWN: FileRule = FileRule {
    id: "protect-own",
    about: "changes of bellwether's programs, files, configuration and registration",
    severity: Severity::High,
    by_loss: "denied; asked where settings change and our entries stay",
    strict: Verdict::Deny,
};
pub const KEY: FileRule = FileRule {
    id: "protect-key",
    about: "reading what opens bellwether's page: the daemon's socket, and the token that earlier versions kept",
    severity: Severity::High,
    by_loss: "denied; asked where all of the folder is read",
    strict: Verdict::Deny,
};

pub const STARTUP: FileRule = FileRule {
    id: "startup",
    about: "changes of what runs by itself: start-up files of shells, editors and git, jobs, keys that open an account",
    severity: Severity::High,
    by_loss: "asked; silent for lines that only set a path, a variable or an alias",
    strict: Verdict::Ask,
};

/// Every rule over files.
pub const RULES: &[FileRule] = &[SECRETS, LOCKFILE, GIT, LISTED, OWN, KEY, STARTUP];

const LOCKFILES: [&str; 3] = ["package-lock.json", "yarn.lock", "pnpm-lock.yaml"];
const FREE: [&str; 1] = [".env.example"];
/// What stands for other files of its kind, and is committed: `.env.dist`, `.env.local.sample`.
const TEMPLATES: [&str; 8] = [
    ".example",
    ".dist",
    ".sample",
    ".template",
    ".tmpl",
    ".tpl",
    ".defaults",
    ".schema",
];

/// Whether a name is that of a template of a file with secrets.
pub(super) fn is_template(name: &str) -> bool {
    name.starts_with(".env.") && TEMPLATES.iter().any(|end| name.ends_with(end))
}

/// What would be made of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change<'a> {
    /// It would hold this.
    To(&'a str),
    /// It would hold something unknown.
    Unknown,
    /// It would be gone.
    Gone,
}

/// Where the files are that are ours.
#[derive(Clone, Copy)]
pub struct Ours<'a> {
    pub home: &'a Home,
    pub programs: &'a [PathBuf],
    /// The client's own folder, where it is not `~/.claude`.
    pub claude: Option<&'a Path>,
}

/// What judging a file needs.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// Where paths are seen from.
    pub ground: Ground<'a>,
    pub ours: Ours<'a>,
    /// The patterns of the configuration.
    pub patterns: &'a [String],
    /// The text of a file, when it has one.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
}

/// Whether a path is the client's copy of our plugin, its marketplace's, or below one.
fn is_plugin(path: &Path) -> bool {
    let parts = paths::parts(path);
    let copies = [
        ["plugins", "cache", "bellwether"],
        ["plugins", "marketplaces", "bellwether"],
    ];
    let is_copy = parts
        .windows(3)
        .any(|three| copies.iter().any(|copy| three == copy));
    // Of a marketplace with another name.
    let in_cache = |four: &[String]| four[..2] == ["plugins", "cache"] && four[3] == "bellwether";
    is_copy || parts.windows(4).any(in_cache)
}

/// The client's lists of what plugins there are and where they come from.
fn lists_plugins(path: &Path) -> bool {
    let parts = paths::parts(path);
    let lists = ["installed_plugins.json", "known_marketplaces.json"];
    let ends = |name: &&str| parts.ends_with(&[".claude", "plugins", name].map(str::to_owned));
    lists.iter().any(ends)
}

impl Files<'_> {
    /// What there is against a change of a file.
    pub fn judge(&self, path: &Path, change: Change<'_>) -> Option<Finding> {
        let spellings = self.ground.spellings(path);
        let strictest = spellings
            .iter()
            .filter_map(|path| self.look(path, change))
            .max_by_key(|objection| objection.verdict)?;
        Some(Finding {
            rule: strictest.rule.id.to_owned(),
            severity: strictest.rule.severity,
            verdict: strictest.verdict,
            reason: format!("{} {}", path.display(), strictest.reason),
            lost: None,
            instead: Some(strictest.instead.to_owned()),
            subject: path.display().to_string(),
            via: Vec::new(),
        })
    }

    /// What there is against a tool's change of a file.
    pub fn judge_change(&self, change: &FileChange<'_>) -> Option<Finding> {
        let path = Path::new(change.path.as_ref());
        let before = || (self.read)(path).unwrap_or_default();
        match change.to.after(before) {
            Some(text) => self.judge(path, Change::To(&text)),
            None => self.judge(path, Change::Unknown),
        }
    }

    fn look(&self, path: &Path, change: Change<'_>) -> Option<Objection> {
        self.own(path, change)
            .or_else(|| listed(path))
            .or_else(|| self.by_pattern(path))
            .or_else(|| self.startup(path, change))
    }

    /// Whether a path is one of ours, or below one.
    pub fn is_inside(&self, path: &Path) -> bool {
        let ours = [self.ours.home.state(), self.ours.home.config()];
        ours.iter().any(|own| paths::is_below(path, own))
    }

    /// A file that runs by itself: only plain lines may come to it.
    fn startup(&self, path: &Path, change: Change<'_>) -> Option<Objection> {
        let user = self.ground.user;
        (change != Change::Gone && startup::is_one(path, user)).then_some(())?;
        if let Change::To(text) = change {
            let before = (self.read)(path).unwrap_or_default();
            startup::unusual(path, user, &before, text)?;
        }
        let said =
            "runs by itself, and more than a path, a variable or an alias would come into it";
        let instead = "show the person the lines, and let them add them";
        Some(objection(&STARTUP, Verdict::Ask, said, instead))
    }

    fn own(&self, path: &Path, change: Change<'_>) -> Option<Objection> {
        let Ours {
            home,
            programs,
            claude,
        } = self.ours;
        let ours = [home.state(), home.config()].into_iter();
        let ours = ours.chain(programs.iter().map(PathBuf::as_path));
        // Wherever they are installed, our programs are known by their names.
        let is_program = path
            .file_name()
            .is_some_and(|name| name == "bellwether" || name == "bellwether-hook")
            && path.parent().is_some_and(|folder| folder.ends_with("bin"));
        if is_program || is_plugin(path) {
            return Some(objection(
                &OWN,
                Verdict::Deny,
                "belongs to bellwether",
                BY_PERSON,
            ));
        }
        // A change of a folder above ours changes ours only if it removes them.
        for own in ours {
            if paths::is_below(path, own) || (change == Change::Gone && paths::is_below(own, path))
            {
                return Some(objection(
                    &OWN,
                    Verdict::Deny,
                    "belongs to bellwether",
                    BY_PERSON,
                ));
            }
        }
        if is_settings(path, claude) {
            return Some(self.settings(path, change));
        }
        if lists_plugins(path) || self.is_plugin_file(path) {
            let said = "says what the plugins of your sessions do";
            return Some(objection(&OWN, Verdict::Ask, said, BY_PERSON));
        }
        if change == Change::Gone && self.holds_settings(path) {
            let said = "holds the registration of bellwether";
            return Some(objection(&OWN, Verdict::Deny, said, BY_PERSON));
        }
        let parts = paths::parts(path);
        let project = [
            [".claude", "bellwether.yaml"].as_slice(),
            &[".claude", "hooks", "config.yaml"],
        ];
        let ends =
            |end: &&[&str]| parts.len() >= end.len() && parts[parts.len() - end.len()..] == **end;
        if project.iter().any(ends) {
            let said = "says what guards this project";
            return Some(objection(&OWN, Verdict::Ask, said, BY_PERSON));
        }
        if ends(&[FOLDER, NAME].as_slice()) {
            let said = "says where the work of this project stands, and what you have reviewed";
            return Some(objection(&OWN, Verdict::Ask, said, BY_TASK));
        }
        None
    }

    /// Whether a file is one of our plugin's hooks, wherever the plugin is: the client runs it from a clone too.
    fn is_plugin_file(&self, path: &Path) -> bool {
        let parts = paths::parts(path);
        let ends = |name: &&str| parts.ends_with(&["hooks", name].map(str::to_owned));
        let named = ["hooks.json", "bellwether-hook"].iter().any(ends);
        let root = path.parent().and_then(Path::parent).filter(|_| named);
        let manifest = root.and_then(|root| (self.read)(&root.join(".claude-plugin/plugin.json")));
        let manifest = manifest.and_then(|text| serde_json::from_str(&text).ok());
        manifest.is_some_and(|manifest: serde_json::Value| manifest["name"] == "bellwether")
    }

    /// Whether a folder is the client's, with settings in it that hold our entries.
    fn holds_settings(&self, folder: &Path) -> bool {
        SETTINGS.iter().any(|name| {
            let file = folder.join(name);
            is_settings(&file, self.ours.claude)
                && (self.read)(&file)
                    .and_then(|text| Registered::read(&text))
                    .is_some_and(|registered| !registered.is_empty())
        })
    }

    /// The client's settings: our entries in them must stay.
    fn settings(&self, path: &Path, change: Change<'_>) -> Objection {
        let before = (self.read)(path).unwrap_or_default();
        let before = Registered::read(&before).unwrap_or_default();
        let (verdict, said) = match change {
            Change::To(text) => match registered::loses(&before, text) {
                Some(why) => (Verdict::Deny, why),
                None => (Verdict::Ask, "says which hooks run and what tools may do"),
            },
            Change::Unknown => (
                Verdict::Ask,
                "says which hooks run, and bellwether cannot tell whether they stay",
            ),
            Change::Gone if before.is_empty() => (Verdict::Ask, "says what tools may do"),
            Change::Gone => (Verdict::Deny, "holds the registration of bellwether"),
        };
        objection(&OWN, verdict, said, BY_PERSON)
    }

    fn by_pattern(&self, path: &Path) -> Option<Objection> {
        let fits = |pattern: &String| paths::fits(pattern, path, &self.ground);
        self.patterns.iter().any(fits).then_some(())?;
        let said = "is protected in this configuration";
        Some(objection(&LISTED, Verdict::Deny, said, BY_PERSON))
    }
}

const BY_TASK: &str =
    "complete its tasks: the file follows them, and the person reviews with `bellwether workflow`";
const BY_PERSON: &str = "say what should change and why, and let the person change it";

/// What is said about a place of ours.
pub(super) fn own_finding(path: &Path, verdict: Verdict, said: &str) -> Finding {
    Finding {
        rule: OWN.id.to_owned(),
        severity: OWN.severity,
        verdict,
        reason: format!("{} {said}", path.display()),
        lost: None,
        instead: Some(BY_PERSON.to_owned()),
        subject: path.display().to_string(),
        via: Vec::new(),
    }
}

/// What a rule has against a change.
struct Objection {
    rule: &'static FileRule,
    verdict: Verdict,
    reason: &'static str,
    instead: &'static str,
}

fn objection(
    rule: &'static FileRule,
    verdict: Verdict,
    reason: &'static str,
    instead: &'static str,
) -> Objection {
    Objection {
        rule,
        verdict,
        reason,
        instead,
    }
}

/// The files that are protected everywhere.
fn listed(path: &Path) -> Option<Objection> {
    let parts = paths::parts(path);
    if parts.iter().any(|part| part == ".git") {
        let instead = "use git's own commands, for instance `git config` or `git update-ref`";
        return Some(objection(&GIT, Verdict::Deny, "is git's own", instead));
    }
    let name = parts.last()?.as_str();
    if LOCKFILES.contains(&name) {
        let instead = "change package.json and let the package manager write the lockfile";
        return Some(objection(
            &LOCKFILE,
            Verdict::Deny,
            "is a lockfile",
            instead,
        ));
    }
    let is_secret =
        |name: &str| (name == ".env" || name.starts_with(".env.")) && !FREE.contains(&name);
    // A folder of such a name holds such files.
    if parts.iter().any(|part| is_secret(part)) {
        let instead =
            "put the name of the variable into .env.example and ask the person to fill it in";
        // A template is there to be written, but it has the name of what holds secrets.
        let verdict = if is_template(name) && name != ".env.sample" {
            Verdict::Ask
        } else {
            Verdict::Deny
        };
        return Some(objection(&SECRETS, verdict, "may hold secrets", instead));
    }
    None
}

/// Whether a path is one of the client's settings files: of the person, a project or a machine.
fn is_settings(path: &Path, claude: Option<&Path>) -> bool {
    let parts = paths::parts(path);
    let (Some(name), Some(folder)) = (parts.last(), path.parent()) else {
        return false;
    };
    let of_client = parts
        .iter()
        .rev()
        .nth(1)
        .is_some_and(|folder| folder == ".claude" || folder == "claude-code");
    SETTINGS.contains(&name.as_str())
        && (of_client || claude.is_some_and(|claude| paths::parts(claude) == paths::parts(folder)))
}

#[cfg(test)]
mod tests;
