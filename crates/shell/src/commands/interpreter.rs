//! Interpreters of other languages: `python -c`, `node -e`, `perl x.pl`.

use crate::effect::{Code, Effect, How, Reach};
use crate::foreign::{self, Deed, Language};
use crate::run::{Call, Runner, Spec};
use crate::stream::Stream;
use crate::text::Text;

pub(super) const NAMES: &[&str] = &["python", "node", "perl", "ruby", "php", "awk", "lua"];

pub(crate) fn run(runner: &mut Runner<'_>, call: &Call) -> Stream {
    let Some(language) = Language::of_program(&call.name) else {
        return Stream::Unknown(call.shown());
    };
    let arguments = call.arguments(&spec(language));
    if arguments.has(&["--help", "--version"]) {
        return Stream::Nothing;
    }
    let mut operands = arguments.operands.clone();
    if matches!(call.name.as_str(), "deno" | "bun") && !operands.is_empty() {
        let subcommand = operands.first().map(Text::shown).unwrap_or_default();
        if matches!(subcommand.as_str(), "eval" | "run" | "x") {
            operands.remove(0);
        }
        operands.retain(|word| !word.lead().starts_with('-'));
        match subcommand.as_str() {
            "eval" => {
                let source = operands.first().cloned().unwrap_or_default();
                runner.foreign(language, &source);
                return Stream::Unknown(call.shown());
            }
            "run" => {}
            file if file.contains('.') => {}
            _ => return Stream::Unknown(call.shown()),
        }
    }
    for required in arguments.values(&["r", "--require", "--import"]) {
        if language == Language::JavaScript {
            file(runner, call, &required.clone());
        }
    }
    edited(runner, call, language, &arguments, &operands);
    let given: Vec<Text> = arguments
        .values(given(language))
        .into_iter()
        .cloned()
        .collect();
    if !given.is_empty() {
        for source in given {
            if is_bomb(&source.shown()) {
                runner.note(Effect::Bomb, call);
            }
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
    if let Some(module) = arguments.value(&["m"]) {
        return self::module(runner, call, &module.shown(), &operands);
    }
    if operands.first().is_some_and(|script| {
        script.shown().ends_with("manage.py") || script.shown().ends_with("artisan")
    }) && operands.iter().any(|word| {
        matches!(
            word.lead(),
            "flush" | "reset_db" | "sqlflush" | "migrate:fresh" | "migrate:reset" | "db:wipe"
        )
    }) {
        runner.note(Effect::Remote { what: call.shown() }, call);
    }
    if let Some(name) = arguments.value(&["--run"]) {
        return super::packages::run_script(runner, call, &name.shown());
    }
    match arguments.value(&["f", "--file"]).or(operands.first()) {
        Some(script) if !script.is("-") => file(runner, call, &script.clone()),
        _ => runner.run_stream(&call.name, &call.name, &call.stdin, call),
    }
}

/// `perl -pi -e …` edits its operands in place.
fn edited(
    runner: &mut Runner<'_>,
    call: &Call,
    language: Language,
    arguments: &crate::run::Arguments,
    operands: &[Text],
) {
    let in_place = matches!(language, Language::Perl | Language::Ruby) && arguments.has(&["i"]);
    let in_place = in_place
        || (language == Language::Awk
            && arguments
                .values(&["i"])
                .iter()
                .any(|value| value.is("inplace")));
    if in_place {
        for file in operands {
            let target = runner.written(file);
            runner.note(
                Effect::Overwrite {
                    target,
                    how: How::Edited,
                },
                call,
            );
        }
    }
}

/// A line that forks in a loop without end.
fn is_bomb(source: &str) -> bool {
    const LONGEST: usize = 300;
    source.len() < LONGEST
        && source.contains("fork")
        && ["while", "for(;;)", "for (;;)", "loop", "until"]
            .iter()
            .any(|word| source.contains(word))
}

/// `python -m twine upload`: a module is a program, or a file of the project.
fn module(runner: &mut Runner<'_>, call: &Call, name: &str, rest: &[Text]) -> Stream {
    let words: Vec<Text> = std::iter::once(Text::plain(name))
        .chain(rest.iter().cloned())
        .collect();
    if super::is_known(name) {
        return runner.run_words(&words, call);
    }
    let script = Text::plain(format!("{}.py", name.replace('.', "/")));
    file(runner, call, &script)
}

fn file(runner: &mut Runner<'_>, call: &Call, script: &Text) -> Stream {
    let shown = format!("{} {}", call.name, script.shown());
    let from = script.shown();
    if from.starts_with("https://") || from.starts_with("http://") {
        return runner.run_stream(&call.name, &shown, &Stream::Download(from), call);
    }
    // A module may be named without its ending.
    let endings = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js"];
    let script = endings
        .iter()
        .map(|ending| {
            let mut named = script.clone();
            named.push_plain(ending);
            named
        })
        .find(|named| {
            runner
                .path(named)
                .is_some_and(|path| runner.content(&path).is_ok())
        })
        .unwrap_or_else(|| script.clone());
    match runner.file_content(&script) {
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
            words: &[
                "--eval",
                "--print",
                "--require",
                "--import",
                "--loader",
                "--run",
            ],
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
            letters: "fvFi",
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
        if let Some(from) = source.downloaded() {
            let code = Code::Downloaded(from.to_owned());
            return self.note(Effect::Run(code), &source.shown());
        }
        if source.has_hole() && source.lead().trim().is_empty() {
            let shown = source.shown();
            return self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
        }
        let known = source
            .literal()
            .map_or_else(|| source.shown(), std::borrow::Cow::into_owned);
        // What awk pipes into a shell is made as it runs.
        let input = match language {
            Language::Awk => Stream::Unknown("what awk prints".to_owned()),
            _ => Stream::Nothing,
        };
        for deed in foreign::read(language, &known, &|| self.world.is_late()) {
            self.deed(deed, &input);
        }
    }

    fn deed(&mut self, deed: Deed, input: &Stream) {
        match deed {
            Deed::Shell(source) => {
                self.apart(|runner| runner.source_text(&source, input));
            }
            Deed::Exec(words) => {
                let words: Vec<Text> = words.iter().map(|word| self.foreign_home(word)).collect();
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
                self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
            }
        }
    }

    /// A path of another language.
    fn foreign_target(&mut self, path: &Text) -> crate::target::Target {
        // A pattern is matched by the language's own glob, which knows the tilde.
        let glob = path
            .strip_prefix("./")
            .filter(|path| path.lead().starts_with('~') && path.known().is_none());
        let path = self.foreign_home(&glob.unwrap_or_else(|| path.clone()));
        self.target(&path)
    }

    /// A word of another language: a tilde at its start is its word for home.
    fn foreign_home(&self, word: &Text) -> Text {
        let rest = word
            .strip_prefix("~")
            .filter(|rest| rest.is_empty() || rest.lead().starts_with('/'));
        match rest {
            Some(rest) => {
                let mut home = self.tilde("");
                home.append(rest);
                home
            }
            None => word.clone(),
        }
    }
}

fn reach(recursive: bool) -> Reach {
    if recursive {
        Reach::Trees
    } else {
        Reach::Entries
    }
}
