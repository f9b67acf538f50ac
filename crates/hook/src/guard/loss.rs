//! How a loss is told: named, counted, fit to be shown.

use bellwether_shell::git::{Before, GitAct, Site};
use bellwether_shell::{Act, Effect, Text};
use bellwether_spine::text::line;

use super::repository::{Names, Silence};
use super::rules::Hit;
use super::verdict::Verdict;

/// How many names are told.
const TOLD: usize = 3;

/// What git would do, and where.
pub(super) fn git(act: &Act) -> Option<(&GitAct, Option<&Site>)> {
    match &act.effect {
        Effect::Git(effect) => Some((&effect.act, effect.site.as_ref())),
        _ => None,
    }
}

/// What the same command has done to the repository before.
pub(super) fn before(act: &Act) -> Before {
    match &act.effect {
        Effect::Git(effect) => effect.before,
        _ => Before::default(),
    }
}

/// Asks about a repository whose place may not be known.
pub(super) fn at<T>(
    site: Option<&Site>,
    ask: impl FnOnce(&Site) -> Result<T, Silence>,
) -> Result<T, Silence> {
    match site {
        Some(site) => ask(site),
        None => Err(Silence::Trouble("the folder is not known".to_owned())),
    }
}

/// A hit without a told loss.
pub(super) fn hit(verdict: Verdict, reason: impl Into<String>, instead: &str) -> Hit {
    Hit {
        verdict,
        reason: reason.into(),
        lost: None,
        instead: Some(instead.to_owned()),
    }
}

/// A hit with what would be lost.
pub(super) fn losing(verdict: Verdict, does: &str, lost: String, instead: &str) -> Hit {
    Hit {
        verdict,
        reason: format!("{does}: {lost}"),
        lost: Some(lost),
        instead: Some(instead.to_owned()),
    }
}

/// A hit because the loss cannot be told.
pub(super) fn untold(silence: &Silence, does: &str, instead: &str) -> Hit {
    let why = match silence {
        Silence::NoRepository => "no repository was found where it would run",
        Silence::Trouble(why) => why.as_str(),
    };
    let why = line(why, 80);
    let reason = format!("{does}, and bellwether cannot find out what would be lost: {why}");
    hit(Verdict::Ask, reason, instead)
}

/// `3 modified files: a.rs, b.rs and 1 more`.
pub(super) fn counted(names: &Names, what: &str) -> String {
    let count = names.names.len();
    let told: Vec<String> = names
        .names
        .iter()
        .take(TOLD)
        .map(|name| line(name, 60))
        .collect();
    let (at_least, plural) = (if names.more { "at least " } else { "" }, plural(count));
    let rest = match count - told.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{at_least}{count} {what}{plural}: {}{rest}",
        told.join(", ")
    )
}

/// The same of names that are all known.
pub(super) fn names(names: &[&String], what: &str) -> String {
    let names = Names {
        names: names.iter().map(|name| (*name).clone()).collect(),
        more: false,
    };
    counted(&names, what)
}

/// A path as it is shown in a reason.
pub(super) fn path(path: &std::path::Path) -> String {
    line(&path.display().to_string(), 120)
}

/// `2 commits that no branch, remote or tag would hold`.
pub(super) fn commits(count: usize) -> String {
    format!(
        "{count} commit{} that no other branch, remote or tag holds",
        plural(count)
    )
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// A word as it is shown in a reason.
pub(super) fn shown(text: &Text) -> String {
    line(&text.shown(), 60)
}

/// The pathspecs that words name, and whether all of them are known. When one is not, all of the
/// tree is meant.
pub(super) fn pathspecs(paths: &[Text]) -> (Vec<String>, bool) {
    let known: Option<Vec<String>> = paths
        .iter()
        .map(|path| path.literal().map(std::borrow::Cow::into_owned))
        .collect();
    let all_known = known.is_some();
    (known.unwrap_or_default(), all_known)
}
