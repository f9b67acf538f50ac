//! `bellwether transcript export`: sessions as files that anyone can read.

use std::fs::File;
use std::io::{BufWriter, Read as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use bellwether_spine::{Home, meta, text};
use bellwether_transcript::render::Figures;
use bellwether_transcript::{Form, Projects, Session, Transcript, file_name, write_index};
use clap::Args;

use super::chosen::{Chosen, of_project};
use super::{Known, ended};
use crate::output::Bar;
use crate::{exit, output};

/// By this an export of ours is known: it stands in its first bytes.
const SIGN: &[u8] = b"bellwether-transcript";
const BEGINNING: u64 = 16 * 1024;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    form: FormWords,
    /// Write to this file, `-` for stdout. Only an export of ours is replaced.
    #[arg(long, short, value_name = "FILE", conflicts_with_all = ["folder", "all"])]
    output: Option<PathBuf>,
    /// Write into this folder, and an index over the pages that are there. `transcripts.folder` if it is set, else the
    /// current folder without an index.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Every session of this project.
    #[arg(long, conflicts_with_all = ["session", "last"])]
    all: bool,
    /// Leave out as little as possible of long outputs and large images.
    #[arg(long)]
    full: bool,
    /// For the daemon: the transcript must be in this folder of the client's.
    #[arg(long, value_name = "DIR", hide = true, requires = "session")]
    within: Option<PathBuf>,
    /// For the daemon: the session has just ended, and its transcript may still be written to.
    #[arg(long, hide = true, requires = "within", requires = "folder")]
    ended: bool,
}

#[derive(Args)]
#[group(multiple = false)]
struct FormWords {
    /// One page for a browser, with all that it needs inside; so it is when nothing is said.
    #[arg(long)]
    html: bool,
    /// Markdown.
    #[arg(long)]
    md: bool,
}

impl Arguments {
    fn open(&self) -> anyhow::Result<Transcript> {
        match &self.within {
            Some(projects) => self.chosen.open_within(&Projects::at(projects)),
            None => self.chosen.open(),
        }
    }

    fn name(&self, session: &Session<'_>) -> String {
        file_name(&session.overview(), self.form(), &Figures::default())
    }

    fn form(&self) -> Form {
        if self.form.md {
            Form::Markdown
        } else {
            Form::Html
        }
    }
}

pub(crate) fn run(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.all {
        return all(home, arguments);
    }
    if arguments.ended {
        ended::be_polite();
        ended::wait_for_end(&arguments.open()?.file)?;
    }
    let transcript = arguments.open()?;
    let to = arguments.output.as_ref();
    if to.is_some_and(|path| path.as_os_str() == "-") {
        return to_stdout(home, arguments, transcript);
    }
    let (to, bytes) = match to {
        Some(path) => one(home, arguments, transcript, |_| path.clone())?,
        None => into_folder(home, arguments, transcript)?,
    };
    told(&to, bytes);
    Ok(())
}

fn into_folder(
    home: &Home,
    arguments: &Arguments,
    transcript: Transcript,
) -> anyhow::Result<(PathBuf, u64)> {
    let Some(folder) = folder(home, arguments)? else {
        let here = std::env::current_dir()?;
        return one(home, arguments, transcript, |session| {
            here.join(arguments.name(session))
        });
    };
    let _turn = take_turn(&folder)?;
    let named = |session: &Session<'_>| folder.join(arguments.name(session));
    let exported = one(home, arguments, transcript, named)?;
    if arguments.form() == Form::Html {
        write_index(&folder, &Figures::default())?;
    }
    Ok(exported)
}

fn told(path: &Path, bytes: u64) {
    let path = text::shown(&path.display().to_string(), 400);
    tell!("{path} ({})", output::bytes(bytes));
}

/// The folder that exports go into, if one is named; it keeps an index.
fn folder(home: &Home, arguments: &Arguments) -> anyhow::Result<Option<PathBuf>> {
    let folder = match &arguments.folder {
        Some(folder) => Some(folder.clone()),
        None => configured(home)?,
    };
    if let Some(folder) = &folder {
        // What is made is for its owner alone.
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    Ok(folder)
}

fn configured(home: &Home) -> anyhow::Result<Option<PathBuf>> {
    let config = crate::config::load(home, None, &meta::variable).config;
    let person = meta::variable("HOME").map(PathBuf::from);
    let folder = config.transcripts.folder(person.as_deref());
    folder.transpose().map_err(anyhow::Error::msg)
}

/// Exports into one folder happen one after the other. The turn ends with the file that is given back.
fn take_turn(folder: &Path) -> anyhow::Result<File> {
    let file = File::open(folder).with_context(|| folder.display().to_string())?;
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
    Ok(file)
}

/// Exports a session. Returns where to, and how long the file is.
fn one(
    home: &Home,
    arguments: &Arguments,
    transcript: Transcript,
    to: impl FnOnce(&Session<'_>) -> PathBuf,
) -> anyhow::Result<(PathBuf, u64)> {
    let mut bar = Bar::new("exporting", transcript.length() * 2);
    let known = Known::of(home, &transcript);
    let session = known.survey(transcript, arguments.full, &mut bar)?;
    let to = to(&session);
    ensure!(
        is_ours(&to),
        "{} exists and is no export of ours; it is left as it is",
        to.display()
    );
    let figures = Figures::default();
    let bytes = session.export(&to, arguments.form(), &figures, &mut |bytes| bar.add(bytes))?;
    Ok((to, bytes))
}

/// Whether a file may be replaced: there is none, or it is an export of ours.
fn is_ours(path: &Path) -> bool {
    let Ok(seen) = path.symlink_metadata() else {
        return true;
    };
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    seen.is_file() && read.is_ok() && beginning.windows(SIGN.len()).any(|part| part == SIGN)
}

fn to_stdout(home: &Home, arguments: &Arguments, transcript: Transcript) -> anyhow::Result<()> {
    let mut bar = Bar::new("exporting", transcript.length() * 2);
    let known = Known::of(home, &transcript);
    let session = known.survey(transcript, arguments.full, &mut bar)?;
    let mut out = BufWriter::new(output::stdout());
    let figures = Figures::default();
    session.export_into(&mut out, arguments.form(), &figures, &mut |bytes| {
        bar.add(bytes);
    })?;
    Ok(())
}

fn all(home: &Home, arguments: &Arguments) -> anyhow::Result<()> {
    let Some(folder) = folder(home, arguments)? else {
        return Err(exit::usage(
            "`--all` needs `--folder DIR`, or `transcripts.folder` in the configuration",
        ));
    };
    let _turn = take_turn(&folder)?;
    let projects = Projects::of_user();
    let mut failed = 0;
    let sessions = of_project(&projects)?;
    for path in &sessions {
        let exported = Transcript::of_client(path, &projects)
            .map_err(anyhow::Error::from)
            .and_then(|transcript| {
                let named = |session: &Session<'_>| folder.join(arguments.name(session));
                one(home, arguments, transcript, named)
            });
        match exported {
            Ok((to, bytes)) => told(&to, bytes),
            Err(error) => {
                failed += 1;
                note!(
                    "{}: {}",
                    path.display(),
                    text::shown(&exit::told(&error), 400)
                );
            }
        }
    }
    if arguments.form() == Form::Html {
        let index = write_index(&folder, &Figures::default())?;
        tell!("{}", text::shown(&index.display().to_string(), 400));
    }
    ensure!(
        failed == 0,
        "{} could not be exported",
        output::many(failed, "session")
    );
    Ok(())
}
