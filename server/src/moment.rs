//! Times as programs and people read them, from milliseconds since 1970-01-01 UTC.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// What the time is, in milliseconds since 1970-01-01 UTC.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// As RFC 3339 has it, to the second, in UTC.
pub fn rfc3339(time: u64) -> String {
    timestamp(time).to_string()
}

/// To the minute, in UTC: `2026-11-22 12:31 UTC`.
pub fn minute(time: u64) -> String {
    let text = rfc3339(time);
    let date = text.get(..10).unwrap_or_default();
    format!("{date} {} UTC", text.get(11..16).unwrap_or_default())
}

/// How long ago it was, as long as that says enough; then the date.
pub fn ago(time: u64, now: u64) -> String {
    let count = |number: u64, word: &str| match number {
        1 => format!("1 {word} ago"),
        _ => format!("{number} {word}s ago"),
    };
    match now.saturating_sub(time) / 1_000 {
        0..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => count(seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => count(seconds / HOUR, "hour"),
        seconds if seconds < 14 * DAY => count(seconds / DAY, "day"),
        _ => minute(time).get(..10).unwrap_or_default().to_owned(),
    }
}

fn timestamp(time: u64) -> Timestamp {
    let seconds = i64::try_from(time / 1_000).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_by_programs_and_people() {
        let time = 1_795_350_665_123;
        assert_eq!(rfc3339(time), "2026-11-22T12:31:05Z");
        assert_eq!(minute(time), "2026-11-22 12:31 UTC");
        assert_eq!(ago(time, time + 59_000), "just now");
        assert_eq!(ago(time, time + 60_000), "1 minute ago");
        assert_eq!(ago(time, time + 7_200_000), "2 hours ago");
        assert_eq!(ago(time, time + 14 * DAY * 1_000), "2026-11-22");
        assert_eq!(ago(time, 0), "just now");
    }
}
