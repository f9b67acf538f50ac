use std::os::unix::fs::symlink;

use super::*;
use crate::flow::Shipped;
use crate::history::Step;
use crate::status::{By, Feature, What};

const PATIENCE: Duration = Duration::from_secs(20);

struct Room {
    folder: tempfile::TempDir,
    flow: Flow,
    file: StatusFile,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let flow = Flow::of(Shipped::Pdca, &[]).unwrap();
        let file = StatusFile::of(folder.path());
        assert!(!file.exists());
        assert!(file.create(&flow).unwrap());
        assert!(file.exists() && !file.create(&flow).unwrap());
        Self { folder, flow, file }
    }

    fn begin(&self, name: &str) -> Result<(), WorkflowError> {
        self.file.change(&self.flow, PATIENCE, None, |status| {
            let step = Step::new(name, What::Begun, By::Person, 1);
            status.put(&step, Feature::new("plan", 1));
            Ok(())
        })
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file.path()).unwrap()
    }

    /// The file as somebody has left it, and the complaint of whoever wants to write.
    fn complaint(&self, text: &str) -> String {
        fs::write(self.file.path(), text).unwrap();
        let said = self.begin("new").unwrap_err().to_string();
        assert_eq!(self.text(), text, "nothing was written over");
        let folder = self.folder.path().display().to_string();
        said.replace(&format!("{folder}/.bellwether/"), "")
    }
}

#[test]
fn what_is_written_is_read_back_with_a_line_for_each_step() {
    let room = Room::new();
    room.begin("login").unwrap();
    room.begin("search \"x\"").unwrap();
    let opened = room.file.read(&room.flow).unwrap();
    assert_eq!(
        (opened.status.features.len(), opened.complaints.len()),
        (2, 0)
    );
    let text = room.text();
    assert!(
        text.contains("\n    \"login\": {\"phase\":\"plan\""),
        "{text}"
    );
    assert_eq!(
        text.lines()
            .filter(|line| line.contains("\"begun\""))
            .count(),
        2
    );
    let left: Vec<_> = fs::read_dir(room.folder.path().join(FOLDER))
        .unwrap()
        .collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn nothing_is_written_where_nothing_has_changed() {
    let room = Room::new();
    let seen = fs::metadata(room.file.path()).unwrap().ino();
    room.file
        .change(&room.flow, PATIENCE, None, |_| Ok(()))
        .unwrap();
    assert_eq!(fs::metadata(room.file.path()).unwrap().ino(), seen);
    room.begin("x").unwrap();
    assert_ne!(fs::metadata(room.file.path()).unwrap().ino(), seen);
}

#[test]
fn what_a_person_or_a_merge_left_is_named_with_its_line_and_kept() {
    let room = Room::new();
    room.begin("login").unwrap();
    let whole = room.text();
    let conflict = whole.replacen("  \"history\"", "<<<<<<< HEAD\n  \"history\"", 1);
    assert!(
        room.complaint(&conflict)
            .starts_with("workflow.json:7: a merge left a conflict")
    );
    let comma = whole.replacen("\"pdca\",", "\"pdca\"", 1);
    assert!(room.complaint(&comma).starts_with("workflow.json:4:3: "));
    let typo = whole.replacen("since_ms", "sinze_ms", 1);
    assert!(
        room.complaint(&typo).contains("workflow.json:5:")
            && room.complaint(&typo).contains("sinze_ms")
    );
    let moved = whole.replacen("{\"phase\":\"plan\"", "{\"phase\":\"do\"", 1);
    let said = room.complaint(&moved);
    assert!(
        said.starts_with(
            "workflow.json:5: \"login\" is in \"do\", but its history ends in \"plan\""
        ),
        "{said}"
    );
    let unknown = whole.replace("\"plan\"", "\"qa\"");
    assert!(
        room.complaint(&unknown)
            .contains(":5: \"login\" is in \"qa\", which is no phase")
    );
    let newer = whole.replacen("\"version\": 1", "\"version\": 2", 1);
    assert!(
        room.complaint(&newer)
            .contains("newer bellwether (format 2)")
    );
    let newer = whole.replacen("\"version\": 1", "\"version\": 2, \"more\": 3", 1);
    assert!(
        room.complaint(&newer)
            .contains("newer bellwether (format 2)")
    );
    let other = whole.replacen("\"pdca\"", "\"kanban\"", 1);
    assert!(
        room.complaint(&other)
            .starts_with("workflow.json:3: this is the workflow \"kanban\"")
    );
    assert!(room.complaint("").starts_with("workflow.json:1:"));
    fs::write(room.file.path(), b"{\n\xff").unwrap();
    assert!(
        room.begin("x")
            .unwrap_err()
            .to_string()
            .contains(":2:1: this is not UTF-8")
    );
}

#[test]
fn a_change_by_hand_can_be_meant() {
    let room = Room::new();
    room.begin("login").unwrap();
    let moved = room
        .text()
        .replacen("{\"phase\":\"plan\"", "{\"phase\":\"do\"", 1);
    fs::write(room.file.path(), moved).unwrap();
    let mend = |name: &str| {
        room.file
            .change(&room.flow, PATIENCE, Some(name), |status| {
                let step = Step::new("login", What::Moved, By::Person, 2).forced(true);
                status.put(&step, Feature::new("do", 2));
                Ok(())
            })
    };
    assert!(mend("search").is_err());
    mend("login").unwrap();
    assert!(room.file.read(&room.flow).unwrap().complaints.is_empty());
}

#[test]
fn links_pipes_and_floods_are_no_status() {
    let room = Room::new();
    let aside = room.folder.path().join("aside");
    fs::rename(room.file.path(), &aside).unwrap();
    symlink(&aside, room.file.path()).unwrap();
    assert!(room.begin("x").is_err());
    assert!(fs::symlink_metadata(room.file.path()).unwrap().is_symlink());
    fs::remove_file(room.file.path()).unwrap();
    fs::create_dir(room.file.path()).unwrap();
    assert!(matches!(
        room.begin("x"),
        Err(WorkflowError::NotAFile { .. })
    ));
    fs::remove_dir(room.file.path()).unwrap();
    fs::write(room.file.path(), vec![b' '; 5 << 20]).unwrap();
    assert!(matches!(
        room.begin("x"),
        Err(WorkflowError::TooLarge { .. })
    ));
}

/// An editor knows nothing of our lock: what it saves in between is read, not written over.
#[test]
fn what_somebody_saves_in_between_is_kept() {
    let room = Room::new();
    room.begin("login").unwrap();
    let mut first = true;
    room.file
        .change(&room.flow, PATIENCE, None, |status| {
            if std::mem::take(&mut first) {
                let reason = room.text().replacen(
                    "\"by\":\"person\"",
                    "\"by\":\"person\",\"reason\":\"mine\"",
                    1,
                );
                fs::write(room.file.path(), reason).unwrap();
            }
            let step = Step::new("search", What::Begun, By::Person, 2);
            status.put(&step, Feature::new("plan", 2));
            Ok(())
        })
        .unwrap();
    let status = room.file.read(&room.flow).unwrap().status;
    assert_eq!(status.features.len(), 2);
    assert_eq!(status.history[0].reason, "mine");
}

#[test]
fn many_at_once_lose_nothing() {
    let room = Room::new();
    std::thread::scope(|scope| {
        for number in 0..20 {
            let room = &room;
            scope.spawn(move || room.begin(&format!("f{number}")).unwrap());
        }
    });
    let status = room.file.read(&room.flow).unwrap().status;
    assert_eq!((status.features.len(), status.history.len()), (20, 20));
}

#[test]
fn a_lock_is_not_waited_for_for_ever() {
    let room = Room::new();
    let _held = room.file.lock(PATIENCE).unwrap();
    let busy = room
        .file
        .change(&room.flow, Duration::from_millis(20), None, |_| Ok(()));
    assert!(matches!(busy, Err(WorkflowError::Busy { .. })));
}

#[test]
fn what_is_archived_is_kept_with_its_history() {
    let room = Room::new();
    room.begin("log in").unwrap();
    let archive = |force| room.file.archive(&room.flow, PATIENCE, "log in", force);
    assert!(archive(false).is_err(), "it is not finished");
    let (file, phase) = archive(true).unwrap();
    assert_eq!(
        (file.file_name().unwrap().to_str(), phase.as_str()),
        (Some("log-in.json"), "plan")
    );
    let kept: Status = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((kept.features.len(), kept.history.len()), (1, 1));
    assert!(
        room.file
            .read(&room.flow)
            .unwrap()
            .status
            .features
            .is_empty()
    );
    room.begin("log in").unwrap();
    let (file, _) = archive(true).unwrap();
    assert!(file.ends_with("log-in-2.json"), "{}", file.display());
}
