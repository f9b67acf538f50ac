//! Ways to show a session: a page for a browser, Markdown, a terminal. What they are given is masked, sanitised and
//! bounded; each only escapes what its own form would obey.

mod figures;
pub mod html;
mod markdown;
mod terminal;

use std::io;

use bellwether_spine::VERSION;

pub use figures::Figures;
pub use markdown::Markdown;
pub use terminal::{Paint, Terminal};

use crate::item::{Item, Turn};
use crate::session::{Overview, Session};

/// Said of a turn that the person took back.
const REWOUND: &str = "Rewound: the conversation went on without this turn.";

/// The words for the program that made an export.
pub(crate) fn made_by() -> String {
    format!("bellwether {VERSION}")
}

/// A form in which a session is shown.
pub trait Render {
    fn begin(&mut self, overview: &Overview, outline: &[Turn]) -> io::Result<()>;
    fn item(&mut self, item: &Item) -> io::Result<()>;
    fn end(&mut self) -> io::Result<()>;
}

impl Session<'_> {
    /// Shows the session in some form.
    pub fn render(&self, render: &mut dyn Render, progress: &mut dyn FnMut(u64)) -> io::Result<()> {
        render.begin(&self.overview(), &self.outline())?;
        self.walk(progress, &mut |item| render.item(&item))?;
        render.end()
    }
}
