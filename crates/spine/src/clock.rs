//! The two clocks of an event: wall time for people, boot time for time-to-live (it counts through suspend).

use rustix::time::{ClockId, clock_gettime};

/// Milliseconds since 1970.
pub fn wall_ms() -> u64 {
    milliseconds(ClockId::Realtime)
}

/// Milliseconds since boot, suspended time included where the system can tell.
pub fn boot_ms() -> u64 {
    #[cfg(target_os = "linux")]
    let clock = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = ClockId::Monotonic;
    milliseconds(clock)
}

/// The kernel's name for this boot; boot times of two boots must not be compared.
pub fn boot_id() -> Option<String> {
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

fn milliseconds(clock: ClockId) -> u64 {
    let now = clock_gettime(clock);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1000
        + u64::try_from(now.tv_nsec).unwrap_or(0) / 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

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
