//! Where the person has put a project's creatures, and which projects are not to be shown: kept in a file of the state folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bellwether_spine::{Home, SpineError, place};
use serde::{Deserialize, Serialize};

use crate::desktop::Screen;
use crate::geometry::{Point, Rect, Size};

/// More projects than this are not remembered on a screen; a person has put each there by hand.
const MOST: usize = 200;

#[derive(Debug, Default)]
pub struct Places {
    kept: Kept,
    file: PathBuf,
}

#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    /// By the screen's name and the project.
    places: BTreeMap<String, BTreeMap<String, Share>>,
    hidden: BTreeSet<String>,
}

/// A place as shares of the room that there is, so that it stays where it was when the screen's size changes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Share {
    x: f64,
    y: f64,
}

impl Places {
    /// What is kept; a file that cannot be read is as good as none.
    pub fn load(home: &Home) -> Self {
        Self::read(&home.overlays().join("places.json"))
    }

    fn read(file: &Path) -> Self {
        let text = std::fs::read(file).unwrap_or_default();
        Self {
            kept: serde_json::from_slice(&text).unwrap_or_default(),
            file: file.to_owned(),
        }
    }

    pub fn hidden(&self) -> &BTreeSet<String> {
        &self.kept.hidden
    }

    pub fn hide(&mut self, project: &str) -> Result<(), SpineError> {
        self.kept.hidden.insert(project.to_owned());
        self.save()
    }

    pub fn show_all(&mut self) -> Result<(), SpineError> {
        self.kept.hidden.clear();
        self.save()
    }

    /// Where a project's creatures of this size were put, on one of the screens that there are.
    pub fn find<'a>(
        &self,
        project: &str,
        size: Size,
        screens: &'a [Screen],
    ) -> Option<(&'a Screen, Rect)> {
        screens.iter().find_map(|screen| {
            let share = self.kept.places.get(&screen.name)?.get(project)?;
            Some((screen, share.within(screen.work, size)))
        })
    }

    /// Remembers that a project's creatures were put there, and nowhere else.
    pub fn put(&mut self, project: &str, screen: &Screen, area: Rect) -> Result<(), SpineError> {
        self.forget_everywhere(project);
        let on_screen = self.kept.places.entry(screen.name.clone()).or_default();
        if on_screen.len() >= MOST {
            on_screen.pop_first();
        }
        on_screen.insert(project.to_owned(), Share::of(area, screen.work));
        self.save()
    }

    pub fn forget(&mut self, project: &str) -> Result<(), SpineError> {
        self.forget_everywhere(project);
        self.save()
    }

    fn forget_everywhere(&mut self, project: &str) {
        self.kept.places.values_mut().for_each(|on_screen| {
            on_screen.remove(project);
        });
        self.kept
            .places
            .retain(|_, on_screen| !on_screen.is_empty());
    }

    fn save(&self) -> Result<(), SpineError> {
        let text = serde_json::to_vec_pretty(&self.kept)
            .map_err(|error| SpineError::io("write", &self.file, std::io::Error::from(error)))?;
        place::replace_private(&self.file, &text)
    }
}

impl Share {
    fn of(area: Rect, work: Rect) -> Self {
        let share = |at: i32, from: i32, room: u32, length: u32| {
            let free = f64::from(room.saturating_sub(length).max(1));
            (f64::from(at - from) / free).clamp(0.0, 1.0)
        };
        Self {
            x: share(area.at.x, work.at.x, work.size.width, area.size.width),
            y: share(area.at.y, work.at.y, work.size.height, area.size.height),
        }
    }

    fn within(self, work: Rect, size: Size) -> Rect {
        let at = |share: f64, from: i32, room: u32, length: u32| {
            let free = f64::from(room.saturating_sub(length));
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a share of a screen's pixels"
            )]
            let way = (share.clamp(0.0, 1.0) * free).round() as i32;
            from + way
        };
        let x = at(self.x, work.at.x, work.size.width, size.width);
        let y = at(self.y, work.at.y, work.size.height, size.height);
        Rect {
            at: Point::new(x, y),
            size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::new(96, 106);

    fn screen(name: &str, width: u32) -> Screen {
        Screen {
            name: name.into(),
            area: Rect::new(0, 0, width, 800),
            work: Rect::new(0, 20, width, 780),
            scale: 1.0,
            is_primary: true,
        }
    }

    #[test]
    fn a_place_is_remembered_by_screen_and_moves_with_its_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("overlay.json");
        let (left, right) = (screen("left", 1000), screen("right", 1000));
        let mut places = Places::read(&file);
        let area = Rect::new(904, 300, 96, 106);
        places.put("shop", &left, area).unwrap();
        let again = Places::read(&file);
        let both = [left.clone(), right.clone()];
        assert_eq!(
            again
                .find("shop", SIZE, &both)
                .map(|(screen, at)| (screen.name.as_str(), at)),
            Some(("left", area))
        );
        assert_eq!(
            again.find("shop", SIZE, &[right]),
            None,
            "that screen has gone"
        );
        assert_eq!(again.find("other", SIZE, &both), None);
        let wide = [screen("left", 2000)];
        assert_eq!(
            again.find("shop", SIZE, &wide).unwrap().1.right(),
            2000,
            "still at the right edge"
        );
    }

    #[test]
    fn a_project_is_in_one_place_and_can_be_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut places = Places::read(&folder.path().join("overlay.json"));
        let (left, right) = (screen("left", 1000), screen("right", 1000));
        places
            .put("shop", &left, Rect::new(1, 30, 96, 106))
            .unwrap();
        places
            .put("shop", &right, Rect::new(1, 30, 96, 106))
            .unwrap();
        let both = [left, right];
        assert_eq!(places.find("shop", SIZE, &both).unwrap().0.name, "right");
        places.forget("shop").unwrap();
        assert_eq!(places.find("shop", SIZE, &both), None);
    }

    #[test]
    fn what_is_hidden_is_kept_and_a_broken_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("overlay.json");
        std::fs::write(&file, "{").unwrap();
        let mut places = Places::read(&file);
        places.hide("shop").unwrap();
        assert!(Places::read(&file).hidden().contains("shop"));
        places.show_all().unwrap();
        assert!(Places::read(&file).hidden().is_empty());
    }
}
