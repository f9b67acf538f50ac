//! What is too much to be parsed: a linear look before the parser, which takes seconds on a few
//! kilobytes of deeply nested substitutions.

/// The longest command that is parsed, in bytes.
pub const MOST_SOURCE: usize = 32 * 1024;
/// The longest script.
const MOST_SCRIPT: usize = 256 * 1024;
/// The deepest nesting of substitutions.
pub const DEEPEST: usize = 12;
/// The most that length and depth may be together. The parser reads a substitution again at each level
/// above it.
const MOST_WORK: usize = 96 * 1024;
/// The same of a script, which is long and nested little.
const MOST_SCRIPT_WORK: usize = 768 * 1024;
/// The most commands, by what stands between them: the parser cannot be stopped.
const MOST_COMMANDS: usize = 12_000;
/// The most escaped back quotes: in others they nest, and each is read again at every level.
const MOST_BACK_QUOTES: usize = 64;
/// The most operators in a source with arithmetic.
const MOST_OPERATORS: usize = 4000;
/// The deepest nesting of anything in brackets; the parser is recursive.
const DEEPEST_BRACKETS: usize = 200;
/// The most looks that the parser takes for the ends of braces, see [`looks_for_braces`].
const MOST_LOOKS: usize = 2_000_000;

/// Why a source is not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// It is too long.
    Length,
    /// It is nested too deeply.
    Depth,
}

impl Excess {
    pub fn said(self) -> &'static str {
        match self {
            Self::Length => "it is too long to be read",
            Self::Depth => "it is nested too deeply to be read",
        }
    }
}

/// Looks whether a command can be parsed in time.
pub fn check(source: &str) -> Result<(), Excess> {
    within(source, MOST_SOURCE, MOST_WORK)
}

/// Looks whether a script can be.
pub(crate) fn check_script(source: &str) -> Result<(), Excess> {
    within(source, MOST_SCRIPT, MOST_SCRIPT_WORK)
}

fn within(source: &str, most: usize, most_work: usize) -> Result<(), Excess> {
    if source.len() > most {
        return Err(Excess::Length);
    }
    let between = source.bytes().filter(|byte| b";\n|&".contains(byte));
    if source.len() > MOST_COMMANDS && between.count() > MOST_COMMANDS {
        return Err(Excess::Length);
    }
    if source.matches("\\`").take(MOST_BACK_QUOTES + 1).count() > MOST_BACK_QUOTES {
        return Err(Excess::Depth);
    }
    // Each operator of an arithmetic expression is a level of the parser's recursion.
    let operators = source
        .bytes()
        .filter(|byte| b"+-*/%?&|^~!<>=,".contains(byte));
    if source.contains("((") && operators.count() > MOST_OPERATORS {
        return Err(Excess::Depth);
    }
    if source.len() > MOST_LOOKS.isqrt() && looks_for_braces(source) > MOST_LOOKS {
        return Err(Excess::Depth);
    }
    let mut depths = measure(source.as_bytes());
    if depths.substitutions > DEEPEST && !source.contains("<<") && !source.contains('#') {
        depths = measure(&without_single_quotes(source));
    }
    let work = source.len().saturating_mul(depths.substitutions.max(1));
    if depths.substitutions > DEEPEST || depths.brackets > DEEPEST_BRACKETS || work > most_work {
        return Err(Excess::Depth);
    }
    Ok(())
}

/// How much the parser looks for the ends of `{…}`: from each brace that is not quoted, at each byte up to its
/// partner or the word's end, it goes through all expansions and quotes of the word.
fn looks_for_braces(source: &str) -> usize {
    source.lines().map(looks_in_line).sum()
}

fn looks_in_line(line: &str) -> usize {
    let (mut looks, mut word, mut quote) = (0_usize, Braced::default(), None);
    let mut escaped = false;
    for byte in line.bytes() {
        word.length += 1;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quote != Some(b'\'') => {
                escaped = true;
                word.marks += 1;
            }
            b'\'' | b'"' if quote.is_none() => {
                quote = Some(byte);
                word.marks += 1;
            }
            _ if quote == Some(byte) => quote = None,
            b'$' | b'`' => word.marks += 1,
            b'{' if quote.is_none() => word.open.push(word.length),
            b'}' if quote.is_none() => {
                let opened = word.open.pop().unwrap_or(word.length);
                word.passed += word.length - opened;
            }
            b' ' | b'\t' if quote.is_none() => looks += std::mem::take(&mut word).looks(),
            _ => {}
        }
    }
    looks + word.looks()
}

/// A word, as far as braces in it cost.
#[derive(Default)]
struct Braced {
    length: usize,
    /// Expansions, quotes and escapes.
    marks: usize,
    /// Where braces stand that have no partner yet.
    open: Vec<usize>,
    /// How many bytes stand between partners.
    passed: usize,
}

impl Braced {
    fn looks(&self) -> usize {
        let to_the_end = self.open.iter().map(|opened| self.length - opened);
        let passed = self.passed + to_the_end.sum::<usize>();
        passed.saturating_mul(self.marks)
    }
}

/// The source without what stands in single quotes, where nothing nests. Only for sources in which a
/// quote surely is one: in a comment or a here-document it may be an apostrophe.
fn without_single_quotes(source: &str) -> Vec<u8> {
    let (mut kept, mut single, mut double, mut escaped) = (Vec::new(), false, false, false);
    for byte in source.bytes() {
        match byte {
            b'\'' if !double && !escaped => single = !single,
            b'"' if !single && !escaped => double = !double,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped && !single;
        if !single {
            kept.push(byte);
        }
    }
    kept
}

struct Depths {
    substitutions: usize,
    brackets: usize,
}

fn measure(bytes: &[u8]) -> Depths {
    // Each open bracket, and whether it opens a substitution.
    let mut open: Vec<(u8, bool)> = Vec::new();
    let (mut now, mut ticks) = (0, 0_usize);
    let mut deepest = Depths {
        substitutions: 0,
        brackets: 0,
    };
    for (at, &byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).map_or(0, |before| bytes[before]);
        match byte {
            b'(' | b'{' => {
                let substitutes = matches!(before, b'$' | b'<' | b'>');
                open.push((byte, substitutes));
                now += usize::from(substitutes);
            }
            b')' | b'}' => now -= close(&mut open, byte),
            // Nested backticks are escaped: the run of backslashes doubles with each level.
            b'`' if before == b'\\' => ticks += 1,
            _ => {}
        }
        deepest.substitutions = deepest.substitutions.max(now);
        deepest.brackets = deepest.brackets.max(open.len());
    }
    if ticks > 0 {
        deepest.substitutions += 1 + ticks.ilog2() as usize;
    }
    deepest
}

/// Takes the last bracket of this kind and all in it, and says how many were substitutions.
fn close(open: &mut Vec<(u8, bool)>, byte: u8) -> usize {
    let kind = if byte == b')' { b'(' } else { b'{' };
    match open.iter().rposition(|(bracket, _)| *bracket == kind) {
        // Prose has closing brackets of its own; those far below stay open.
        Some(at) => open
            .drain(at..)
            .filter(|(_, substitutes)| *substitutes)
            .count(),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_refused_at_once() {
        let nested = |levels: usize| "$(".repeat(levels) + "ls" + &")".repeat(levels);
        assert_eq!(check("ls"), Ok(()));
        assert_eq!(check(&nested(12)), Ok(()));
        assert_eq!(check(&nested(13)), Err(Excess::Depth));
        assert_eq!(check(&"$(".repeat(45)), Err(Excess::Depth));
        assert_eq!(check(&"x".repeat(MOST_SOURCE)), Ok(()));
        assert_eq!(check(&"x".repeat(MOST_SOURCE + 1)), Err(Excess::Length));
        let wide = nested(8) + &" x".repeat(8000);
        assert_eq!(check(&wide), Err(Excess::Depth));
        assert_eq!(check(&"(".repeat(201)), Err(Excess::Depth));
    }

    #[test]
    fn ordinary_commands_are_within_bounds() {
        let prose = "git commit -F - <<'E'\n".to_owned() + &"it's (a list: 1) 2) 3) ".repeat(300);
        assert_eq!(check(&prose), Ok(()));
        assert_eq!(
            check("for f in $(ls $(dirname \"$(pwd)\")); do echo \"${f%.*}\"; done"),
            Ok(())
        );
    }
}
