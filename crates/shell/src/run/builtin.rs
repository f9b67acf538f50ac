//! What the shell does itself: `cd`, `eval`, `source`, `export`, `read` and the like.

use std::path::PathBuf;

use super::Runner;
use super::call::Call;
use super::file::Left;
use crate::commands::output;
use crate::state::Held;
use crate::stream::Stream;
use crate::text::{Fill, Text};

/// Whether a name is that of a builtin that can make a command do something else than its words say,
/// or of a loop, which may have no end.
pub(crate) fn is_builtin(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The most traps of one shell.
const MOST_TRAPS: usize = 16;

const NAMES: &[&str] = &[
    "cd", "pushd", "popd", "eval", "source", ".", "exec", "command", "builtin", "alias", "trap",
    "hash", "while", "until", "for",
];

/// Runs a builtin; `None` when it is none.
pub(super) fn run(runner: &mut Runner<'_>, call: &Call) -> Option<Stream> {
    match call.name.as_str() {
        "cd" | "pushd" | "chdir" => runner.change_folder(call),
        "popd" => runner.state.folders = std::mem::take(&mut runner.state.before),
        "eval" => return Some(runner.eval(call)),
        "source" | "." => return Some(runner.include(call)),
        "exec" => return Some(runner.exec(call)),
        "command" | "builtin" | "noglob" | "nocorrect" => return Some(runner.plainly(call)),
        "export" | "declare" | "typeset" | "local" | "readonly" => runner.declare(call),
        "unset" => {
            for word in call
                .words
                .iter()
                .filter(|word| !word.lead().starts_with('-'))
            {
                // No value at all: it is surely empty.
                let unset = Held::Text(Vec::new());
                runner.state.variables.insert(word.shown(), unset);
            }
        }
        "set" => runner.set_arguments(&call.words),
        "shift" => {
            if !runner.state.arguments.is_empty() {
                runner.state.arguments.remove(0);
            }
        }
        "read" | "mapfile" | "readarray" => runner.read(call),
        "alias" => runner.define_aliases(call),
        "unalias" => {
            for word in &call.words {
                runner.state.aliases.remove(&word.shown());
            }
        }
        "trap" => runner.trap(call),
        "hash" => runner.hash(call),
        "printf" if call.words.first().is_some_and(|word| word.is("-v")) => runner.printf_to(call),
        "exit" => runner.leave(Left::Shell),
        "return" => runner.leave(Left::Function),
        "break" => runner.leave(Left::Loop),
        "continue" => runner.leave(Left::Round),
        "true" | ":" | "false" | "wait" | "let" | "shopt" | "umask" | "ulimit" | "enable"
        | "bg" | "fg" | "jobs" | "getopts" | "times" | "test" | "[" => {}
        _ => return None,
    }
    Some(Stream::Nothing)
}

impl Runner<'_> {
    /// Where a program is that is looked for by its name.
    pub(crate) fn found_in_path(&mut self, name: &Text) -> Stream {
        let Some(known) = name.known() else {
            return Stream::Unknown(name.shown());
        };
        let path = self.world.variable("PATH").unwrap_or_default();
        let found = path
            .split(':')
            .map(|folder| PathBuf::from(folder).join(known))
            .find(|path| self.world.look(path) != crate::Entry::Missing);
        // Wherever it is, it is a program of this machine.
        let found = found.unwrap_or_else(|| PathBuf::from("/usr/bin").join(known));
        Stream::plain(found.display().to_string())
    }

    fn change_folder(&mut self, call: &Call) {
        let words = &call.words;
        let operand = words
            .iter()
            .find(|word| !word.lead().starts_with('-') || word.is("-"));
        let folders: Vec<PathBuf> = match operand {
            None => self
                .tilde("")
                .known()
                .map(PathBuf::from)
                .into_iter()
                .collect(),
            Some(word) if word.is("-") => self.state.before.clone(),
            Some(word) => self.gone_to(word, call),
        };
        let before = std::mem::replace(&mut self.state.folders, folders);
        self.state.before = before;
    }

    /// Where `cd` leads. As a shell does, `..` leads out of a link to where it stands, unless `-P` is said.
    fn gone_to(&mut self, word: &Text, call: &Call) -> Vec<PathBuf> {
        let physical = call.words.iter().any(|word| word.is("-P"));
        let Some(here) = self.folder() else {
            return word
                .known()
                .and_then(|word| crate::path::absolute(word, None))
                .into_iter()
                .collect();
        };
        let here = if physical {
            self.world.real(&here).unwrap_or(here)
        } else {
            here
        };
        let Some(known) = word.known() else {
            return Self::partly(word, &here);
        };
        let mut folders: Vec<PathBuf> = crate::path::absolute(known, Some(&here))
            .into_iter()
            .collect();
        let given = call.variables.iter().find(|(name, _)| name == "CDPATH");
        let searched = given
            .and_then(|(_, value)| value.known().map(str::to_owned))
            .or_else(|| self.known("CDPATH").map(str::to_owned));
        if let Some(searched) = searched.filter(|_| !known.starts_with(['/', '.'])) {
            let others = searched.split(':').filter(|folder| !folder.is_empty());
            folders.extend(others.filter_map(|folder| {
                crate::path::absolute(&format!("{folder}/{known}"), Some(&here))
            }));
        }
        folders
    }

    /// A folder of which only the beginning is known is somewhere in that: below a temporary folder it
    /// does not matter where.
    fn partly(word: &Text, here: &std::path::Path) -> Vec<PathBuf> {
        match crate::path::target(word, Some(here)).place {
            crate::target::Place::Within {
                folder,
                pattern,
                deep: false,
            } if !pattern.contains('/') => vec![folder.join(pattern)],
            _ => Vec::new(),
        }
    }

    fn eval(&mut self, call: &Call) -> Stream {
        let words = match call.words.first() {
            Some(first) if first.is("--") => &call.words[1..],
            _ => &call.words[..],
        };
        let mut source = Text::default();
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                source.push_plain(" ");
            }
            source.append(word.clone());
        }
        self.source_text(&source, &call.stdin)
    }

    fn include(&mut self, call: &Call) -> Stream {
        let Some(file) = call.words.first() else {
            return Stream::Nothing;
        };
        let outer = self.state.arguments.clone();
        if call.words.len() > 1 {
            self.state.arguments = call.words[1..].to_vec();
        }
        let is_input = file.known().is_some_and(|file| {
            matches!(file, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-")
        });
        let out = if is_input {
            let input = call.stdin.clone();
            self.run_stream("sh", &call.shown(), &input, call)
        } else {
            self.run_file(file, call)
        };
        self.state.arguments = outer;
        out
    }

    fn exec(&mut self, call: &Call) -> Stream {
        let words = call.options("+ a=").operands;
        self.run_words(&words, call)
    }

    fn plainly(&mut self, call: &Call) -> Stream {
        let options = call.options("+ v|V");
        if options.has("v") {
            return match options.operands.first() {
                Some(word) => self.found_in_path(word),
                None => Stream::Nothing,
            };
        }
        // Functions and aliases are passed over.
        let functions = std::mem::take(&mut self.state.functions);
        let out = self.run_words(&options.operands, call);
        self.state.functions.extend(functions);
        out
    }

    fn declare(&mut self, call: &Call) {
        let is_reference = |word: &Text| word.lead().starts_with('-') && word.lead().contains('n');
        if call.name != "export" && call.words.iter().any(is_reference) {
            for word in &call.words {
                if let Some((name, other)) = word.split_once('=') {
                    let value = self.variable(&other.shown());
                    let value = value.unwrap_or_else(|| Text::hole(other.shown(), Fill::Anything));
                    self.set(name, value);
                }
            }
            return;
        }
        let options: String = call
            .words
            .iter()
            .map(Text::lead)
            .filter(|word| word.starts_with('-'))
            .collect();
        for word in &call.words {
            let Some((name, value)) = word.split_once('=') else {
                continue;
            };
            let list = value.literal().and_then(|value| {
                let items = value.strip_prefix('(')?.strip_suffix(')')?;
                crate::parse::words(items)
            });
            let value = match (list, value.known()) {
                (Some(items), _) => Held::List(
                    items
                        .iter()
                        .flat_map(|item| crate::word::fields(self, item))
                        .map(|item| super::simple::without_key(&item))
                        .collect(),
                ),
                (None, Some(known)) if options.contains('l') => {
                    Held::one(Text::plain(known.to_lowercase()))
                }
                (None, Some(known)) if options.contains('u') => {
                    Held::one(Text::plain(known.to_uppercase()))
                }
                (None, _) => Held::one(value),
            };
            let name = name.to_owned();
            self.assign(&name, value);
        }
    }

    fn set_arguments(&mut self, words: &[Text]) {
        let is_option = |word: &Text| word.lead().starts_with('-') && word.lead().contains('e');
        if words
            .first()
            .is_some_and(|word| !word.is("--") && is_option(word))
        {
            self.state.leaves_on_failure = true;
        }
        if let Some(at) = words.iter().position(|word| word.is("--")) {
            self.state.arguments = words[at + 1..].to_vec();
        } else if words
            .first()
            .is_some_and(|word| !word.lead().starts_with(['-', '+']))
        {
            self.state.arguments = words.to_vec();
        }
    }

    /// `read a b`: one of the lines that come, split over the names.
    fn read(&mut self, call: &Call) {
        let options = call.options(if call.name == "read" {
            "a d= i= n= N= p= t= u="
        } else {
            "C= d= n= O= s= u= c="
        });
        if let Some(callback) = options.value("C") {
            self.apart(|runner| runner.source_text(callback, &Stream::Nothing));
        }
        let stdin = match options.value("u") {
            Some(descriptor) => {
                let descriptor = descriptor.shown();
                self.state
                    .descriptors
                    .get(&descriptor)
                    .cloned()
                    .unwrap_or_default()
            }
            None => call.stdin.clone(),
        };
        let is_list = call.name != "read" || options.has("a");
        let names: Vec<String> = options.operands.iter().map(Text::shown).collect();
        let lines = match &stdin {
            Stream::Text(text) => text.lines(),
            Stream::Nothing => vec![Text::hole("what is typed", Fill::Anything)],
            other => vec![other.text()],
        };
        if is_list {
            let name = names.first().map_or("MAPFILE", String::as_str);
            let items = if call.name == "read" {
                lines.first().map(Text::split_blanks).unwrap_or_default()
            } else {
                lines
            };
            self.state
                .variables
                .insert(name.to_owned(), Held::List(items));
            return;
        }
        let marks = call.variables.iter().find(|(name, _)| name == "IFS");
        let marks: Vec<char> = match marks.and_then(|(_, value)| value.known()) {
            Some(marks) => marks.chars().collect(),
            None => crate::text::BLANKS.to_vec(),
        };
        self.read_into(&names, &lines, &marks);
    }

    fn read_into(&mut self, names: &[String], lines: &[Text], marks: &[char]) {
        let reply = ["REPLY".to_owned()];
        let names = if names.is_empty() { &reply[..] } else { names };
        for (at, name) in names.iter().enumerate() {
            let last = at + 1 == names.len();
            let values = lines
                .iter()
                .map(|line| {
                    if last && at == 0 {
                        return line.clone();
                    }
                    let mut fields = line.split(marks).into_iter().skip(at);
                    let first = fields.next().unwrap_or_default();
                    if !last {
                        return first;
                    }
                    fields.fold(first, |mut all, next| {
                        all.push_plain(" ");
                        all.append(next);
                        all
                    })
                })
                .collect();
            let value = Held::any(values, &format!("${name}"));
            self.state.variables.insert(name.clone(), value);
        }
    }

    fn define_aliases(&mut self, call: &Call) {
        for word in &call.words {
            if let Some((name, meaning)) = word.split_once('=')
                && let Some(meaning) = meaning.known()
            {
                self.state
                    .aliases
                    .insert(name.to_owned(), meaning.to_owned());
            }
        }
    }

    /// What a trap runs, it runs at the end: then all its variables are set.
    fn trap(&mut self, call: &Call) {
        let operands = call.options("").operands;
        if let [handler, _, ..] = operands.as_slice()
            && !handler.is("-")
            && self.state.traps.len() < MOST_TRAPS
        {
            self.state.traps.push(handler.clone());
        }
    }

    /// Runs the traps of a shell that ends, but for the first, which are those of the shell around it.
    pub(super) fn run_traps(&mut self, outer: usize) {
        let traps = self
            .state
            .traps
            .split_off(outer.min(self.state.traps.len()));
        self.left = Left::No;
        for handler in traps {
            self.source_text(&handler, &Stream::Nothing);
        }
    }

    /// `hash -p /bin/rm name`: the name stands for the program.
    fn hash(&mut self, call: &Call) {
        let options = call.options("p= d= t=");
        if let (Some(program), Some(name)) = (options.value("p"), options.operands.first()) {
            self.state.aliases.insert(name.shown(), program.shown());
        }
    }

    fn printf_to(&mut self, call: &Call) {
        if let [_, name, rest @ ..] = call.words.as_slice() {
            let text = output::printf(rest);
            self.set(&name.shown(), text);
        }
    }
}
