//! Moments as events tell them: UTC, ISO 8601, to the millisecond.

use bellwether_spine::clock;

pub(crate) fn utc(at_ms: u64) -> String {
    let whole = clock::utc(at_ms);
    format!("{}.{:03}Z", whole.trim_end_matches('Z'), at_ms % 1000)
}

/// Reads a moment; `None` when it is none, or not told in UTC.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let bare = text
        .strip_suffix(['Z', 'z'])
        .or_else(|| text.strip_suffix("+00:00"))?;
    let (_, time) = bare.split_once(['T', 't'])?;
    let fraction = time.split_once('.').map_or("", |(_, fraction)| fraction);
    let digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    let ms: String = fraction.chars().chain("000".chars()).take(3).collect();
    let ms: u64 = ms.parse().ok().filter(|_| digits)?;
    Some(clock::parse_utc(text)? + ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_and_read() {
        let at = parse("2026-02-20T15:00:00.123Z").unwrap();
        assert_eq!(utc(at), "2026-02-20T15:00:00.123Z");
        assert_eq!(parse("2026-02-20T15:00:00Z"), Some(at - 123));
        assert_eq!(parse("2026-02-20T15:00:00.1234567Z"), Some(at));
        for no in [
            "2026-02-20",
            "2026-02-20T15:00:00",
            "2026-02-20T15:00:00+09:00",
            "2026-02-20T15:00:00.x2Z",
            "2026-02-30T15:00:00Z",
            "soon",
            "",
        ] {
            assert_eq!(parse(no), None, "{no}");
        }
    }
}
