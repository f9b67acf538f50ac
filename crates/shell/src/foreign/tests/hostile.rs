//! No source makes the reader panic, hang or tell without end.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::read;
use crate::foreign::{Deed, Language, MOST_DEEDS};

const ALL: [Language; 7] = [
    Language::Python,
    Language::JavaScript,
    Language::Perl,
    Language::Ruby,
    Language::Php,
    Language::Awk,
    Language::Lua,
];

/// Pieces that mean something to at least one of the languages.
const PIECES: &str = "(\\PC{0,3}|os\\.system|unlink|for|in|import|from|def|lambda|f'|'''|\"|`|\\$\\{|#\\{|<<A|\
    \\[\\[|%w\\[|qx|\\(|\\)|\\[|\\]|\\{|\\}|=>|->|\\.|,|;|:|=|\\||/|\\\\|\n| |\\$x|@y|é|1|\\?|~)";

proptest! {
    #[test]
    fn any_text_is_read(source in "\\PC*") {
        for language in ALL {
            prop_assert!(read(language, &source).len() <= MOST_DEEDS);
        }
    }

    #[test]
    fn any_mixture_of_tokens_is_read(pieces in prop::collection::vec(PIECES, 0..60)) {
        let source = pieces.concat();
        for language in ALL {
            prop_assert!(read(language, &source).len() <= MOST_DEEDS);
        }
    }
}

#[test]
fn long_repetitions_are_read_in_time() {
    // The bound is for an unoptimised build on a busy machine.
    const BOUND: Duration = Duration::from_secs(1);
    let pieces = [
        "(",
        "[",
        "{",
        "'",
        "\"",
        "`",
        "${",
        "#{",
        "f'{",
        "`${",
        "\"$x{",
        "<<A",
        "<<A\n",
        "[[",
        "%w[",
        "/",
        "os.system(",
        "unlink ",
        "f(",
        "x=x+x;",
        "x+=x\n",
        "[x for x in ",
        "a.b",
        "()",
        "(1)[0]",
        "lambda x:",
        "function(",
        "x=>",
        "a?b:",
        "{{",
        "$",
        "=",
        "q ",
        "for ",
        "print ",
        ",",
        "a,",
        "'{}{}{}'.format(",
        "exec(",
        "eval ",
        "\\",
        "é",
        "s/",
        "import ",
        "from ",
        "-",
        "--[[",
        "x='aaaaaaaaaaaaaaaaaaaa'+x;",
        "os.system(x);",
        "def f(a):\n f(a+'x')\n",
        "()=>{",
    ];
    for piece in pieces {
        let source = piece.repeat(16 * 1024 / piece.len());
        for language in ALL {
            let start = Instant::now();
            read(language, &source);
            let took = start.elapsed();
            assert!(took < BOUND, "{language:?} {piece:?} took {took:?}");
        }
    }
}

#[test]
fn too_long_and_too_deep_sources_are_reported() {
    let many = "os.system('x');".repeat(1000);
    let deeds = read(Language::Python, &format!("import os;{many}"));
    assert_eq!(deeds.len(), MOST_DEEDS);
    assert_eq!(super::shown(&deeds[MOST_DEEDS - 1]), "run<…>");
    let deep = format!("{}os.system('x'){}", "(".repeat(200), ")".repeat(200));
    assert!(!read(Language::Python, &deep).is_empty());
}

#[test]
fn sources_that_are_not_read_in_time_are_reported() {
    let source = format!("import os\n{}os.remove('b')\n", "f(1)\n".repeat(500));
    let looks = std::cell::Cell::new(0);
    let late = || looks.replace(looks.get() + 1) > 2;
    let told = crate::foreign::read(Language::Python, &source, &[], &late);
    let unread = matches!(told.as_slice(), [told] if matches!(told.deed, Deed::Run(_)));
    assert!(unread, "{told:?}");
    assert_eq!(read(Language::Python, &source).len(), 1);
}
