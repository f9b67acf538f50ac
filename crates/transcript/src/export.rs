//! A session as a file, and the index over a folder of them.

use std::fs::File;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use crate::TranscriptError;
use crate::render::html::{Html, Index, IndexRow};
use crate::render::{Figures, Markdown, Render};
use crate::session::{Overview, Session};
use crate::written::Written;

pub const INDEX: &str = "index.html";
/// What a page is stands in so much of its beginning.
const BEGINNING: u64 = 64 * 1024;
/// So many pages are listed.
const PAGES: usize = 20_000;

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Html,
    Markdown,
}

impl Form {
    pub fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
        }
    }
}

impl Session<'_> {
    /// Writes the session into a file. Returns how long the file is.
    pub fn export(
        &self,
        to: &Path,
        form: Form,
        figures: &Figures,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, TranscriptError> {
        let mut written = Written::begin(to)?;
        self.export_into(&mut written, form, figures, progress)
            .map_err(|source| TranscriptError::Write {
                path: to.to_owned(),
                source,
            })?;
        written.finish()
    }

    /// Writes the session wherever it is wanted.
    pub fn export_into(
        &self,
        out: &mut dyn Write,
        form: Form,
        figures: &Figures,
        progress: &mut dyn FnMut(u64),
    ) -> std::io::Result<()> {
        let figures = figures.clone();
        let mut render: Box<dyn Render + '_> = match form {
            Form::Html => Box::new(Html::new(out, figures)),
            Form::Markdown => Box::new(Markdown::new(out, figures)),
        };
        self.render(render.as_mut(), progress)
    }
}

/// The name of a session's file: the same each time it is exported, and sorted by time.
pub fn file_name(overview: &Overview, form: Form, figures: &Figures) -> String {
    let plain = |text: &str| -> String {
        let kept = |char: char| {
            if char.is_alphanumeric() || matches!(char, '.' | '_') {
                char
            } else {
                '-'
            }
        };
        let text: String = text.chars().take(40).map(kept).collect();
        text.trim_matches(['-', '.']).to_owned()
    };
    let session: String = plain(&overview.session).chars().take(8).collect();
    let when = overview.first_ms.map(|at| figures.file_name(at));
    let parts = [when.unwrap_or_default(), plain(overview.project()), session];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}.{}", parts.join("-"), form.ending())
}

/// Writes the index over the pages that are in a folder now. Returns its path.
pub fn write_index(folder: &Path, figures: &Figures) -> Result<PathBuf, TranscriptError> {
    let entries = std::fs::read_dir(folder).map_err(TranscriptError::io(folder))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let rows = paths.filter_map(|path| row(&path)).take(PAGES).collect();
    let to = folder.join(INDEX);
    let mut written = Written::begin(&to)?;
    let failed = |source| TranscriptError::Write {
        path: to.clone(),
        source,
    };
    Index::new(rows)
        .write(&mut written, figures)
        .map_err(failed)?;
    written.finish()?;
    Ok(to)
}

fn row(path: &Path) -> Option<IndexRow> {
    let name = path.file_name()?.to_str()?;
    let is_page = path
        .extension()
        .is_some_and(|end| end == Form::Html.ending());
    (is_page && name != INDEX).then_some(())?;
    let file = File::open(path)
        .ok()
        .filter(|file| file.metadata().is_ok_and(|seen| seen.is_file()))?;
    let mut beginning = Vec::new();
    file.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    IndexRow::read(name, &String::from_utf8_lossy(&beginning))
}
