//! Formatters that do well, fail, hang, die and write half a file.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use super::*;
use crate::format::target::Target;

struct Case {
    folder: tempfile::TempDir,
    steps: Vec<Step>,
    timeout_s: u32,
}

impl Case {
    /// A file with some text, in a project.
    fn new(text: &str) -> Self {
        let case = Self {
            folder: tempfile::tempdir().unwrap(),
            steps: Vec::new(),
            timeout_s: 20,
        };
        fs::create_dir(case.root().join("p")).unwrap();
        fs::write(case.file(), text).unwrap();
        case
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn file(&self) -> PathBuf {
        self.root().join("p/a.txt")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    /// With one more formatter, a line for a shell that has the file as `$1`.
    fn step(mut self, way: Way, line: &str) -> Self {
        let file = self.file();
        let words = ["-c".into(), line.into(), "sh".into(), file.into()];
        self.steps.push(Step {
            name: format!("step{}", self.steps.len() + 1),
            program: "/bin/sh".into(),
            words: words.into(),
            folder: self.root(),
            way,
            chosen_by: ChosenBy::Project,
        });
        self
    }

    fn stream(self, line: &str) -> Self {
        self.step(Way::Stream, line)
    }

    fn in_place(self, line: &str) -> Self {
        self.step(Way::InPlace, line)
    }

    fn within(mut self, timeout_s: u32) -> Self {
        self.timeout_s = timeout_s;
        self
    }

    fn run(&mut self) -> Option<String> {
        let home = self.home();
        let plan = Plan {
            target: Target::new(&self.file(), &self.root().join("p")).unwrap(),
            steps: std::mem::take(&mut self.steps),
            missing: Vec::new(),
            timeout_s: self.timeout_s,
        };
        run(&plan, &home).context
    }

    fn home(&self) -> Home {
        Home::find(Some(self.root().join("home"))).unwrap()
    }

    /// The codes of what was noted for the person.
    fn troubles(&self) -> Vec<String> {
        let recent = Troubles(&self.home()).recent();
        recent.into_iter().map(|trouble| trouble.code).collect()
    }
}

#[test]
fn a_file_is_formatted_by_one_after_the_other() {
    let mut case = Case::new("a  b\n")
        .stream("tr -s ' '")
        .in_place("sed -i s/b/c/ \"$1\"; exit 1")
        .stream("cat; echo end");
    let mode = fs::Permissions::from_mode(0o750);
    fs::set_permissions(case.file(), mode.clone()).unwrap();
    let told = case.run().unwrap();
    assert_eq!(case.text(), "a c\nend\n");
    assert!(told.contains("step1 and step2 and step3"), "{told}");
    assert!(
        told.contains(": lines 1 to 2 of 2 changed to \"a c\\nend\""),
        "{told}"
    );
    assert_eq!(
        fs::metadata(case.file()).unwrap().permissions().mode() & 0o777,
        0o750
    );
    let names: Vec<_> = fs::read_dir(case.root().join("p")).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing is left beside it");
}

#[test]
fn what_is_well_formatted_is_not_written_and_not_told() {
    let mut case = Case::new("a\n").stream("cat").in_place("true");
    let before = fs::metadata(case.file()).unwrap();
    assert_eq!(case.run(), None);
    let after = fs::metadata(case.file()).unwrap();
    assert_eq!(
        (before.ino(), before.ctime_nsec()),
        (after.ino(), after.ctime_nsec())
    );
    let there_and_back = Case::new("a\n").stream("echo b").stream("echo a").run();
    assert_eq!(there_and_back, None);
}

#[test]
fn a_formatter_that_fails_changes_nothing_and_the_others_go_on() {
    for wrong in [
        "echo half; exit 2",
        "true",
        "printf '\\377\\376'",
        "echo half; kill -9 $$",
        "cat /dev/zero",
        "exec /nowhere/at/all",
    ] {
        let mut case = Case::new("a\n").stream(wrong).stream("cat; echo b");
        let told = case.run().unwrap();
        assert_eq!(case.text(), "a\nb\n", "{wrong}");
        assert!(told.contains("by step2 after"), "{told}");
        assert_eq!(case.troubles(), [""; 0], "{wrong}");
    }
}

/// The Korean letter is cut in its middle: what is there then is no text.
#[test]
fn what_is_stopped_or_dies_is_undone() {
    let text = "한 글자\n".repeat(100);
    for (wrong, is_late) in [
        ("printf 'ab\\355' > \"$1\"; sleep 60", true),
        (": > \"$1\"; sleep 60 & sleep 60", true),
        ("rm \"$1\"; sleep 60", true),
        ("printf half > \"$1\"; kill -9 $$", false),
        (": > \"$1\"; exit 0", false),
        ("rm \"$1\"; exit 1", false),
    ] {
        let mut case = Case::new(&text).in_place(wrong).within(1);
        fs::set_permissions(case.file(), fs::Permissions::from_mode(0o640)).unwrap();
        let begun = Instant::now();
        assert_eq!(case.run(), None, "{wrong}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{wrong}");
        assert_eq!(case.text(), text, "{wrong}");
        let mode = fs::metadata(case.file()).unwrap().mode() & 0o777;
        assert_eq!(mode, 0o640, "{wrong}");
        let noted: &[&str] = if is_late { &["format_late"] } else { &[] };
        assert_eq!(case.troubles(), noted, "{wrong}");
    }
}

#[test]
fn all_of_them_have_one_deadline_and_what_was_done_before_it_stays() {
    let mut case = Case::new("a\n")
        .stream("cat; echo b")
        .stream("sleep 60")
        .stream("cat; echo c")
        .within(1);
    let told = case.run().unwrap();
    assert_eq!(case.text(), "a\nb\n");
    assert!(told.contains("by step1 after"), "{told}");
    assert_eq!(case.troubles(), ["format_late"]);
}

#[test]
fn who_writes_meanwhile_wins() {
    let mut case = Case::new("a\n").stream("cat; echo theirs > \"$1\"");
    assert_eq!(case.run(), None);
    assert_eq!(case.text(), "theirs\n");
    // A folder that becomes a link would lead the text elsewhere.
    let mut case =
        Case::new("a\n").stream("cat; echo b; mv p q; mkdir e; cp q/a.txt e/; ln -s e p");
    assert_eq!(case.run(), None);
    assert_eq!(
        fs::read_to_string(case.root().join("e/a.txt")).unwrap(),
        "a\n"
    );
    let mut case = Case::new("a\n")
        .in_place("mv \"$1\" o; echo o > x; ln -sf ../x \"$1\"; sleep 60")
        .within(1);
    assert_eq!(case.run(), None);
    assert_eq!(fs::read_to_string(case.root().join("x")).unwrap(), "o\n");
}

#[test]
fn what_cannot_be_written_or_read_is_left_alone() {
    let mut case = Case::new("a\n").stream("cat; echo b");
    fs::set_permissions(case.file(), fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(case.run(), None);
    assert_eq!(case.text(), "a\n");
    let mut case = Case::new("").stream("cat; echo b");
    fs::write(case.file(), b"\xff\xfe").unwrap();
    assert_eq!(case.run(), None);
    assert_eq!(fs::read(case.file()).unwrap(), b"\xff\xfe");
    let linked = Case::new("a\n");
    symlink("a.txt", linked.root().join("p/b.txt")).unwrap();
    let target = Target::new(&linked.root().join("p/b.txt"), &linked.root().join("p")).unwrap();
    assert_eq!(target.file(), linked.file());
}
