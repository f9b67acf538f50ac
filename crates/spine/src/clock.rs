//! The two clocks of an event: wall time for people, boot time for time-to-live (it counts through suspend).

use std::sync::OnceLock;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Milliseconds since 1970.
pub fn wall_ms() -> u64 {
    microseconds(ClockId::Realtime) / 1000
}

/// The clock that counts from boot, suspended time included where the system can tell.
#[cfg(target_os = "linux")]
const BOOT: ClockId = ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const BOOT: ClockId = ClockId::Monotonic;

/// Milliseconds since boot, suspended time included where the system can tell.
pub fn boot_ms() -> u64 {
    microseconds(BOOT) / 1000
}

/// The same in microseconds.
pub fn boot_us() -> u64 {
    microseconds(BOOT)
}

/// The kernel's name for this boot; boot times of two boots must not be compared. It is asked for once.
pub fn boot_id() -> Option<String> {
    static KNOWN: OnceLock<Option<String>> = OnceLock::new();
    KNOWN.get_or_init(ask_boot_id).clone()
}

fn ask_boot_id() -> Option<String> {
    use rustix::fs::{Mode, OFlags, open};
    // One read into a buffer of our own: the library's convenience takes five system calls.
    let path = c"/proc/sys/kernel/random/boot_id";
    let file = open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut text = [0; 64];
    let length = rustix::io::read(&file, &mut text).ok()?;
    Some(
        std::str::from_utf8(&text[..length])
            .ok()?
            .trim_end()
            .to_owned(),
    )
}

fn microseconds(clock: ClockId) -> u64 {
    let now = clock_gettime(clock);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000
        + u64::try_from(now.tv_nsec).unwrap_or(0) / 1000
}

const DAY_S: u64 = 24 * 3600;

/// A moment as people and other programs write it: `2026-02-18T14:30:22Z`.
pub fn utc(at_ms: u64) -> String {
    let seconds = at_ms / 1000;
    let (year, month, day) = date_of(seconds / DAY_S);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Reads a moment: a date, which counts to its end in UTC, or a date with a time and `Z` or an offset.
pub fn parse_utc(text: &str) -> Option<u64> {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.splitn(3, '-').map(|part| number(part, 4));
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let days = days_to(year, month, day)?;
    let Some(time) = time else {
        return Some((days + 1) * DAY_S * 1000);
    };
    let (time, offset_s) = offset(time)?;
    let mut parts = time.splitn(3, ':');
    let (hour, minute) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let second = parts.next().map_or(Some(0), |part| {
        number(part.split('.').next().unwrap_or_default(), 2)
    })?;
    (hour < 24 && minute < 60 && second < 61).then_some(())?;
    let local = days * DAY_S + hour * 3600 + minute * 60 + second;
    Some(local.checked_add_signed(-offset_s)? * 1000)
}

/// Reads a length of time: a number and s, m, h or d, for instance `30m`.
pub fn parse_length(text: &str) -> Option<Duration> {
    let (at, unit) = text.char_indices().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => DAY_S,
        _ => return None,
    };
    let number: u64 = text[..at].parse().ok()?;
    let length = Duration::from_secs(number.checked_mul(seconds)?);
    // Whoever asks reckons in milliseconds.
    u64::try_from(length.as_millis()).is_ok().then_some(length)
}

/// A time without its offset from UTC, and that offset in seconds.
fn offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let at = time.rfind(['+', '-'])?;
    let (hours, minutes) = time[at + 1..].split_once(':')?;
    let seconds = number(hours, 2)? * 3600 + number(minutes, 2)? * 60;
    let seconds = i64::try_from(seconds).ok()?;
    let sign = if time[at..].starts_with('-') { -1 } else { 1 };
    Some((&time[..at], sign * seconds))
}

fn number(text: &str, most: usize) -> Option<u64> {
    let digits = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The date so many days after 1970 began. The calendar repeats every 400 years, and a year that
/// begins in March has its leap day at its end.
fn date_of(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// How many days after 1970 began a date is; `None` when there is no such date, or it was before.
fn days_to(year: u64, month: u64, day: u64) -> Option<u64> {
    ((1970..=9999).contains(&year) && (1..=12).contains(&month) && day > 0).then_some(())?;
    let from_march = (month + 9) % 12;
    let year = year - u64::from(month <= 2);
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let era_day = year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + day_of_year;
    let days = (year / 400 * 146_097 + era_day).checked_sub(719_468)?;
    // The thirtieth of February is not the second of March.
    (date_of(days).2 == day).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        for (ms, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (1_771_425_022_000, "2026-02-18T14:30:22Z"),
            (951_827_696_000, "2000-02-29T12:34:56Z"),
            (4_102_444_799_000, "2099-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(ms), text);
            assert_eq!(parse_utc(text), Some(ms), "{text}");
        }
        for day in (0..40_000).step_by(13) {
            let ms = day * DAY_S * 1000;
            assert_eq!(parse_utc(&utc(ms)), Some(ms));
        }
        let noon = parse_utc("2026-02-18T12:00:00Z");
        for same in [
            "2026-02-18T14:00:00+02:00",
            "2026-02-18t12:00z",
            "2026-02-18 07:00:00.5-05:00",
        ] {
            assert_eq!(parse_utc(same), noon, "{same}");
        }
        assert_eq!(parse_utc("2026-02-18"), parse_utc("2026-02-19T00:00:00Z"));
        for wrong in [
            "",
            "tomorrow",
            "2026-02-30",
            "2026-13-01",
            "2026-02-18T25:00:00Z",
            "2026-02-18T12:00",
            "1969-12-31",
            "2026-02-18T1:-2Z",
            "99999-01-01",
            "-1-1-1",
            "2026-02-18T12:00:00+2",
        ] {
            assert_eq!(parse_utc(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn boot_time_moves_on_and_is_shorter_than_wall_time() {
        let first = boot_ms();
        assert!(boot_ms() >= first);
        assert!(first < wall_ms());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_boot_has_a_name() {
        let name = boot_id().unwrap();
        assert_eq!(name.len(), 36, "{name}");
        assert_eq!(boot_id().unwrap(), name);
    }
}
