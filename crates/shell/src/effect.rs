//! What a command does to the world, whichever program does it: `rm -rf`, `find -delete`,
//! `rsync --delete` and `shutil.rmtree` all delete.

use std::fmt;
use std::path::PathBuf;

use crate::git::GitEffect;
use crate::target::{Place, Target};

/// One effect, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    pub effect: Effect,
    /// The command that does it, with everything in it resolved.
    pub command: String,
    /// The way to it, from the outside: `bash deploy.sh`, `make clean`.
    pub via: Vec<String>,
    /// The files that the code which does it stands in, the outermost first; none when it stands in the command itself.
    pub files: Vec<CodeFile>,
    /// Whether it happens whenever those files are run: no condition stands before it that cannot be told.
    pub sure: bool,
}

/// A file with code that is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeFile {
    pub path: PathBuf,
    /// The part of it that is run, as it stands there, when it is one of many: a line of a makefile, a script of
    /// `package.json`.
    pub part: Option<String>,
    /// Whether the command itself has written it before.
    pub is_new: bool,
}

/// Something that is done to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Files or folders are deleted.
    Delete { targets: Vec<Target>, reach: Reach },
    /// The content of a file is replaced or changed.
    Overwrite { target: Target, how: How },
    /// Files or folders are moved away.
    Move { from: Vec<Target>, to: Target },
    /// Who may do what with files is changed.
    Permission {
        targets: Vec<Target>,
        reach: Reach,
        /// What they get: `777`, `a+w`, an owner.
        what: String,
    },
    /// A disk, a partition or a volume is written or destroyed as a whole.
    Device {
        device: String,
        /// By what: `mkfs`, `dd`.
        how: String,
    },
    /// Something is done to a git repository.
    Git(GitEffect),
    /// Code is run that nobody here has seen.
    Run(Code),
    /// The machine is brought down by copies of one process.
    Bomb,
    /// Something is published for everybody.
    Publish {
        /// What: `npm publish`.
        what: String,
    },
    /// Something elsewhere is destroyed: a database, a bucket, a cluster, a repository.
    Remote { what: String },
    /// The machine itself is stopped or stripped: `shutdown`, `kill -9 -1`, `crontab -r`.
    System { what: String },
    /// bellwether itself is told something that only a person may tell it.
    Own { what: String },
    /// A file or a folder with all that is in it comes to stand at a place: copied, moved, linked, unpacked.
    Lay { from: Laid, to: Target },
    /// What is at a place becomes something else without being deleted or written: it is packed, put into the bin,
    /// covered by a mount, or gets a second name.
    Displace {
        targets: Vec<Target>,
        /// What becomes of it: `packs`, `covers`.
        how: &'static str,
    },
    /// A client is started that may not be guarded as this one is.
    Client {
        /// What would be off: `its hooks`.
        without: String,
    },
    /// Something is set up that runs by itself later: a job of `cron`, a setting of git that is a command.
    Startup { what: String },
}

impl Effect {
    /// Whether it is known what it hits.
    pub(crate) fn is_known(&self) -> bool {
        let at = |target: &Target| matches!(target.place, Place::At(_));
        match self {
            Self::Delete { targets, .. } | Self::Permission { targets, .. } => {
                targets.iter().any(at)
            }
            Self::Overwrite { target, .. } => at(target),
            Self::Move { from, .. } => from.iter().any(at),
            Self::Run(code) => matches!(code, Code::Downloaded(_)),
            _ => true,
        }
    }
}

impl Effect {
    /// What is left of it in a container, of whose places only some are this machine's.
    pub(crate) fn within(self, is_ours: &dyn Fn(&Place) -> bool) -> Option<Self> {
        let ours = |target: &Target| is_ours(&target.place);
        let kept = |targets: Vec<Target>| {
            let kept: Vec<Target> = targets.into_iter().filter(ours).collect();
            (!kept.is_empty()).then_some(kept)
        };
        match self {
            Self::Delete { targets, reach } => {
                let targets = kept(targets)?;
                Some(Self::Delete { targets, reach })
            }
            Self::Permission {
                targets,
                reach,
                what,
            } => {
                let targets = kept(targets)?;
                Some(Self::Permission {
                    targets,
                    reach,
                    what,
                })
            }
            Self::Displace { targets, how } => {
                let targets = kept(targets)?;
                Some(Self::Displace { targets, how })
            }
            Self::Move { from, to } => {
                let from = kept(from)?;
                Some(Self::Move { from, to })
            }
            Self::Overwrite { ref target, .. } | Self::Lay { to: ref target, .. } => {
                ours(target).then_some(self)
            }
            Self::Git(ref effect) => {
                let site = effect.site.as_ref();
                site.is_some_and(|site| is_ours(&Place::At(site.folder.clone())))
                    .then_some(self)
            }
            Self::Device { .. } | Self::Bomb | Self::Publish { .. } | Self::Remote { .. } => {
                Some(self)
            }
            Self::Run(_)
            | Self::System { .. }
            | Self::Own { .. }
            | Self::Client { .. }
            | Self::Startup { .. } => None,
        }
    }
}

/// What comes to stand at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Laid {
    /// Something on this machine that can be looked at.
    Tree(PathBuf),
    /// Something whose names cannot be told beforehand: an archive, a download.
    Unknown(String),
}

/// How far an effect goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The named entries only.
    Entries,
    /// Everything below them too.
    Trees,
}

/// How a file's content is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Written anew: `>`, `tee`, `cp` onto it, `dd of=`.
    Written,
    /// Added to: `>>`, `tee -a`.
    Appended,
    /// Edited in place: `sed -i`.
    Edited,
    /// Emptied or cut: `truncate`, `: >`.
    Truncated,
    /// Made unreadable for ever: `shred`.
    Shredded,
    /// Replaced by a version that git has of it: `git show HEAD:a > a`.
    Reverted,
}

/// Code that nobody here has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// It comes straight from the network.
    Downloaded(String),
    /// It cannot be resolved: what stands for it.
    Unknown(String),
    /// It is in a file that cannot be read: which, and why.
    Unreadable(String),
    /// There is too much of it, or it is nested too deeply.
    Beyond(String),
}

impl fmt::Display for Effect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delete { targets, reach } => {
                let all = match reach {
                    Reach::Entries => "",
                    Reach::Trees => " with all that is in it",
                };
                write!(out, "deletes {}{all}", shown(targets))
            }
            Self::Overwrite { target, how } => write!(out, "{how} {}", target.shown),
            Self::Move { from, to } => write!(out, "moves {} to {}", shown(from), to.shown),
            Self::Permission { targets, what, .. } => {
                write!(
                    out,
                    "gives {} the permissions or owner {what}",
                    shown(targets)
                )
            }
            Self::Device { device, how } => write!(out, "writes over {device} with {how}"),
            Self::Git(effect) => write!(out, "git: {}", effect.act),
            Self::Run(code) => write!(out, "{code}"),
            Self::Bomb => write!(out, "starts copies of itself without end"),
            Self::Publish { what } => write!(out, "publishes: {what}"),
            Self::Remote { what } => write!(out, "destroys elsewhere: {what}"),
            Self::System { what } => write!(out, "changes the machine: {what}"),
            Self::Own { what } => write!(out, "tells bellwether: {what}"),
            Self::Lay { from, to } => write!(out, "puts {from} at {}", to.shown),
            Self::Displace { targets, how } => write!(out, "{how} {}", shown(targets)),
            Self::Client { without } => write!(out, "starts a client without {without}"),
            Self::Startup { what } => write!(out, "sets up something that runs later: {what}"),
        }
    }
}

impl fmt::Display for Laid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(path) => write!(out, "{}", path.display()),
            Self::Unknown(what) => write!(out, "what is in {what}"),
        }
    }
}

impl fmt::Display for How {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Written => "writes",
            Self::Appended => "adds to",
            Self::Edited => "edits",
            Self::Truncated => "empties",
            Self::Shredded => "shreds",
            Self::Reverted => "puts an earlier version over",
        })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Downloaded(from) => write!(out, "runs what comes from {from}"),
            Self::Unknown(what) => write!(out, "runs something unknown: {what}"),
            Self::Unreadable(why) => write!(out, "runs something unread: {why}"),
            Self::Beyond(why) => write!(out, "goes on further than it can be followed: {why}"),
        }
    }
}

fn shown(targets: &[Target]) -> String {
    let names: Vec<&str> = targets.iter().map(|target| target.shown.as_str()).collect();
    names.join(" ")
}
