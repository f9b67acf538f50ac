//! What a question is about, and what it rests on: told from the judgement alone, without a look at anything.

use std::path::{Path, PathBuf};

use bellwether_protocol::event::Deed;
use bellwether_shell::git::{GitAct, GitEffect, Site};
use bellwether_shell::{Act, Analysis, Effect, Laid, Place, Ran, Target};
use bellwether_spine::VERSION;

use super::super::catalog;
use super::super::config::Config;
use super::super::files;
use super::super::rules;
use super::super::timer;
use super::super::verdict::{Finding, Judgement};

/// More things than this are not looked at.
const MOST_THINGS: usize = 256;
/// As many words of all commands are looked at as files.
const MOST_WORDS: usize = 64;

/// Questions of these rules are about the guard itself, about what runs later, or about code that nobody has seen.
const EACH_TIME: [&str; 6] = [
    files::OWN.id,
    files::KEY.id,
    files::STARTUP.id,
    rules::own::ID,
    rules::inner_client::ID,
    rules::unseen::ID,
];

/// Commands that change nothing by themselves: where they lead and what they write is told on its own.
const IDLE: [&str; 17] = [
    "cd", "pushd", "popd", "echo", "printf", "true", ":", "test", "[", "ls", "pwd", "cat", "head",
    "tail", "wc", "sleep", "set",
];
/// What these run is told on its own.
const SHELLS: [&str; 5] = ["bash", "sh", "dash", "zsh", "command"];

/// Where programs that work elsewhere keep which account, project or cluster they work on.
const OF_PERSON: [&str; 14] = [
    ".kube/config",
    ".docker/config.json",
    ".aws/config",
    ".aws/credentials",
    ".config/gcloud/active_config",
    ".config/gcloud/configurations",
    ".config/gh/hosts.yml",
    ".azure",
    ".npmrc",
    ".pypirc",
    ".cargo/credentials.toml",
    ".netrc",
    ".pgpass",
    ".my.cnf",
];

/// The same in a project.
const OF_PROJECT: [&str; 5] = [
    ".terraform/environment",
    ".vercel/project.json",
    ".netlify/state.json",
    ".pulumi",
    ".wrangler/state.json",
];

/// A question, and all that was found out for it.
#[derive(Clone, Copy)]
pub struct Matter<'a> {
    pub judgement: &'a Judgement,
    /// What a command would do.
    pub analysis: Option<&'a Analysis>,
    pub deed: &'a Deed<'a>,
    pub cwd: &'a Path,
    pub user: Option<&'a Path>,
    pub config: &'a Config,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rests {
    /// What would be done, whatever words it was written in.
    pub(super) told: String,
    /// What it would hit, and what decides what it hits.
    pub(super) things: Vec<Thing>,
    pub lasts: Lasts,
}

/// How long a yes counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    /// As long as the session.
    Session,
    /// For ten minutes: it is about something elsewhere, which cannot be looked at.
    Moments,
}

/// Something on this machine that a question rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thing {
    /// What stands at a path, with all that is below it. A link stands for itself.
    Tree(PathBuf),
    /// The same, and where a link leads.
    Led(PathBuf),
    /// What stands at a path: of a file all that tells it from others, of a folder only which one it is.
    Entry(PathBuf),
    /// The files that stand directly in a folder.
    Files(PathBuf),
    /// The text of a file with code.
    Code(PathBuf),
    /// What a repository calls its commits, and its settings.
    Refs(Site),
    /// What could bring commits back.
    Logs(Site),
    /// What differs from the last commit, and what git has never seen.
    Changes { site: Site, ignored: bool },
}

/// Why a question is asked each time, in words for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsure(pub &'static str);

impl Unsure {
    pub(super) const TOO_MUCH: Self = Self("there is too much to look at");
}

impl Rests {
    /// What a question is about; an error where that cannot be told in full.
    pub fn of(matter: &Matter<'_>) -> Result<Self, Unsure> {
        let mut rests = Self {
            told: VERSION.to_owned(),
            things: vec![Thing::Entry(matter.cwd.to_owned())],
            lasts: Lasts::Session,
        };
        rests.tell(&(matter.config, matter.cwd));
        for finding in &matter.judgement.findings {
            rests.finding(finding)?;
        }
        match (matter.deed, matter.analysis) {
            (Deed::Command(command), Some(analysis)) => {
                rests.command(analysis, &command.text, matter.cwd)?;
                if rests.lasts == Lasts::Moments {
                    rests.elsewhere(&command.text, matter);
                }
            }
            (Deed::Change(change), _) => {
                rests.tell(&change.to);
                rests
                    .things
                    .push(Thing::Led(matter.cwd.join(change.path.as_ref())));
            }
            _ => return Err(Unsure("it is not known what would be done")),
        }
        if rests.things.len() > MOST_THINGS {
            return Err(Unsure::TOO_MUCH);
        }
        Ok(rests)
    }

    fn tell(&mut self, what: &impl std::fmt::Debug) {
        use std::fmt::Write as _;
        // Writing into a string does not fail.
        let _ = write!(self.told, "\n{what:?}");
    }

    fn finding(&mut self, finding: &Finding) -> Result<(), Unsure> {
        if EACH_TIME.contains(&finding.rule.as_str()) {
            return Err(Unsure("this rule asks each time"));
        }
        if finding.reason == timer::LATE {
            return Err(Unsure("it takes too long to check"));
        }
        // A rule of the person's own knows only words.
        if !catalog::is_known(&finding.rule) {
            self.lasts = Lasts::Moments;
        }
        self.tell(&(
            &finding.rule,
            finding.verdict,
            &finding.reason,
            &finding.lost,
        ));
        Ok(())
    }

    fn command(&mut self, analysis: &Analysis, text: &str, cwd: &Path) -> Result<(), Unsure> {
        if analysis.syntax.is_some() {
            return Err(Unsure("it cannot be parsed"));
        }
        for act in &analysis.acts {
            self.act(act, cwd)?;
        }
        for (path, text) in &analysis.written {
            self.tell(&(path, text));
        }
        for step in &analysis.staging {
            self.tell(&step.staged);
        }
        let mut words = 0;
        for ran in &analysis.commands {
            match role_of(ran, &analysis.acts) {
                Role::Idle => continue,
                Role::Told => {}
                // What it prepares is not known: only the same text is the same.
                Role::Beside => self.tell(&text.trim()),
            }
            for word in ran.words.iter().filter(|word| !word.starts_with('-')) {
                words += 1;
                self.things.push(Thing::Entry(cwd.join(word)));
            }
            if words > MOST_WORDS {
                return Err(Unsure::TOO_MUCH);
            }
        }
        Ok(())
    }

    fn act(&mut self, act: &Act, cwd: &Path) -> Result<(), Unsure> {
        self.tell(&(&act.effect, act.sure));
        let code = act.files.iter().map(|file| Thing::Code(file.path.clone()));
        self.things.extend(code);
        match &act.effect {
            Effect::Delete { targets, .. }
            | Effect::Displace { targets, .. }
            | Effect::Permission { targets, .. } => self.targets(targets),
            Effect::Move { from, to } => {
                self.targets(from)?;
                self.targets(std::slice::from_ref(to))
            }
            Effect::Overwrite { target, .. } => self.targets(std::slice::from_ref(target)),
            Effect::Lay { from, to } => {
                match from {
                    Laid::Tree(path) => self.things.push(Thing::Led(path.clone())),
                    Laid::Unknown(_) => {
                        return Err(Unsure("it is not known what would be put there"));
                    }
                }
                self.targets(std::slice::from_ref(to))
            }
            Effect::Git(effect) => self.git(effect),
            Effect::Remote { .. } => {
                self.lasts = Lasts::Moments;
                Ok(())
            }
            Effect::Publish { .. } => {
                self.lasts = Lasts::Moments;
                self.things.push(Thing::Tree(cwd.to_owned()));
                Ok(())
            }
            Effect::Run(_) => Err(Unsure("it is not known what would run")),
            Effect::Device { .. }
            | Effect::Bomb
            | Effect::System { .. }
            | Effect::Own { .. }
            | Effect::Client { .. }
            | Effect::Startup { .. } => Err(Unsure("it is about the machine or the guard itself")),
        }
    }

    fn targets(&mut self, targets: &[Target]) -> Result<(), Unsure> {
        for target in targets {
            let thing = match &target.place {
                Place::At(path) if target.follows => Thing::Led(path.clone()),
                Place::At(path) => Thing::Tree(path.clone()),
                Place::Within { folder, .. } => Thing::Led(folder.clone()),
                Place::Unknown { .. } => return Err(Unsure("it is not known what would be hit")),
            };
            self.things.push(thing);
        }
        Ok(())
    }

    fn git(&mut self, effect: &GitEffect) -> Result<(), Unsure> {
        let site = effect.site.clone();
        let site = site.ok_or(Unsure("it is not known in which repository"))?;
        self.things.push(Thing::Refs(site.clone()));
        let changes = |ignored| Thing::Changes {
            site: site.clone(),
            ignored,
        };
        let more = match &effect.act {
            GitAct::Push(_)
            | GitAct::MoveBranch { .. }
            | GitAct::DeleteBranch { .. }
            | GitAct::DeleteTag { .. }
            | GitAct::DeleteRef { .. } => return Ok(()),
            GitAct::DropStash(_) | GitAct::Forget { .. } => Thing::Logs(site.clone()),
            GitAct::Reset {
                submodules: false, ..
            }
            | GitAct::Discard(_)
            | GitAct::RewriteHistory { .. }
            | GitAct::RemoveFiles { .. }
            | GitAct::SkipHooks { lasting: false, .. } => changes(false),
            GitAct::Clean(_) => changes(true),
            GitAct::RemoveWorktree { path } => {
                let path = path
                    .literal()
                    .ok_or(Unsure("it is not known what would be hit"))?;
                Thing::Led(site.folder.join(path.as_ref()))
            }
            GitAct::Reset { .. }
            | GitAct::SkipHooks { .. }
            | GitAct::DropSubmodules { .. }
            | GitAct::Unknown { .. } => {
                return Err(Unsure("it is not known what git would do"));
            }
        };
        self.things.push(more);
        Ok(())
    }

    /// What is elsewhere cannot be looked at: only the same words in the same place count, and where they lead must not
    /// have been set anew.
    fn elsewhere(&mut self, command: &str, matter: &Matter<'_>) {
        self.tell(&command.trim());
        self.things.push(Thing::Files(matter.cwd.to_owned()));
        let of_project = OF_PROJECT.iter().map(|name| matter.cwd.join(name));
        let user = matter.user.into_iter();
        let of_person = user.flat_map(|user| OF_PERSON.iter().map(|name| user.join(name)));
        self.things
            .extend(of_project.chain(of_person).map(Thing::Led));
    }
}

/// What a command is beside what it was found to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It changes nothing.
    Idle,
    /// All that it does is told.
    Told,
    /// It may do more.
    Beside,
}

fn role_of(ran: &Ran, acts: &[Act]) -> Role {
    let name = ran.words.first().map_or("", String::as_str);
    let name = name.rsplit('/').next().unwrap_or(name);
    let whole = std::iter::once(name).chain(ran.words.iter().skip(1).map(String::as_str));
    let whole = plainly(&whole.collect::<Vec<_>>().join(" "));
    if IDLE.contains(&name) {
        Role::Idle
    } else if SHELLS.contains(&name) || acts.iter().any(|act| plainly(&act.command) == whole) {
        Role::Told
    } else {
        Role::Beside
    }
}

/// A command without what only quotes it.
fn plainly(command: &str) -> String {
    command
        .chars()
        .filter(|char| !"'\"\\".contains(*char))
        .collect()
}
