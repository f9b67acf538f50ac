//! Names of modules and functions that are made known under other names.

use super::Language;
use super::parse::Reader;
use super::table;
use super::token::{Kind, Part};
use super::value::Value;

/// How many tokens after `import` its module may stand.
const FARTHEST: usize = 32;
/// Modules that hold the same functions as another.
const SAME: &[(&str, &str)] = &[
    ("fs/promises", "fs"),
    ("fs-extra", "fs"),
    ("graceful-fs", "fs"),
    ("node:fs/promises", "fs"),
    ("path/posix", "path"),
    ("rimraf/sync", "rimraf"),
    ("posixpath", "os.path"),
    ("posix", "os"),
    ("trash-cli", "trash"),
];

/// The name under which a module's functions are listed.
pub(super) fn module(name: &str) -> String {
    let same = SAME.iter().find(|(other, _)| *other == name);
    let name = same.map_or(name, |(_, name)| name);
    name.strip_prefix("node:").unwrap_or(name).to_owned()
}

impl Reader<'_> {
    pub(super) fn import(&mut self) {
        self.at += 1;
        match self.language {
            Language::Python => self.python_import(),
            Language::JavaScript => self.script_import(),
            _ => {}
        }
    }

    /// `import a.b as c, d`
    fn python_import(&mut self) {
        loop {
            let whole = self.dotted();
            let first = whole.split('.').next().unwrap_or("").to_owned();
            let (alias, meant) = match self.alias() {
                Some(alias) => (alias, whole),
                None => (first.clone(), first),
            };
            self.names.insert(alias, Value::Name(module(&meant)));
            if !self.take(",") {
                return;
            }
        }
    }

    /// `from a.b import c as d, (e, f), *`
    pub(super) fn python_from(&mut self) {
        self.at += 1;
        let from = module(&self.dotted());
        if !self.take("import") {
            return;
        }
        if self.take("*") {
            self.include_all(&from);
        } else if self.inside(|inner| inner.imported(&from)).is_none() {
            self.imported(&from);
        }
    }

    fn imported(&mut self, from: &str) {
        loop {
            self.skip_lines_in_brackets();
            if !self.is_word(self.at) {
                return;
            }
            let name = self.text_at(self.at).to_owned();
            self.at += 1;
            let alias = self.alias().unwrap_or_else(|| name.clone());
            let meant = match name.as_str() {
                "default" | "promises" => from.to_owned(),
                _ => module(&format!("{from}.{name}")),
            };
            self.names.insert(alias, Value::Name(meant));
            if !self.take(",") {
                return;
            }
        }
    }

    fn skip_lines_in_brackets(&mut self) {
        if self.end < self.tokens.len() {
            self.skip_lines();
        }
    }

    fn alias(&mut self) -> Option<String> {
        if !self.take("as") {
            return None;
        }
        let alias = self.text_at(self.at).to_owned();
        self.at += 1;
        Some(alias)
    }

    fn dotted(&mut self) -> String {
        let mut name = String::new();
        while (self.is_word(self.at) && !self.sees("import") && !self.sees("as")) || self.sees(".")
        {
            name.push_str(self.text_at(self.at));
            self.at += 1;
        }
        name
    }

    /// `import a, { b as c } from 'd'`, `import * as a from 'd'`
    fn script_import(&mut self) {
        let start = self.at;
        let Some((from, after)) = self.source_module() else {
            return;
        };
        self.at = start;
        while self.at < after {
            if self.sees("{") {
                self.inside(|inner| inner.imported(&from));
            } else if self.take("*") {
                let alias = self.alias().unwrap_or_default();
                self.names.insert(alias, Value::Name(from.clone()));
            } else {
                if self.is_word(self.at) && !self.sees("from") && !self.sees("type") {
                    let name = self.text_at(self.at).to_owned();
                    self.names.insert(name, Value::Name(from.clone()));
                }
                self.at += 1;
            }
        }
        self.at = after;
    }

    /// The module after `from`, and where the statement ends.
    fn source_module(&self) -> Option<(String, usize)> {
        let mut at = self.at;
        while let Some(kind) = self.kind(at).filter(|_| at < self.at + FARTHEST) {
            match kind {
                Kind::Text(parts) => {
                    let [Part::Plain(name)] = parts.as_slice() else {
                        return None;
                    };
                    return Some((module(name), at + 1));
                }
                Kind::Open(partner) => at = *partner,
                Kind::Word => {}
                Kind::Mark if matches!(self.text_at(at), "," | "*") => {}
                _ => return None,
            }
            at += 1;
        }
        None
    }

    /// Ruby's `include FileUtils`.
    pub(super) fn include(&mut self) {
        self.at += 1;
        let module = self.text_at(self.at).to_owned();
        self.include_all(&module);
    }

    /// Makes every listed function of a module known by its own name.
    fn include_all(&mut self, module: &str) {
        for name in table::names(self.language) {
            let member = name
                .strip_prefix(module)
                .and_then(|rest| rest.strip_prefix('.'));
            if let Some(member) = member.filter(|member| !member.contains('.')) {
                self.names
                    .insert(member.to_owned(), Value::Name(name.to_owned()));
            }
        }
    }
}
