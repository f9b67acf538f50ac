use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::*;

fn write(journal: &Path, segment: u64, bytes: &[u8]) {
    Segment(segment)
        .open_to_append(journal)
        .unwrap()
        .write_all(bytes)
        .unwrap();
}

fn record(text: &str) -> Vec<u8> {
    format!("\x1e{text}\n").into_bytes()
}

/// Long enough to be recognised by its head.
fn named(name: &str) -> Vec<u8> {
    record(&format!("{name}{}", "-".repeat(HEAD_BYTES)))
}

fn read(follower: &mut Follower) -> (Vec<String>, Progress) {
    let mut seen = Vec::new();
    let progress = follower.read(usize::MAX, |json| {
        seen.push(String::from_utf8_lossy(json).into_owned());
    });
    (seen, progress.unwrap())
}

fn folder() -> (tempfile::TempDir, Follower) {
    let folder = tempfile::tempdir().unwrap();
    let follower = Follower::new(folder.path().to_owned(), &[]);
    (folder, follower)
}

#[test]
fn records_come_once_and_in_order_over_segments() {
    let (folder, mut follower) = folder();
    write(folder.path(), 1, &[record("a"), record("b")].concat());
    write(folder.path(), 2, &record("c"));
    assert_eq!(read(&mut follower).0, ["a", "b", "c"]);
    assert!(read(&mut follower).0.is_empty());
    write(folder.path(), 1, &record("late"));
    write(folder.path(), 2, &record("d"));
    assert_eq!(read(&mut follower).0, ["late", "d"]);
}

#[test]
fn a_torn_record_costs_only_itself_and_an_unfinished_one_is_awaited() {
    let (folder, mut follower) = folder();
    write(folder.path(), 1, b"noise\n\x1e{\"torn\":\"by ki");
    let (seen, progress) = read(&mut follower);
    assert!(seen.is_empty());
    assert_eq!(
        progress.skipped,
        Skipped {
            foreign: 1,
            ..Skipped::default()
        }
    );
    write(
        folder.path(),
        1,
        &[record("a"), b"\x1e{\"half".to_vec()].concat(),
    );
    let (seen, progress) = read(&mut follower);
    assert_eq!((seen, progress.skipped.torn), (vec!["a".to_owned()], 1));
    write(folder.path(), 1, b"\":1}\n");
    assert_eq!(read(&mut follower).0, ["{\"half\":1}"]);
}

#[test]
fn reading_goes_on_from_a_cursor() {
    let (folder, mut follower) = folder();
    write(folder.path(), 1, &[named("a"), named("b")].concat());
    let mut moved = Vec::new();
    let progress = follower.read(10, |_| {}).unwrap();
    moved.extend(progress.moved);
    let mut again = Follower::new(folder.path().to_owned(), &moved);
    assert!(read(&mut again).0.is_empty(), "the chunk held both");
    write(folder.path(), 1, &record("c"));
    let mut third = Follower::new(folder.path().to_owned(), &moved);
    assert_eq!(read(&mut third).0, ["c"]);
}

#[test]
fn a_budget_ends_between_chunks_and_nothing_is_lost() {
    let (folder, mut follower) = folder();
    let many: Vec<u8> = (0..2000)
        .flat_map(|n| record(&format!("{n:01000}")))
        .collect();
    write(folder.path(), 1, &many);
    write(folder.path(), 2, &record("last"));
    let (mut count, mut rounds) = (0, 0);
    loop {
        let progress = follower.read(1, |_| count += 1).unwrap();
        rounds += 1;
        if !progress.more {
            break;
        }
    }
    assert_eq!(count, 2001);
    assert!(rounds > 5, "{rounds}");
}

#[test]
fn past_the_end_goes_on_at_the_end_and_counts() {
    let (folder, _) = folder();
    write(folder.path(), 1, &named("a"));
    let mut follower = Follower::new(folder.path().to_owned(), &[]);
    let mut cursor = follower.read(usize::MAX, |_| {}).unwrap().moved[0];
    cursor.offset += 1000;
    let mut follower = Follower::new(folder.path().to_owned(), &[cursor]);
    let (seen, progress) = read(&mut follower);
    assert!(seen.is_empty());
    assert_eq!(progress.skipped.past_end, 1);
    write(folder.path(), 1, &record("b"));
    assert_eq!(read(&mut follower).0, ["b"]);
}

#[test]
fn a_replaced_segment_is_read_from_its_beginning() {
    let (folder, mut follower) = folder();
    write(folder.path(), 1, &named("old"));
    let cursor = follower.read(usize::MAX, |_| {}).unwrap().moved[0];
    std::fs::remove_file(Segment(1).path(folder.path())).unwrap();
    write(folder.path(), 1, &named("new"));
    let mut follower = Follower::new(folder.path().to_owned(), &[cursor]);
    let (seen, progress) = read(&mut follower);
    assert!(seen[0].starts_with("new"));
    assert_eq!(progress.skipped.replaced, 1);
}

#[test]
fn a_segment_replaced_under_a_running_follower_is_read_from_its_beginning() {
    for replacement in ["longer than what was there before", "x"] {
        let (folder, mut follower) = folder();
        write(folder.path(), 1, &named("old"));
        assert_eq!(read(&mut follower).0.len(), 1);
        std::fs::remove_file(Segment(1).path(folder.path())).unwrap();
        write(folder.path(), 1, &named(replacement));
        let (seen, progress) = read(&mut follower);
        assert!(seen[0].starts_with(replacement));
        assert_eq!((seen.len(), progress.skipped.replaced), (1, 1));
    }
}

#[test]
fn the_torn_end_of_a_settled_segment_is_passed_over() {
    let (folder, mut follower) = folder();
    write(
        folder.path(),
        1,
        &[named("a"), b"\x1e{\"torn".to_vec()].concat(),
    );
    write(folder.path(), 2, &record("b"));
    assert_eq!(
        read(&mut follower).1.skipped.torn,
        0,
        "it may still be written"
    );
    let long_ago = SystemTime::now() - Duration::from_hours(1);
    let file = File::options()
        .append(true)
        .open(Segment(1).path(folder.path()))
        .unwrap();
    file.set_modified(long_ago).unwrap();
    assert_eq!(read(&mut follower).1.skipped.torn, 1);
    let tomorrow = SystemTime::now() + Duration::from_hours(25);
    assert_eq!(follower.delete_old(tomorrow).unwrap(), [Segment(1)]);
}

#[test]
fn records_larger_than_a_chunk_are_whole() {
    let (folder, mut follower) = folder();
    let big = "x".repeat(3 * CHUNK);
    write(
        folder.path(),
        1,
        &[record("a"), record(&big), record("b")].concat(),
    );
    let (seen, _) = read(&mut follower);
    assert_eq!(seen, ["a".to_owned(), big, "b".to_owned()]);
}

#[test]
fn a_long_segment_is_sealed_and_deleted_after_a_day() {
    let (folder, mut follower) = folder();
    follower.seal_bytes = 10;
    write(folder.path(), 1, &named("a"));
    read(&mut follower);
    follower.seal_if_long().unwrap();
    assert_eq!(list(folder.path()).unwrap(), [Segment(1), Segment(2)]);
    let now = SystemTime::now();
    assert!(follower.delete_old(now).unwrap().is_empty());
    let tomorrow = now + Duration::from_hours(25);
    write(folder.path(), 1, &record("late"));
    assert!(
        follower.delete_old(tomorrow).unwrap().is_empty(),
        "something is unread"
    );
    read(&mut follower);
    assert_eq!(follower.delete_old(tomorrow).unwrap(), [Segment(1)]);
    assert_eq!(list(folder.path()).unwrap(), [Segment(2)]);
}

proptest! {
    /// Whatever foreign or torn bytes stand between records, every whole record comes out once.
    #[test]
    fn whole_records_survive_any_neighbour(
        parts in proptest::collection::vec((any::<bool>(), "[ -~]{0,30}"), 0..30),
        cuts in proptest::collection::vec(0usize..40, 0..6),
    ) {
        let (folder, mut follower) = folder();
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        for (whole, text) in &parts {
            if *whole {
                bytes.extend(record(text));
                expected.push(text.clone());
            } else {
                bytes.extend(format!("\x1e{text}").bytes());
            }
        }
        bytes.extend(record("end"));
        expected.push("end".to_owned());
        let mut seen = Vec::new();
        let mut rest = &bytes[..];
        for cut in cuts {
            let (now, later) = rest.split_at(cut.min(rest.len()));
            write(folder.path(), 1, now);
            seen.extend(read(&mut follower).0);
            rest = later;
        }
        write(folder.path(), 1, rest);
        seen.extend(read(&mut follower).0);
        prop_assert_eq!(seen, expected);
    }
}
