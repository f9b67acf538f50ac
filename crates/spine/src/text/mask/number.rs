//! Numbers that are secrets: of cards, of residents of Korea, and of bots, which begin with one.

use super::table::Letters;
use super::{run_length, value::is_reference};

/// The last number of a resident that has a check digit is of one born in this month.
const WITHOUT_CHECK_SINCE: (u32, u32) = (2020, 10);

/// Where a number that begins at `at` and whose run ends at `end` is secret.
pub(super) fn secret(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let run = &text[at..end];
    if is_resident(run) || is_card(run) {
        return Some((at, end));
    }
    card_in_groups(text, at, end).or_else(|| bot(text, at, end))
}

/// A card's number, written together or with hyphens.
fn is_card(run: &str) -> bool {
    let run = run.trim_end_matches('.');
    let grouped = run.len() == 19
        && [4, 9, 14]
            .iter()
            .all(|place| run.as_bytes()[*place] == b'-');
    let mut digits = [0; 16];
    let mut count = 0;
    for byte in run.bytes() {
        match byte {
            b'0'..=b'9' if count < digits.len() => {
                digits[count] = byte - b'0';
                count += 1;
            }
            b'-' if grouped => {}
            _ => return false,
        }
    }
    is_issued(&digits[..count]) && luhn(&digits[..count])
}

/// A card's number in groups with blanks between them.
fn card_in_groups(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    (end - at == 4 && text.as_bytes().get(end) == Some(&b' ')).then_some(())?;
    let whole = text.get(at..at + 19)?;
    let fits = |(place, byte): (usize, u8)| match place {
        4 | 9 | 14 => byte == b' ',
        _ => byte.is_ascii_digit(),
    };
    let ends = !text[at + 19..].starts_with(|char: char| char.is_ascii_alphanumeric());
    (ends && whole.bytes().enumerate().all(fits)).then_some(())?;
    is_card(&whole.replace(' ', "-")).then_some((at, at + 19))
}

/// Whether some company gives out cards with such numbers.
fn is_issued(digits: &[u8]) -> bool {
    let begins = |count: usize| {
        let first = digits.iter().take(count);
        first.fold(0_u32, |sum, digit| sum * 10 + u32::from(*digit))
    };
    match digits.len() {
        16 => {
            digits[0] == 4
                || matches!(begins(2), 51..=55 | 62 | 65)
                || matches!(begins(3), 644..=649)
                || matches!(begins(4), 2221..=2720 | 3528..=3589 | 6011)
        }
        15 => matches!(begins(2), 34 | 37),
        14 => matches!(begins(2), 36 | 38) || matches!(begins(3), 300..=305),
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let doubled = |(place, digit): (usize, &u8)| {
        let digit = u32::from(*digit);
        match place % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        }
    };
    let sum: u32 = digits.iter().rev().enumerate().map(doubled).sum();
    sum.is_multiple_of(10)
}

/// `YYMMDD-SNNNNNC`: a day of birth, the century, and a check digit for those who were given one.
fn is_resident(run: &str) -> bool {
    let bytes = run.as_bytes();
    if bytes.len() != 14 || bytes[6] != b'-' {
        return false;
    }
    let mut digits = [0_u32; 13];
    let written = bytes.iter().filter(|byte| **byte != b'-');
    for (into, byte) in digits.iter_mut().zip(written) {
        if !byte.is_ascii_digit() {
            return false;
        }
        *into = u32::from(byte - b'0');
    }
    if bytes[..6].contains(&b'-') || bytes[7..].contains(&b'-') {
        return false;
    }
    let two = |place: usize| digits[place] * 10 + digits[place + 1];
    let (month, day) = (two(2), two(4));
    let century = match digits[6] {
        1 | 2 | 5 | 6 => 1900,
        3 | 4 | 7 | 8 => 2000,
        _ => return false,
    };
    let is_day = (1..=12).contains(&month) && (1..=31).contains(&day);
    let without_check = (century + two(0), month) >= WITHOUT_CHECK_SINCE;
    is_day && (without_check || has_check(&digits))
}

fn has_check(digits: &[u32; 13]) -> bool {
    let weights = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
    let sum: u32 = digits
        .iter()
        .zip(weights)
        .map(|(digit, weight)| digit * weight)
        .sum();
    (11 - sum % 11) % 10 == digits[12]
}

/// `1234567890:AA…`: the number of a bot and its key.
fn bot(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let is_number =
        (8..=10).contains(&(end - at)) && text[at..end].bytes().all(|byte| byte.is_ascii_digit());
    (is_number && text.as_bytes().get(end) == Some(&b':')).then_some(())?;
    let key = &text[end + 1..];
    let length = run_length(key.as_bytes());
    let fits = key.starts_with("AA")
        && length >= 35
        && key[..length].bytes().all(|byte| Letters::Base64.has(byte))
        && !is_reference(key);
    fits.then_some((at, end + 1 + length))
}
