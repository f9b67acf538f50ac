//! Where a work tree stands, in numbers, from one call of git.

use bellwether_shell::git::Site;

use super::git::{Git, records};
use super::{GitAnswer, Silence};

/// The state of a work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// What is checked out.
    pub head: CheckedOut,
    /// Commits that the upstream branch does not have.
    pub ahead: usize,
    /// Commits that only the upstream branch has.
    pub behind: usize,
    pub staged: usize,
    /// Changed files that are not staged.
    pub changed: usize,
    pub untracked: usize,
    /// Files that a merge could not join.
    pub conflicts: usize,
    pub stashes: usize,
    /// There are more files than were counted.
    pub more: bool,
}

/// What is checked out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CheckedOut {
    Branch(String),
    /// A branch that has no commit yet.
    NewBranch(String),
    /// A commit, by the beginning of its id.
    Commit(String),
    #[default]
    Unknown,
}

impl Git {
    /// How a work tree stands. Nothing is written, and nothing of the repository is run.
    pub fn overview(&self, site: &Site) -> GitAnswer<Overview> {
        let off = self.filters_off(site)?;
        let words = [
            "status",
            "--porcelain=v2",
            "-z",
            "--branch",
            "--show-stash",
            "--no-renames",
            "--ignore-submodules=dirty",
            "--untracked-files=normal",
        ];
        let said = self.ask(site, &off, &words)?;
        // What was cut short has no exit code.
        if !said.cut && said.code != Some(0) {
            return Err(Silence::Trouble("git has no answer".to_owned()));
        }
        Ok(Overview {
            more: said.cut,
            ..overview(&said.out)
        })
    }
}

/// Reads `status --porcelain=v2 --branch -z`.
fn overview(out: &[u8]) -> Overview {
    let mut seen = Overview::default();
    let mut commit = String::new();
    for record in records(out) {
        match record.split_once(' ') {
            Some(("#", header)) => seen.header(header, &mut commit),
            Some(("1" | "2", rest)) => {
                seen.staged += usize::from(!rest.starts_with('.'));
                seen.changed += usize::from(!rest.get(1..).unwrap_or_default().starts_with('.'));
            }
            Some(("u", _)) => seen.conflicts += 1,
            Some(("?", _)) => seen.untracked += 1,
            _ => {}
        }
    }
    seen
}

impl Overview {
    fn header(&mut self, header: &str, commit: &mut String) {
        let Some((name, value)) = header.split_once(' ') else {
            return;
        };
        let count = |text: &str| text.trim_start_matches(['+', '-']).parse().unwrap_or(0);
        match name {
            "branch.oid" => value.clone_into(commit),
            "branch.head" => {
                self.head = match (value, commit.as_str()) {
                    ("(detached)", commit) => CheckedOut::Commit(commit.chars().take(8).collect()),
                    (branch, "(initial)") => CheckedOut::NewBranch(branch.to_owned()),
                    (branch, _) => CheckedOut::Branch(branch.to_owned()),
                }
            }
            "branch.ab" => {
                let (ahead, behind) = value.split_once(' ').unwrap_or((value, ""));
                (self.ahead, self.behind) = (count(ahead), count(behind));
            }
            "stash" => self.stashes = count(value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::sandbox::Sandbox;
    use super::*;

    #[test]
    fn a_work_tree_is_told_in_numbers() {
        let sandbox = Sandbox::clean();
        let seen = || sandbox.repository().overview(&sandbox.site()).unwrap();
        let main = Overview {
            head: CheckedOut::Branch("main".to_owned()),
            ..Overview::default()
        };
        assert_eq!(seen(), main);
        sandbox.write("a.txt", "stashed");
        sandbox.git("stash -q");
        sandbox.write("c.txt", "c");
        sandbox.commit("two");
        sandbox.write("a.txt", "staged");
        sandbox.git("add a.txt");
        sandbox.write("a.txt", "staged and changed");
        sandbox.write("b.txt", "changed");
        sandbox.write("new/one", "n");
        sandbox.write("new/two", "n");
        sandbox.write("x.log", "ignored");
        let expected = Overview {
            ahead: 1,
            staged: 1,
            changed: 2,
            untracked: 1,
            stashes: 1,
            ..main
        };
        assert_eq!(seen(), expected);
        sandbox.git("reset -q --hard");
        sandbox.git("checkout -q --detach HEAD~1");
        assert!(matches!(seen().head, CheckedOut::Commit(commit) if commit.len() == 8));
    }

    #[test]
    fn a_merge_and_a_beginning_are_told_too() {
        let sandbox = Sandbox::clean();
        sandbox.git("branch other");
        sandbox.write("a.txt", "ours");
        sandbox.commit("ours");
        sandbox.git("checkout -q other");
        sandbox.write("a.txt", "theirs");
        sandbox.commit("theirs");
        sandbox.git_in(
            &sandbox.path(),
            &["config", "alias.try", "!git merge main || true"],
        );
        sandbox.git("try");
        let seen = sandbox.repository().overview(&sandbox.site()).unwrap();
        assert_eq!((seen.conflicts, seen.changed), (1, 0));
        let empty = Sandbox::empty();
        let nothing = empty.repository().overview(&empty.site());
        assert_eq!(nothing, Err(Silence::NoRepository));
        empty.git("init -q -b trunk .");
        let seen = empty.repository().overview(&empty.site()).unwrap();
        assert_eq!(seen.head, CheckedOut::NewBranch("trunk".to_owned()));
    }

    #[test]
    fn too_many_files_are_counted_as_far_as_they_came_and_no_filter_runs() {
        let sandbox = Sandbox::clean();
        let long = "a-rather-long-name".repeat(8);
        for number in 0..2500 {
            sandbox.write(&format!("{long}-{number:04}"), "x");
        }
        let seen = sandbox.repository().overview(&sandbox.site()).unwrap();
        assert!(seen.more && seen.untracked > 1000, "{seen:?}");
        let ran = sandbox.path().join("ran");
        let line = format!("touch {}; cat", ran.display());
        sandbox.git_in(&sandbox.path(), &["config", "filter.evil.clean", &line]);
        sandbox.write(".gitattributes", "*.txt filter=evil\n");
        sandbox.write("a.txt", "b");
        assert!(sandbox.repository().overview(&sandbox.site()).is_ok());
        assert!(!ran.exists(), "a filter of the repository ran");
        let git = Git::new(Some(sandbox.home()), Duration::ZERO);
        let begun = Instant::now();
        assert!(matches!(
            git.overview(&sandbox.site()),
            Err(Silence::Trouble(_))
        ));
        assert!(begun.elapsed() < Duration::from_millis(500));
    }
}
