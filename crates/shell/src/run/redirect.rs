//! Redirections: what a command reads, and which files it writes.

use std::path::PathBuf;

use rable::{Node, NodeKind};

use super::Runner;
use crate::commands::device;
use crate::effect::{Effect, How};
use crate::stream::Stream;
use crate::target::Target;
use crate::text::Text;
use crate::word;

/// Where the output goes.
struct Sink {
    path: Option<PathBuf>,
    appends: bool,
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
        let (mut stdin, mut sinks) = (stdin, Vec::new());
        for redirect in redirects {
            self.redirect(redirect, &mut stdin, &mut sinks);
        }
        let out = run(self, stdin);
        let taken = !sinks.is_empty();
        for sink in sinks {
            self.write(sink, out.clone());
        }
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
            "<" | "<>" if matches!(fd, -1 | 0) => *stdin = self.read_from(text),
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
                let appends = op.ends_with(">>");
                let path = self.wrote(text, appends);
                // Only what goes to the standard output is what the command writes.
                if matches!(fd, -1 | 1) {
                    sinks.push(Sink { path, appends });
                }
            }
            _ => {}
        }
    }

    /// What is read from a file that a word names.
    pub(crate) fn read_from(&mut self, text: &Text) -> Stream {
        let shown = text.shown();
        if shown.starts_with("/dev/tcp/") || shown.starts_with("/dev/udp/") {
            return Stream::Download(shown);
        }
        match self.path(text) {
            Some(path) => self.content(&path).unwrap_or(Stream::Unknown(shown)),
            None => Stream::Unknown(shown),
        }
    }

    /// Notes that a file is written, and says where it is.
    pub(crate) fn wrote(&mut self, text: &Text, appends: bool) -> Option<PathBuf> {
        let path = self.path(text);
        if text.known().is_some_and(is_harmless_device) {
            return path;
        }
        let target = self.written(text);
        let how = match (appends, self.empties) {
            (true, _) => How::Appended,
            (false, true) => How::Truncated,
            (false, false) => How::Written,
        };
        let command = format!("{} {}", if appends { ">>" } else { ">" }, target.shown);
        self.note(overwriting(target, how), &command);
        path
    }

    /// Remembers what a file holds now.
    pub(crate) fn keep_content(&mut self, path: PathBuf, content: Stream, appends: bool) {
        let content = match (appends, self.state.files.get(&path)) {
            (true, Some(before)) => before.clone().then(content),
            (true, None) => match self.world.read(&path) {
                Ok(before) => Stream::plain(before).then(content),
                Err(_) => content,
            },
            (false, _) => content,
        };
        self.state.files.insert(path, content);
    }

    fn write(&mut self, sink: Sink, content: Stream) {
        if let Some(path) = sink.path {
            self.keep_content(path, content, sink.appends);
        }
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

/// Files that take everything and lose nothing.
pub(crate) fn is_harmless_device(path: &str) -> bool {
    matches!(
        path,
        "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/zero" | "/dev/full"
    ) || path.starts_with("/dev/fd/")
        || path.starts_with("/dev/pts/")
}
