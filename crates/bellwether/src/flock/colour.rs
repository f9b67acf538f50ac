//! States have colours, and their names for whoever sees none.

use bellwether_flock::Status;
use bellwether_spine::meta;
use ratatui::style::{Color, Modifier, Style};

/// Whether colours are shown: `NO_COLOR` is set to something when they are not (no-color.org).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Palette {
    Colours,
    Plain,
}

impl Palette {
    pub(super) fn of_environment() -> Self {
        match meta::variable("NO_COLOR") {
            Some(_) => Self::Plain,
            None => Self::Colours,
        }
    }

    /// How a state is written.
    pub(super) fn style(self, status: Status) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let dim = Style::new().add_modifier(Modifier::DIM);
        let (style, colour) = match status {
            Status::Working => (Style::new(), Color::Green),
            Status::Thinking => (Style::new(), Color::Cyan),
            Status::PendingInput => (bold, Color::Yellow),
            Status::Failed => (bold, Color::Red),
            Status::Completed => (Style::new(), Color::Blue),
            Status::Unknown => (Style::new(), Color::Magenta),
            Status::Walking | Status::Chatting | Status::Returning | Status::Startled => {
                (Style::new(), Color::LightBlue)
            }
            Status::Idle => (Style::new(), Color::Reset),
            Status::Appearing | Status::Resting | Status::Disappearing | Status::Offline => {
                (dim, Color::Reset)
            }
        };
        match self {
            Self::Colours => style.fg(colour),
            Self::Plain => style,
        }
    }
}
