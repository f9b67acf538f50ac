//! One creature as an SVG document.

use crate::appearance::Appearance;
use crate::figure::Figure;
use crate::motion::Motion;
use crate::number::N;
use crate::pose::Pose;
use crate::xml::escape;

/// How wide a drawing is, in its own units.
pub const WIDTH: u16 = 144;
/// How high a drawing is.
pub const HEIGHT: u16 = 160;

/// Whether a creature is the child of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Age {
    /// It came by itself.
    #[default]
    Grown,
    /// Another agent sent it: it is smaller.
    Child,
}

#[derive(Debug, Clone, Copy)]
pub struct Creature<'a> {
    pub looks: Appearance,
    /// What it is seen doing.
    pub pose: Pose,
    /// Whether it is a child. Whose, its looks show: [`Appearance::inherit`].
    pub age: Age,
    /// Whether and how it moves.
    pub motion: Motion,
    /// What is read to those who do not see it.
    pub title: Option<&'a str>,
}

impl<'a> Creature<'a> {
    /// A grown creature that moves.
    pub fn new(looks: Appearance, pose: Pose) -> Self {
        Self {
            looks,
            pose,
            age: Age::Grown,
            motion: Motion::Animated,
            title: None,
        }
    }

    /// The same as a child.
    #[must_use]
    pub fn child(self) -> Self {
        let age = Age::Child;
        Self { age, ..self }
    }

    #[must_use]
    pub fn with_motion(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// The same with a title.
    #[must_use]
    pub fn with_title(self, title: &'a str) -> Self {
        let title = Some(title);
        Self { title, ..self }
    }

    /// The drawing, as a document of its own.
    pub fn svg(&self) -> String {
        let place = format!("viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'");
        self.within(&place, "c")
    }

    /// The drawing as a part of another, at a place and so wide. No other drawing of that document may have
    /// the same scope: letters and digits that begin with a letter, from which its names are made.
    pub fn nested(&self, x: u32, y: u32, width: u32, scope: &str) -> String {
        let height = width * u32::from(HEIGHT) / u32::from(WIDTH);
        let place = format!(
            "viewBox='0 0 {WIDTH} {HEIGHT}' x='{x}' y='{y}' width='{width}' height='{height}'"
        );
        self.within(&place, scope)
    }

    fn within(&self, place: &str, scope: &str) -> String {
        let figure = Figure::new(&self.looks, self.pose, self.motion, scope);
        let title = self
            .title
            .map(|title| format!("<title>{}</title>", escape(title)));
        let size = match self.age {
            Age::Grown => 1.0,
            Age::Child => 0.78,
        };
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' id='{scope}' {place} role='img'>{}{}{}\
             <g transform='translate(72 148) scale({})'>{}</g></svg>",
            title.unwrap_or_default(),
            figure.style(),
            figure.definitions(),
            N(size),
            figure.draw()
        )
    }
}
