//! One measured figure beside its target, and how figures are printed.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// What a figure shall reach.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// Which group it belongs to.
    pub group: &'static str,
    pub name: String,
    /// What was found: a median, a rate or a size.
    pub value: f64,
    pub unit: &'static str,
    /// What nineteen of twenty runs do not exceed.
    pub p95: Option<f64>,
    /// The value in proportion to the baseline; the target speaks of it where there is one.
    pub ratio: Option<f64>,
    pub target: Option<Goal>,
}

impl Figure {
    /// A figure that is not compared with a baseline.
    pub(super) fn alone(
        group: &'static str,
        name: String,
        (value, unit): (f64, &'static str),
        target: Option<Goal>,
    ) -> Self {
        Self {
            group,
            name,
            value,
            unit,
            p95: None,
            ratio: None,
            target,
        }
    }

    /// Whether the target was met, where there is one.
    pub(super) fn met(&self) -> Option<bool> {
        let judged = self.ratio.unwrap_or(self.value);
        Some(match self.target? {
            Goal::AtMost(most) => judged <= most,
            Goal::AtLeast(least) => judged >= least,
        })
    }

    fn verdict(&self) -> &'static str {
        match self.met() {
            Some(true) => "met",
            Some(false) => "missed",
            None => "",
        }
    }

    fn target_text(&self) -> String {
        match self.target {
            Some(Goal::AtMost(most)) => format!("≤ {most}"),
            Some(Goal::AtLeast(least)) => format!("≥ {least}"),
            None => String::new(),
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "group": self.group, "name": self.name, "value": self.value, "unit": self.unit, "p95": self.p95,
            "ratio": self.ratio, "target": self.target.map(|_| self.target_text()), "met": self.met(),
        })
    }
}

/// All figures, one a line.
pub(super) fn json(figures: &[Figure]) -> String {
    let lines: Vec<String> = figures
        .iter()
        .map(|figure| figure.to_json().to_string())
        .collect();
    lines.join("\n")
}

pub(super) fn table(figures: &[Figure]) -> String {
    let wide = |figure: &Figure| figure.group.len() + figure.name.chars().count() + 2;
    let width = figures.iter().map(wide).max().unwrap_or(0);
    let mut text = format!(
        "{:width$} {:>9} {:8} {:>9} {:>7} {:>8}\n",
        "what", "median", "", "p95", "ratio", "target"
    );
    for figure in figures {
        let name = format!("{}: {}", figure.group, figure.name);
        let optional = |number: Option<f64>, digits: usize| {
            number.map_or(String::new(), |number| format!("{number:.digits$}"))
        };
        let _ = writeln!(
            text,
            "{name:width$} {:>9} {:8} {:>9} {:>7} {:>8} {}",
            optional(Some(figure.value), usize::from(figure.value < 100.0)),
            figure.unit,
            optional(figure.p95, 0),
            optional(figure.ratio, 3),
            figure.target_text(),
            figure.verdict()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_speaks_of_the_ratio_where_there_is_one() {
        let figure = |ratio, target| Figure {
            ratio,
            target,
            ..Figure::alone("g", "n".into(), (7.0, "µs"), None)
        };
        assert_eq!(figure(None, None).met(), None);
        assert_eq!(
            figure(Some(1.1), Some(Goal::AtMost(1.15))).met(),
            Some(true)
        );
        assert_eq!(
            figure(Some(1.2), Some(Goal::AtMost(1.15))).met(),
            Some(false)
        );
        assert_eq!(figure(None, Some(Goal::AtLeast(7.0))).met(), Some(true));
        assert_eq!(figure(None, Some(Goal::AtLeast(7.5))).met(), Some(false));
    }

    #[test]
    fn a_miss_is_printed_plainly() {
        let figure = Figure::alone(
            "rest",
            "memory".into(),
            (25.5, "MB"),
            Some(Goal::AtMost(20.0)),
        );
        assert!(table(std::slice::from_ref(&figure)).ends_with("≤ 20 missed\n"));
        assert!(json(&[figure]).contains(r#""met":false"#));
    }
}
