//! Files that are run: scripts given to a shell, executed by path, or sourced.

use std::path::Path;

use super::Runner;
use super::call::{Call, base_name};
use super::file::Left;
use crate::commands;
use crate::effect::{Code, Effect};
use crate::lookup;

use crate::stream::Stream;
use crate::text::{Piece, Text};
use crate::world::Unreadable;

/// Endings of languages that no shell reads, and that are not read here.
const OTHER_LANGUAGES: [&str; 14] = [
    "tcl", "exp", "r", "jl", "ex", "exs", "clj", "scala", "kts", "groovy", "hs", "ml", "el", "sql",
];

fn is_of_another_language(name: &str) -> bool {
    let end = Path::new(name).extension().and_then(|end| end.to_str());
    end.is_some_and(|end| OTHER_LANGUAGES.contains(&end))
}

impl Runner<'_> {
    /// A program that is named by its path. `None` when it is one that has a name of its own: what
    /// `/bin/rm` does is known.
    pub(super) fn script(&mut self, program: &str, call: &Call) -> Option<Stream> {
        let path = self.path(&Text::plain(program))?;
        let content = match self.content(&path) {
            Ok(content) => content,
            Err(Unreadable::Missing | Unreadable::Binary | Unreadable::Irregular) => return None,
            Err(error) => {
                self.note_unreadable(program, error);
                return Some(Stream::Unknown(program.to_owned()));
            }
        };
        let file = self.code_file(&path, None);
        Some(self.in_file(file, |runner| {
            runner.run_content(program, &content, call, Given::Executed)
        }))
    }

    /// A file that this shell runs itself.
    pub(super) fn run_file(&mut self, file: &Text, call: &Call) -> Stream {
        let shown = file.shown();
        match self.file_content(file) {
            Some(content) => self.in_named(file, |runner| {
                let out = runner.run_content(&shown, &content, call, Given::Sourced);
                if runner.left == Left::Function {
                    runner.left = Left::No;
                }
                out
            }),
            None => Stream::Unknown(shown),
        }
    }

    /// Runs what is in a file that a word names.
    pub(crate) fn in_named<T>(&mut self, file: &Text, run: impl FnOnce(&mut Self) -> T) -> T {
        match self.path(file) {
            Some(path) => {
                let file = self.code_file(&path, None);
                self.in_file(file, run)
            }
            None => run(self),
        }
    }

    /// The content of a file that is about to be run; what cannot be read is noted. A file that is not
    /// there does nothing.
    pub(crate) fn file_content(&mut self, file: &Text) -> Option<Stream> {
        let shown = file.shown();
        let Some(path) = self.path(file) else {
            // A file that is named, in a folder that is not known: `. "$NVM_DIR/nvm.sh"`.
            let named = matches!(file.pieces().last(), Some(Piece::Plain(tail))
                if tail.contains('/') && !tail.ends_with('/'));
            if !named && self.scripts == 0 {
                self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
            }
            return None;
        };
        match self.content(&path) {
            Ok(content) => Some(content),
            Err(Unreadable::Missing) => None,
            Err(error) => {
                self.note_unreadable(&shown, error);
                None
            }
        }
    }

    fn note_unreadable(&mut self, file: &str, error: Unreadable) {
        let why = match error {
            Unreadable::TooLong => "is too long to be read",
            Unreadable::Binary => "is no text",
            Unreadable::Irregular => "is no regular file",
            Unreadable::Refused | Unreadable::Missing => "cannot be read",
        };
        let code = Code::Unreadable(format!("{file} {why}"));
        self.note(Effect::Run(code), file);
    }

    /// Runs what is in a file.
    fn run_content(&mut self, name: &str, content: &Stream, call: &Call, given: Given) -> Stream {
        let Stream::Text(text) = content else {
            return self.run_stream("sh", name, content, call);
        };
        if given == Given::Sourced {
            self.scripts += 1;
            let out = self.through(name, |runner| runner.source_text(text, &call.stdin));
            self.scripts -= 1;
            return out;
        }
        let first = text.lead().lines().next().unwrap_or_default();
        // Without a first line that says so, a file of another language is no script of a shell.
        if is_of_another_language(name) && !first.starts_with("#!") {
            return Stream::Unknown(name.to_owned());
        }
        let interpreter = interpreter(first).unwrap_or("sh").to_owned();
        let text = text.clone();
        self.interpret(&interpreter, name, &text, call)
    }

    /// Runs what an interpreter is given, wherever it comes from.
    pub(crate) fn run_stream(
        &mut self,
        interpreter: &str,
        name: &str,
        content: &Stream,
        call: &Call,
    ) -> Stream {
        let code = match content {
            Stream::Nothing => return Stream::Nothing,
            Stream::Text(text) => return self.interpret(interpreter, name, &text.clone(), call),
            Stream::Download(from) => Code::Downloaded(from.clone()),
            Stream::Unknown(what) => Code::Unknown(what.clone()),
        };
        self.note(Effect::Run(code), name);
        Stream::Unknown(name.to_owned())
    }

    /// Runs a text with the interpreter that it asks for.
    pub(crate) fn interpret(
        &mut self,
        interpreter: &str,
        name: &str,
        text: &Text,
        call: &Call,
    ) -> Stream {
        if let Some(language) = lookup::language(interpreter) {
            let given = self.given.take().unwrap_or_default();
            self.through(name, |runner| runner.foreign(language, text, &given));
            return Stream::Unknown(name.to_owned());
        }
        if !is_shell(interpreter) {
            return Stream::Unknown(name.to_owned());
        }
        self.through(name, |runner| {
            runner.apart(|runner| {
                runner.state.arguments = runner.given_words(&call.words);
                runner.state.program = Some(Text::plain(name));
                for (name, value) in &call.variables {
                    let value = runner.given_words(std::slice::from_ref(value));
                    runner.set(name, value.into_iter().next().unwrap_or_default());
                }
                runner.source_text(text, &call.stdin)
            })
        })
    }
}

/// How a file is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Executed,
    Sourced,
}

/// The program of a first line `#!/usr/bin/env bash`.
fn interpreter(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let program = base_name(words.next()?);
    if program != "env" {
        return Some(program);
    }
    words
        .find(|word| !word.starts_with('-') && !word.contains('='))
        .map(base_name)
}

/// Whether a program is a shell whose language we read.
pub(crate) fn is_shell(name: &str) -> bool {
    let name = Path::new(name)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(name);
    commands::shell::READ.is(name)
}
