//! What is judged is what will be committed.

use anyhow::Result;
use bellwether_tests::Project;

use super::{ON, lines, nothing_left, report, states};

/// A check that fails where a file says BAD, and lists what it sees.
const CHECK: &str = "gate: {enabled: true, steps: {look: {run: 'ls -A; ! grep -rs BAD --exclude-dir=.git --exclude-dir=node_modules .'}}}\n";

#[test]
fn the_index_counts_and_not_the_work_tree() -> Result<()> {
    let project = Project::trusted(CHECK)?;
    project.stage(&[("a.txt", "good\n")])?;
    project.write("a.txt", "BAD\n")?;
    let good = report(&project, &[])?;
    assert_eq!(states(&good), "look passed", "{good:#}");
    project.stage(&[("a.txt", "BAD, staged\n")])?;
    project.write("a.txt", "good\n")?;
    let bad = report(&project, &[])?;
    assert_eq!(states(&bad), "look failed");
    assert!(lines(&bad, "look").contains("BAD, staged"), "{bad:#}");
    assert_eq!(
        std::fs::read_to_string(project.root().join("a.txt"))?,
        "good\n"
    );
    nothing_left(&project)
}

#[test]
fn what_git_does_not_know_is_not_judged() -> Result<()> {
    let project = Project::trusted(CHECK)?;
    project.stage(&[("a.txt", "good\n"), (".gitignore", "ignored.txt\n")])?;
    project.write("untracked.txt", "BAD\n")?;
    assert_eq!(states(&report(&project, &[])?), "look passed");
    nothing_left(&project)
}

#[test]
fn a_tree_is_judged_by_its_id_whatever_is_staged() -> Result<()> {
    let project = Project::trusted(CHECK)?;
    project.stage(&[("a.txt", "BAD\n")])?;
    let bad = project.git("write-tree")?;
    project.stage(&[("a.txt", "good\n")])?;
    let good = project.git("write-tree")?;
    assert_eq!(report(&project, &["--tree", &bad])?["outcome"], "failed");
    assert_eq!(report(&project, &["--tree", &good])?["outcome"], "passed");
    for wrong in ["HEAD", "0000000000000000000000000000000000000000", "--all"] {
        let wrong = report(&project, &[&format!("--tree={wrong}")])?;
        assert_eq!(wrong["outcome"], "nothing");
        assert!(
            wrong["note"]
                .as_str()
                .is_some_and(|note| note.contains("no id of a tree")),
            "{wrong:#}"
        );
    }
    Ok(())
}

#[test]
fn a_tree_of_its_own_has_a_git_of_its_own_and_leaves_no_trace_in_the_repository() -> Result<()> {
    let run = "git log --oneline; git status --short; git diff --cached --name-only; git rev-parse --show-toplevel; git -c user.name=x -c user.email=x@x commit -q -m inner; git branch new; git branch -D -q new";
    let project = Project::trusted(&format!(
        "gate: {{enabled: true, steps: {{git: {{run: '{run}; exit 1'}}}}}}\n"
    ))?;
    project.stage(&[("a.txt", "one\n")])?;
    project.git("commit -q -m first")?;
    project.stage(&[("a.txt", "two\n")])?;
    project.write("a.txt", "three\n")?;
    let before = (
        project.git("for-each-ref")?,
        project.git("rev-parse HEAD")?,
        project.git("status --short")?,
    );
    let report = report(&project, &[])?;
    let said = lines(&report, "git");
    let said: Vec<&str> = said.lines().collect();
    assert!(said[0].ends_with(" first"), "{said:?}");
    assert_eq!(said[1..], ["M  a.txt", "a.txt", "."], "{report:#}");
    let after = (
        project.git("for-each-ref")?,
        project.git("rev-parse HEAD")?,
        project.git("status --short")?,
    );
    assert_eq!(before, after);
    assert_eq!(project.git("worktree list")?.lines().count(), 1);
    assert!(!project.root().join(".git/worktrees").exists());
    nothing_left(&project)
}

#[test]
fn what_is_installed_is_linked_and_packages_of_the_project_are_those_of_the_commit() -> Result<()> {
    let project = Project::trusted(
        "gate: {enabled: true, link: [gen, ../outside], steps: {node: {run: node app.js}}}\n",
    )?;
    project.stage(&[
        (".gitignore", "node_modules\ngen\n"),
        ("package.json", "{}"),
        ("app.js", "console.log(require('installed'), require('ui'), require('./gen/x.js')); process.exit(1)\n"),
        ("packages/ui/package.json", r#"{"name":"ui","main":"i.js"}"#),
        ("packages/ui/i.js", "module.exports = 'staged'\n"),
    ])?;
    project.write(
        "node_modules/installed/index.js",
        "module.exports = 'installed'\n",
    )?;
    project.write("gen/x.js", "module.exports = 'generated'\n")?;
    std::os::unix::fs::symlink("../packages/ui", project.root().join("node_modules/ui"))?;
    project.write("packages/ui/i.js", "module.exports = 'not staged'\n")?;
    let report = report(&project, &[])?;
    assert_eq!(
        lines(&report, "node"),
        "installed staged generated",
        "{report:#}"
    );
    assert!(
        report["note"]
            .as_str()
            .is_some_and(|note| note.contains("outside is not a path")),
        "{report:#}"
    );
    assert!(
        project
            .root()
            .join("node_modules/installed/index.js")
            .exists()
    );
    assert!(
        project.root().join("gen/x.js").exists(),
        "what is linked stays when the tree goes"
    );
    nothing_left(&project)
}

#[test]
fn the_first_commit_and_an_empty_index_are_judged_too() -> Result<()> {
    let project = Project::trusted(CHECK)?;
    assert_eq!(states(&report(&project, &[])?), "look passed");
    project.stage(&[("a.txt", "BAD\n")])?;
    project.write("b.txt", "untracked\n")?;
    assert_eq!(states(&report(&project, &[])?), "look failed");
    Ok(())
}

#[test]
fn a_linked_work_tree_and_a_submodule_are_judged() -> Result<()> {
    let project = Project::trusted(CHECK)?;
    let other = project.root().with_file_name("other");
    project.git_words(&["init", "-q", "-b", "main", &other.display().to_string()])?;
    std::fs::write(other.join("inner.txt"), "inner\n")?;
    let there = other.display().to_string();
    project.git_words(&["-C", &there, "add", "-A"])?;
    project.git_words(&["-C", &there, "commit", "-q", "-m", "inner"])?;
    project.git_words(&["submodule", "-q", "add", &there, "sub"])?;
    project.stage(&[("a.txt", "good\n")])?;
    project.git("commit -q -m one")?;
    project.write("untracked.txt", "x\n")?;
    project.stage(&[("a.txt", "BAD\n")])?;
    let report_of = report(&project, &[])?;
    let said = lines(&report_of, "look");
    assert!(
        said.contains("sub") && said.contains("a.txt:BAD"),
        "{report_of:#}"
    );
    let linked = project.root().with_file_name("linked");
    project.git_words(&[
        "worktree",
        "add",
        "-q",
        &linked.display().to_string(),
        "HEAD",
    ])?;
    let tree = project.git("write-tree")?;
    let words = ["gate", "run", "--json", "--tree", &tree];
    let stranger = super::read(&project.cli(words).current_dir(&linked).output()?)?;
    assert_eq!(
        stranger["outcome"], "nothing",
        "each work tree is trusted by itself: {stranger:#}"
    );
    let root = project.root().display().to_string();
    let of_other = [&words[..], &["--project", &root]].concat();
    let other = super::read(&project.cli(of_other).current_dir(&linked).output()?)?;
    assert!(
        other["note"]
            .as_str()
            .is_some_and(|note| note.contains("is not in the work tree")),
        "{other:#}"
    );
    project.trust(&linked)?;
    let report = super::read(&project.cli(words).current_dir(&linked).output()?)?;
    assert_eq!(states(&report), "look failed", "{report:#}");
    nothing_left(&project)
}

#[test]
fn a_check_that_changes_files_is_told() -> Result<()> {
    let project =
        Project::trusted("gate: {enabled: true, steps: {fix: {run: 'echo fixed > a.txt'}}}\n")?;
    project.stage(&[("a.txt", "as written\n")])?;
    let report = report(&project, &[])?;
    assert_eq!(report["outcome"], "passed");
    let note = report["note"].as_str().unwrap_or_default();
    assert!(note.contains("committed as before: a.txt"), "{note}");
    Ok(())
}

#[test]
fn a_hook_of_git_can_run_the_gate_too() -> Result<()> {
    let project = Project::trusted(CHECK)?;
    let main = project.place().programs().main();
    let home = project.place().root();
    project.script(
        ".git/hooks/pre-commit",
        &format!(
            "exec '{}' --home '{}' gate run",
            main.display(),
            home.display()
        ),
    )?;
    project.stage(&[("a.txt", "good\n"), ("b.txt", "good\n")])?;
    project.git("commit -q -m one")?;
    project.write("a.txt", "BAD\n")?;
    project.write("b.txt", "better\n")?;
    let refused = project.git("commit -q -a -m two").unwrap_err().to_string();
    assert!(refused.contains("1 check failed"), "{refused}");
    project.git("commit -q -m two b.txt")?;
    assert_eq!(project.git("log --format=%s")?, "two\none");
    nothing_left(&project)
}

#[test]
fn a_check_cannot_run_the_gate() -> Result<()> {
    let project = Project::trusted(ON)?;
    let (main, home) = (project.place().programs().main(), project.place().root());
    let run = format!("{} --home {} gate run", main.display(), home.display());
    project.place().configure(&format!(
        "gate: {{enabled: true, steps: {{again: {{run: '{run}'}}}}}}\n"
    ))?;
    let report = report(&project, &[])?;
    assert!(
        lines(&report, "again").contains("cannot run the gate"),
        "{report:#}"
    );
    Ok(())
}

#[test]
fn conflicts_are_told_and_nothing_is_run() -> Result<()> {
    let project = Project::trusted(ON)?;
    project.stage(&[("a.txt", "base\n")])?;
    project.git("commit -q -m base")?;
    project.git("checkout -q -b side")?;
    project.stage(&[("a.txt", "side\n")])?;
    project.git("commit -q -m side")?;
    project.git("checkout -q main")?;
    project.stage(&[("a.txt", "main\n")])?;
    project.git("commit -q -m main")?;
    assert!(project.git("merge side").is_err());
    let report = report(&project, &[])?;
    assert_eq!(report["outcome"], "nothing");
    assert!(
        report["note"]
            .as_str()
            .is_some_and(|note| note.contains("conflicts")),
        "{report:#}"
    );
    nothing_left(&project)
}
