//! The git rules against real repositories in every state that matters.

use std::path::{Path, PathBuf};

use bellwether_shell::git::{Call, read};
use bellwether_shell::text::Fill;
use bellwether_shell::{Act, Effect, Entry, Text, Unreadable, World};

use super::repository::sandbox::Sandbox;
use super::rules;
use super::scene::{Mode, Scene};
use super::verdict::Verdict::{self, Ask, Deny, Silent};

struct Machine;

impl World for Machine {
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn home_of(&self, _: &str) -> Option<PathBuf> {
        None
    }
    fn look(&self, path: &Path) -> Entry {
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => Entry::Folder,
            Ok(_) => Entry::File,
            Err(_) => Entry::Missing,
        }
    }
    fn real(&self, _: &Path) -> Option<PathBuf> {
        None
    }
    fn names(&self, _: &Path) -> Vec<String> {
        Vec::new()
    }
    fn read(&self, _: &Path) -> Result<String, Unreadable> {
        Err(Unreadable::Missing)
    }
    fn git_alias(&self, _: &Path, _: &str) -> Option<String> {
        None
    }
    fn is_late(&self) -> bool {
        false
    }
}

/// What the rules say about a git command, the strictest first, with their reasons.
fn said(sandbox: &Sandbox, mode: Mode, line: &str) -> (Verdict, String) {
    let words: Vec<Text> = line
        .split(' ')
        .map(|word| match word.strip_prefix('$') {
            Some(_) => Text::hole(word, Fill::Anything),
            None => Text::plain(word),
        })
        .collect();
    let folder = sandbox.path();
    let reading = read(&Call {
        words: &words,
        environment: &[],
        folder: Some(&folder),
        world: &Machine,
    });
    let scene = Scene {
        mode,
        project: None,
        home: None,
        protected_branches: &[
            "main".to_owned(),
            "master".to_owned(),
            "release/*".to_owned(),
        ],
        world: &Machine,
        repository: &sandbox.repository(),
    };
    let acts = reading.effects.into_iter().map(|effect| Act {
        effect: Effect::Git(effect),
        command: line.to_owned(),
        via: Vec::new(),
    });
    acts.flat_map(|act| {
        let hits = rules::ALL
            .iter()
            .filter_map(|rule| rule.judge(&act, &scene));
        hits.map(|hit| (hit.verdict, hit.reason))
            .collect::<Vec<_>>()
    })
    .max_by_key(|(verdict, _)| *verdict)
    .unwrap_or_default()
}

fn check(sandbox: &Sandbox, mode: Mode, rows: &[(&str, Verdict)]) {
    for (line, verdict) in rows {
        let (got, reason) = said(sandbox, mode, line);
        assert_eq!(got, *verdict, "git {line}: {reason}");
    }
}

/// What is silent wherever it runs.
const HARMLESS: &[&str] = &[
    "status",
    "push origin main",
    "push -f origin feature/main-menu",
    "push --force-with-lease origin topic",
    "reset --soft HEAD~1",
    "reset HEAD",
    "clean -n",
    "clean -nfd",
    "checkout main",
    "checkout -b new",
    "restore --staged .",
    "stash",
    "stash pop",
    "branch -d topic",
    "branch -M main",
    "commit -m x",
    "merge --abort",
    "rm a.txt",
    "gc",
    "worktree remove ../x",
];

#[test]
fn harmless_commands_are_silent_everywhere() {
    let (none, dirty) = (Sandbox::empty(), Sandbox::clean());
    dirty.write("a.txt", "changed");
    dirty.write("new.txt", "new");
    for line in HARMLESS {
        for (sandbox, mode) in [
            (&none, Mode::Loss),
            (&dirty, Mode::Loss),
            (&dirty, Mode::Strict),
        ] {
            check(sandbox, mode, &[(line, Silent)]);
        }
    }
}

#[test]
fn where_nothing_can_be_proved_it_is_asked() {
    check(
        &Sandbox::empty(),
        Mode::Loss,
        &[
            ("reset --hard", Ask),
            ("reset --hard HEAD~1", Ask),
            ("clean -fdx", Ask),
            ("clean", Silent),
            ("checkout -- .", Ask),
            ("checkout -f", Ask),
            ("restore .", Ask),
            ("stash clear", Ask),
            ("stash drop", Ask),
            ("branch -D topic", Ask),
            ("branch -f topic HEAD~3", Ask),
            ("tag -d v1", Ask),
            ("rm -rf .", Ask),
            ("worktree remove --force ../x", Ask),
            ("submodule deinit -f --all", Ask),
            ("push --force", Ask),
            ("push -f origin main", Deny),
            ("push origin +HEAD:main", Deny),
            ("filter-branch -f -- --all", Ask),
            ("reflog expire --expire=now --all", Ask),
            ("gc --prune=now", Ask),
            ("update-ref -d refs/heads/x", Ask),
            ("commit --no-verify -m x", Deny),
            ("$C --force origin", Ask),
            ("-C $D reset --hard", Ask),
        ],
    );
}

#[test]
fn with_a_clean_tree_nothing_is_lost() {
    let sandbox = Sandbox::clean();
    for line in [
        "reset --hard",
        "reset --hard HEAD",
        "reset --hard origin/main",
        "clean -fdx",
        "checkout -- .",
        "checkout -f",
        "checkout a.txt",
        "restore .",
        "restore $F",
        "stash clear",
        "stash drop",
        "branch -D none",
        "rm -rf .",
        "checkout -B main origin/main",
        "submodule deinit -f --all",
    ] {
        check(&sandbox, Mode::Loss, &[(line, Silent)]);
    }
}

#[test]
fn modified_files_are_denied_by_name() {
    let sandbox = Sandbox::clean();
    sandbox.write("a.txt", "changed");
    sandbox.write("staged.txt", "new");
    sandbox.git("add staged.txt");
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("reset --hard", Deny),
            ("reset --hard HEAD~1", Deny),
            ("reset --merge", Deny),
            ("checkout -- .", Deny),
            ("checkout a.txt", Deny),
            ("checkout b.txt", Silent),
            ("checkout -- b.txt", Silent),
            ("checkout HEAD -- a.txt", Deny),
            ("checkout -f", Deny),
            ("switch -f main", Deny),
            ("restore .", Deny),
            ("restore b.txt", Silent),
            ("restore $F", Ask),
            ("rm -f a.txt", Ask),
            ("rm -f b.txt", Silent),
        ],
    );
    let (_, reason) = said(&sandbox, Mode::Loss, "reset --hard");
    assert!(
        reason.ends_with("2 modified files: a.txt, staged.txt"),
        "{reason}"
    );
}

#[test]
fn untracked_files_are_denied_and_ignored_ones_weighed() {
    let sandbox = Sandbox::clean();
    sandbox.write("node_modules/x/y.js", "x");
    sandbox.write("x.log", "x");
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("clean -fd", Silent),
            ("clean -fdx", Silent),
            ("clean -fdX", Silent),
        ],
    );
    sandbox.write(".env", "x");
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("clean -fd", Silent),
            ("clean -fx", Ask),
            ("clean -fX", Ask),
        ],
    );
    sandbox.write("new.txt", "x");
    sandbox.write("d/e.txt", "x");
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("clean -f", Deny),
            ("clean -fdx", Deny),
            ("clean -fd d", Deny),
            ("clean -f d/none", Silent),
            ("clean -f $D", Ask),
            ("clean", Silent),
            ("reset --hard", Silent),
        ],
    );
    sandbox.git("config clean.requireForce false");
    check(
        &sandbox,
        Mode::Loss,
        &[("clean", Deny), ("clean -n", Silent)],
    );
}

#[test]
fn commits_that_only_one_branch_holds_are_asked_about() {
    let sandbox = Sandbox::clean();
    sandbox.git("checkout -q -b topic");
    sandbox.write("a.txt", "2");
    sandbox.commit("two");
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("reset --hard HEAD~1", Ask),
            ("reset --hard HEAD", Silent),
            ("reset --hard $R", Ask),
            ("reset --hard none", Ask),
            ("push -f", Silent),
        ],
    );
    sandbox.git("tag v1");
    check(
        &sandbox,
        Mode::Loss,
        &[("reset --hard HEAD~1", Silent), ("tag -d v1", Silent)],
    );
    sandbox.git("tag -d v1");
    sandbox.git("checkout -q main");
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("branch -D topic", Ask),
            ("branch -D main", Deny),
            ("branch -D $B", Ask),
            ("branch -f topic main", Ask),
            ("branch -M main topic", Ask),
            ("checkout -B topic", Ask),
            ("checkout -B other", Silent),
            ("push -f", Deny),
        ],
    );
    sandbox.git("merge -q topic");
    check(&sandbox, Mode::Loss, &[("branch -D topic", Silent)]);
}

#[test]
fn pushes_are_judged_by_the_branch_they_hit() {
    let sandbox = Sandbox::clean();
    check(
        &sandbox,
        Mode::Loss,
        &[
            ("push --force", Deny),
            ("push -f origin HEAD", Deny),
            ("push -f origin topic:refs/heads/main", Deny),
            ("push origin :main", Deny),
            ("push origin --delete main", Deny),
            ("push origin --delete topic", Ask),
            ("push -f origin release/1", Deny),
            ("push -f origin $B", Ask),
            ("push --mirror", Deny),
            ("push --prune origin", Deny),
            ("push --all -f", Deny),
            ("push -f --tags", Ask),
            ("push origin +refs/heads/*:refs/heads/*", Deny),
        ],
    );
    sandbox.git("checkout -q -b topic");
    check(
        &sandbox,
        Mode::Loss,
        &[("push --force", Silent), ("push -f origin HEAD:main", Deny)],
    );
    sandbox.git("branch -q -u origin/main");
    check(&sandbox, Mode::Loss, &[("push --force", Deny)]);
    sandbox.git("update-ref refs/remotes/origin/trunk HEAD");
    sandbox.git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk");
    check(&sandbox, Mode::Loss, &[("push -f origin trunk", Deny)]);
}

#[test]
fn stashes_and_work_trees_count() {
    let sandbox = Sandbox::clean();
    sandbox.write("a.txt", "2");
    sandbox.git("stash push -q");
    check(
        &sandbox,
        Mode::Loss,
        &[("stash clear", Deny), ("stash drop", Ask)],
    );
    sandbox.git("worktree add -q ../x");
    check(&sandbox, Mode::Loss, &[("worktree remove -f ../x", Silent)]);
    std::fs::write(sandbox.path().join("../x/new.txt"), "x").unwrap();
    check(&sandbox, Mode::Loss, &[("worktree remove -f ../x", Ask)]);
}

#[test]
fn strict_mode_does_not_look() {
    check(
        &Sandbox::clean(),
        Mode::Strict,
        &[
            ("reset --hard", Deny),
            ("reset --hard HEAD~1", Deny),
            ("clean -fd", Deny),
            ("checkout -- .", Deny),
            ("stash drop", Deny),
            ("branch -D none", Deny),
            ("push --force", Deny),
            ("push --delete origin x", Deny),
        ],
    );
}

#[test]
fn names_of_files_do_not_steer_the_reader() {
    let sandbox = Sandbox::clean();
    sandbox.write("x\u{1b}[2J.txt", "x");
    sandbox.git("add -A");
    let (verdict, reason) = said(&sandbox, Mode::Loss, "reset --hard");
    assert_eq!(verdict, Deny);
    assert!(!reason.contains('\u{1b}'));
}
