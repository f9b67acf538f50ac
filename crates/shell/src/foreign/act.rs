//! What a call does, told as deeds.

use super::call::Arguments;
use super::deed::{Deed, Told};
use super::emit;
use super::parse::Reader;
use super::table::{self, Row};
use super::value::{MOST_EITHER, Value, join};
use super::{Language, MOST_DEEDS, read_within};
use crate::effect::How;
use crate::text::Text;

/// What a function does with its arguments.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verb {
    /// Gives a line to a shell.
    Shell,
    /// Gives one argument to a shell, and runs a program with many.
    System,
    /// Runs a program with all arguments after the first few.
    Argv(usize),
    /// Runs a program given by its path, with a list that repeats its name: `execv`.
    Replace(usize),
    /// Python's `subprocess`: a list, or a line when `shell` is on.
    Process,
    /// Node's `spawn`: a program, a list, and options.
    Spawn,
    /// Deletes all arguments from a place on.
    Delete,
    /// Deletes all arguments with everything below them.
    DeleteTree,
    /// Deletes its argument, with everything below when the option `recursive` is on.
    DeleteAsked,
    /// Writes the argument at a place.
    Write(usize),
    /// Adds to the argument at a place.
    Append(usize),
    /// Cuts its argument to a length: to nothing when none is given.
    Cut,
    /// Opens a file; the mode says for what.
    Open,
    /// Perl's `open`, which may also start a command.
    PerlOpen,
    /// Moves the first argument to the second.
    Move,
    /// Changes the mode of the first argument.
    Mode,
    /// Changes the mode of all arguments but the first; with everything below them, or not.
    ModeFirst(bool),
    /// Changes the owner of the first argument.
    Owner,
    /// Changes the owner of all arguments but the first two; with everything below them, or not.
    OwnerFirst(bool),
    /// Ends the processes from a place on.
    Kill(usize),
    /// Runs a text as code.
    Run,
    /// Changes the folder.
    Enter,
    /// Calls its first argument with every item of the second.
    Apply,
}

impl Reader<'_> {
    /// Tells a deed, unless there are too many already.
    pub(super) fn tell(&mut self, deed: Deed) {
        let sure = self.is_plain();
        if self.deeds.len() + 1 < MOST_DEEDS {
            self.deeds.push(Told { deed, sure });
        } else if self.deeds.len() < MOST_DEEDS {
            let deed = Deed::unread("…");
            self.deeds.push(Told { deed, sure });
        }
    }

    /// A call: what it does is told, what it gives is returned.
    pub(super) fn invoke(
        &mut self,
        callee: Value,
        receiver: Option<Value>,
        mut arguments: Arguments,
        start: usize,
    ) -> Value {
        let Value::Name(name) = callee else {
            return self.unknown(start);
        };
        if let Some(receiver) = receiver {
            arguments.listed.insert(0, receiver);
        }
        match table::row(self.language, &name) {
            Some(Row::Do(act)) => {
                self.act(act, &arguments);
                self.unknown(start)
            }
            Some(Row::Give(give)) => {
                let shown = self.shown(start);
                let weight = arguments.listed.iter().map(Value::weight).sum();
                let paid = self.pay(weight);
                let value = if paid {
                    self.give(give, &arguments)
                } else {
                    None
                };
                self.pay(value.as_ref().map_or(0, Value::weight));
                value.unwrap_or(Value::Unknown(shown))
            }
            None => {
                self.called(&name, arguments);
                self.unknown(start)
            }
        }
    }

    /// Remembers what a function of the source itself is called with.
    fn called(&mut self, name: &str, mut arguments: Arguments) {
        if let ("#forEach" | "#map" | "#each", [list, function]) = (name, &arguments.listed[..]) {
            let pair = [function.clone(), list.clone()];
            return self.apply(&pair);
        }
        if name.contains('#') && !arguments.listed.is_empty() {
            arguments.listed.remove(0);
        }
        let bare = name.rsplit(['.', '#']).next().unwrap_or(name);
        let calls = self.calls.entry(bare.to_owned()).or_default();
        if calls.len() < MOST_EITHER {
            let weight: usize = arguments.listed.iter().map(Value::weight).sum();
            if weight < 4096 {
                calls.push(arguments.listed);
            }
        }
    }

    fn act(&mut self, act: Verb, arguments: &Arguments) {
        let listed = arguments.listed.as_slice();
        let folder = arguments
            .option("cwd")
            .or_else(|| arguments.option("chdir"));
        match act {
            Verb::Shell => self.shell_in(arguments.get(0, "cmd"), folder),
            Verb::System => self.system(listed, folder),
            Verb::Argv(from) => self.exec(listed.get(from..).unwrap_or(&[]), folder),
            Verb::Replace(from) => self.replace(listed.get(from..).unwrap_or(&[])),
            Verb::Process => self.process(arguments, folder),
            Verb::Spawn => self.spawn(arguments, folder),
            Verb::Delete => self.delete(listed, false),
            Verb::DeleteTree => self.delete(
                if listed.is_empty() {
                    arguments.option("path").map_or(&[], std::slice::from_ref)
                } else {
                    listed
                },
                true,
            ),
            Verb::DeleteAsked => self.delete(listed, arguments.is_on("recursive")),
            Verb::Write(at) => self.write_at(arguments, at, How::Written),
            Verb::Append(at) => self.write_at(arguments, at, How::Appended),
            Verb::Cut => self.cut(listed),
            Verb::Open => self.open(arguments),
            Verb::PerlOpen => self.perl_open(listed),
            Verb::Move => self.moved(arguments),
            Verb::Mode => self.permission(listed.get(..1), &mode(arguments.get(1, "mode")), false),
            Verb::ModeFirst(deep) => self.permission(listed.get(1..), &mode(listed.first()), deep),
            Verb::Owner => self.permission(listed.get(..1), &owner(listed.get(1..)), false),
            Verb::OwnerFirst(deep) => {
                self.permission(listed.get(2..), &owner(listed.get(..2)), deep);
            }
            Verb::Kill(from) => {
                let mut words = vec![Value::plain("kill")];
                words.extend(listed.get(from..).unwrap_or(&[]).iter().take(1).cloned());
                self.exec(&words, None);
            }
            Verb::Run => self.run(listed.first()),
            Verb::Enter => self.enter(listed.first()),
            Verb::Apply => self.apply(listed),
        }
    }

    /// Tells of a command line.
    pub(super) fn shell(&mut self, line: &Value) {
        self.shell_in(Some(line), None);
    }

    fn folder_with(&self, folder: Option<&Value>) -> Option<Text> {
        let Some(own) = folder.and_then(|folder| folder.texts().into_iter().next()) else {
            return self.folder.clone();
        };
        let Some(outer) = &self.folder else {
            return Some(own);
        };
        join(&Value::Text(outer.clone()), &Value::Text(own), true)
            .texts()
            .into_iter()
            .next()
    }

    fn shell_in(&mut self, line: Option<&Value>, folder: Option<&Value>) {
        match line {
            Some(Value::List(words)) => self.exec(words, folder),
            Some(line) => {
                let folder = self.folder_with(folder);
                for text in line.texts() {
                    self.tell(Deed::Shell(emit::line(&text, folder.as_ref())));
                }
            }
            None => {}
        }
    }

    fn system(&mut self, listed: &[Value], folder: Option<&Value>) {
        // Ruby's first argument may be the environment, its last the options.
        let words: Vec<Value> = flatten(listed);
        match words.as_slice() {
            [line] => self.shell_in(Some(line), folder),
            words => self.exec(words, folder),
        }
    }

    /// Tells of a program and its words.
    fn exec(&mut self, words: &[Value], folder: Option<&Value>) {
        let words = flatten(words);
        let most = words
            .iter()
            .map(|word| word.texts().len())
            .max()
            .unwrap_or(0);
        let folder = self.folder_with(folder);
        for choice in 0..most.min(MOST_EITHER) {
            let texts = words.iter().filter_map(|word| {
                let texts = word.texts();
                texts.get(choice).or(texts.last()).cloned()
            });
            let texts: Vec<Text> = texts.collect();
            self.tell(match &folder {
                Some(_) => Deed::Shell(emit::line(&emit::quoted(&texts), folder.as_ref())),
                None => Deed::Exec(texts.iter().map(emit::word).collect()),
            });
        }
    }

    fn replace(&mut self, words: &[Value]) {
        let words = flatten(words);
        let own_name = words.iter().take(1).chain(words.iter().skip(2));
        let words: Vec<Value> = own_name.cloned().collect();
        self.exec(&words, None);
    }

    fn process(&mut self, arguments: &Arguments, folder: Option<&Value>) {
        let Some(command) = arguments.get(0, "args") else {
            return;
        };
        match command {
            Value::List(words) if arguments.is_on("shell") => self.shell_in(words.first(), folder),
            Value::List(words) => self.exec(words, folder),
            line if arguments.is_on("shell") => self.shell_in(Some(line), folder),
            Value::Either(all) => {
                for one in all {
                    self.exec(std::slice::from_ref(one), folder);
                }
            }
            only => self.exec(std::slice::from_ref(only), folder),
        }
    }

    fn spawn(&mut self, arguments: &Arguments, folder: Option<&Value>) {
        let mut words: Vec<Value> = arguments.listed.iter().take(1).cloned().collect();
        words.extend(arguments.get(1, "args").cloned());
        words.extend(arguments.option("args").cloned());
        let words: Vec<Value> = flatten(&words);
        if !arguments.is_on("shell") {
            return self.exec(&words, folder);
        }
        let line = words
            .into_iter()
            .reduce(|line, word| line.add(Value::plain(" ")).add(word));
        self.shell_in(line.as_ref(), folder);
    }

    fn delete(&mut self, paths: &[Value], recursive: bool) {
        // Elsewhere what follows are options and callbacks.
        let many = matches!(self.language, Language::Perl | Language::Ruby);
        let most = if many { paths.len() } else { 1 };
        for path in paths.iter().take(most).flat_map(Value::flat) {
            let path = emit::path(&path, self.folder.as_ref());
            self.tell(Deed::Delete { path, recursive });
        }
    }

    fn cut(&mut self, listed: &[Value]) {
        let whole = match listed.get(1) {
            None | Some(Value::Number(0)) => How::Truncated,
            Some(length) if length.known().as_deref() == Some("0") => How::Truncated,
            Some(_) => How::Written,
        };
        if let Some(path) = listed.first() {
            self.write(path, whole, None);
        }
    }

    fn write_at(&mut self, arguments: &Arguments, at: usize, how: How) {
        let flags = arguments
            .option("flags")
            .or_else(|| arguments.option("flag"));
        let adds = flags
            .and_then(Value::known)
            .is_some_and(|flags| flags.starts_with('a'))
            || arguments.is_on("append");
        let content = arguments.listed.get(at + 1).and_then(Value::known);
        let how = match how {
            How::Written if adds => How::Appended,
            How::Written if content.as_deref() == Some("") => How::Truncated,
            how => how,
        };
        if let Some(path) = arguments.listed.get(at) {
            self.write(path, how, None);
        }
    }

    /// Whether nothing in the source writes into what it opens.
    fn never_writes(&self) -> bool {
        const WRITES: [&str; 11] = [
            "write", "print", "dump", "copyfile", "save", "to_", "puts", "<<", "say", "pipe",
            "stdout",
        ];
        !WRITES.iter().any(|word| self.source.contains(word))
    }

    /// Tells of a written file.
    pub(super) fn write(&mut self, path: &Value, how: How, strip: Option<&str>) {
        for text in path.texts() {
            let text = strip
                .and_then(|strip| text.strip_prefix(strip))
                .unwrap_or(text);
            let path = emit::path(&text, self.folder.as_ref());
            self.tell(Deed::Write { path, how });
        }
    }

    fn open(&mut self, arguments: &Arguments) {
        let Some(path) = arguments.get(0, "file") else {
            return;
        };
        let lead = path.known().unwrap_or_default();
        if let Some(line) = lead.strip_prefix('|') {
            return self.shell(&Value::plain(line.trim_start()));
        }
        let mode = arguments
            .get(1, "mode")
            .or_else(|| arguments.option("flags"));
        let Some(mode) = mode.filter(|mode| !matches!(mode, Value::Map(_))) else {
            return;
        };
        let known = mode.known().unwrap_or_else(|| "w".to_owned());
        if known.contains(['w', 'a', 'x', '+', 'c']) {
            let how = match known.contains('a') {
                true => How::Appended,
                false if known.starts_with('w') && self.never_writes() => How::Truncated,
                false => How::Written,
            };
            self.write(path, how, None);
        }
    }

    /// `open F, '>', $path`, `open F, ">$path"`, `open F, '|-', …`, `open F, "… |"`
    fn perl_open(&mut self, listed: &[Value]) {
        let Some(mode) = listed.get(1) else {
            return;
        };
        let texts = mode.texts();
        let Some(text) = texts.first() else {
            return;
        };
        let lead = text.lead().trim_start();
        match lead.trim_end() {
            "|-" | "-|" => return self.system(listed.get(2..).unwrap_or(&[]), None),
            _ if lead.starts_with('|') => {
                let line = text.strip_prefix("|").unwrap_or_default();
                return self.shell(&Value::Text(line));
            }
            _ => {}
        }
        let shown = text.shown();
        if let Some(line) = shown
            .trim_end()
            .strip_suffix('|')
            .filter(|_| !text.has_hole())
        {
            return self.shell(&Value::plain(line.trim_end()));
        }
        let append = lead.starts_with(">>") || lead.starts_with("+>>");
        let how = match append {
            true => How::Appended,
            false if lead.starts_with('>') && self.never_writes() => How::Truncated,
            false => How::Written,
        };
        if !lead.starts_with('>') && !lead.starts_with('+') {
            return;
        }
        if let Some(path) = listed.get(2) {
            return self.write(path, how, None);
        }
        let mark = text
            .lead()
            .find(|c| !">+< ".contains(c))
            .unwrap_or(text.lead().len());
        let strip = text.lead()[..mark].to_owned();
        self.write(mode, how, Some(&strip));
    }

    fn moved(&mut self, arguments: &Arguments) {
        let (Some(from), Some(to)) = (arguments.get(0, "src"), arguments.get(1, "dst")) else {
            return;
        };
        let Some(to) = to.texts().into_iter().next() else {
            return;
        };
        let to = emit::path(&to, self.folder.as_ref());
        for from in from.flat() {
            let from = emit::path(&from, self.folder.as_ref());
            self.tell(Deed::Move {
                from,
                to: to.clone(),
            });
        }
    }

    fn permission(&mut self, paths: Option<&[Value]>, what: &str, recursive: bool) {
        for path in paths.unwrap_or(&[]).iter().flat_map(Value::flat) {
            let path = emit::path(&path, self.folder.as_ref());
            let what = what.to_owned();
            self.tell(Deed::Permission {
                path,
                what,
                recursive,
            });
        }
    }

    /// Code in a text is read like the code around it.
    fn run(&mut self, code: Option<&Value>) {
        let Some(code) = code else {
            return;
        };
        for text in code.texts() {
            match text.known() {
                Some(source) => {
                    for told in read_within(
                        self.language,
                        source,
                        self.given,
                        self.code_depth + 1,
                        self.is_late,
                    ) {
                        self.tell(told.deed);
                    }
                }
                None => self.tell(Deed::Run(emit::word(&text))),
            }
        }
    }

    fn enter(&mut self, folder: Option<&Value>) {
        let whole = self.folder_with(folder);
        self.folder = whole.filter(|folder| !folder.is("."));
    }

    fn apply(&mut self, listed: &[Value]) {
        let [function, list, ..] = listed else {
            return;
        };
        let name = match function {
            Value::Name(name) => name.clone(),
            other => other.known().unwrap_or_default(),
        };
        if let Some(Row::Do(act)) = table::row(self.language, &name) {
            let list = self.copy(list);
            let mut arguments = Arguments::default();
            arguments.listed.push(list.items());
            if !matches!(act, Verb::Apply) {
                self.act(act, &arguments);
            }
        }
    }
}

/// Lists among values become their items; options are left out.
fn flatten(values: &[Value]) -> Vec<Value> {
    let mut flat = Vec::new();
    for value in values {
        match value {
            Value::List(items) => flat.extend(items.iter().cloned()),
            Value::Map(_) => {}
            other => flat.push(other.clone()),
        }
    }
    flat
}

fn mode(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(mode)) => format!("{mode:o}"),
        other => shown(other),
    }
}

fn owner(values: Option<&[Value]>) -> String {
    let parts: Vec<String> = values
        .unwrap_or(&[])
        .iter()
        .map(|value| shown(Some(value)))
        .collect();
    parts.join(":")
}

fn shown(value: Option<&Value>) -> String {
    let text = value.and_then(|value| value.texts().into_iter().next());
    text.map(|text| text.shown()).unwrap_or_default()
}
