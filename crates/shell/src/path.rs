//! Paths as text: from what a word became to a target in the file system.

use std::path::{Component, Path, PathBuf};

use crate::target::{Place, Target};
use crate::text::{Fill, Piece, Text};

/// The path with `.` and `..` worked out as text. A relative one stays relative to nothing known.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

/// The target that a word names, seen from a folder.
pub(crate) fn target(text: &Text, folder: Option<&Path>) -> Target {
    let shown = text.shown();
    let place = place(text, folder).unwrap_or(Place::Unknown { below: None });
    let shown = match &place {
        Place::At(path) => path.display().to_string(),
        Place::Within {
            folder,
            pattern,
            deep: false,
        } => folder.join(pattern).display().to_string(),
        _ => shown,
    };
    Target {
        follows: follows(text),
        given: text.is_given(),
        end: end(text),
        shown,
        place,
    }
}

/// The known text behind the last hole.
fn end(text: &Text) -> String {
    let pieces = text.pieces();
    let hole = pieces
        .iter()
        .rposition(|piece| matches!(piece, Piece::Hole(_)));
    let behind = hole.map_or(&[][..], |at| &pieces[at + 1..]);
    behind
        .iter()
        .filter_map(|piece| match piece {
            Piece::Plain(text) | Piece::Pattern(text) => Some(text.as_str()),
            Piece::Hole(_) => None,
        })
        .collect()
}

/// Whether a link is followed: its name stands before the end of the path.
fn follows(text: &Text) -> bool {
    text.shown().ends_with('/') || text.shown().ends_with("/.")
}

fn place(text: &Text, folder: Option<&Path>) -> Option<Place> {
    if let Some(known) = text.known() {
        return (!known.is_empty())
            .then(|| absolute(known, folder))?
            .map(Place::At);
    }
    if let [Piece::Hole(hole), Piece::Plain(rest)] = text.pieces()
        && hole.fill == Fill::Temporary
        && rest
            .strip_prefix('/')
            .is_some_and(|name| !name.trim_matches(['/', '.']).is_empty())
        && !rest.contains("..")
    {
        return Some(Place::At(normal(Path::new(&format!("/tmp{rest}")))));
    }
    // Up to the last slash before the first thing that is not known.
    let lead = text.lead();
    let (before, start) = match lead.rfind('/') {
        Some(at) => (&lead[..=at], &lead[at + 1..]),
        None => ("", lead),
    };
    let holder = if before.is_empty() {
        folder.map(normal)?
    } else {
        absolute(before, folder)?
    };
    let rest = &text.pieces()[usize::from(!lead.is_empty())..];
    Some(within(holder, start, rest))
}

/// What is in a folder whose entries are named by a start and pieces.
fn within(folder: PathBuf, start: &str, rest: &[Piece]) -> Place {
    let mut pattern = escape(start);
    for (at, piece) in rest.iter().enumerate() {
        match piece {
            Piece::Plain(text) => pattern.push_str(&escape(text)),
            Piece::Pattern(text) => pattern.push_str(text),
            Piece::Hole(hole) => match &hole.fill {
                Fill::Below(name) if start.is_empty() && at == 0 && rest.len() == 1 => {
                    let pattern = name.clone().unwrap_or_else(|| "*".to_owned());
                    return Place::Within {
                        folder,
                        pattern,
                        deep: true,
                    };
                }
                Fill::Name | Fill::Below(_) => pattern.push('*'),
                // It may be `../..`, or begin with a slash where nothing stands before it.
                Fill::Anything | Fill::Given | Fill::Downloaded | Fill::Temporary => {
                    let anywhere = start.is_empty() && at == 0;
                    return Place::Unknown {
                        below: (!anywhere).then_some(folder),
                    };
                }
            },
        }
    }
    split(folder, &pattern)
}

/// Takes the plain part of a pattern that goes over several levels into the folder.
fn split(folder: PathBuf, pattern: &str) -> Place {
    let pattern = pattern.trim_end_matches('/');
    let Some((first, rest)) = pattern.split_once('/') else {
        return Place::Within {
            folder,
            pattern: pattern.to_owned(),
            deep: false,
        };
    };
    let deep = first == "**";
    let climbs = rest.split('/').any(|part| part == "..");
    if climbs {
        return Place::Unknown { below: None };
    }
    if deep {
        let pattern = rest.rsplit('/').next().unwrap_or("*").to_owned();
        return Place::Within {
            folder,
            pattern,
            deep: true,
        };
    }
    // `*/x`: something in each of the folders; what they are called is matched by the whole pattern.
    Place::Within {
        folder,
        pattern: pattern.to_owned(),
        deep: false,
    }
}

/// Known text as a pattern that means itself.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The absolute form of a known path.
pub(crate) fn absolute(path: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let path = windows(path).map_or_else(|| PathBuf::from(path), PathBuf::from);
    if path.is_absolute() {
        return Some(normal(&path));
    }
    folder.map(|folder| normal(&folder.join(path)))
}

/// A path of Windows as WSL shows it: `C:\Users` is `/mnt/c/Users`.
fn windows(path: &str) -> Option<String> {
    let mut characters = path.chars();
    let drive = characters.next().filter(char::is_ascii_alphabetic)?;
    let rest = characters.as_str().strip_prefix(':')?;
    let rooted = rest.is_empty() || rest.starts_with(['\\', '/']);
    rooted.then(|| {
        format!(
            "/mnt/{}{}",
            drive.to_ascii_lowercase(),
            rest.replace('\\', "/")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Place {
        target(&Text::plain(text), Some(Path::new("/home/ann/app"))).place
    }

    #[test]
    fn known_paths_are_worked_out() {
        let at_path = |path: &str| Place::At(path.into());
        assert_eq!(at("src/../.."), at_path("/home/ann"));
        assert_eq!(at("/a//b/./c/"), at_path("/a/b/c"));
        assert_eq!(at("../../../../.."), at_path("/"));
        assert_eq!(at(r"C:\Users"), at_path("/mnt/c/Users"));
        assert_eq!(
            target(&Text::plain("x"), None).place,
            Place::Unknown { below: None }
        );
        assert_eq!(at(""), Place::Unknown { below: None });
    }

    #[test]
    fn patterns_and_holes_are_placed_as_far_as_they_are_known() {
        let folder = Path::new("/w");
        let mut pattern = Text::plain("a/b");
        pattern.push(Piece::Pattern("*".into()));
        let within = |folder: &str, pattern: &str, deep| Place::Within {
            folder: folder.into(),
            pattern: pattern.into(),
            deep,
        };
        assert_eq!(
            target(&pattern, Some(folder)).place,
            within("/w/a", "b*", false)
        );
        let mut hole = Text::plain("/x/");
        hole.append(Text::hole("$X", Fill::Anything));
        assert_eq!(
            target(&hole, Some(folder)).place,
            Place::Unknown { below: None }
        );
        let mut named = Text::plain("/x/v");
        named.append(Text::hole("$(date)", Fill::Name));
        assert_eq!(
            target(&named, Some(folder)).place,
            within("/x", "v*", false)
        );
        let mut below = Text::plain("./");
        below.append(Text::hole("{}", Fill::Below(Some("*.pyc".into()))));
        assert_eq!(
            target(&below, Some(folder)).place,
            within("/w", "*.pyc", true)
        );
    }
}
