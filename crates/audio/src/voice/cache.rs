//! Speech that was made before, on disk, for its owner alone.
//!
//! A file is a head and the samples; one that is torn or foreign is no entry. Only whole renderings
//! are kept, the least asked for go first, and what nobody asked for in days goes anyway. The system
//! keeps what is read often in memory, so that we need not.

use std::fs::{File, FileTimes};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bellwether_spine::place;
use sha2::{Digest as _, Sha256};

use super::{CacheSettings, Engine, Line};
use crate::{Clip, Format};

const MAGIC: &[u8; 8] = b"bwvoice1";
/// Magic, rate, channels, and the hash of what follows.
const HEAD: usize = 8 + 4 + 1 + 16;

/// What a rendering is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key(String);

impl Key {
    pub(super) fn of(engine: &dyn Engine, line: &Line) -> Self {
        let mut hash = Sha256::new();
        let rate = line.rate.to_string();
        let pitch = line.pitch.to_bits().to_string();
        let fingerprint = engine.fingerprint();
        for part in [
            engine.name(),
            &fingerprint,
            &line.voice,
            &rate,
            &pitch,
            &line.text,
        ] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        Self(hex(&hash.finalize()))
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    largest: u64,
    oldest: Duration,
}

impl Cache {
    /// The cache in a folder; none when the settings want none.
    pub fn open(folder: PathBuf, settings: &CacheSettings) -> Option<Self> {
        (settings.megabytes > 0).then(|| Self {
            folder,
            largest: u64::from(settings.megabytes) * 1024 * 1024,
            oldest: Duration::from_hours(24 * u64::from(settings.days.max(1))),
        })
    }

    /// What was rendered for a key. Whatever cannot be read is made again.
    pub(super) fn get(&self, key: &Key) -> Option<Clip> {
        let path = self.path(key);
        let file = File::open(&path).ok()?;
        let mut bytes = Vec::new();
        (&file).take(self.largest).read_to_end(&mut bytes).ok()?;
        let clip = decode(&bytes);
        if clip.is_none() {
            let _ = std::fs::remove_file(&path);
        }
        // What is asked for is young; a file that cannot be touched merely goes earlier.
        let _ = file.set_times(FileTimes::new().set_modified(SystemTime::now()));
        clip
    }

    /// Keeps a rendering; when that fails it will be made again.
    pub(super) fn put(&self, key: &Key, clip: &Clip) {
        let bytes = encode(clip);
        if clip.samples.is_empty() || bytes.len() as u64 > self.largest / 4 {
            return;
        }
        if self.write(key, &bytes).is_ok() {
            let _ = self.tidy();
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(&key.0)
    }

    /// Without waiting for the disk: a file that a crash has torn is known by its hash.
    fn write(&self, key: &Key, bytes: &[u8]) -> io::Result<()> {
        place::create_private(&self.folder).map_err(io::Error::other)?;
        let path = self.path(key);
        let fresh = path.with_extension(std::process::id().to_string());
        let mut options = File::options();
        let options = options.create(true).truncate(true).write(true).mode(0o600);
        options
            .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
            .open(&fresh)?
            .write_all(bytes)?;
        std::fs::rename(&fresh, path)
    }

    /// Deletes what is too old, and the oldest until the rest is small enough.
    fn tidy(&self) -> io::Result<()> {
        let now = SystemTime::now();
        let mut left = Vec::new();
        for entry in std::fs::read_dir(&self.folder)?.flatten() {
            let Ok(seen) = entry.metadata() else { continue };
            let age = seen
                .modified()
                .ok()
                .and_then(|at| now.duration_since(at).ok());
            left.push((age.unwrap_or_default(), seen.len(), entry.path()));
        }
        left.sort();
        let mut sum = 0;
        for (age, size, path) in left {
            sum += size;
            if age > self.oldest || sum > self.largest {
                remove(&path);
            }
        }
        Ok(())
    }
}

fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

fn encode(clip: &Clip) -> Vec<u8> {
    let samples: Vec<u8> = clip
        .samples
        .iter()
        .flat_map(|it| it.to_le_bytes())
        .collect();
    let mut bytes = Vec::with_capacity(HEAD + samples.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&clip.format.rate.to_le_bytes());
    bytes.push(clip.format.channels);
    bytes.extend_from_slice(&Sha256::digest(&samples)[..16]);
    bytes.extend_from_slice(&samples);
    bytes
}

fn decode(bytes: &[u8]) -> Option<Clip> {
    let (head, samples) = bytes.split_at_checked(HEAD)?;
    let (magic, rest) = head.split_at(MAGIC.len());
    let (rate, rest) = rest.split_first_chunk::<4>()?;
    let (channels, hash) = rest.split_first()?;
    let is_whole = magic == MAGIC && Sha256::digest(samples)[..16] == *hash;
    let (pairs, odd) = samples.as_chunks::<2>();
    (is_whole && odd.is_empty() && matches!(channels, 1 | 2)).then(|| Clip {
        format: Format {
            rate: u32::from_le_bytes(*rate),
            channels: *channels,
        },
        samples: pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn clip(samples: usize) -> Clip {
        let samples = (0..samples)
            .map(|it| i16::try_from(it % 3_000).unwrap())
            .collect();
        Clip {
            format: Format::mono(16_000),
            samples,
        }
    }

    fn key(name: &str) -> Key {
        Key(hex(&Sha256::digest(name)))
    }

    fn open(folder: &Path, megabytes: u32) -> Cache {
        Cache::open(folder.join("speech"), &CacheSettings { megabytes, days: 7 }).unwrap()
    }

    #[test]
    fn what_was_put_is_got_and_is_the_owner_s_alone() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), 1);
        assert_eq!(cache.get(&key("a")), None);
        cache.put(&key("a"), &clip(1_000));
        assert_eq!(cache.get(&key("a")), Some(clip(1_000)));
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder.path().join("speech")), 0o700);
        assert_eq!(mode(&cache.path(&key("a"))), 0o600);
    }

    #[test]
    fn what_is_torn_is_no_entry_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), 1);
        cache.put(&key("a"), &clip(1_000));
        let path = cache.path(&key("a"));
        let whole = std::fs::read(&path).unwrap();
        for wrong in [
            &whole[..whole.len() - 2],
            &whole[..10],
            b"",
            b"something else entirely, and long enough",
        ] {
            std::fs::write(&path, wrong).unwrap();
            assert_eq!(cache.get(&key("a")), None);
            assert!(!path.exists());
        }
    }

    #[test]
    fn the_least_asked_for_go_first_and_the_old_go_anyway() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), 1);
        let age = |name: &str, days: u64| {
            let file = File::options()
                .write(true)
                .open(cache.path(&key(name)))
                .unwrap();
            let at = SystemTime::now() - Duration::from_hours(24 * days);
            file.set_times(FileTimes::new().set_modified(at)).unwrap();
        };
        for (name, days) in [("five", 5), ("four", 4), ("nine", 9)] {
            cache.put(&key(name), &clip(120_000));
            age(name, days);
        }
        cache.get(&key("five")).unwrap();
        for name in ["x", "y", "z"] {
            cache.put(&key(name), &clip(120_000));
        }
        let there = |name: &str| cache.path(&key(name)).exists();
        assert!(!there("nine") && !there("four"));
        assert!(there("five") && there("x") && there("y") && there("z"));
        cache.put(&key("huge"), &clip(400_000));
        assert!(!there("huge"));
    }

    #[test]
    fn none_is_kept_when_none_is_wanted() {
        let settings = CacheSettings {
            megabytes: 0,
            days: 7,
        };
        assert!(Cache::open(PathBuf::from("/nowhere"), &settings).is_none());
    }
}
