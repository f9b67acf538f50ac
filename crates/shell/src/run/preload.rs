//! Variables that make a program run a file before anything else: `BASH_ENV`, `NODE_OPTIONS`, `LD_PRELOAD`.

use super::{Call, Runner};
use crate::effect::{Code, Effect};
use crate::foreign::Language;
use crate::lookup;
use crate::stream::Stream;
use crate::text::Text;

/// Where libraries come from that nobody here has made.
const SYSTEM: [&str; 5] = ["/usr/", "/lib", "/opt/", "/nix/", "lib"];

impl Runner<'_> {
    /// Follows what the variables of a call make it run.
    pub(super) fn preloaded(&mut self, call: &Call) {
        for (name, value) in &call.variables {
            match name.as_str() {
                "BASH_ENV" | "ENV" if super::is_shell(&call.name) => self.preload(value, None),
                "NODE_OPTIONS" => self.required(value, Language::JavaScript),
                "RUBYOPT" => self.required(value, Language::Ruby),
                "PERL5OPT" => self.required(value, Language::Perl),
                "PYTHONSTARTUP" if lookup::language(&call.name) == Some(Language::Python) => {
                    self.preload(value, Some(Language::Python));
                }
                "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES" => self.library(value),
                _ => {}
            }
        }
    }

    /// `--require FILE`, `-r FILE`, `--import=FILE`, `-r./file`.
    fn required(&mut self, options: &Text, language: Language) {
        const TAKING: [&str; 4] = ["--require", "--import", "-r", "--experimental-loader"];
        let words = options.split_blanks();
        for (at, word) in words.iter().enumerate() {
            if TAKING.iter().any(|option| word.is(option)) {
                if let Some(file) = words.get(at + 1) {
                    self.preload(file, Some(language));
                }
            } else if let Some((name, file)) = word.split_once('=')
                && TAKING.contains(&name)
            {
                self.preload(&file, Some(language));
            } else if let Some(file) = word.strip_prefix("-r").filter(|file| !file.is_empty()) {
                self.preload(&file, Some(language));
            }
        }
    }

    /// Runs a file that stands before a program. A bare name is a package's.
    fn preload(&mut self, file: &Text, language: Option<Language>) {
        let is_package = language.is_some() && !file.shown().contains(['/', '.']);
        if is_package || file.is_empty() {
            return;
        }
        let shown = file.shown();
        let Some(content) = self.file_content(file) else {
            return;
        };
        let text = match content {
            Stream::Text(text) => text,
            Stream::Download(from) => {
                return self.note(Effect::Run(Code::Downloaded(from)), &shown);
            }
            _ => return,
        };
        self.in_named(file, |runner| {
            runner.through(&shown, |runner| match language {
                Some(language) => runner.foreign(language, &text, &[]),
                None => {
                    runner.apart(|runner| runner.source_text(&text, &Stream::Nothing));
                }
            });
        });
    }

    /// Nobody can read what a library does.
    fn library(&mut self, value: &Text) {
        let shown = value.shown();
        let of_system = SYSTEM.iter().any(|start| shown.starts_with(start));
        if !shown.is_empty() && !of_system {
            let why = format!("{shown} is a library that is loaded before the program");
            self.note(Effect::Run(Code::Unreadable(why)), &shown);
        }
    }
}
