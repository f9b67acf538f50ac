//! Statements: blocks, loops, definitions, and keywords that begin an expression.

use super::Language;
use super::call::bare_key;
use super::parse::Reader;
use super::token::Kind;
use super::value::Value;
use crate::effect::How;

impl Reader<'_> {
    /// Everything up to the end.
    pub(super) fn statements(&mut self) {
        while self.at < self.end {
            let before = self.at;
            self.statement();
            if self.at == before {
                self.at += 1;
            }
        }
    }

    fn statement(&mut self) {
        if self.language == Language::Perl {
            self.bind_loop_after();
        }
        if !self.bind_tuple() {
            self.expression();
        }
    }

    /// What stands between braces: a block of statements, or the entries of an object.
    pub(super) fn braced(&mut self) -> Value {
        self.bind_block();
        let (mut entries, mut values) = (Vec::new(), Vec::new());
        while self.at < self.end {
            let before = self.at;
            if self.take(",") || self.take(";") {
                continue;
            }
            self.skip_lines();
            if self.is_key() {
                let key = bare_key(self.text_at(self.at));
                self.at += 2;
                self.skip_lines();
                entries.push((key, self.expression()));
            } else if self.at < self.end && self.holds_values() {
                values.push(self.expression());
            } else if self.at < self.end {
                self.statement();
            }
            if self.at == before {
                self.at += 1;
            }
        }
        match (entries.is_empty(), self.holds_values()) {
            (false, _) => Value::Map(entries),
            (true, true) => Value::List(values),
            (true, false) => Value::nothing(),
        }
    }

    /// Whether braces without keys are a list: a Python set, a Lua table.
    fn holds_values(&self) -> bool {
        matches!(self.language, Language::Python | Language::Lua)
    }

    fn is_key(&self) -> bool {
        let named = matches!(self.kind(self.at), Some(Kind::Word | Kind::Text(_)));
        let mark = self.text_at(self.at + 1);
        named && (mark == ":" || mark == "=>" && self.language != Language::JavaScript)
    }

    /// A keyword, when the word here is one.
    pub(super) fn keyword(&mut self, word: &str) -> Option<Value> {
        let next = self.text_at(self.at + 1);
        if matches!(next, "." | "=" | "," | ")") {
            return None;
        }
        match word {
            "lambda" => self.lambda(),
            "with" if self.language == Language::Python => self.with(),
            "def" | "function" | "fn" | "sub" => self.definition(),
            "class" | "module" | "package" => {
                self.at += 1 + usize::from(self.is_word(self.at + 1));
            }
            "for" | "foreach" => self.each(),
            "do" => {
                self.at += 1;
                self.bind_block();
            }
            "print" | "printf" if self.language == Language::Awk => self.awk_print(),
            "import" if next != "(" => self.import(),
            "from" if self.language == Language::Python && self.begins_line() => self.python_from(),
            "include" | "extend" if self.language == Language::Ruby => self.include(),
            // A name is made known, and nothing is run.
            "use" | "require" if self.language == Language::Perl => self.at += 1,
            _ => return None,
        }
        Some(Value::nothing())
    }

    fn begins_line(&self) -> bool {
        match self.kind(self.at.wrapping_sub(1)) {
            None | Some(Kind::Newline) => true,
            _ => matches!(self.text_at(self.at - 1), ";" | ":"),
        }
    }

    fn lambda(&mut self) {
        self.at += 1;
        let mut item = self.item.take();
        while self.at < self.end && !self.sees(":") && !self.sees(")") {
            if self.is_word(self.at) {
                let name = self.text_at(self.at).to_owned();
                let value = item.take().unwrap_or_else(|| Value::Unknown(name.clone()));
                self.names.insert(name, value);
            }
            self.at += 1;
        }
        self.take(":");
        self.expression();
    }

    /// `with a as b, c as d`
    fn with(&mut self) {
        loop {
            self.at += 1;
            let value = self.expression();
            if self.take("as") && self.is_word(self.at) {
                let name = self.text_at(self.at).to_owned();
                self.names.insert(name, value);
                self.at += 1;
            }
            if !self.sees(",") {
                return;
            }
        }
    }

    /// The head of a function; its body is read as what follows.
    fn definition(&mut self) {
        self.at += 1;
        self.take("*");
        self.take("&");
        let mut name = None;
        while self.is_word(self.at) || self.sees(".") {
            name = Some(self.text_at(self.at).to_owned());
            self.at += 1;
        }
        if let (Language::JavaScript, Some(name)) = (self.language, &name) {
            // The source's own function is not the library's of that name.
            let own = Value::Name(format!("function.{name}"));
            self.names.insert(name.clone(), own);
        }
        if self.sees("(") {
            self.bind_parameters(name.as_deref());
        }
        if self.take("=>") {
            self.expression();
        }
    }

    /// The head of a loop over the items of something.
    fn each(&mut self) {
        self.at += 1;
        self.take("await");
        if self.language == Language::Perl {
            self.perl_each();
        } else if self.sees("(") {
            self.inside(Self::each_in_parentheses);
        } else {
            self.each_in();
        }
    }

    /// `for a, b in LIST`
    fn each_in(&mut self) {
        let mut names = Vec::new();
        while self.at < self.end && !self.sees("in") && !self.sees(":") && !self.sees("=") {
            if self.is_word(self.at) {
                names.push(self.text_at(self.at).to_owned());
            }
            if matches!(self.kind(self.at), Some(Kind::Newline)) {
                return;
            }
            self.at += 1;
        }
        if self.take("in") {
            let items = self.expression().items();
            self.bind_names(&names, items);
        }
    }

    /// `for (const x of LIST)`, `foreach (LIST as $k => $v)`, `for (i = 0; …)`
    fn each_in_parentheses(&mut self) {
        while matches!(self.text_at(self.at), "const" | "let" | "var") {
            self.at += 1;
        }
        let (start, mut names) = (self.at, Vec::new());
        while self.is_word(self.at) && !matches!(self.text_at(self.at), "of" | "in") {
            names.push(self.text_at(self.at).to_owned());
            self.at += 1;
        }
        if !names.is_empty() && (self.take("of") || self.take("in")) {
            let items = self.expression().items();
            self.bind_names(&names, items);
            return;
        }
        self.at = start;
        let listed = self.expression();
        if self.take("as") {
            let mut last = String::new();
            while self.at < self.end {
                if self.is_word(self.at) {
                    self.text_at(self.at).clone_into(&mut last);
                }
                self.at += 1;
            }
            self.bind_names(&[last], listed.items());
        }
        self.statements();
    }

    /// `for my $x (LIST)`, `for (LIST)`; after a statement the list needs no parentheses.
    fn perl_each(&mut self) {
        while matches!(self.text_at(self.at), "my" | "our") {
            self.at += 1;
        }
        let mut name = "$_".to_owned();
        if self.is_word(self.at)
            && self.seen_at(self.at + 1, "(")
            && self.text_at(self.at).starts_with('$')
        {
            self.text_at(self.at).clone_into(&mut name);
            self.at += 1;
        }
        let items = self.expression().items();
        self.names.insert(name, items);
    }

    /// awk's `print … > "file"` and `print … | "command"`.
    fn awk_print(&mut self) {
        self.at += 1;
        self.printing = true;
        loop {
            let before = self.at;
            self.expression();
            if self.at == before || !self.take(",") {
                break;
            }
        }
        self.printing = false;
        let append = self.sees(">>");
        if self.take(">") || self.take(">>") {
            let path = self.expression();
            let how = if append { How::Appended } else { How::Written };
            self.write(&path, how, None);
        } else if self.take("|") {
            let line = self.expression();
            self.shell(&line);
        }
    }
}
