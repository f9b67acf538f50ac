//! Which formatters a file that was changed is given to, if any.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use bellwether_protocol::event::{Deed, Event, Kind, ToolKind};

use super::config::{Config, FormatCommand, SECTION};
use super::formatters::{ALL, Formatter, OWN_FOLDERS, Way};
use super::target::{Target, is_program};
use crate::guard::files::Change;
use crate::guard::machine::{self, Spot};
use crate::guard::paths;
use crate::handlers::Context;

/// A file, and what is run for it, one after the other.
#[derive(Debug)]
pub struct Plan {
    pub target: Target,
    pub steps: Vec<Step>,
    /// Formatters that the project uses and this machine does not have.
    pub missing: Vec<String>,
    pub timeout_s: u32,
}

/// One formatter that is run.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name, or that of the program that the person has chosen.
    pub name: String,
    pub program: PathBuf,
    pub words: Vec<OsString>,
    pub folder: PathBuf,
    pub way: Way,
    pub chosen_by: ChosenBy,
}

/// Who wants a formatter to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChosenBy {
    /// The project's files say so. Nothing is downloaded for it.
    Project,
    /// The person's configuration says so, and may name whatever they like.
    Person,
}

/// Why a file is left as the agent wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftAlone {
    /// No file was changed.
    NoChange,
    Off,
    NoProject,
    Gone,
    NoFile,
    Outside,
    Foreign,
    SecondName,
    TooLarge,
    Protected,
    /// The person has said so.
    Excluded,
    NoFormatter,
}

impl fmt::Display for LeftAlone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoChange => "no file was changed",
            Self::Off => "`format.enabled` is off, or this project is not trusted",
            Self::NoProject => "the event belongs to no project",
            Self::Gone => "the file is not there",
            Self::NoFile => "it is not a regular file",
            Self::Outside => "the file is outside of the project, or a link leads there",
            Self::Foreign => "the file is in a folder for what comes from elsewhere",
            Self::SecondName => "the file has another name, where it would change too",
            Self::TooLarge => "the file is larger than 1 MiB",
            Self::Protected => "the guard protects the file",
            Self::Excluded => "`format.formatters` leaves such files alone",
            Self::NoFormatter => "the project uses no formatter for such files",
        })
    }
}

/// The path of the file that a tool has changed.
fn changed(event: &Event<'_>) -> Option<PathBuf> {
    (event.kind == Kind::PostToolUse).then_some(())?;
    let tool = event.tool.as_ref().filter(|tool| !tool.failed)?;
    // The others are told by their kind: nothing is read for them.
    let may_change = matches!(
        tool.does,
        ToolKind::Change | ToolKind::Mcp | ToolKind::Unknown
    );
    let Deed::Change(change) = may_change.then(|| tool.deed())? else {
        return None;
    };
    let folder = event.cwd.as_deref().unwrap_or("/");
    Some(Path::new(folder).join(change.path.as_ref()))
}

/// What is to be done with the file that an event is about.
pub fn plan(context: Context<'_>) -> Result<Plan, LeftAlone> {
    let path = changed(context.event).ok_or(LeftAlone::NoChange)?;
    let config: Config = context.settings.section(SECTION);
    if !config.enabled {
        return Err(LeftAlone::Off);
    }
    let project = crate::project_of(context.event, context.client).ok_or(LeftAlone::NoProject)?;
    let target = Target::new(&path, &project)?;
    let user = machine::user();
    let spot = Spot {
        cwd: target.root(),
        project: Some(target.root()),
        home: context.home,
        user: user.as_deref(),
    };
    let guard = context.settings.guard();
    // As the agent named it, and where that leads.
    let is_protected =
        |path: &Path| !machine::on_path(spot, &guard, path, Change::Unknown).is_empty();
    if is_protected(&path) || is_protected(target.file()) {
        return Err(LeftAlone::Protected);
    }
    let (steps, missing) = match own(&config, &target, spot) {
        Some(chosen) => chosen?,
        None => found(&config, &target)?,
    };
    Ok(Plan {
        target,
        steps,
        missing,
        timeout_s: config.timeout,
    })
}

type Steps = (Vec<Step>, Vec<String>);

/// What the person has chosen for such files; `None` when that is nothing.
fn own(config: &Config, target: &Target, spot: Spot<'_>) -> Option<Result<Steps, LeftAlone>> {
    let ground = machine::ground(spot);
    let chosen: Vec<&FormatCommand> = config
        .formatters
        .iter()
        .filter(|(pattern, _)| paths::fits(pattern, target.file(), &ground))
        .map(|(_, command)| command)
        .collect();
    if chosen.is_empty() {
        return None;
    }
    let (mut steps, mut missing) = (Vec::new(), Vec::new());
    for command in chosen {
        let Some(program) = command.program() else {
            return Some(Err(LeftAlone::Excluded));
        };
        match program_of(program, target) {
            Some(path) => steps.push(chosen_step(command, path, target)),
            None => missing.push(program.to_owned()),
        }
    }
    Some(Ok((steps, missing)))
}

/// The program that a person's command names: a path in the project, or a name.
fn program_of(name: &str, target: &Target) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(target.root().join(name)).filter(|path| is_program(path));
    }
    target.program(&[name], OWN_FOLDERS)
}

fn chosen_step(command: &FormatCommand, program: PathBuf, target: &Target) -> Step {
    let words = command.words(&target.file().to_string_lossy());
    let name = program.file_name().unwrap_or_default();
    Step {
        name: name.to_string_lossy().into_owned(),
        words: words.into_iter().skip(1).map(OsString::from).collect(),
        program,
        folder: target.root().to_owned(),
        way: Way::InPlace,
        chosen_by: ChosenBy::Person,
    }
}

/// The formatters that a project uses and those that the person has chosen, by name: which are there, and which are missing.
pub fn available(config: &Config, root: &Path) -> (Vec<String>, Vec<String>) {
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    let mut sort = |name: &str, program: Option<PathBuf>| match program {
        Some(_) => there.push(name.to_owned()),
        None => missing.push(name.to_owned()),
    };
    for formatter in wanted(config) {
        let some = formatter.endings.first().copied().unwrap_or_default();
        let target = Target::imagined(root, some);
        if formatter.fits(&target) {
            sort(formatter.name, formatter.program(&target));
        }
    }
    let target = Target::imagined(root, "");
    for program in config
        .formatters
        .values()
        .filter_map(FormatCommand::program)
    {
        sort(program, program_of(program, &target));
    }
    (there, missing)
}

fn wanted(config: &Config) -> impl Iterator<Item = &'static Formatter> {
    let skipped = |formatter: &&Formatter| config.skip.iter().any(|name| name == formatter.name);
    ALL.iter().filter(move |formatter| !skipped(formatter))
}

/// What the project itself uses for such files.
fn found(config: &Config, target: &Target) -> Result<Steps, LeftAlone> {
    let (mut steps, mut missing) = (Vec::new(), Vec::new());
    for formatter in wanted(config).filter(|formatter| formatter.fits(target)) {
        let Some(program) = formatter.program(target) else {
            missing.push(formatter.name.to_owned());
            continue;
        };
        let call = formatter.call(target, &program);
        steps.push(Step {
            name: formatter.name.to_owned(),
            program,
            words: call.words,
            folder: call.folder,
            way: formatter.way,
            chosen_by: ChosenBy::Project,
        });
    }
    if steps.is_empty() && missing.is_empty() {
        return Err(LeftAlone::NoFormatter);
    }
    Ok((steps, missing))
}
