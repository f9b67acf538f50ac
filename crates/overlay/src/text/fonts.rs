//! The faces that are in use, and what each character is drawn with.

use std::collections::HashMap;

use ab_glyph::{Font as _, FontRef, GlyphId, VariableFont as _};
use fontdb::{Database, ID, Source};

use super::find::{Candidate, Finder};
use super::wrap::wrap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    Plain,
    Bold,
    Mono,
}

/// What a character is drawn with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    pub(super) face: ID,
    pub(super) id: GlyphId,
    /// Of a font that is one pixel high.
    pub(super) advance: f32,
}

/// Some texts in three scripts have a few hundred; beyond this many they are looked up anew.
const MOST_KNOWN: usize = 4096;

#[derive(Debug)]
pub struct Fonts {
    finder: Finder,
    /// The faces that were needed so far; only their names and places are in memory.
    database: Database,
    faces: Vec<(Style, ID)>,
    searched: Vec<Style>,
    known: HashMap<(Style, char), Option<Glyph>>,
    has_complained: bool,
}

impl Fonts {
    /// Fonts for texts in a language, by its code.
    pub fn new(language: &'static str) -> Self {
        Self {
            finder: Finder::new(language),
            database: Database::new(),
            faces: Vec::new(),
            searched: Vec::new(),
            known: HashMap::new(),
            has_complained: false,
        }
    }

    /// None at all, as on a system without fonts.
    #[cfg(test)]
    pub(crate) fn none() -> Self {
        let mut fonts = Self::new("en");
        fonts.finder.give_up();
        fonts
    }

    /// How wide a line is, in pixels, where the font is `size` pixels high.
    pub fn width(&mut self, text: &str, style: Style, size: f32) -> f32 {
        text.chars().map(|c| self.advance(c, style) * size).sum()
    }

    /// Parts a text into lines of at most this width; the last ends with "…" where something is left out.
    pub fn wrap(
        &mut self,
        text: &str,
        (style, size): (Style, f32),
        width: f32,
        most: usize,
    ) -> Vec<String> {
        if !self.are_there() {
            return Vec::new();
        }
        wrap(text, width, most, |c| self.advance(c, style) * size)
    }

    /// Whether there is any; without one texts are not drawn, and take no room.
    pub fn are_there(&mut self) -> bool {
        self.glyph('e', Style::Plain).is_some()
    }

    fn advance(&mut self, c: char, style: Style) -> f32 {
        self.glyph(c, style).map_or(0.0, |glyph| glyph.advance)
    }

    pub(super) fn glyph(&mut self, c: char, style: Style) -> Option<Glyph> {
        // A tab in a command is shown as the space that it stands for.
        let c = if c.is_whitespace() { ' ' } else { c };
        if let Some(known) = self.known.get(&(style, c)) {
            return *known;
        }
        let glyph = self.look_up(c, style);
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert((style, c), glyph);
        glyph
    }

    /// Does something with a face in the weight of a style.
    pub(super) fn with_face<T>(
        &self,
        face: ID,
        style: Style,
        act: impl FnOnce(&FontRef<'_>) -> T,
    ) -> Option<T> {
        let opened = self.database.with_face_data(face, |data, index| {
            let mut font = FontRef::try_from_slice_and_index(data, index).ok()?;
            // Has no effect unless the font is variable; some begin with their thinnest.
            font.set_variation(b"wght", if style == Style::Bold { 700.0 } else { 400.0 });
            Some(act(&font))
        });
        opened.flatten()
    }

    fn look_up(&mut self, c: char, style: Style) -> Option<Glyph> {
        if !self.searched.contains(&style) {
            self.searched.push(style);
            let candidates = self.finder.for_style(style);
            let first = self.take_first(&candidates, 'e', style);
            if first.is_none() {
                self.complain();
            }
        }
        let faces: Vec<_> = self.faces.iter().map(|(_, face)| *face).collect();
        let fits = |(of, _): &&(Style, ID)| *of == style;
        let own = self.faces.iter().filter(fits).map(|(_, face)| *face);
        if let Some(glyph) = own.clone().find_map(|face| self.glyph_of(face, c, style)) {
            return Some(glyph);
        }
        if faces.is_empty() {
            return None;
        }
        let candidates = self.finder.for_char(style, c);
        self.take_first(&candidates, c, style)
            .or_else(|| faces.iter().find_map(|face| self.glyph_of(*face, c, style)))
    }

    /// Keeps the first face that has a character.
    fn take_first(&mut self, candidates: &[Candidate], c: char, style: Style) -> Option<Glyph> {
        candidates.iter().find_map(|candidate| {
            let face = self.load(candidate)?;
            let glyph = self.glyph_of(face, c, style);
            if glyph.is_some() {
                self.faces.push((style, face));
            } else if self.faces.iter().all(|(_, used)| *used != face) {
                self.database.remove_face(face);
            }
            glyph
        })
    }

    fn load(&mut self, wanted: &Candidate) -> Option<ID> {
        let loaded = self.database.faces().find(|face| {
            face.index == wanted.index
                && matches!(&face.source, Source::File(path) if *path == wanted.path)
        });
        if let Some(face) = loaded {
            return Some(face.id);
        }
        let source = Source::File(wanted.path.clone());
        let faces = self.database.load_font_source(source);
        let index = |face: ID| self.database.face(face).map(|face| face.index);
        let found = faces
            .iter()
            .copied()
            .find(|face| index(*face) == Some(wanted.index));
        for face in faces.iter().filter(|face| Some(**face) != found) {
            self.database.remove_face(*face);
        }
        found
    }

    /// How a face draws a character; `None` where it has no outline for it, as one of colour pictures.
    fn glyph_of(&self, face: ID, c: char, style: Style) -> Option<Glyph> {
        let glyph = self.with_face(face, style, |font| {
            let id = font.glyph_id(c);
            let is_drawn = c == ' '
                || font
                    .outline(id)
                    .is_some_and(|outline| !outline.curves.is_empty());
            let em = font.units_per_em()?;
            (id.0 != 0 && is_drawn).then(|| Glyph {
                face,
                id,
                advance: font.h_advance_unscaled(id) / em,
            })
        });
        glyph.flatten()
    }

    fn complain(&mut self) {
        if !self.has_complained {
            self.has_complained = true;
            eprintln!(
                "bellwether-overlay: no font found, so bubbles show no words: install one (DejaVu, Noto)"
            );
        }
    }
}
