//! Power is lost by cutting the journal's file.

use std::fs::File;
use std::path::PathBuf;

use super::super::follow::Cursor;
use super::super::segment::Segment;
use super::entry::entries;
use super::recover::recover_in;
use super::{Ledger, path, recover};
use crate::Home;

const LATER: &str = "another boot";

fn record(number: usize) -> Vec<u8> {
    format!(
        "\x1e{{\"n\":{number},\"text\":\"{}\"}}\n",
        "x".repeat(number % 90)
    )
    .into_bytes()
}

fn keep(ledger: &mut Ledger, records: &[u8]) {
    ledger.append(records).unwrap().unwrap().wait().unwrap();
}

struct LedgerFolder {
    _folder: tempfile::TempDir,
    home: Home,
    segment: PathBuf,
}

fn place() -> LedgerFolder {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::find(Some(folder.path().to_owned())).unwrap();
    home.create().unwrap();
    let segment = Segment::FIRST.path(&home.journal());
    LedgerFolder {
        _folder: folder,
        home,
        segment,
    }
}

fn cut(place: &LedgerFolder, to: u64) {
    let file = File::options().write(true).open(&place.segment).unwrap();
    file.set_len(to).unwrap();
}

#[test]
fn what_a_loss_of_power_took_comes_back_in_order() {
    let place = place();
    let mut ledger = Ledger::new(&place.home);
    let mut all = Vec::new();
    for number in 0..20 {
        let record = record(number);
        keep(&mut ledger, &record);
        all.extend_from_slice(&record);
    }
    assert_eq!(std::fs::read(&place.segment).unwrap(), all);
    let kept: u64 = (0..7).map(|number| record(number).len() as u64).sum();
    cut(&place, kept);
    assert_eq!(
        recover(&place.home, Vec::new).unwrap(),
        0,
        "in the same boot nothing is lost"
    );
    let lost = all.len() - usize::try_from(kept).unwrap();
    assert_eq!(recover_in(&place.home, Vec::new, LATER).unwrap(), lost);
    assert_eq!(std::fs::read(&place.segment).unwrap(), all);
    assert_eq!(recover_in(&place.home, Vec::new, LATER).unwrap(), 0);
}

#[test]
fn what_is_stored_or_deleted_does_not_come_back() {
    for deleted in [false, true] {
        let place = place();
        let mut ledger = Ledger::new(&place.home);
        keep(&mut ledger, &record(1));
        keep(&mut ledger, &record(2));
        let offset = (record(1).len() + record(2).len()) as u64;
        let stored = Cursor {
            segment: Segment::FIRST,
            offset,
            head: 0,
        };
        if deleted {
            std::fs::remove_file(&place.segment).unwrap();
            assert_eq!(recover_in(&place.home, Vec::new, LATER).unwrap(), 0);
        } else {
            cut(&place, 0);
            assert_eq!(recover_in(&place.home, || vec![stored], LATER).unwrap(), 0);
        }
    }
}

#[test]
fn laps_follow_each_other_and_only_the_last_counts() {
    let place = place();
    let mut ledger = Ledger::new(&place.home);
    ledger.length = 1024;
    let mut all = Vec::new();
    for number in 0..100 {
        let record = record(number);
        keep(&mut ledger, &record);
        all.extend_from_slice(&record);
        let bytes = std::fs::read(path(&place.home)).unwrap();
        assert_eq!(bytes.len(), 1024);
        let noted = entries(&bytes);
        assert_eq!(noted.last().unwrap().records, record, "{number}");
    }
    // The disk has all of the laps before.
    let bytes = std::fs::read(path(&place.home)).unwrap();
    let from = entries(&bytes)[0].from;
    cut(&place, from);
    recover_in(&place.home, Vec::new, LATER).unwrap();
    assert_eq!(std::fs::read(&place.segment).unwrap(), all);
}

#[test]
fn what_no_lap_can_hold_is_waited_for_in_the_journal() {
    let place = place();
    let mut ledger = Ledger::new(&place.home);
    ledger.length = 256;
    let long = [record(1), vec![b'y'; 500], record(2)].concat();
    keep(&mut ledger, &long);
    assert_eq!(std::fs::read(&place.segment).unwrap(), long);
    assert!(!path(&place.home).exists());
}

#[test]
fn damage_ends_what_is_believed() {
    let place = place();
    let mut ledger = Ledger::new(&place.home);
    for number in 0..5 {
        keep(&mut ledger, &record(number));
    }
    let whole = std::fs::read(path(&place.home)).unwrap();
    for at in [0, 70, 100, 200, 300] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        let believed = entries(&bytes);
        assert!(
            believed
                .iter()
                .zip(0..)
                .all(|(entry, number)| entry.records == record(number))
        );
    }
    assert!(entries(&whole[..50]).is_empty());
}

#[test]
fn records_go_into_the_segment_that_is_the_newest() {
    let place = place();
    let journal = place.home.journal();
    let mut ledger = Ledger::new(&place.home);
    keep(&mut ledger, &record(1));
    Segment(2).open_to_append(&journal).unwrap();
    keep(&mut ledger, &record(2));
    keep(&mut ledger, &record(3));
    assert_eq!(std::fs::read(&place.segment).unwrap(), record(1));
    let second = std::fs::read(Segment(2).path(&journal)).unwrap();
    assert_eq!(second, [record(2), record(3)].concat());
}

#[test]
fn a_journal_that_somebody_deleted_is_begun_anew() {
    let place = place();
    let mut ledger = Ledger::new(&place.home);
    keep(&mut ledger, &record(1));
    std::fs::remove_dir_all(place.home.journal()).unwrap();
    keep(&mut ledger, &record(2));
    keep(&mut ledger, &record(3));
    let all = [record(2), record(3)].concat();
    assert_eq!(std::fs::read(&place.segment).unwrap(), all);
    cut(&place, 0);
    assert_eq!(
        recover_in(&place.home, Vec::new, LATER).unwrap(),
        all.len(),
        "they are noted in a new file too"
    );
}

#[test]
fn a_journal_that_somebody_moved_away_is_begun_anew() {
    let place = place();
    let mut ledger = Ledger::new(&place.home);
    keep(&mut ledger, &record(1));
    let aside = place.home.state().with_file_name("aside");
    std::fs::rename(place.home.state(), &aside).unwrap();
    keep(&mut ledger, &record(2));
    assert_eq!(std::fs::read(&place.segment).unwrap(), record(2));
    let moved = Segment::FIRST.path(&aside.join("journal"));
    assert_eq!(std::fs::read(moved).unwrap(), record(1));
}
