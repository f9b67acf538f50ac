//! Interpreters of other languages: `python -c`, `node -e`, `perl x.pl`.

use crate::effect::{Effect, How, Reach};
use crate::foreign::{self, Deed, Language};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &[
    "python",
    "node",
    "perl",
    "ruby",
    "php",
    "awk",
    "lua",
    "osascript",
    "jshell",
];

pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let Some(language) = Language::of_program(&call.name) else {
        return Stream::Unknown(call.shown());
    };
    let arguments = call.arguments(&spec(language));
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let mut operands = arguments.operands.clone();
    if matches!(call.name.as_str(), "deno" | "bun") && !operands.is_empty() {
        let subcommand = operands.remove(0).shown();
        match subcommand.as_str() {
            "eval" => {
                let source = operands.first().cloned().unwrap_or_default();
                runner.foreign(language, &source);
                return Stream::Unknown(call.shown());
            }
            "run" => {}
            _ => return Stream::Unknown(call.shown()),
        }
    }
    let given: Vec<Text> = arguments
        .values(given(language))
        .into_iter()
        .cloned()
        .collect();
    if !given.is_empty() {
        for source in given {
            runner.foreign(language, &source);
        }
        return Stream::Unknown(call.shown());
    }
    if language == Language::Awk && !arguments.has(&["f", "--file"]) {
        if let Some(program) = operands.first() {
            runner.foreign(language, program);
        }
        return Stream::Unknown(call.shown());
    }
    if arguments.has(&["m"]) {
        return Stream::Unknown(call.shown());
    }
    match arguments.value(&["f", "--file"]).or(operands.first()) {
        Some(script) if !script.is("-") => file(runner, call, &script.clone()),
        _ => runner.run_stream(&call.name, &call.name, &call.stdin, call),
    }
}

fn file(runner: &mut Runner<'_>, call: &Call, script: &Text) -> Stream {
    let shown = format!("{} {}", call.name, script.shown());
    match runner.file_content(script) {
        Some(content) => runner.run_stream(&call.name, &shown, &content, call),
        None => Stream::Unknown(shown),
    }
}

/// Which options take a value.
fn spec(language: Language) -> Spec {
    match language {
        Language::Python => Spec {
            letters: "cmWXQ",
            words: &["--check-hash-based-pycs"],
            stops: true,
        },
        Language::JavaScript => Spec {
            letters: "eprC",
            words: &["--eval", "--print", "--require", "--import", "--loader"],
            stops: true,
        },
        Language::Perl | Language::Ruby => Spec {
            letters: "eEIMmr",
            words: &[],
            stops: true,
        },
        Language::Php => Spec {
            letters: "rfcdBRE",
            words: &["--run"],
            stops: true,
        },
        Language::Awk => Spec {
            letters: "fvF",
            words: &["--file", "--assign", "--field-separator"],
            stops: true,
        },
        Language::Lua => Spec {
            letters: "el",
            words: &[],
            stops: true,
        },
    }
}

/// Which options give the source itself.
fn given(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["c"],
        Language::JavaScript => &["e", "p", "--eval", "--print"],
        Language::Perl => &["e", "E"],
        Language::Ruby | Language::Lua => &["e"],
        Language::Php => &["r", "B", "R", "E", "--run"],
        Language::Awk => &[],
    }
}

impl Runner<'_> {
    /// Notes what a source in another language does.
    pub(crate) fn foreign(&mut self, language: Language, source: &Text) {
        let known = source
            .literal()
            .map_or_else(|| source.shown(), std::borrow::Cow::into_owned);
        for deed in foreign::read(language, &known) {
            self.deed(deed);
        }
    }

    fn deed(&mut self, deed: Deed) {
        match deed {
            Deed::Shell(source) => {
                self.apart(|runner| runner.source_text(&source, Stream::Nothing));
            }
            Deed::Exec(words) => {
                self.apart(|runner| runner.run_words_with(&words, Vec::new(), Stream::Nothing));
            }
            Deed::Delete { path, recursive } => {
                let targets = vec![self.foreign_target(&path)];
                let command = format!("delete {}", targets[0].shown);
                self.note(
                    Effect::Delete {
                        targets,
                        reach: reach(recursive),
                    },
                    &command,
                );
            }
            Deed::Write { path, append } => {
                let target = self.foreign_target(&path);
                let command = format!("write {}", target.shown);
                let how = if append { How::Appended } else { How::Written };
                self.note(Effect::Overwrite { target, how }, &command);
            }
            Deed::Move { from, to } => {
                let (from, to) = (self.foreign_target(&from), self.foreign_target(&to));
                let command = format!("move {} {}", from.shown, to.shown);
                self.note(
                    Effect::Move {
                        from: vec![from],
                        to,
                    },
                    &command,
                );
            }
            Deed::Permission {
                path,
                what,
                recursive,
            } => {
                let targets = vec![self.foreign_target(&path)];
                let command = format!("chmod {what} {}", targets[0].shown);
                self.note(
                    Effect::Permission {
                        targets,
                        reach: reach(recursive),
                        what,
                    },
                    &command,
                );
            }
            Deed::Run(what) => {
                let shown = what.shown();
                self.note(
                    Effect::Run(crate::effect::Code::Unknown(shown.clone())),
                    &shown,
                );
            }
        }
    }

    /// A path of another language: a tilde at its start is its word for home.
    fn foreign_target(&mut self, path: &Text) -> crate::target::Target {
        let home = path
            .strip_prefix("~")
            .filter(|rest| rest.is_empty() || rest.lead().starts_with('/'));
        let path = match home {
            Some(rest) => {
                let mut home = self.tilde("");
                home.append(rest);
                home
            }
            None => path.clone(),
        };
        self.target(&path)
    }
}

fn reach(recursive: bool) -> Reach {
    if recursive {
        Reach::Trees
    } else {
        Reach::Entries
    }
}
