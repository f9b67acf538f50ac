//! What an agent is reminded of once its context was compacted.

use bellwether_spine::text;

/// The most that goes into the context.
const MOST: usize = 4000;

/// The person's conventions as a list of lines; nothing when there are none.
pub(crate) fn reminder(conventions: &[String]) -> Option<String> {
    let mut said = "The context was compacted. Conventions of this project:".to_owned();
    let empty = said.len();
    for convention in conventions.iter().flat_map(|convention| convention.lines()) {
        let room = MOST.saturating_sub(said.chars().count() + "\n- ".len());
        let line = text::shown(convention, room);
        if !line.is_empty() {
            said.push_str("\n- ");
            said.push_str(&line);
        }
    }
    (said.len() > empty).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_are_lines_and_bounded() {
        let reminder = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            reminder(&lines)
        };
        assert_eq!(reminder(&[]), None);
        assert_eq!(reminder(&["", " \n "]), None);
        let said = reminder(&["use uv", "read\nCLAUDE.md\u{1b}[0m", "TOKEN=abcdef"]).unwrap();
        let expected = "The context was compacted. Conventions of this project:\n- use uv\n- read\n- CLAUDE.md\n- TOKEN=[masked]";
        assert_eq!(said, expected);
        let long = "한".repeat(3000);
        let said = reminder(&[&long, &long, "lost"]).unwrap();
        assert!(
            said.chars().count() <= MOST && said.ends_with('…'),
            "{}",
            said.len()
        );
    }
}
