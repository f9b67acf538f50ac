//! The first useful lines of an output: what is wrong and where.

use bellwether_spine::text::{line, shown_block};

use super::noise::without_noise;

/// So many lines and characters of one check are shown.
const LINES: usize = 20;
const CHARACTERS: usize = 2000;
/// A line is cut here.
const WIDTH: usize = 300;
/// Lines before the first error that belong to it: eslint names the file above it.
const BEFORE: usize = 2;

/// What stands in a line that tells of an error, in any case.
const TELLING: &[&str] = &[
    "error:",
    "error[",
    " error ",
    "error ts",
    "errors:",
    ": error",
    "failed",
    "failure",
    "exception",
    "panicked",
    "traceback",
    "cannot find",
    "not found",
    "undefined",
    "diff in ",
    "unexpected",
    "✖",
    "×",
];

/// What stands in lines that say that nothing is wrong.
const REASSURING: &[&str] = &[
    "0 error",
    "no error",
    "0 failed",
    "0 failures",
    "without error",
];

/// The first useful lines of what a check said. Paths in these folders become relative.
pub(crate) fn useful(text: &str, folders: &[&str]) -> Vec<String> {
    let lines = lines(text, folders);
    let useful = without_noise(&lines);
    if fits(&useful) {
        return told(&useful, 0);
    }
    // Excerpts of the source take most of the room, and whoever reads this can look there.
    let short: Vec<&String> = useful
        .into_iter()
        .filter(|line| !is_excerpt(line))
        .collect();
    if fits(&short) {
        return told(&short, 0);
    }
    let first = short.iter().position(|line| is_telling(line));
    let from = match first {
        Some(first) => first.saturating_sub(BEFORE),
        None => short.len().saturating_sub(LINES),
    };
    let taken = taken(&short[from..]);
    told(&short[from..from + taken], short.len() - from - taken)
}

/// The last line that says something: what a check was at when it was ended.
pub(crate) fn last_words(text: &str, folders: &[&str]) -> Vec<String> {
    let lines = lines(text, folders);
    let last = lines.into_iter().rev().find(|line| !line.trim().is_empty());
    last.into_iter().collect()
}

/// Lines as they may be shown: masked, without anything that steers a terminal, without what was overwritten.
fn lines(text: &str, folders: &[&str]) -> Vec<String> {
    let text = folders.iter().fold(text.to_owned(), |text, folder| {
        text.replace(&format!("{folder}/"), "").replace(folder, ".")
    });
    // Progress is drawn over and over again on one line; its last state counts.
    let shown = text.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or_default()
    });
    let clean = shown_block(&shown.collect::<Vec<_>>().join("\n"));
    let mut lines: Vec<String> = clean.lines().map(|line| cut(line.trim_end())).collect();
    lines.dedup_by(|one, other| one.is_empty() && other.is_empty());
    lines
}

/// At most so much of a line, with its blanks at the beginning.
fn cut(text: &str) -> String {
    if text.len() <= WIDTH {
        return text.to_owned();
    }
    let blanks = text.len() - text.trim_start().len();
    format!("{}{}", " ".repeat(blanks.min(8)), line(text, WIDTH))
}

fn fits(lines: &[&String]) -> bool {
    lines.len() <= LINES && lines.iter().map(|line| line.len() + 1).sum::<usize>() <= CHARACTERS
}

/// How many of the lines may be shown.
fn taken(lines: &[&String]) -> usize {
    let mut room = CHARACTERS;
    let within = |line: &&&String| match room.checked_sub(line.len() + 1) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    lines.iter().take(LINES).take_while(within).count()
}

fn told(lines: &[&String], left_out: usize) -> Vec<String> {
    let is_empty = |line: &&&String| line.trim().is_empty();
    let front = lines.iter().take_while(is_empty).count();
    let back = lines[front..].iter().rev().take_while(is_empty).count();
    let lines = &lines[front..lines.len() - back];
    let mut told: Vec<String> = lines.iter().map(|line| (*line).clone()).collect();
    if left_out > 0 {
        told.push(format!("[… {left_out} more lines]"));
    }
    told
}

/// A line of source in the margin of a message, or a remark on how to switch a rule off.
fn is_excerpt(line: &str) -> bool {
    let trimmed = line.trim_start();
    let rest = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < trimmed.len();
    let rest = rest.trim_start();
    let remark = ["|", "= note:", "= help:"]
        .iter()
        .any(|start| rest.starts_with(start));
    remark || numbered && (rest.starts_with('+') || rest.starts_with("- "))
}

fn is_telling(line: &str) -> bool {
    let lower = line.to_lowercase();
    let trimmed = lower.trim_start();
    let starts = ["error", "--> "]
        .iter()
        .any(|start| trimmed.starts_with(start));
    let tells = starts || TELLING.iter().any(|part| lower.contains(part));
    tells && !REASSURING.iter().any(|part| lower.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &[&str] = &["/home/dev/shop"];

    fn told(text: &str) -> String {
        useful(text, ROOT).join("\n")
    }

    #[test]
    fn every_package_manager_leaves_the_linters_words() {
        let eslint = "a.js\n  1:7   error  'unused' is assigned a value but never used  no-unused-vars\n  2:30  error  'y' is not defined                           no-undef\n\nbuild.js\n  2:1  error  'console' is not defined  no-undef\n\n✖ 3 problems (3 errors, 0 warnings)";
        for text in [
            include_str!("../../fixtures/npm-lint.txt"),
            include_str!("../../fixtures/pnpm-lint.txt"),
            include_str!("../../fixtures/yarn-lint.txt"),
            include_str!("../../fixtures/bun-lint.txt"),
        ] {
            assert_eq!(told(text), eslint);
        }
    }

    #[test]
    fn a_crash_of_node_says_where() {
        let crash = "building\nfile://a.js:2\nexport function f() { return y; }\n                      ^\n\nReferenceError: y is not defined\n    at f (file://a.js:2:23)\n    at file://build.js:2:26";
        for text in [
            include_str!("../../fixtures/npm-build.txt"),
            include_str!("../../fixtures/pnpm-build.txt"),
            include_str!("../../fixtures/yarn-build.txt"),
        ] {
            assert_eq!(told(text), crash);
        }
    }

    #[test]
    fn a_long_report_of_a_compiler_keeps_every_error_and_its_place() {
        let told = told(include_str!("../../fixtures/cargo-clippy.txt"));
        assert_eq!(told.lines().next().unwrap(), "error: unused variable: `x`");
        assert!(told.contains(" --> src/main.rs:4:8"), "{told}");
        let long = include_str!("../../fixtures/cargo-clippy.txt").repeat(4);
        let told = super::tests::told(&long);
        assert!(!told.contains("let x = 1"), "{told}");
        assert!(
            told.matches("error: length comparison to zero").count() > 2,
            "{told}"
        );
    }

    #[test]
    fn ruff_and_rustfmt_and_markdownlint_and_vet_are_understood() {
        let check = told(include_str!("../../fixtures/ruff-check.txt"));
        for part in [
            "F401 [*] `os` imported but unused",
            " --> a.py:1:8",
            "F821 Undefined name",
            "Found 3 errors.",
        ] {
            assert!(check.contains(part), "{check}");
        }
        let format = told(include_str!("../../fixtures/ruff-format.txt"));
        assert!(format.contains(" --> b.py:1:2"), "{format}");
        let fmt = told(include_str!("../../fixtures/cargo-fmt.txt"));
        assert!(fmt.starts_with("Diff in src/main.rs:1:\n"), "{fmt}");
        for text in [
            include_str!("../../fixtures/markdownlint.txt"),
            include_str!("../../fixtures/markdownlint-cli2.txt"),
        ] {
            let told = told(text);
            assert!(
                told.contains("a.md:3 error MD001/heading-increment"),
                "{told}"
            );
            assert!(!told.contains("Linting"), "{told}");
        }
        let vet = told(include_str!("../../fixtures/go-vet.txt"));
        assert!(vet.contains("./main.go:6:2: fmt.Printf format %d"), "{vet}");
    }

    #[test]
    fn the_first_error_is_found_in_a_long_output() {
        let modules: Vec<String> = (0..500)
            .map(|n| format!("module {n} transformed"))
            .collect();
        let mut text = modules.join(
            "
",
        ) + "
";
        text.push_str(
            "src/app.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.\n",
        );
        text.push_str(&"more\n".repeat(100));
        let told = useful(&text, ROOT);
        assert_eq!(told[0], "module 498 transformed");
        assert!(told[2].contains("TS2322"), "{told:?}");
        assert_eq!(told.len(), LINES + 1);
        assert_eq!(told[LINES], "[… 83 more lines]");
    }

    #[test]
    fn without_an_error_the_end_is_shown() {
        let text: Vec<String> = (0..100).map(|n| format!("line {n}")).collect();
        let told = useful(&text.join("\n"), ROOT);
        assert!(told.contains(&"line 99".to_owned()), "{told:?}");
        assert!(told.len() <= LINES + 1);
    }

    #[test]
    fn hostile_output_steers_nothing_and_stays_short() {
        let text = "\u{1b}[2J\u{1b}]0;owned\u{7}error: \u{202e}evil\nAKIAIOSFODNN7EXAMPLE\n10%\r20%\rdone\r\n";
        let told = told(text);
        assert!(
            !told.contains('\u{1b}') && !told.contains('\u{202e}'),
            "{told:?}"
        );
        assert!(!told.contains("AKIAIOSFODNN7EXAMPLE"), "{told}");
        assert!(told.ends_with("done") && !told.contains("20%"), "{told}");
        let wide = format!("error: {}", "x".repeat(1 << 20));
        assert!(useful(&wide, ROOT)[0].chars().count() <= WIDTH + 8);
        let many = "error: x\n".repeat(100_000);
        let told = useful(&many, ROOT);
        assert!(told.len() <= LINES + 1);
        assert!(told.iter().map(String::len).sum::<usize>() <= CHARACTERS + 100);
    }

    #[test]
    fn what_a_check_was_at_is_its_last_line() {
        let text = "    Blocking waiting for file lock on build directory\n\n";
        assert_eq!(
            last_words(text, ROOT),
            ["    Blocking waiting for file lock on build directory"]
        );
        assert_eq!(last_words("", ROOT), [""; 0]);
    }
}
