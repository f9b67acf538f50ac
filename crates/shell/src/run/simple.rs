//! Simple commands: assignments, words, and what the first word turns out to be.

use rable::{Node, NodeKind};

use super::call::{Call, base_name};
use super::file::Left;
use super::{Runner, builtin};
use crate::commands;
use crate::effect::{Code, Effect};
use crate::lookup;
use crate::matching::matches;
use crate::parse;
use crate::program::Program;
use crate::state::{Function, Held, bounded};
use crate::stream::Stream;
use crate::target::Place;
use crate::text::{Fill, Piece, Text};
use crate::word;

/// The most items of an array that are kept.
const MOST_ITEMS: usize = 256;
/// The most words of a command that are looked at as files it reads.
const MOST_READ: usize = 32;

impl Runner<'_> {
    pub(super) fn simple(
        &mut self,
        assignments: &[Node],
        words: &[Node],
        redirects: &[Node],
        stdin: Stream,
    ) -> Stream {
        if !self.step(words.len()) {
            return Stream::Unknown("…".to_owned());
        }
        let variables = self.assigned(assignments);
        if words.is_empty() {
            for (name, value) in variables {
                self.assign(&name, value);
            }
            self.empties = true;
            return self.redirected(redirects, stdin, |_, stdin| stdin);
        }
        if let Some(source) = self.alias(words) {
            return self.source(&source, &stdin);
        }
        let fields: Vec<Text> = words
            .iter()
            .flat_map(|word| word::fields(self, word))
            .collect();
        let variables = variables
            .into_iter()
            .filter_map(|(name, value)| match value {
                Held::Text(mut texts) => texts.pop().map(|text| (name, text)),
                Held::List(_) => None,
            })
            .collect();
        let empties = match fields.as_slice() {
            [only] => only.is(":") || only.is("true"),
            [first, second] => first.is("cat") && second.is("/dev/null"),
            _ => false,
        };
        self.empties = empties;
        let is_exec = fields.first().is_some_and(|name| name.is("exec")) && fields.len() == 1;
        if is_exec {
            self.keep_descriptors(redirects);
        }
        let reading = self.reading.len();
        if self.piped > 0 || !redirects.is_empty() {
            self.reads(&fields);
        }
        let out = self.redirected(redirects, stdin, |runner, stdin| {
            runner.called(&fields, variables, stdin)
        });
        if self.piped == 0 {
            self.reading.truncate(reading);
        }
        out
    }

    /// Remembers the files that a command is given: what it writes over them is lost before it has read them.
    fn reads(&mut self, fields: &[Text]) {
        let name = fields.first().and_then(Text::known).unwrap_or_default();
        if matches!(name, "echo" | "printf" | "sponge" | "tee") {
            return;
        }
        for word in fields.iter().skip(1).take(MOST_READ) {
            let is_name = word.known().is_some_and(|word| !word.starts_with('-'));
            if is_name && let Some(path) = self.path(word) {
                self.reading.push(path);
            }
        }
    }

    /// The values of assignments, not yet made.
    fn assigned(&mut self, assignments: &[Node]) -> Vec<(String, Held)> {
        let mut all = Vec::new();
        for assignment in assignments {
            let NodeKind::Word { value, .. } = &assignment.kind else {
                continue;
            };
            if let Some((name, items)) = array(value) {
                let items = parse::words(items).unwrap_or_default();
                let items = items
                    .iter()
                    .flat_map(|item| word::fields(self, item))
                    .map(|item| without_key(&item))
                    .collect();
                all.push((name.to_owned(), Held::List(items)));
                continue;
            }
            let text = word::text(self, assignment);
            if let Some((name, value)) = text.split_once('=') {
                all.push((name.to_owned(), Held::one(value)));
            }
        }
        all
    }

    /// Makes an assignment; `name+` adds.
    pub(super) fn assign(&mut self, name: &str, value: Held) {
        let name_only = name.strip_suffix('+').unwrap_or(name);
        let value = if name == name_only {
            value
        } else {
            added(self.state.variables.get(name_only).cloned(), value)
        };
        let value = match value {
            Held::Text(texts) => Held::Text(
                texts
                    .into_iter()
                    .map(|text| bounded(text, name_only))
                    .collect(),
            ),
            Held::List(mut items) => {
                items.truncate(MOST_ITEMS);
                Held::List(items)
            }
        };
        match name_only.split_once('[') {
            Some((array, index)) => self.assign_item(array, index.trim_end_matches(']'), value),
            None => {
                self.state.variables.insert(name_only.to_owned(), value);
            }
        }
    }

    fn assign_item(&mut self, array: &str, index: &str, value: Held) {
        let Held::Text(mut texts) = value else {
            return;
        };
        let mut items = self.list(array).unwrap_or_default();
        match index.parse::<usize>() {
            Ok(index) if index < 64 => {
                items.resize_with(items.len().max(index + 1), Text::default);
                items[index] = texts.pop().unwrap_or_default();
            }
            _ => items.extend(texts),
        }
        self.state
            .variables
            .insert(array.to_owned(), Held::List(items));
    }

    /// The source that an alias makes of a command.
    fn alias(&mut self, words: &[Node]) -> Option<String> {
        let sources: Vec<&str> = words
            .iter()
            .map(|word| match &word.kind {
                NodeKind::Word { value, .. } => value.as_str(),
                _ => "",
            })
            .collect();
        let name = *sources.first()?;
        // Taken out while it is used, so that `alias rm='rm -i'` ends.
        let meaning = self.state.aliases.remove(name)?;
        Some(format!("{meaning} {}", sources[1..].join(" ")))
    }

    /// Runs a program with resolved words.
    pub(super) fn called(
        &mut self,
        words: &[Text],
        variables: Vec<(String, Text)>,
        stdin: Stream,
    ) -> Stream {
        let Some(program) = words.first() else {
            return Stream::Nothing;
        };
        if !self.step(words.len()) {
            return Stream::Unknown("…".to_owned());
        }
        self.ran(words);
        let program = match program.known() {
            Some(program) => program.to_owned(),
            None => match self.matched(program) {
                Some(program) => program,
                None => return self.unknown_program(words, &stdin),
            },
        };
        let call = Call {
            name: base_name(&program).to_owned(),
            words: words[1..].to_vec(),
            variables,
            stdin,
        };
        self.dispatch(&program, call)
    }

    /// The first file that a pattern in the place of a program matches.
    fn matched(&mut self, program: &Text) -> Option<String> {
        let Place::Within {
            folder,
            pattern,
            deep: false,
        } = self.target(program).place
        else {
            return None;
        };
        (!program.has_hole()).then_some(())?;
        let mut names = self.world.names(&folder);
        names.sort();
        let name = names.into_iter().find(|name| matches(&pattern, name))?;
        Some(folder.join(name).display().to_string())
    }

    fn dispatch(&mut self, program: &str, call: Call) -> Stream {
        self.preloaded(&call);
        // Nothing that a command defines stands before our own programs.
        if let Some(own) = self.own_program(program, &call.name) {
            return own.run(self, &call);
        }
        let downloads = match &call.stdin {
            Stream::Download(from) => Some(from.clone()),
            _ => None,
        };
        let prints_settings = call.words.iter().take(2).any(|word| {
            matches!(
                word.lead(),
                "completion"
                    | "completions"
                    | "shellenv"
                    | "hook"
                    | "init"
                    | "shell.bash"
                    | "shell.zsh"
                    | "--sh-syntax"
                    | "export-credentials"
            ) || word.lead().contains("complet")
        });
        let out = self.resolved(program, call);
        // Made to be evaluated: `eval "$(brew shellenv)"`.
        if prints_settings && matches!(out, Stream::Unknown(_)) {
            return Stream::Nothing;
        }
        // Whatever a filter makes of a download, it still comes from the network.
        match (out, downloads) {
            (Stream::Unknown(_), Some(from)) => Stream::Download(from),
            (out, _) => out,
        }
    }

    /// The program that one is a copy of or a link to, made on the way.
    fn copied_from(&mut self, program: &str) -> Option<String> {
        if program.contains('/') {
            let path = self.path(&Text::plain(program))?;
            return self.state.copies.get(&path).cloned();
        }
        // Copied into a folder where programs are looked for.
        let mut copies = self.state.copies.iter();
        let found = copies.find(|(path, _)| path.ends_with(program));
        found.map(|(_, name)| name.clone())
    }

    /// Our own program, by its name or by where a path leads: a link, `/proc/PID/exe`.
    fn own_program(&mut self, program: &str, name: &str) -> Option<&'static Program> {
        let own = |name: &str| commands::own::PROGRAMS.iter().find(|own| own.is(name));
        own(name).or_else(|| {
            program.contains('/').then_some(())?;
            let path = self.path(&Text::plain(program))?;
            let real = self.world.real(&path)?;
            let name = real.file_name()?.to_str()?;
            // A program that was replaced while it ran.
            own(name.strip_suffix(" (deleted)").unwrap_or(name))
        })
    }

    fn resolved(&mut self, program: &str, call: Call) -> Stream {
        let by_path = program.contains('/');
        if let Some(name) = self.copied_from(program)
            && let Some(program) = lookup::find(&name)
        {
            let call = Call { name, ..call };
            return program.run(self, &call);
        }
        if !by_path {
            if let Some(body) = self.state.functions.get(program).cloned() {
                return self.function(program, body, call);
            }
            if let Some(out) = builtin::run(self, &call) {
                return out;
            }
        }
        if by_path && let Some(out) = self.script(program, &call) {
            // `bin/rails db:drop`: the project's starter of a program that is known does what that does.
            if let Some(program) = lookup::find(&call.name) {
                program.tell(self, &call);
            }
            return out;
        }
        if let Some(program) = lookup::find(&call.name) {
            program.run(self, &call)
        } else {
            if let Some(body) = self
                .state
                .functions
                .get("command_not_found_handle")
                .cloned()
            {
                return self.function("command_not_found_handle", body, call);
            }
            if commands::own::is_meant(&call.words) {
                let what = "what it is told".to_owned();
                self.note(Effect::Own { what }, &call);
            }
            self.is_opaque();
            Stream::Unknown(call.shown())
        }
    }

    fn function(&mut self, name: &str, function: Function, call: Call) -> Stream {
        if let Some((_, background)) = self.running.iter().find(|(running, _)| running == name) {
            if self.background > *background {
                self.note(Effect::Bomb, name);
            }
            // What it does was seen when it was called first; with other words it may do more.
            if self.running.len() > 8 {
                return Stream::Unknown(name.to_owned());
            }
        }
        self.running.push((name.to_owned(), self.background));
        let outer = std::mem::replace(&mut self.state.arguments, call.words);
        for (name, value) in call.variables {
            self.set(&name, value);
        }
        let body = function.body;
        let run = |runner: &mut Self| runner.node(&body, call.stdin);
        // What a file defines is the file's, wherever it is called.
        let out = match function.file {
            Some(file) if self.files.last() != Some(&file) => self.in_file(file, run),
            _ => run(self),
        };
        self.state.arguments = outer;
        self.running.pop();
        if self.left == Left::Function {
            self.left = Left::No;
        }
        out
    }

    /// A program whose name is not known. It may be anything, so only words that would be dreadful after
    /// a program that deletes are a reason to ask.
    fn unknown_program(&mut self, words: &[Text], stdin: &Stream) -> Stream {
        let shown: Vec<String> = words.iter().map(Text::shown).collect();
        let shown = shown.join(" ");
        // An unquoted variable may hold the options too: `$RM /`.
        let tries = [&["rm", "-rf"][..], &["dd"][..]];
        let risky = words[1..].iter().any(|word| {
            let text = word.shown();
            text.starts_with('-')
                && text.contains(['r', 'R'])
                && text.contains('f')
                && text.len() <= 4
        }) || matches!(words, [only] if only.lead().is_empty() && *stdin != Stream::Nothing);
        if risky {
            self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
        }
        for attempt in tries {
            let attempt: Vec<Text> = attempt
                .iter()
                .map(|word| Text::plain(*word))
                .chain(words[1..].iter().filter(|word| is_dreadful(word)).cloned())
                .collect();
            if attempt.len() > 2 || (attempt.len() == 2 && attempt[0].is("dd")) {
                self.through(&shown, |runner| {
                    runner.run_words_with(&attempt, Vec::new(), Stream::Nothing)
                });
            }
        }
        Stream::Unknown(shown)
    }
}

/// Words that nobody gives to a program whose name is in a variable, unless it is to destroy.
fn is_dreadful(word: &Text) -> bool {
    let text = word.shown();
    text == "/" || text == "/*" || text == "~" || text.starts_with("of=/dev/")
}

/// `[key]=value` in an array.
pub(super) fn without_key(item: &Text) -> Text {
    match item.split_once('=') {
        Some((key, value)) if key.starts_with('[') && key.ends_with(']') => value,
        _ => match item.pieces() {
            [Piece::Pattern(key), rest @ ..] if key.starts_with('[') => {
                let mut value = Text::default();
                for piece in rest {
                    value.push(piece.clone());
                }
                value.strip_prefix("=").unwrap_or_else(|| item.clone())
            }
            _ => item.clone(),
        },
    }
}

/// `name=(…)`.
fn array(source: &str) -> Option<(&str, &str)> {
    let (name, items) = source.split_once("=(")?;
    let plain = name
        .trim_end_matches('+')
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let items = items.strip_suffix(')')?;
    plain.then_some((name, items))
}

fn added(before: Option<Held>, value: Held) -> Held {
    match (before, value) {
        (Some(Held::List(mut items)), Held::List(more)) => {
            items.extend(more);
            Held::List(items)
        }
        (Some(Held::Text(before)), Held::Text(after)) => {
            let joined = before
                .into_iter()
                .flat_map(|before| {
                    after.iter().map(move |after| {
                        let mut text = before.clone();
                        text.append(after.clone());
                        text
                    })
                })
                .collect();
            Held::any(joined, "…")
        }
        (None, value) => value,
        (Some(_), _) => Held::one(Text::hole("…", Fill::Anything)),
    }
}
