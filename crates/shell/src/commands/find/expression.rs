//! What an expression of `find` finds, and what it does with that.
//!
//! Tests are joined as `find` joins them: all of those in a row, one of those beside `-o`, in brackets first. Only what
//! narrows the search counts; a test that is not known narrows nothing.

use crate::text::Text;

/// Something that is done with what is found.
#[derive(Debug, Clone)]
pub(super) struct Action {
    pub(super) does: Deed,
    pub(super) found: Found,
}

#[derive(Debug, Clone)]
pub(super) enum Deed {
    Delete,
    /// `-exec`: the command with its `{}`.
    Run(Vec<Text>),
    /// What is found is printed.
    Print,
}

/// What tests let through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// A name must match one of these; nothing when any may.
    pub(super) names: Option<Vec<String>>,
    /// And none of these.
    pub(super) not: Vec<String>,
    /// Only what is no folder.
    pub(super) files: bool,
    /// Only what is empty.
    pub(super) empty: bool,
    /// There are tests of age, size and the like.
    pub(super) narrowed: bool,
}

impl Found {
    fn and(self, other: Self) -> Self {
        let mut not = self.not;
        not.extend(other.not);
        Self {
            // Of two patterns the later one is the narrower, most often: `-path '*/x/*' -name '*.pyc'`.
            names: other.names.or(self.names),
            not,
            files: self.files || other.files,
            empty: self.empty || other.empty,
            narrowed: self.narrowed || other.narrowed,
        }
    }

    fn or(self, other: Self) -> Self {
        let names = match (self.names, other.names) {
            (Some(mut names), Some(more)) => {
                names.extend(more);
                Some(names)
            }
            _ => None,
        };
        Self {
            names,
            not: Vec::new(),
            files: self.files && other.files,
            empty: self.empty && other.empty,
            narrowed: self.narrowed && other.narrowed,
        }
    }

    /// What does not fit. Only one pattern, or one kind, can be turned around.
    fn not(self) -> Self {
        Self {
            not: self.names.unwrap_or_default(),
            ..Self::default()
        }
    }

    fn named(pattern: String) -> Self {
        let any = ["*", "**", ".*", "?*", "*.*"].contains(&pattern.as_str());
        Self {
            names: (!any).then(|| vec![pattern]),
            ..Self::default()
        }
    }
}

/// The actions of an expression. Without one, what is found is printed.
pub(super) fn actions(words: &[Text]) -> Vec<Action> {
    let mut reader = Reader {
        words,
        at: 0,
        depth: 0,
        actions: Vec::new(),
    };
    let mut all = Found::default();
    while reader.at < reader.words.len() {
        let before = reader.at;
        all = reader.either(&Found::default());
        if reader.at == before {
            reader.at += 1;
        }
    }
    let mut actions = reader.actions;
    let prints = |action: &Action| matches!(action.does, Deed::Print);
    if actions.is_empty() || actions.iter().all(prints) {
        let found = match actions.into_iter().reduce(|one, other| Action {
            does: Deed::Print,
            found: one.found.or(other.found),
        }) {
            Some(printed) => printed.found,
            None => all,
        };
        return vec![Action {
            does: Deed::Print,
            found,
        }];
    }
    actions.retain(|action| !prints(action));
    actions
}

/// How deeply brackets may stand in each other.
const DEEPEST: usize = 16;

struct Reader<'w> {
    words: &'w [Text],
    at: usize,
    depth: usize,
    actions: Vec<Action>,
}

impl<'w> Reader<'w> {
    fn word(&self) -> &'w str {
        self.words.get(self.at).map_or("", Text::lead)
    }

    /// Tests beside `-o`, seen from what stands before them.
    fn either(&mut self, before: &Found) -> Found {
        let mut found = self.all(before);
        while matches!(self.word(), "-o" | "-or" | ",") {
            self.at += 1;
            found = found.or(self.all(before));
        }
        found
    }

    /// Tests in a row.
    fn all(&mut self, before: &Found) -> Found {
        let mut found = Found::default();
        while self.at < self.words.len() {
            match self.word() {
                "-o" | "-or" | "," | ")" => break,
                "-a" | "-and" => self.at += 1,
                _ => {
                    let reached = before.clone().and(found.clone());
                    found = found.and(self.one(&reached));
                }
            }
        }
        found
    }

    fn one(&mut self, before: &Found) -> Found {
        let word = self.word();
        match word {
            "!" | "-not" => {
                self.at += 1;
                let is_folder = matches!(self.word(), "-type")
                    && self.words.get(self.at + 1).is_some_and(|kind| kind.is("d"));
                let found = self.one(before).not();
                let files = is_folder || found.files;
                Found { files, ..found }
            }
            "(" if self.depth < DEEPEST => {
                self.at += 1;
                self.depth += 1;
                let found = self.either(before);
                self.depth -= 1;
                self.at += usize::from(self.word() == ")");
                found
            }
            "-delete" => {
                self.act(Deed::Delete, before);
                self.at += 1;
                Found::default()
            }
            "-print" | "-print0" | "-ls" | "-printf" => {
                self.act(Deed::Print, before);
                self.at += 1 + usize::from(word == "-printf");
                Found::default()
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let command = self.words[self.at + 1..].iter();
                let command = command.take_while(|word| !matches!(word.lead(), ";" | "+"));
                let command: Vec<Text> = command.cloned().collect();
                self.at += 2 + command.len();
                self.act(Deed::Run(command), before);
                Found::default()
            }
            _ => self.test(),
        }
    }

    fn act(&mut self, does: Deed, found: &Found) {
        let found = found.clone();
        self.actions.push(Action { does, found });
    }

    fn test(&mut self) -> Found {
        let value = self.words.get(self.at + 1).map(Text::shown);
        let (found, takes) = match (self.word(), value) {
            ("-name" | "-iname", Some(pattern)) => (Found::named(pattern), 1),
            ("-path" | "-ipath" | "-wholename" | "-iwholename", Some(pattern)) => {
                (Found::named(by_path(&pattern)), 1)
            }
            ("-type" | "-xtype", Some(kinds)) => (
                Found {
                    files: !kinds.contains('d'),
                    // A link holds nothing either.
                    empty: kinds == "l",
                    ..Found::default()
                },
                1,
            ),
            ("-empty", _) => (
                Found {
                    empty: true,
                    narrowed: true,
                    ..Found::default()
                },
                0,
            ),
            (
                "-regex" | "-iregex" | "-newer" | "-mtime" | "-mmin" | "-atime" | "-amin"
                | "-ctime" | "-cmin" | "-size" | "-user" | "-group" | "-perm" | "-links" | "-uid"
                | "-gid",
                Some(_),
            ) => (
                Found {
                    narrowed: true,
                    ..Found::default()
                },
                1,
            ),
            (
                "-maxdepth" | "-mindepth" | "-fprint" | "-fprint0" | "-fls" | "-fstype"
                | "-samefile" | "-inum" | "-newermt",
                Some(_),
            ) => (Found::default(), 1),
            _ => (Found::default(), 0),
        };
        self.at += 1 + takes;
        found
    }
}

/// The pattern of a whole path as one of names: its last part, or the folder whose content is meant.
fn by_path(pattern: &str) -> String {
    let mut parts = pattern.rsplit('/').filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or(pattern);
    if !matches!(last, "*" | "**") {
        return last.to_owned();
    }
    let folder = parts.next().unwrap_or(last);
    if folder == "." {
        last.to_owned()
    } else {
        folder.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Vec<String> {
        let words: Vec<Text> = line.split(' ').map(Text::plain).collect();
        let told = |action: &Action| {
            let does = match &action.does {
                Deed::Delete => "delete".to_owned(),
                Deed::Run(words) => words.iter().map(Text::shown).collect::<Vec<_>>().join(" "),
                Deed::Print => "print".to_owned(),
            };
            let Found {
                names,
                not,
                files,
                empty,
                narrowed,
            } = &action.found;
            let names = names
                .as_ref()
                .map_or("any".to_owned(), |names| names.join("|"));
            let marks: String = [(*files, 'f'), (*empty, 'e'), (*narrowed, 'n')]
                .iter()
                .filter_map(|(is, mark)| is.then_some(*mark))
                .collect();
            format!("{does}: {names} !{} {marks}", not.join("|"))
        };
        actions(&words).iter().map(told).collect()
    }

    #[test]
    fn tests_are_joined_as_find_joins_them() {
        for (line, expected) in [
            ("-name *.log -delete", "delete: *.log ! "),
            ("-type f ! -name a -delete", "delete: any !a f"),
            ("( -name a -o -name b ) -exec rm {} ;", "rm {}: a|b ! "),
            ("-name a -prune -o -name b -delete", "delete: b ! "),
            ("-name a -o -delete", "delete: any ! "),
            ("-not -type d -delete", "delete: any ! f"),
            ("-path ./x/* -delete", "delete: x ! "),
            ("-path */p/* -name *.c -delete", "delete: *.c ! "),
            ("-type d -empty -delete", "delete: any ! en"),
            ("-mtime +3 -name *", "print: any ! n"),
            ("-name a -o -name b", "print: a|b ! "),
            ("! ( -name a -o -name b ) -delete", "delete: any !a|b "),
            ("-name a -print -o -name b -print", "print: a|b ! "),
        ] {
            assert_eq!(shown(line), [expected], "{line}");
        }
        assert_eq!(shown("-name a -delete -o -name b -delete").len(), 2);
    }
}
