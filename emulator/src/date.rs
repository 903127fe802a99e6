//! Times as headers, signatures, documents and properties write them; all in UTC.

use std::time::{Duration, SystemTime};

/// Year, month, day, hour, minute, second.
type Fields = (i64, i64, i64, i64, i64, i64);

/// Whole seconds since 1970, 0 for what was before.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

/// `20150830T123600Z` of seconds since 1970.
pub(crate) fn basic(seconds: u64) -> String {
    let (year, month, day, hour, minute, second) = fields(seconds);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

/// `2015-08-30T12:36:00Z`.
pub(crate) fn iso(seconds: u64) -> String {
    let (year, month, day, hour, minute, second) = fields(seconds);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// `2015-08-30T12:36:00.000Z`.
pub(crate) fn iso_millis(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let (year, month, day, hour, minute, second) = fields(since.as_secs());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

/// `Sun, 30 Aug 2015 12:36:00 GMT`.
pub(crate) fn of_header(seconds: u64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (year, month, day, hour, minute, second) = fields(seconds);
    let name = |names: &[&'static str], index: i64| usize::try_from(index).ok().and_then(|at| names.get(at).copied());
    let weekday = name(&DAYS, (seconds / 86_400 % 7) as i64).unwrap_or_default();
    let month = name(&MONTHS, month - 1).unwrap_or_default();
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
}

/// Seconds since 1970 of what [`basic`] writes.
pub(crate) fn parse_basic(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    if date.len() != 8 || time.len() != 6 || !date.bytes().chain(time.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |text: &str, from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(date, 0, 4)?, number(date, 4, 6)?, number(date, 6, 8)?);
    let (hour, minute, second) = (number(time, 0, 2)?, number(time, 2, 4)?, number(time, 4, 6)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    u64::try_from(days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second).ok()
}

/// Days since 1970 of a date of the Gregorian calendar. Years begin in March here, so that the leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The reverse of [`days`], with the time of day.
fn fields(seconds: u64) -> Fields {
    let seconds = i64::try_from(seconds).unwrap_or_default();
    let (whole, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = whole + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day, rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read() {
        for (seconds, text, header) in [
            (0, "19700101T000000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_440_938_160, "20150830T123600Z", "Sun, 30 Aug 2015 12:36:00 GMT"),
            (951_782_399, "20000228T235959Z", "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "20000229T000000Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
        ] {
            assert_eq!(basic(seconds), text);
            assert_eq!(parse_basic(text), Some(seconds));
            assert_eq!(of_header(seconds), header);
        }
        assert_eq!(iso(1_440_938_160), "2015-08-30T12:36:00Z");
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_007, "2000-02-29T00:00:00.007Z"),
            (1_772_323_199_000, "2026-02-28T23:59:59.000Z"),
            (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(iso_millis(SystemTime::UNIX_EPOCH + Duration::from_millis(millis)), text);
        }
        for text in ["", "20150830", "20151330T000000Z", "2015083T0123600Z", "20150830T123600", "2015083éT123600Z"] {
            assert_eq!(parse_basic(text), None, "{text}");
        }
    }
}
