//! Redirections: what a command reads, and which files it writes.

use std::path::{Path, PathBuf};

use rable::{Node, NodeKind};

use super::Runner;
use crate::commands::device;
use crate::effect::{Code, Effect, How};
use crate::matching::matches;
use crate::stream::Stream;
use crate::target::{Place, Target};
use crate::text::Text;
use crate::word;

struct Sink {
    file: Text,
    appends: bool,
    /// It is the standard output that goes there.
    takes_output: bool,
}

impl Runner<'_> {
    /// Runs something with redirections around it.
    pub(super) fn redirected(
        &mut self,
        redirects: &[Node],
        stdin: Stream,
        run: impl FnOnce(&mut Self, Stream) -> Stream,
    ) -> Stream {
        if redirects.is_empty() {
            return run(self, stdin);
        }
        let reading = self.reading.len();
        let (mut stdin, mut sinks) = (stdin, Vec::new());
        for redirect in redirects {
            self.redirect(redirect, &mut stdin, &mut sinks);
        }
        let empties = self.empties;
        // Whatever is run in there reads before its output is written.
        self.piped += 1;
        let out = run(self, stdin);
        self.piped -= 1;
        let taken = sinks.iter().any(|sink| sink.takes_output);
        let nothing = matches!(&out, Stream::Text(text) if text.is_empty());
        for sink in sinks {
            self.empties = sink.takes_output && (empties || nothing);
            self.write(&sink, &out);
        }
        self.empties = false;
        self.reading.truncate(reading);
        if taken { Stream::Nothing } else { out }
    }

    fn redirect(&mut self, redirect: &Node, stdin: &mut Stream, sinks: &mut Vec<Sink>) {
        match &redirect.kind {
            NodeKind::HereDoc {
                content,
                quoted,
                fd,
                ..
            } => {
                let text = if *quoted {
                    Text::plain(content.as_str())
                } else {
                    word::quoted(self, content)
                };
                if matches!(fd, -1 | 0) {
                    *stdin = Stream::Text(text);
                }
            }
            NodeKind::Redirect { op, target, fd, .. } => {
                let text = word::text(self, target);
                self.operator(op, &text, *fd, stdin, sinks);
            }
            _ => {}
        }
    }

    fn operator(
        &mut self,
        op: &str,
        text: &Text,
        fd: i32,
        stdin: &mut Stream,
        sinks: &mut Vec<Sink>,
    ) {
        match op {
            "<<<" => {
                let mut line = text.clone();
                line.push_plain("\n");
                *stdin = Stream::Text(line);
            }
            // Opened to be read and written; nothing of it is lost by that alone.
            "<>" => {
                if matches!(fd, -1 | 0) {
                    *stdin = self.read_from(text);
                }
                if !text.known().is_some_and(is_harmless_device) {
                    let target = self.written(text);
                    let command = format!("<> {}", target.shown);
                    self.note(overwriting(target, How::Appended), &command);
                }
            }
            "<" if matches!(fd, -1 | 0) => {
                *stdin = self.read_from(text);
                let path = self.path(text);
                self.reading.extend(path);
            }
            "<&" if matches!(fd, -1 | 0) => {
                let descriptor = self.state.descriptors.get(text.shown().as_str());
                *stdin = descriptor
                    .cloned()
                    .unwrap_or_else(|| Stream::Unknown(format!("<&{}", text.shown())));
            }
            ">" | ">|" | ">>" | "&>" | "&>>" | ">&" => {
                let is_descriptor = op == ">&"
                    && text.known().is_some_and(|text| {
                        text == "-" || text.bytes().all(|b| b.is_ascii_digit())
                    });
                if is_descriptor {
                    return;
                }
                // Both streams to the network: whoever answers has a terminal here.
                if op == ">&" && text.lead().starts_with("/dev/tcp/") {
                    let shown = text.shown();
                    let code = Code::Downloaded(format!("whoever answers at {shown}"));
                    self.note(Effect::Run(code), &shown);
                }
                let appends = op.ends_with(">>");
                sinks.push(Sink {
                    file: text.clone(),
                    appends,
                    takes_output: matches!(fd, -1 | 1),
                });
            }
            _ => {}
        }
    }

    /// What is read from a file that a word names.
    pub(crate) fn read_from(&mut self, text: &Text) -> Stream {
        let shown = text.shown();
        if shown == "/dev/null" {
            return Stream::plain("");
        }
        if shown.starts_with("/dev/tcp/") || shown.starts_with("/dev/udp/") {
            return Stream::Download(shown);
        }
        match self.path(text) {
            Some(path) => self.content(&path).unwrap_or(Stream::Unknown(shown)),
            None => Stream::Unknown(shown),
        }
    }

    /// Whether a file is also one that the same command reads.
    pub(crate) fn is_read(&mut self, file: &Text) -> bool {
        !self.reading.is_empty()
            && self
                .path(file)
                .is_some_and(|path| self.reading.contains(&path))
    }

    /// Notes that a file is written, and says where it is.
    pub(crate) fn wrote(&mut self, text: &Text, appends: bool) -> Option<PathBuf> {
        self.wrote_of(text, appends, None)
    }

    /// The same, with what is written.
    pub(crate) fn wrote_of(
        &mut self,
        text: &Text,
        appends: bool,
        content: Option<&Stream>,
    ) -> Option<PathBuf> {
        let path = self.path(text);
        if text.known().is_some_and(is_harmless_device) {
            return path;
        }
        if text.lead().starts_with("/dev/tcp/") || text.lead().starts_with("/dev/udp/") {
            return None;
        }
        let target = self.written(text);
        let older = content.is_some_and(|content| is_older(content, path.as_deref()));
        let how = match (appends, self.empties) {
            (true, _) => How::Appended,
            (false, true) => How::Truncated,
            (false, false) if older => How::Reverted,
            (false, false) => How::Written,
        };
        let command = format!("{} {}", if appends { ">>" } else { ">" }, target.shown);
        self.note(overwriting(target, how), &command);
        path
    }

    /// Remembers what a file holds now.
    pub(crate) fn keep_content(&mut self, path: PathBuf, content: Stream, appends: bool) {
        let before = self.state.files.remove(&path);
        let content = match (appends, before) {
            (true, Some(before)) => before.then(content),
            (true, None) => match self.world.read(&path) {
                Ok(before) => Stream::plain(before).then(content),
                Err(_) => content,
            },
            (false, _) => content,
        };
        self.put_content(path, content);
    }

    /// Notes what a file holds from now on, and whose doing that is.
    pub(crate) fn put_content(&mut self, path: PathBuf, content: Stream) {
        if self.files.is_empty() {
            self.state.by_files.remove(&path);
        } else {
            self.state.by_files.insert(path.clone());
        }
        self.state.files.insert(path, content);
    }

    fn write(&mut self, sink: &Sink, content: &Stream) {
        let empties = self.empties;
        for file in self.matching(&sink.file) {
            self.empties = empties || self.is_read(&file);
            let path = self.wrote_of(&file, sink.appends, Some(content));
            if let Some(path) = path.filter(|_| sink.takes_output) {
                self.keep_content(path, content.clone(), sink.appends);
            }
        }
    }

    /// The files that a pattern stands for; the word itself when it is none.
    fn matching(&mut self, word: &Text) -> Vec<Text> {
        let Place::Within {
            folder,
            pattern,
            deep: false,
        } = self.target(word).place
        else {
            return vec![word.clone()];
        };
        let names = self.world.names(&folder);
        let found: Vec<Text> = names
            .iter()
            .filter(|name| !word.has_hole() && matches(&pattern, name))
            .map(|name| Text::plain(folder.join(name).display().to_string()))
            .collect();
        if found.is_empty() {
            vec![word.clone()]
        } else {
            found
        }
    }

    /// The same of several words.
    pub(crate) fn all_matching(&mut self, words: &[Text]) -> Vec<Text> {
        words.iter().flat_map(|word| self.matching(word)).collect()
    }

    /// `exec 3<file`: what was opened stays open.
    pub(super) fn keep_descriptors(&mut self, redirects: &[Node]) {
        for redirect in redirects {
            let (key, stream) = match &redirect.kind {
                NodeKind::Redirect {
                    op,
                    target,
                    fd,
                    varfd,
                } => {
                    let text = word::text(self, target);
                    let stream = match op.as_str() {
                        "<<<" => Stream::Text(text),
                        "<" | "<>" => self.read_from(&text),
                        _ => Stream::Nothing,
                    };
                    (descriptor(*fd, varfd.as_deref(), &mut self.state), stream)
                }
                NodeKind::HereDoc { content, fd, .. } => {
                    (fd.to_string(), Stream::plain(content.as_str()))
                }
                _ => continue,
            };
            let path = format!("/dev/fd/{key}");
            self.substituted.retain(|(name, _)| *name != path);
            self.substituted.push((path, stream.clone()));
            self.state.descriptors.insert(key, stream);
        }
    }
}

/// The effect of writing to a file, or to a disk.
pub(crate) fn overwriting(target: Target, how: How) -> Effect {
    if device::is_device(&target) {
        return Effect::Device {
            device: target.shown,
            how: "writing".to_owned(),
        };
    }
    Effect::Overwrite { target, how }
}

/// The number of a descriptor; one that the shell chooses is remembered in its variable.
fn descriptor(fd: i32, varfd: Option<&str>, state: &mut crate::state::State) -> String {
    match varfd {
        Some(name) => {
            let number = (10 + state.descriptors.len()).to_string();
            state.set(name, Text::plain(number.as_str()));
            number
        }
        None => fd.to_string(),
    }
}

/// Whether what is written to a file is a version that git has of it: `git show HEAD:src/a.rs`.
fn is_older(content: &Stream, path: Option<&Path>) -> bool {
    let (Stream::Unknown(what), Some(path)) = (content, path) else {
        return false;
    };
    let shown = ["git show ", "git cat-file "];
    let object = what.split_whitespace().next_back().unwrap_or_default();
    let named = object
        .trim_matches('\'')
        .rsplit_once(':')
        .map(|(_, name)| name);
    shown.iter().any(|start| what.starts_with(start))
        && named
            .is_some_and(|name| !name.is_empty() && path.ends_with(name.trim_start_matches("./")))
}

/// Files that take everything and lose nothing.
pub(crate) fn is_harmless_device(path: &str) -> bool {
    matches!(
        path,
        "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/zero" | "/dev/full"
    ) || path.starts_with("/dev/fd/")
        || path.starts_with("/dev/pts/")
}
