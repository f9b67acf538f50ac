//! The match rate: how much of the design is in the work. It has three values, for what was not measured has neither
//! passed nor failed.

/// What a rate comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measured {
    Unmeasured,
    Failed,
    Passed,
}

impl Measured {
    /// Only a number from 0 to 100 is a measurement.
    pub fn of(percent: Option<f64>, threshold: f64) -> Self {
        match percent.filter(|percent| (0.0..=100.0).contains(percent)) {
            None => Self::Unmeasured,
            Some(percent) if percent >= threshold => Self::Passed,
            Some(_) => Self::Failed,
        }
    }
}

/// Below this the design itself may be what is wrong.
const REDESIGN: f64 = 70.0;

/// Whether a rate is so low that another design may be better.
pub fn speaks_for_redesign(percent: f64) -> bool {
    percent < REDESIGN
}

const WORDS: [&str; 2] = ["match rate", "matchrate"];
const OVERALL: &str = "overall";
/// Between the words and the number stands no more than a colon and the bars and stars of a table.
const BETWEEN: usize = 12;

/// The rates that a report states, as percentages. A report that states an overall one states that one.
pub fn stated(report: &str) -> Vec<f64> {
    let lower = report.to_lowercase();
    let all: Vec<(bool, f64)> = lower.lines().filter_map(in_line).collect();
    let overall = all.iter().any(|(overall, _)| *overall);
    let mut rates: Vec<f64> = Vec::new();
    for (_, rate) in all.into_iter().filter(|(whole, _)| *whole == overall) {
        if !rates
            .iter()
            .any(|known| (known - rate).abs() < f64::EPSILON)
        {
            rates.push(rate);
        }
    }
    rates
}

fn in_line(line: &str) -> Option<(bool, f64)> {
    let (at, words) = WORDS
        .iter()
        .find_map(|words| line.find(words).map(|at| (at, *words)))?;
    let rest = &line[at + words.len()..];
    let start = rest.find(|letter: char| letter.is_ascii_digit())?;
    let between = &rest[..start];
    let is_plain = !between
        .chars()
        .any(|letter| letter.is_alphanumeric() || "-<>".contains(letter));
    (is_plain && between.chars().count() <= BETWEEN).then_some(())?;
    let number = &rest[start..];
    let end = number.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let number = number[..end.unwrap_or(number.len())].trim_end_matches('.');
    let rate = number.parse().ok()?;
    Some((line[..at].trim_end().ends_with(OVERALL), rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_three_values() {
        for (percent, expected) in [
            (None, Measured::Unmeasured),
            (Some(f64::INFINITY), Measured::Unmeasured),
            (Some(f64::NAN), Measured::Unmeasured),
            (Some(-1.0), Measured::Unmeasured),
            (Some(100.1), Measured::Unmeasured),
            (Some(0.0), Measured::Failed),
            (Some(89.9), Measured::Failed),
            (Some(90.0), Measured::Passed),
            (Some(100.0), Measured::Passed),
        ] {
            assert_eq!(Measured::of(percent, 90.0), expected, "{percent:?}");
        }
    }

    #[test]
    fn a_report_states_its_rate() {
        for (report, expected) in [
            ("Match Rate: 95%", vec![95.0]),
            ("# Check\n\n| **Match Rate** | 92.5 % |\n", vec![92.5]),
            ("matchRate: 88.", vec![88.0]),
            ("The overall match rate is\n", vec![]),
            ("match rate went from 60 to 95", vec![]),
            ("match rate: < 60", vec![]),
            ("Match rate: 60%\nMatch rate: 60%", vec![60.0]),
            ("API match rate: 80%\nUI match rate: 99%", vec![80.0, 99.0]),
            ("API match rate: 80%\nOverall match rate: 91%", vec![91.0]),
            ("Match rate target: 90", vec![]),
            ("nothing", vec![]),
        ] {
            assert_eq!(stated(report), expected, "{report}");
        }
    }
}
