//! Paths as they are compared: absolute, without detours, whatever their case, and as the links in
//! them lead.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use bellwether_shell::matches_path;

/// Where a path is seen from.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The folder that a relative path begins in.
    pub cwd: &'a Path,
    pub project: Option<&'a Path>,
    pub user: Option<&'a Path>,
    /// The path with every link in it followed, when there is something at it.
    pub real: &'a dyn Fn(&Path) -> Option<PathBuf>,
}

impl Ground<'_> {
    /// Every spelling of a path that a rule must look at: as it is written, and where its links lead.
    pub fn spellings(&self, path: &Path) -> Vec<PathBuf> {
        let written = absolute(path, self);
        let mut all = vec![written.clone()];
        // `..` behind a link leads elsewhere than it looks: the system follows the link first.
        for path in [self.cwd.join(home_of(path, self)), written] {
            let real = self.real(&path);
            all.extend(real.filter(|real| !all.contains(real)));
        }
        all
    }

    /// Where a path leads. A file that is yet to be made stands in a folder that exists.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let above: Vec<&Path> = path.ancestors().collect();
        let joined = |above: &Path, real: PathBuf| {
            let below = path.strip_prefix(above).ok()?;
            Some(worked_out(&real.join(below)))
        };
        // Nearly always the path itself is there, or its folder.
        for above in above.iter().take(2) {
            if let Some(real) = (self.real)(above) {
                return joined(above, real);
            }
        }
        // Below what is missing nothing is there, so a path of a thousand parts takes ten looks.
        let first = above.partition_point(|above| (self.real)(above).is_none());
        let above = above.get(first)?;
        joined(above, (self.real)(above)?)
    }
}

/// The path with `~` in place of the home that it stands for.
fn home_of(path: &Path, ground: &Ground<'_>) -> PathBuf {
    match (path.strip_prefix("~"), ground.user) {
        (Ok(below), Some(user)) => user.join(below),
        _ => path.to_owned(),
    }
}

/// The absolute path, with `.`, `..` and doors back to the root worked out.
pub fn absolute(path: &Path, ground: &Ground<'_>) -> PathBuf {
    let path = ground.cwd.join(home_of(path, ground));
    // `..` behind such a door leads up from where it leads to.
    let path = through_proc(&path, ground).unwrap_or(path);
    let path = worked_out(&path);
    through_proc(&path, ground).map_or(path, |path| worked_out(&path))
}

/// `/proc/self/root/etc` is `/etc`, and `/proc/self/cwd/x` is `x`.
fn through_proc(path: &Path, ground: &Ground<'_>) -> Option<PathBuf> {
    let below = path.strip_prefix("/proc").ok()?;
    let mut parts = below.components();
    let who = parts.next()?.as_os_str().to_str()?;
    let one = matches!(who, "self" | "thread-self") || who.bytes().all(|b| b.is_ascii_digit());
    one.then_some(())?;
    match parts.next()?.as_os_str().to_str()? {
        "root" => Some(Path::new("/").join(parts.as_path())),
        "cwd" => Some(ground.cwd.join(parts.as_path())),
        // `/proc/1/task/1/root`.
        "task" => {
            let (_, rest) = (parts.next()?, parts.as_path());
            through_proc(&Path::new("/proc/self").join(rest), ground)
        }
        _ => None,
    }
}

fn worked_out(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::Normal(name) => out.push(name),
            _ => {}
        }
    }
    out
}

/// The parts of a path, as systems that do not care about case, trailing dots and unseen characters
/// compare them.
pub fn parts(path: &Path) -> Vec<String> {
    let name = |part: Component<'_>| match part {
        Component::Normal(name) => Some(folded(&name.to_string_lossy())),
        _ => None,
    };
    path.components().filter_map(name).collect()
}

fn folded(name: &str) -> String {
    let unseen = |c: &char| matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    let name: String = name.chars().filter(|c| !unseen(c)).collect();
    let trimmed = name.trim_end_matches(['.', ' ']);
    if trimmed.is_empty() { &name } else { trimmed }.to_lowercase()
}

/// Whether one path is the other or below it, whatever their case.
pub fn is_below(path: &Path, folder: &Path) -> bool {
    let mut path = names(path);
    names(folder).all(|name| path.next().is_some_and(|other| is_same(other, name)))
}

fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

/// Whether two names are one; most are told apart without being folded.
fn is_same(one: &OsStr, other: &OsStr) -> bool {
    let (one, other) = (one.to_string_lossy(), other.to_string_lossy());
    let is_plain = |name: &str| name.is_ascii() && !name.ends_with(['.', ' ']);
    if is_plain(&one) && is_plain(&other) {
        return one.eq_ignore_ascii_case(&other);
    }
    folded(&one) == folded(&other)
}

/// Whether a path fits a pattern of the configuration: one without `/` fits a name in any folder,
/// others a path in the project or from `/` or `~/`. A pattern that fits a folder fits all in it.
pub fn fits(pattern: &str, path: &Path, ground: &Ground<'_>) -> bool {
    let pattern = pattern.trim_end_matches('/').to_lowercase();
    let path_parts = parts(path);
    if !pattern.contains('/') {
        return path_parts.iter().any(|name| matches_path(&pattern, name));
    }
    let from_home = pattern.strip_prefix("~/").zip(ground.user);
    let (base, pattern) = if pattern.starts_with('/') {
        (Path::new("/"), pattern.trim_start_matches('/'))
    } else if let Some((pattern, user)) = from_home {
        (user, pattern)
    } else {
        let pattern = pattern.strip_prefix("./").unwrap_or(&pattern);
        (ground.project.unwrap_or(ground.cwd), pattern)
    };
    let Some(below) = path_parts.strip_prefix(parts(base).as_slice()) else {
        return false;
    };
    (1..=below.len()).any(|length| matches_path(pattern, &below[..length].join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(real: &dyn Fn(&Path) -> Option<PathBuf>) -> Ground<'_> {
        Ground {
            cwd: Path::new("/home/dev/shop/src"),
            project: Some(Path::new("/home/dev/shop")),
            user: Some(Path::new("/home/dev")),
            real,
        }
    }

    #[test]
    fn a_path_is_one_path_however_it_is_written() {
        let none = |_: &Path| None;
        let ground = ground(&none);
        for written in [
            "../.env",
            "/home/dev/shop/.env",
            "//home//dev/./shop/x/../.env",
            "/proc/self/root/home/dev/shop/.env",
            "/proc/123/task/7/root/home/dev/shop/.env",
            "/proc/self/cwd/../.env",
            "~/shop/.env",
        ] {
            let path = absolute(Path::new(written), &ground);
            assert_eq!(path, Path::new("/home/dev/shop/.env"), "{written}");
        }
    }

    #[test]
    fn links_are_followed_and_what_is_yet_to_be_made_stands_in_its_folder() {
        let real = |path: &Path| match path.to_str().unwrap() {
            "/home/dev/shop/link" => Some("/home/dev/shop/.git".into()),
            above if "/home/dev/shop".starts_with(above) => Some(above.into()),
            _ => None,
        };
        let ground = ground(&real);
        let all = ground.spellings(Path::new("../link/hooks/new"));
        let expected = [
            "/home/dev/shop/link/hooks/new",
            "/home/dev/shop/.git/hooks/new",
        ];
        assert_eq!(all, expected.map(PathBuf::from));
    }

    #[test]
    fn patterns_fit_names_anywhere_and_paths_where_they_belong() {
        let none = |_: &Path| None;
        let ground = ground(&none);
        for (pattern, path, expected) in [
            ("*.pem", "/home/dev/shop/a/KEY.PEM", true),
            ("secrets", "/home/dev/shop/secrets/x", true),
            ("infra/prod/**", "/home/dev/shop/infra/prod/a/b.tf", true),
            ("infra/prod", "/home/dev/shop/infra/prod/a/b.tf", true),
            ("infra/prod", "/home/dev/infra/prod/a", false),
            ("~/.ssh/*", "/home/dev/.ssh/id", true),
            ("/etc/hosts", "/etc/hosts", true),
            ("/etc/hosts", "/home/etc/hosts", false),
        ] {
            assert_eq!(
                fits(pattern, Path::new(path), &ground),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
