//! Where bellwether's own files are, and how what is not one path meets them: a pattern, a folder above, something
//! that is put into one.
//!
//! A protected place is protected through its parents: whoever can fill the folder above can lay another one in its
//! place.

use std::path::{Component, Path, PathBuf};

use bellwether_shell::{Entry, Laid, Place, matches};

use super::files::{Change, Files, Ours, own_finding};
use super::paths;
use super::registered::Registered;
use super::verdict::{Finding, Verdict};

/// The client's settings files.
pub(super) const SETTINGS: [&str; 3] = [
    "settings.json",
    "settings.local.json",
    "managed-settings.json",
];
/// Where an administrator puts what counts for everybody.
const MANAGED: [&str; 2] = ["/etc/claude-code", "/etc/bellwether"];

/// Folders that everybody fills with anything; nobody's files are protected through them.
const TEMPORARY: [&str; 4] = ["/tmp", "/var/tmp", "/private/tmp", "/dev/shm"];

/// How a pattern meets a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// It fits a folder above.
    Above,
    /// It fits the place, or something in it.
    Inside,
}

impl Files<'_> {
    /// Every place that is ours, as it is named and as its links lead.
    fn places(&self) -> Vec<PathBuf> {
        let Ours {
            home,
            programs,
            claude,
        } = self.ours;
        let mut all = vec![home.state().to_owned(), home.config().to_owned()];
        all.extend(programs.iter().cloned());
        all.extend(MANAGED.map(PathBuf::from));
        let user = self.ground.user.map(|user| user.join(".claude"));
        for folder in claude.map(Path::to_owned).into_iter().chain(user) {
            all.extend(SETTINGS.map(|name| folder.join(name)));
        }
        all.extend(self.project_settings());
        let spelled = all.iter().flat_map(|place| self.ground.spellings(place));
        let mut places: Vec<PathBuf> = Vec::new();
        for place in spelled {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// The project's settings, where they hold our entries.
    fn project_settings(&self) -> impl Iterator<Item = PathBuf> {
        let folder = self
            .ground
            .project
            .unwrap_or(self.ground.cwd)
            .join(".claude");
        let files = SETTINGS.into_iter().map(move |name| folder.join(name));
        files.filter(|file| {
            let text = (self.read)(file).unwrap_or_default();
            Registered::read(&text).is_some_and(|registered| !registered.is_empty())
        })
    }

    /// What there is against a change of everything that a place stands for.
    pub fn judge_place(&self, place: &Place, change: Change<'_>) -> Option<Finding> {
        match place {
            Place::At(path) => self.judge(path, change),
            Place::Within {
                folder,
                pattern,
                deep,
            } => self.judge_pattern(folder, pattern, *deep, change),
            // Somewhere in a folder of ours.
            Place::Unknown {
                below: Some(folder),
            } => {
                let spellings = self.ground.spellings(folder);
                let places = self.places();
                let inside = spellings
                    .iter()
                    .find(|folder| places.iter().any(|own| paths::is_below(folder, own)))?;
                self.judge(inside, change)
            }
            Place::Unknown { below: None } => None,
        }
    }

    fn judge_pattern(
        &self,
        folder: &Path,
        pattern: &str,
        deep: bool,
        change: Change<'_>,
    ) -> Option<Finding> {
        // What only says that there is a name says nothing about ours.
        let says = pattern.chars().any(char::is_alphanumeric);
        if change != Change::Gone && !says && !deep {
            return None;
        }
        let folders = self.ground.spellings(folder);
        let places = self.places();
        let met = places.iter().find_map(|place| {
            let meeting = folders
                .iter()
                .find_map(|folder| meeting(folder, pattern, deep, place))?;
            (meeting == Meeting::Inside || change == Change::Gone).then_some((place, meeting))
        });
        let (place, _) = met?;
        let mut finding = self.judge(place, change)?;
        if deep {
            finding.verdict = Verdict::Ask;
        }
        Some(finding)
    }

    /// What there is against something being put at a path, with all that is in it.
    pub fn judge_laid(
        &self,
        from: &Laid,
        to: &Path,
        look: &dyn Fn(&Path) -> Entry,
    ) -> Option<Finding> {
        let places = self.places();
        if let Laid::Tree(source) = from
            && let Some(program) = self.program_among(source)
        {
            return Some(own_finding(
                &program,
                Verdict::Ask,
                "is bellwether's program, and would be there twice",
            ));
        }
        let spellings = self.ground.spellings(to);
        let met = spellings.iter().flat_map(|to| {
            let below = places
                .iter()
                .filter(move |place| paths::is_below(place, to));
            below.map(move |place| (to, place))
        });
        met.filter_map(|(to, place)| self.judge_met(from, to, place, look))
            .max_by_key(|finding| finding.verdict)
            .or_else(|| {
                spellings
                    .iter()
                    .find_map(|to| self.judge_inside(from, to, &places))
            })
    }

    /// Something that comes to stand at a path of ours, or in one.
    fn judge_inside(&self, from: &Laid, to: &Path, places: &[PathBuf]) -> Option<Finding> {
        places
            .iter()
            .any(|own| paths::is_below(to, own))
            .then_some(())?;
        let text = match from {
            Laid::Tree(source) => (self.read)(source),
            Laid::Unknown(_) => None,
        };
        self.judge(to, text.as_deref().map_or(Change::Unknown, Change::To))
    }

    /// Something that comes to stand above a place of ours.
    fn judge_met(
        &self,
        from: &Laid,
        to: &Path,
        place: &Path,
        look: &dyn Fn(&Path) -> Entry,
    ) -> Option<Finding> {
        let names: Vec<_> = names(place).skip(names(to).count()).collect();
        // What comes to stand at the place itself is judged as that.
        if names.is_empty() || TEMPORARY.iter().any(|folder| to == Path::new(folder)) {
            return None;
        }
        let source = match from {
            // A project is unpacked and cloned into every day.
            Laid::Unknown(_) if self.is_of_project(place) && names.len() > 1 => return None,
            Laid::Unknown(_) => {
                let said = "is in a folder that would be filled with unknown files";
                return Some(own_finding(place, Verdict::Ask, said));
            }
            Laid::Tree(source) => source,
        };
        let mut at = source.clone();
        for (count, name) in names.iter().enumerate() {
            at.push(name);
            match look(&at) {
                Entry::Missing => return None,
                Entry::Folder => {}
                // What is no folder takes the place of one.
                _ if count + 1 < names.len() => {
                    let said = "is in a folder that something else would replace";
                    return Some(own_finding(place, Verdict::Ask, said));
                }
                _ => {}
            }
        }
        let text = (self.read)(&at);
        self.judge(place, text.as_deref().map_or(Change::Unknown, Change::To))
    }

    fn is_of_project(&self, place: &Path) -> bool {
        let project = self.ground.project.unwrap_or(self.ground.cwd);
        paths::is_below(place, &project.join(".claude"))
    }

    fn program_among(&self, source: &Path) -> Option<PathBuf> {
        let spellings = self.ground.spellings(source);
        let programs = self.ours.programs;
        spellings.into_iter().find(|path| programs.contains(path))
    }
}

fn names(path: &Path) -> impl Iterator<Item = Component<'_>> {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_)))
}

/// How a pattern over what is in a folder meets a place.
fn meeting(folder: &Path, pattern: &str, deep: bool, place: &Path) -> Option<Meeting> {
    if paths::is_below(folder, place) {
        return Some(Meeting::Inside);
    }
    paths::is_below(place, folder).then_some(())?;
    let above = names(folder).count();
    let below: Vec<String> = names(place)
        .skip(above)
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if deep {
        let patterns: Vec<&str> = pattern.split('|').collect();
        let fits = |name: &String| patterns.iter().any(|pattern| matches(pattern, name));
        let at = below.iter().position(fits);
        return at
            .map(|_| Meeting::Inside)
            .or_else(|| held(place, &patterns));
    }
    let parts: Vec<&str> = pattern.split('/').collect();
    let fit = parts
        .iter()
        .zip(&below)
        .all(|(part, name)| matches(part, name));
    fit.then_some(if parts.len() < below.len() {
        Meeting::Above
    } else {
        Meeting::Inside
    })
}

/// A file of ours that patterns name: the configuration and what is kept of it.
fn held(place: &Path, patterns: &[&str]) -> Option<Meeting> {
    const KEPT: [&str; 5] = [
        "config.yaml",
        "allow.json",
        "trust.json",
        "audit.jsonl",
        "security.log",
    ];
    let is_folder = place.extension().is_none() && place.file_name().is_some();
    let named = |pattern: &&str| {
        let says = pattern
            .chars()
            .filter(|char| char.is_alphanumeric())
            .count()
            > 3;
        says && KEPT.iter().any(|name| matches(pattern, name)) && !pattern.starts_with("*.")
    };
    (is_folder && patterns.iter().any(named)).then_some(Meeting::Inside)
}
