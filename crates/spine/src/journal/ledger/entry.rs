//! What stands in the file.

use sha2::{Digest as _, Sha256};

use super::super::segment::Segment;

/// The file begins with the name of the boot in which it was last written to.
const TITLE: usize = 64;
/// Where the first entry begins.
pub(super) const BEGIN: u64 = TITLE as u64;
/// An entry begins with its lap, its segment, where in it and how much, and a hash of all that.
pub(super) const HEAD: usize = 40;

/// The name of a boot as it stands at the beginning of the file.
pub(super) fn title(boot: &str) -> [u8; TITLE] {
    let mut title = [0; TITLE];
    let kept = boot.len().min(title.len());
    title[..kept].copy_from_slice(&boot.as_bytes()[..kept]);
    title
}

/// Records that went into the journal, and where.
pub(super) struct Entry<'a> {
    pub lap: u64,
    pub segment: Segment,
    /// Where in the segment they begin.
    pub from: u64,
    pub records: &'a [u8],
}

impl Entry<'_> {
    /// The entry as it stands in the file.
    pub(super) fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + self.records.len());
        let length = self.records.len() as u64;
        for number in [self.lap, self.segment.0, self.from, length] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let seal = seal(&bytes, self.records);
        bytes.extend_from_slice(&seal);
        bytes.extend_from_slice(self.records);
        bytes
    }
}

/// The entries of the lap that begins the file, up to where an older one shows.
pub(super) fn entries(bytes: &[u8]) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut rest = bytes.get(TITLE..).unwrap_or_default();
    while let Some((entry, next)) = split(rest) {
        if entries.first().is_some_and(|first| first.lap != entry.lap) {
            break;
        }
        entries.push(entry);
        rest = next;
    }
    entries
}

fn split(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let (said, sealed) = head.split_at(HEAD - 8);
    let mut numbers = said.chunks_exact(8).map(|number| {
        number
            .iter()
            .rev()
            .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
    });
    let (lap, segment, from) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let length = usize::try_from(numbers.next()?).ok()?;
    let (records, rest) = rest.split_at_checked(length)?;
    (length > 0 && seal(said, records) == sealed).then_some(())?;
    let entry = Entry {
        lap,
        segment: Segment(segment),
        from,
        records,
    };
    Some((entry, rest))
}

fn seal(head: &[u8], records: &[u8]) -> [u8; 8] {
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(records);
    let mut seal = [0; 8];
    seal.copy_from_slice(&hash.finalize()[..8]);
    seal
}
