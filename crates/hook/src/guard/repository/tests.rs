//! Every question, asked of real repositories.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use bellwether_shell::git::{Cleaning, Ignored, Site};

use super::blobs::is_blob;
use super::sandbox::Sandbox;
use super::{Git, Kind, Leaving, Moment, Repository, Silence};

fn cleaning(paths: &[&str], folders: bool) -> Cleaning {
    Cleaning {
        paths: paths.iter().map(|path| (*path).into()).collect(),
        except: Vec::new(),
        folders,
        repositories: false,
        ignored: Ignored::Too,
        forced: true,
    }
}

#[test]
fn changes_are_sorted_by_what_git_knows_of_them() {
    let sandbox = Sandbox::clean();
    let git = sandbox.repository();
    let none = git.changes(&sandbox.path(), &[]).unwrap();
    assert_eq!(none.root, sandbox.path());
    assert!(none.modified.is_empty() && none.untracked.is_empty() && none.ignored.is_empty());
    sandbox.write("a.txt", "changed");
    sandbox.write("new one.txt", "staged");
    sandbox.git_in(&sandbox.path(), &["add", "new one.txt"]);
    sandbox.write("src/deep/x.rs", "x");
    sandbox.write("x.log", "x");
    sandbox.write("node_modules/y/z.js", "x");
    assert_eq!(
        git.changes(&sandbox.path(), &[]).unwrap(),
        none,
        "one judgement hears one answer"
    );
    let git = sandbox.repository();
    let all = git.changes(&sandbox.path(), &[]).unwrap();
    assert_eq!(all.modified, ["a.txt", "new one.txt"]);
    assert_eq!(all.untracked, ["src/"]);
    assert_eq!(all.ignored, ["node_modules/", "x.log"]);
    let some = git
        .changes(&sandbox.path(), &[PathBuf::from("src")])
        .unwrap();
    assert_eq!((some.modified.len(), some.untracked.len()), (0, 1));
    let site = sandbox.site();
    assert_eq!(
        git.modified(&site, &[]).unwrap().names,
        ["a.txt", "new one.txt"]
    );
    let scoped = git.modified(&site, &["a*".to_owned()]).unwrap();
    assert_eq!(scoped.names, ["a.txt"]);
}

#[test]
fn cleaning_is_told_before_it_is_done() {
    let sandbox = Sandbox::clean();
    let site = sandbox.site();
    let names = |paths: &[&str], folders, kind| {
        let git = sandbox.repository();
        git.cleaned(&site, &cleaning(paths, folders), kind)
            .unwrap()
            .names
    };
    assert!(names(&[], true, Kind::Untracked).is_empty());
    sandbox.write("n.txt", "n");
    sandbox.write("d/x.txt", "n");
    sandbox.write("x.log", "n");
    assert_eq!(names(&[], false, Kind::Untracked), ["n.txt"]);
    assert_eq!(names(&[], true, Kind::Untracked), ["d/", "n.txt"]);
    assert_eq!(names(&["d"], true, Kind::Untracked), ["d/"]);
    assert_eq!(names(&[], true, Kind::Ignored), ["x.log"]);
    assert!(sandbox.has("n.txt") && sandbox.has("x.log"));
}

#[test]
fn branches_and_their_remotes_are_known() {
    let sandbox = Sandbox::clean();
    let (git, site) = (sandbox.repository(), sandbox.site());
    assert_eq!(git.current_branch(&site).unwrap().as_deref(), Some("main"));
    assert_eq!(
        git.upstream(&site, "main").unwrap().as_deref(),
        Some("main")
    );
    assert_eq!(git.upstream(&site, "none").unwrap(), None);
    assert_eq!(git.default_branches(&site).unwrap(), ["main"]);
    assert!(git.exists(&site, "main").unwrap());
    assert!(git.exists(&site, "origin/main").unwrap());
    assert!(!git.exists(&site, "none").unwrap());
    assert!(git.exists(&site, "--all").is_err());
    assert_eq!(
        git.setting(&site, "remote.origin.url").unwrap().as_deref(),
        Some("../origin")
    );
    assert_eq!(git.setting(&site, "push.default").unwrap(), None);
    assert!(!git.has_submodules(&site).unwrap());
    sandbox.git("checkout -q --detach");
    assert_eq!(sandbox.repository().current_branch(&site).unwrap(), None);
}

#[test]
fn commits_that_nothing_else_holds_are_counted() {
    let sandbox = Sandbox::clean();
    let site = sandbox.site();
    let left = |leaving: &Leaving| sandbox.repository().left(&site, leaving).unwrap();
    sandbox.write("a.txt", "2");
    sandbox.commit("two");
    let main = Leaving {
        tips: vec!["HEAD".to_owned()],
        branches: vec!["main".to_owned()],
        kept: vec!["HEAD~1".to_owned()],
        ..Leaving::default()
    };
    assert_eq!(left(&main), 1);
    sandbox.git("branch copy");
    assert_eq!(left(&main), 0);
    sandbox.git("checkout -q -b topic");
    sandbox.write("a.txt", "3");
    sandbox.commit("three");
    sandbox.git("tag v1");
    sandbox.git("checkout -q main");
    let topic = Leaving {
        tips: vec!["refs/heads/topic".to_owned()],
        branches: vec!["topic".to_owned()],
        ..Leaving::default()
    };
    assert_eq!(left(&topic), 0);
    let both = Leaving {
        tags: vec!["v1".to_owned()],
        ..topic
    };
    assert_eq!(left(&both), 1);
}

#[test]
fn stashes_are_listed() {
    let sandbox = Sandbox::clean();
    let (git, site) = (sandbox.repository(), sandbox.site());
    assert!(git.stashes(&site).unwrap().names.is_empty());
    sandbox.write("a.txt", "2");
    sandbox.git("stash push -q -m later");
    let stashes = sandbox.repository().stashes(&site).unwrap();
    assert_eq!(stashes.names, ["On main: later"]);
}

#[test]
fn what_is_no_repository_is_told_apart_from_trouble() {
    let sandbox = Sandbox::empty();
    let git = sandbox.repository();
    let site = sandbox.site();
    assert_eq!(git.modified(&site, &[]), Err(Silence::NoRepository));
    assert_eq!(git.current_branch(&site), Err(Silence::NoRepository));
    assert_eq!(
        git.modified(&Site::of("/no/such/folder"), &[]),
        Err(Silence::NoRepository)
    );
    let none = Git::with_program(None, None, Duration::from_secs(1));
    assert!(matches!(none.stashes(&site), Err(Silence::Trouble(_))));
}

#[test]
fn a_named_repository_and_work_tree_are_used() {
    let sandbox = Sandbox::clean();
    sandbox.write("a.txt", "2");
    let site = Site {
        folder: sandbox.home(),
        git_dir: Some(sandbox.path().join(".git")),
        work_tree: Some(sandbox.path()),
    };
    let names = sandbox.repository().modified(&site, &[]).unwrap().names;
    assert_eq!(names, ["a.txt"]);
}

#[test]
fn nothing_that_the_repository_names_is_run() {
    let sandbox = Sandbox::clean();
    let evil = sandbox.write(
        "evil.sh",
        "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\ncat\n",
    );
    std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
    let evil = evil.to_str().unwrap();
    sandbox.write(".gitattributes", "* filter=evil diff=evil\n");
    for key in [
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.sshCommand",
        "gpg.program",
    ] {
        sandbox.git_in(&sandbox.path(), &["config", key, evil]);
    }
    sandbox.git("config filter.evil.required true");
    sandbox.git("config log.showSignature true");
    sandbox.write("a.txt", "c");
    let (git, site) = (sandbox.repository(), sandbox.site());
    git.changes(&sandbox.path(), &[]).unwrap();
    assert!(
        git.modified(&site, &[])
            .unwrap()
            .names
            .contains(&"a.txt".to_owned())
    );
    git.cleaned(&site, &cleaning(&[], true), Kind::Untracked)
        .unwrap();
    git.stashes(&site).unwrap();
    git.current_branch(&site).unwrap();
    assert!(!sandbox.has("ran"));
}

#[test]
fn all_answers_share_one_budget() {
    let sandbox = Sandbox::clean();
    let slow = sandbox.write("slow", "#!/bin/sh\nsleep 30 & sleep 30\n");
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).unwrap();
    let git = Git::with_program(Some(slow), None, Duration::from_millis(100));
    let start = Instant::now();
    for _ in 0..5 {
        let late = Err(Silence::Trouble("git took too long".to_owned()));
        assert_eq!(git.stashes(&sandbox.site()), late);
    }
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn much_output_is_cut_short() {
    let sandbox = Sandbox::clean();
    let loud = sandbox.write("loud", "#!/bin/sh\nyes stash >&2 & exec yes stash\n");
    std::fs::set_permissions(&loud, std::fs::Permissions::from_mode(0o755)).unwrap();
    let git = Git::with_program(Some(loud), None, Duration::from_secs(20));
    let stashes = git.stashes(&sandbox.site()).unwrap();
    assert!(stashes.more && !stashes.names.is_empty());
}

/// Makes the log of a repository say that its entries are `step` seconds apart, the newest `step` seconds old.
fn age(sandbox: &Sandbox, step: u64) -> SystemTime {
    let log = sandbox.path().join(".git/logs/HEAD");
    let text = std::fs::read_to_string(&log).unwrap();
    let now = SystemTime::now();
    let seconds = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let count = text.lines().count() as u64;
    let aged = text.lines().zip(0..).map(|(line, number)| {
        let (entry, message) = line.split_once('\t').unwrap();
        let mut fields: Vec<&str> = entry.split(' ').collect();
        let time = (seconds - (count - number) * step).to_string();
        let place = fields.len() - 2;
        fields[place] = &time;
        format!("{}\t{message}\n", fields.join(" "))
    });
    std::fs::write(&log, aged.collect::<String>()).unwrap();
    now
}

#[test]
fn a_file_that_nobody_has_touched_since_is_older() {
    let sandbox = Sandbox::clean();
    let (file, now) = (sandbox.path().join("b.txt"), SystemTime::now());
    let hour = Duration::from_hours(1);
    assert!(Moment::at(now + hour).unwrap().is_after(&file));
    assert!(!Moment::at(now - hour).unwrap().is_after(&file));
    assert!(!Moment::now().is_after(&file));
    let missing = sandbox.path().join("none");
    assert!(!Moment::at(now + hour).unwrap().is_after(&missing));
}

#[test]
fn what_was_held_when_a_session_began_is_told_from_what_came_later() {
    let sandbox = Sandbox::clean();
    sandbox.write("a.txt", "a, later");
    sandbox.write("new.txt", "new");
    sandbox.commit("two");
    let now = age(&sandbox, 1000);
    let git = sandbox.repository();
    let (root, paths) = (sandbox.path(), ["a.txt", "b.txt", "new.txt", "none"]);
    let paths = paths.map(str::to_owned);
    let unchanged = |moment: &Moment| {
        let held = git.held(&root, moment, &paths).unwrap();
        let files = paths.iter().zip(&held.ids);
        let same =
            files.filter(|(path, id)| id.as_ref().is_some_and(|id| is_blob(&root.join(path), id)));
        let names: Vec<&str> = same.map(|(path, _)| path.as_str()).collect();
        (held.is_older, names)
    };
    let between = Moment::at(now - Duration::from_mins(25)).unwrap();
    assert_eq!(unchanged(&between), (true, vec!["b.txt"]));
    let all = vec!["a.txt", "b.txt", "new.txt"];
    assert_eq!(unchanged(&Moment::now()), (true, all.clone()));
    let earlier = Moment::at(now - Duration::from_hours(300)).unwrap();
    assert_eq!(unchanged(&earlier), (false, vec!["b.txt"]));
    assert_eq!(git.text(&root, &between, "a.txt").unwrap(), "a");
    // Without a log, what is committed counts.
    std::fs::remove_dir_all(root.join(".git/logs")).unwrap();
    assert_eq!(unchanged(&between).1, all);
    sandbox.write("a.txt", "a, changed");
    assert_eq!(unchanged(&Moment::now()).1, ["b.txt", "new.txt"]);
    sandbox.write("b.txt", "b\r\n");
    assert_eq!(unchanged(&Moment::now()).1, ["new.txt"]);
}

#[test]
fn files_that_say_enough_are_read_and_the_rest_is_left_to_git() {
    let answers = |sandbox: &Sandbox| {
        let (git, site) = (sandbox.repository(), sandbox.site());
        (
            git.current_branch(&site).unwrap(),
            git.upstream(&site, "main").unwrap(),
            git.default_branches(&site).unwrap(),
            git.setting(&site, "push.default").unwrap(),
            git.changes(&sandbox.path(), &[]).unwrap().root,
        )
    };
    let plain = Sandbox::clean();
    plain.git("config push.default matching");
    let expected = answers(&plain);
    assert_eq!(expected.3.as_deref(), Some("matching"));
    // With a setting that includes a file, git is asked, and says the same.
    plain.git("config include.path none.inc");
    assert_eq!(answers(&plain), expected);
    // What the included file says is git's to know.
    std::fs::write(
        plain.path().join(".git/none.inc"),
        "[push]\ndefault = current\n",
    )
    .unwrap();
    assert_eq!(answers(&plain).3.as_deref(), Some("current"));
    // A second work tree has a branch of its own.
    plain.git("worktree add -q ../second -b other");
    let second = Site::of(plain.path().with_file_name("second"));
    plain.git("config --unset include.path");
    let git = plain.repository();
    assert_eq!(
        git.current_branch(&second).unwrap().as_deref(),
        Some("other")
    );
    assert_eq!(git.upstream(&second, "main").unwrap(), expected.1);
}
