//! A shell command in a few words: the program and what it is told to do. What follows an option is
//! left out, because that is where passwords stand, and so are paths, messages and what a shell fills in.

use bellwether_spine::text;

/// As much of a command is looked at.
const MOST: usize = 4 * 1024;
const MOST_WORDS: usize = 4;
/// They are at most so many characters together.
const MOST_CHARS: usize = 32;
const LONGEST_WORD: usize = 24;
/// A word of letters and digits this long is a number of something, or a key.
const LONGEST_MIX: usize = 11;
/// Words before a command that do not tell what it does.
const BEFORE: &[&str] = &[
    "!", "{", "builtin", "command", "do", "elif", "else", "env", "exec", "if", "nohup", "then",
    "time", "until", "while",
];
/// Commands that are passed over where another one stands beside them.
const PASSED_OVER: &[&str] = &[
    ":", "case", "cd", "done", "echo", "esac", "export", "fi", "for", "popd", "printf", "pushd",
    "select", "set", "true", "unset", "}",
];
/// Options that weigh as much as the command itself; none of them has a value.
const WEIGHTY: &[&str] = &[
    "--all",
    "--amend",
    "--delete",
    "--force",
    "--force-with-lease",
    "--global",
    "--hard",
    "--mirror",
    "--no-verify",
    "--prune",
    "--recursive",
];
/// Programs whose options have no values, so that what follows one is what they work on.
const WITHOUT_VALUES: &[&str] = &[
    "cat", "chmod", "chown", "cp", "kill", "ln", "ls", "mkdir", "mv", "rm", "rmdir", "shred",
    "touch", "unlink",
];
/// Programs that run another one as somebody else.
const AS_ANOTHER: &[&str] = &["doas", "sudo"];

/// A command in a few words.
#[derive(Debug, PartialEq, Eq)]
pub struct Brief {
    pub words: String,
    /// Other commands are run with it.
    pub more: bool,
}

/// One word as the shell would read it.
#[derive(Debug, Default)]
struct Word {
    text: String,
    /// The shell would fill something in that is not known here.
    filled: bool,
}

/// A command in a few words; `None` when there is none to say.
pub fn brief(command: &str) -> Option<Brief> {
    let end = command.floor_char_boundary(MOST.min(command.len()));
    let masked = text::shown_block(&without_documents(&command[..end]));
    let commands: Vec<Vec<Word>> = split(&masked).into_iter().filter_map(bare).collect();
    let tells = |command: &&Vec<Word>| !PASSED_OVER.contains(&command[0].text.as_str());
    let mut telling = commands.iter().filter(tells);
    let (first, more) = match telling.next() {
        Some(first) => (first, telling.next().is_some() || end < command.len()),
        None => (commands.first()?, false),
    };
    let words = in_words(first)?;
    Some(Brief { words, more })
}

/// Without here-documents: what stands in one is no command.
fn without_documents(command: &str) -> String {
    let mut kept = Vec::new();
    let mut until: Option<String> = None;
    for line in command.lines() {
        match &until {
            Some(end) if line.trim() == end => until = None,
            Some(_) => {}
            None => {
                kept.push(line);
                until = document(line);
            }
        }
    }
    kept.join("\n")
}

/// The word that ends a here-document which begins on a line.
fn document(line: &str) -> Option<String> {
    let rest = line.split_once("<<")?.1;
    let rest = rest.trim_start_matches('-').trim_start();
    let word = rest.split([' ', '\t', ';', '|', '&', ')', '>']).next()?;
    let word = word.trim_matches(['\'', '"', '\\']);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    (!word.is_empty() && word.chars().all(is_name)).then(|| word.to_owned())
}

/// The commands of a text, each as its words.
fn split(text: &str) -> Vec<Vec<Word>> {
    let mut reader = Reader::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | ';' | '|' | '&' | '(' | ')' => reader.end_command(),
            '<' | '>' => {
                reader.begin_target();
                while chars.next_if(|c| "<>&|".contains(*c)).is_some() {}
            }
            '#' if reader.word.is_none() => while chars.next_if(|c| *c != '\n').is_some() {},
            c if c.is_whitespace() => reader.end_word(),
            '\'' => reader.push_all(&mut chars, '\''),
            '"' => reader.push_all(&mut chars, '"'),
            '`' => {
                while chars.next().is_some_and(|c| c != '`') {}
                reader.fill();
            }
            '$' => {
                if chars.next_if_eq(&'(').is_some() {
                    skip_nested(&mut chars);
                }
                reader.fill();
            }
            // A line that goes on in the next one.
            '\\' if chars.next_if_eq(&'\n').is_some() => reader.end_word(),
            '\\' => chars.next().into_iter().for_each(|c| reader.push(c)),
            c => reader.push(c),
        }
    }
    reader.end_command();
    reader.commands
}

/// Passes over what stands in brackets, to the one that closes them.
fn skip_nested(chars: &mut impl Iterator<Item = char>) {
    let mut open = 1_usize;
    for c in chars {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return;
        }
    }
}

#[derive(Default)]
struct Reader {
    commands: Vec<Vec<Word>>,
    command: Vec<Word>,
    word: Option<Word>,
    /// The word is a file that is read or written: not what the command is told to do.
    is_target: bool,
}

impl Reader {
    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().text.push(c);
    }

    /// Takes what stands in quotes.
    fn push_all(&mut self, chars: &mut impl Iterator<Item = char>, quote: char) {
        let word = self.word.get_or_insert_default();
        while let Some(c) = chars.next() {
            match c {
                c if c == quote => return,
                '\\' if quote == '"' => word.text.extend(chars.next()),
                '$' | '`' if quote == '"' => word.filled = true,
                c => word.text.push(c),
            }
        }
    }

    fn fill(&mut self) {
        self.word.get_or_insert_default().filled = true;
    }

    fn begin_target(&mut self) {
        // The number before it is that of a stream.
        let is_number = |word: &Word| word.text.chars().all(|c| c.is_ascii_digit());
        self.word = self.word.take().filter(|word| !is_number(word));
        self.end_word();
        self.is_target = true;
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else {
            return;
        };
        if !std::mem::take(&mut self.is_target) {
            self.command.push(word);
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.is_target = false;
        let command = std::mem::take(&mut self.command);
        if !command.is_empty() {
            self.commands.push(command);
        }
    }
}

/// A command without what stands before it; `None` when nothing else is there.
fn bare(mut command: Vec<Word>) -> Option<Vec<Word>> {
    let says_nothing = |word: &Word| is_assignment(&word.text) || BEFORE.contains(&&*word.text);
    let begins = command.iter().position(|word| !says_nothing(word))?;
    command.drain(..begins);
    Some(command)
}

fn is_assignment(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}

fn in_words(command: &[Word]) -> Option<String> {
    let mut said = Vec::new();
    let mut rest = command;
    while let [first, after @ ..] = rest
        && AS_ANOTHER.contains(&first.text.as_str())
    {
        said.push(first.text.clone());
        let is_option = |word: &&Word| word.text.starts_with('-');
        rest = &after[after.iter().take_while(is_option).count()..];
    }
    let (program, arguments) = rest.split_first()?;
    let program = spoken(program)?;
    let has_values = !WITHOUT_VALUES.contains(&program.as_str());
    said.push(program);
    let mut is_value = false;
    for word in arguments {
        let text = word.text.as_str();
        if text.starts_with('-') {
            let weighty = WEIGHTY.contains(&text);
            is_value = has_values && !weighty && text != "--";
            said.extend(weighty.then(|| text.trim_start_matches('-').to_owned()));
        } else if !std::mem::take(&mut is_value) {
            said.extend(spoken(word));
        }
    }
    Some(first_of(&said))
}

/// As many of the words as may be said.
fn first_of(words: &[String]) -> String {
    let mut said = String::new();
    for word in words.iter().take(MOST_WORDS) {
        let length = said.chars().count() + word.chars().count();
        if !said.is_empty() && length >= MOST_CHARS {
            break;
        }
        said.push_str(if said.is_empty() { "" } else { " " });
        said.push_str(word);
    }
    said
}

/// A word as it is said, if it is one that says something.
fn spoken(word: &Word) -> Option<String> {
    if word.filled {
        return None;
    }
    let said = match super::host(&word.text.replace(text::MASKED, "")) {
        Some(host) => host,
        None if word.text.contains(text::MASKED) => return None,
        None => word
            .text
            .trim_end_matches('/')
            .rsplit('/')
            .next()?
            .to_owned(),
    };
    let is_plain = |c: char| c.is_alphanumeric() || "._-+:@~,%".contains(c);
    let is_said = said.chars().any(char::is_alphanumeric)
        && said.chars().all(is_plain)
        && said.chars().count() <= LONGEST_WORD
        && !is_mix(&said);
    is_said.then_some(said)
}

/// Whether a word is a long mix of letters and digits.
fn is_mix(word: &str) -> bool {
    let has = |kind: fn(&char) -> bool| word.chars().any(|c| kind(&c));
    word.chars().count() > LONGEST_MIX
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && word.chars().all(|c| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_in_a_few_words() {
        for (command, said) in [
            ("git push", "git push"),
            ("git push origin main", "git push origin main"),
            ("git push --force origin main", "git push force origin"),
            ("git push -u origin main", "git push main"),
            ("git -C /srv/shop push", "git push"),
            (
                "git commit -m \"Fix the 'gate'\" --no-verify",
                "git commit no-verify",
            ),
            ("npm install left-pad", "npm install left-pad"),
            ("cargo test --workspace 2>&1 | tail -5", "cargo test +"),
            ("rm -rf build/ /home/dev/shop/dist", "rm build dist"),
            ("sudo rm -rf /var/lib/shop", "sudo rm shop"),
            ("cd web && npm test", "npm test"),
            ("cd web", "cd web"),
            (
                "echo start; npm run build && npm publish",
                "npm run build +",
            ),
            ("FOO=1 BAR='a b' make all", "make all"),
            (
                "env TOKEN=abc ./deploy.sh --to prod staging",
                "deploy.sh staging",
            ),
            ("for f in *.txt; do rm \"$f\"; done", "rm"),
            ("if true; then make; fi", "make"),
            ("cat > notes.txt <<'EOF'\nrm -rf /\ngit push\nEOF", "cat"),
            ("cat <<EOF | tee x\nhello\nEOF\ngit push", "cat +"),
            ("# first\ngit status", "git status"),
            ("git \\\n  push", "git push"),
            (
                "curl -H 'Authorization: Bearer abc' https://u:p@api.example.com:8443/v1?key=1",
                "curl api.example.com",
            ),
            (
                "sshpass -p hunter2 ssh shop@host.example",
                "sshpass ssh shop@host.example",
            ),
            ("mysql -phunter2 shop", "mysql"),
            ("vault login --token hvs.abc", "vault login"),
            ("git show 034f960abcdef01", "git show"),
            ("python3 -c 'import os; os.remove(\"x\")'", "python3"),
            ("echo \"$(cat /etc/passwd)\" > /tmp/x", "echo"),
            ("/usr/bin/env python3 /opt/tool.py", "env python3 tool.py"),
        ] {
            let brief = brief(command).unwrap();
            let more = if brief.more { " +" } else { "" };
            assert_eq!(format!("{}{more}", brief.words), said, "{command}");
        }
        for nothing in ["", "   ", "# only a note", "FOO=bar", "\"$EDITOR\" file"] {
            assert_eq!(brief(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_command_never_takes_long_and_never_tells_a_secret() {
        let long = format!("git push {}", "x ".repeat(400_000));
        assert_eq!(brief(&long).unwrap().words, "git push x x");
        let secret = "sk-ant-api03-abcdefghijklmnop0123";
        for command in [
            format!("curl {secret}"),
            format!("tool login {secret} now"),
            format!("tool TOKEN={secret} go"),
            "psql postgres://app:hunter2@db/main".to_owned(),
        ] {
            let said = brief(&command).unwrap().words;
            assert!(
                !said.contains("sk-ant") && !said.contains("hunter2"),
                "{said}"
            );
        }
    }
}
