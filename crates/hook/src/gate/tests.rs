//! The trees that commits will have, compared with those that they have once the command was really run.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use bellwether_protocol::event::Deed;
use bellwether_shell::Analysis;
use bellwether_spine::Home;

use super::check::work_trees;
use super::config::Config;
use super::drafts::{Drafts, Gated};
use super::git::{Git, Stop};
use super::scratch::Scratch;
use crate::guard;
use crate::guard::judge::{Call, explain};
use crate::guard::repository::sandbox::Sandbox;

/// How the gate understands a command.
fn analysis(sandbox: &Sandbox, command: &str) -> Analysis {
    let home = Home::find(Some(sandbox.home().join("own"))).unwrap();
    let call = Call {
        deed: &Deed::command(command.to_owned()),
        cwd: &sandbox.path(),
        project: Some(&sandbox.path()),
        home: &home,
        user: Some(&sandbox.home()),
        transcript: None,
    };
    explain(&call, &guard::Config::default()).analysis.unwrap()
}

/// The trees that its commits will have.
fn foreseen(sandbox: &Sandbox, command: &str) -> Result<Vec<String>, Stop> {
    let analysis = analysis(sandbox, command);
    let home = Home::find(Some(sandbox.home().join("own"))).unwrap();
    let mut gated: Vec<Gated> = Vec::new();
    for (tree, _) in work_trees(&analysis) {
        if !gated.iter().any(|known| known.tree == tree) {
            let config = Config::default();
            let project = tree.root.clone();
            gated.push(Gated {
                tree,
                project,
                config,
            });
        }
    }
    let git = Git::new(Instant::now() + Duration::from_mins(1));
    let scratch = Scratch::make(&home).unwrap();
    let mut drafts = Drafts::new(&analysis, &gated, &git, &scratch);
    let mut trees = Vec::new();
    for step in &analysis.staging {
        trees.extend(drafts.take(step)?.map(|candidate| candidate.tree));
    }
    trees.dedup();
    Ok(trees)
}

/// What a command prints.
fn run(sandbox: &Sandbox, folder: &Path, program: &str, words: &[&str]) -> String {
    let output = Command::new(program)
        .args(words)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", sandbox.home())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The trees of the commits that a command really makes, in their order.
fn made(sandbox: &Sandbox, command: &str) -> Vec<String> {
    let log = || {
        let words = ["rev-list", "--all", "--reflog", "--reverse", "--topo-order"];
        run(sandbox, &sandbox.path(), "git", &words)
    };
    let before = log();
    run(sandbox, &sandbox.path(), "bash", &["-c", command]);
    let after = log();
    let new = after.lines().filter(|commit| !before.contains(commit));
    let tree = |commit: &str| {
        let name = format!("{commit}^{{tree}}");
        let tree = run(sandbox, &sandbox.path(), "git", &["rev-parse", &name]);
        tree.trim().to_owned()
    };
    let mut trees: Vec<String> = new.map(tree).collect();
    trees.dedup();
    trees
}

/// A repository with settings that a commit needs, and nothing in it.
fn unborn() -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.git("init -q -b main .");
    for (key, value) in [
        ("user.name", "t"),
        ("user.email", "t@t"),
        ("commit.gpgsign", "false"),
        ("alias.ci", "commit -q"),
        ("alias.save", "!git add -A && git commit -qm"),
    ] {
        sandbox.git_in(&sandbox.path(), &["config", key, value]);
    }
    sandbox
}

/// A repository in the state that the table describes.
fn world() -> Sandbox {
    let sandbox = unborn();
    for (name, text) in [
        ("a.txt", "a"),
        ("b.txt", "b"),
        ("c.txt", "c"),
        ("src/in.txt", "in"),
        ("src/gone.txt", "gone"),
        ("lib/one.txt", "one"),
        ("lib/deep/two.txt", "two"),
        ("run.sh", "true"),
        ("list", "a.txt\nnew.txt\n"),
        (".gitignore", "*.log\n"),
        (
            "save.sh",
            "#!/bin/sh\nset -e\ngit add -A\ngit commit -qm \"$1\"\n",
        ),
        ("Makefile", "save:\n\tgit add src && git commit -qm save\n"),
    ] {
        sandbox.write(name, text);
    }
    run(&sandbox, &sandbox.path(), "chmod", &["+x", "save.sh"]);
    sandbox.commit("one");
    sandbox.write("c.txt", "c of the second commit");
    sandbox.commit("two");
    sandbox.write("b.txt", "b staged");
    sandbox.git("add b.txt");
    for (name, text) in [
        ("b.txt", "b changed again"),
        ("a.txt", "a changed"),
        ("new.txt", "new"),
        ("src/new.txt", "new"),
        ("x.log", "log"),
    ] {
        sandbox.write(name, text);
    }
    std::fs::remove_file(sandbox.path().join("src/gone.txt")).unwrap();
    sandbox
}

/// What is wrong with a row.
fn complaint(world: &Sandbox, command: &str, expected: &str) -> Option<String> {
    let sandbox = world.copy();
    let before = state(&sandbox);
    let foreseen = foreseen(&sandbox, command);
    assert_eq!(state(&sandbox), before, "{command}");
    let got = match (&foreseen, expected) {
        (Ok(trees), "none") if trees.is_empty() => return None,
        (Ok(trees), "same") => {
            let made = made(&sandbox, command);
            if *trees == made && !made.is_empty() {
                return None;
            }
            format!("{trees:?} and not {made:?}")
        }
        (Err(Stop::Doubt(why)), expected) if why == expected => return None,
        (other, _) => format!("{other:?}"),
    };
    Some(format!(
        "{command}\n  expected: {expected}\n  got:      {got}"
    ))
}

/// What of a repository nobody but the command itself may change.
fn state(sandbox: &Sandbox) -> (Vec<u8>, String) {
    let index = std::fs::read(sandbox.path().join(".git/index")).unwrap_or_default();
    let words = [
        "-c",
        "ls -lAR . --time-style=full-iso -I objects; cat .git/HEAD .git/config",
    ];
    (index, run(sandbox, &sandbox.path(), "bash", &words))
}

#[test]
fn the_trees_of_commits_are_known_before_they_are_made() {
    let table = include_str!("../../tables/gate.tsv");
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    let rows: Vec<(String, &str)> = rows
        .filter_map(|row| row.split_once('\t'))
        .map(|(command, expected)| (command.replace("\\n", "\n"), expected))
        .collect();
    let world = world();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let world = &world;
        let check = move |rows: &[(String, &str)]| {
            let wrong = rows
                .iter()
                .filter_map(|(command, expected)| complaint(world, command, expected));
            wrong.collect::<Vec<String>>()
        };
        let (first, second) = rows.split_at(rows.len() / 2);
        let halves = [first, second].map(|half| scope.spawn(move || check(half)));
        halves
            .into_iter()
            .flat_map(|half| half.join().unwrap())
            .collect()
    });
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
    assert!(rows.len() >= 150, "only {} rows", rows.len());
}

/// The commits of a command are known beforehand in some repository.
fn assert_same(sandbox: &Sandbox, what: &str, command: &str) {
    let trees = foreseen(sandbox, command).unwrap();
    let made = made(sandbox, command);
    assert_eq!(trees, made, "{what}: {command}");
    assert_eq!(made.len(), 1, "{what}: {command}");
}

fn set(sandbox: &Sandbox, key: &str, value: &str) {
    sandbox.git_in(&sandbox.path(), &["config", key, value]);
}

#[test]
fn unusual_repositories_are_no_exception() {
    let sandbox = unborn();
    sandbox.write("a.txt", "a");
    assert_eq!(
        foreseen(&sandbox, "git commit -m x").map(|trees| trees.len()),
        Ok(1),
        "an empty tree"
    );
    assert_same(
        &sandbox,
        "no commit yet",
        "git add a.txt && git commit -m x",
    );

    let sandbox = world();
    sandbox.git("checkout -q --detach");
    assert_same(&sandbox, "no branch", "git commit -am x");

    let sandbox = world();
    set(&sandbox, "core.splitIndex", "true");
    sandbox.git("update-index --split-index");
    assert_same(
        &sandbox,
        "an index in two parts",
        "git add -A && git commit -m x",
    );

    let sandbox = Sandbox::empty();
    sandbox.git("init -q -b main --object-format=sha256 .");
    set(&sandbox, "user.name", "t");
    set(&sandbox, "user.email", "t@t");
    sandbox.write("a.txt", "a");
    assert_same(&sandbox, "longer ids", "git add -A && git commit -m x");

    let sandbox = world();
    std::os::unix::fs::symlink(sandbox.path(), sandbox.home().join("link")).unwrap();
    let command = format!(
        "cd {}/link/src && git commit -am x",
        sandbox.home().display()
    );
    assert_same(&sandbox, "a link to it", &command);
    sandbox.write("a.txt", "more");
    std::os::unix::fs::symlink("a.txt", sandbox.path().join("linked")).unwrap();
    assert_same(
        &sandbox,
        "a link in it",
        "git add linked && git commit -m x",
    );
}

#[test]
fn filters_make_the_same_of_files_as_the_commit_does() {
    let sandbox = world();
    set(&sandbox, "core.autocrlf", "true");
    sandbox.write("new.txt", "two\r\nlines\r\n");
    assert_same(&sandbox, "line endings", "git add -A && git commit -m x");

    let sandbox = world();
    set(&sandbox, "filter.upper.clean", "tr a-z A-Z");
    set(&sandbox, "filter.upper.required", "true");
    sandbox.write(".gitattributes", "*.txt filter=upper\n");
    assert_same(&sandbox, "a filter", "git add -A && git commit -m x");

    let sandbox = world();
    set(&sandbox, "filter.lost.clean", "no-such-program");
    set(&sandbox, "filter.lost.required", "true");
    sandbox.write(".gitattributes", "*.txt filter=lost\n");
    let doubt = foreseen(&sandbox, "git add -A && git commit -m x").unwrap_err();
    assert!(
        matches!(&doubt, Stop::Doubt(why) if why.contains("`git add` would fail")),
        "{doubt:?}"
    );
}

/// A file that was changed in the moment in which the index was written has the time of that index, and only its content tells.
#[test]
fn a_change_in_the_same_moment_is_seen() {
    let sandbox = world();
    sandbox.git("add -A");
    let index = sandbox.path().join(".git/index");
    let written = std::fs::metadata(&index).unwrap().modified().unwrap();
    let file = sandbox.write("a.txt", "A changed");
    let file = std::fs::File::options().write(true).open(file).unwrap();
    file.set_modified(written).unwrap();
    set(&sandbox, "core.trustctime", "false");
    assert_same(&sandbox, "a racy file", "git commit -am x");
}

#[test]
fn a_conflict_is_checked_once_it_is_resolved() {
    let sandbox = world();
    for command in [
        "git stash -q; git checkout -q -b other; echo other > c.txt; git commit -qam other",
        "git checkout -q main; echo main > c.txt; git commit -qam main",
        "git merge other; true",
    ] {
        run(&sandbox, &sandbox.path(), "bash", &["-c", command]);
    }
    assert_eq!(
        foreseen(&sandbox, "git commit -m x"),
        Ok(Vec::new()),
        "git refuses"
    );
    sandbox.write("c.txt", "both");
    assert_same(&sandbox, "a merge", "git add c.txt && git commit -m x");
}

#[test]
fn a_commit_belongs_to_the_work_tree_that_it_is_made_in() {
    let sandbox = world();
    sandbox.git("worktree add -q ../side");
    let side = sandbox.path().with_file_name("side");
    std::fs::write(side.join("side.txt"), "side").unwrap();
    let command = format!("cd {} && git add -A && git commit -m x", side.display());
    let found = work_trees(&analysis(&sandbox, &command));
    assert_eq!(found[0].0.root, side.canonicalize().unwrap());
    assert_same(&sandbox, "another work tree", &command);

    let sandbox = world();
    sandbox.git("clone -q . ../part");
    sandbox.git("submodule --quiet add ../part part");
    std::fs::write(sandbox.path().join("part/p.txt"), "p").unwrap();
    let command = "cd part && git add p.txt && git commit -m x";
    let found = work_trees(&analysis(&sandbox, command));
    assert_eq!(found[0].0.root, sandbox.path().join("part"));
    let trees = foreseen(&sandbox, command).unwrap();
    run(
        &sandbox,
        &sandbox.path().join("part"),
        "bash",
        &["-c", "git -c user.name=t -c user.email=t@t add p.txt"],
    );
    let real = run(
        &sandbox,
        &sandbox.path().join("part"),
        "git",
        &["write-tree"],
    );
    assert_eq!(trees, [real.trim()]);
    assert_same(
        &sandbox,
        "with a part of its own",
        "git commit -m x part .gitmodules",
    );

    let sandbox = Sandbox::empty();
    assert!(
        work_trees(&analysis(&sandbox, "git commit -m x")).is_empty(),
        "no repository"
    );
    sandbox.git("init -q --bare .");
    assert!(
        work_trees(&analysis(&sandbox, "git commit -m x")).is_empty(),
        "no work tree"
    );
}

/// A script cannot be taken apart by the agent: what can be told of it is checked.
#[test]
fn what_a_script_changes_first_is_checked_as_it_is_now() {
    let sandbox = world();
    sandbox.write("release.sh", "echo 2 > a.txt\ngit commit -qam release\n");
    let trees = foreseen(&sandbox, "bash release.sh").unwrap();
    sandbox.git("add -u");
    let now = run(&sandbox, &sandbox.path(), "git", &["write-tree"]);
    assert_eq!(trees, [now.trim()]);
}
