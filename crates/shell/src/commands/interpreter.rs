//! Interpreters of other languages: `python -c`, `node -e`, `perl x.pl`.

use crate::effect::{Code, Effect, How, Reach};
use crate::foreign::{self, Deed, Language};
use crate::options::Options;
use crate::program::{Does, Follow, Program, program};
use crate::run::{Call, Runner};
use crate::stream::Stream;
use crate::text::Text;

/// A row: the language, names, options beside those that all have, and the code.
macro_rules! row {
    ($language:ident, $names:literal, $options:literal, $idle:literal, $follow:expr) => {
        program(
            $names,
            concat!("+ help version ", $options),
            $follow as Follow,
        )
        .idle($idle)
        .language(Language::$language)
    };
}

const RESET: &[Does] = &[Does::Remote(
    "*manage.py migrate ..zero; *manage.py|*artisan ..flush|reset_db|migrate:fresh|migrate:reset|migrate:refresh|db:wipe; \
     *console ..doctrine:database:drop|doctrine:schema:drop|d:d:d",
)];
/// The same of Python, whose packages publish themselves.
const PYTHON: &[Does] = &[RESET[0], Does::Publish("*setup.py ..upload|register")];
const JAVASCRIPT: &str =
    "+ e|p|eval|print= r|require|import= C= loader= run= test c|check help version";
/// The most scripts of one call that are read.
const MOST_SCRIPTS: usize = 16;

pub(super) const PROGRAMS: &[Program] = &[
    row!(
        Python,
        "python pypy ipython",
        "c= m= W= X= Q= check-hash-based-pycs=",
        "--help; --version",
        |runner, call, options| match options.value("m") {
            Some(module) if !options.has("c") => {
                self::module(runner, call, &module.shown(), &options.operands)
            }
            _ => source(runner, call, Language::Python, options, "c"),
        }
    )
    .does(PYTHON),
    program("node nodejs tsx ts-node", JAVASCRIPT, node)
        .idle("--help; --version; --check")
        .language(Language::JavaScript),
    program("deno", JAVASCRIPT, deno)
        .idle("--help; --version")
        .language(Language::JavaScript),
    row!(
        Perl,
        "perl",
        "e|E= I= M= m= r= i c",
        "--help; --version; -c !-e",
        |runner, call, options| {
            let how = if clears(call, options) {
                How::Truncated
            } else {
                How::Edited
            };
            edited(runner, call, options, options.has("i"), how);
            source(runner, call, Language::Perl, options, "e")
        }
    ),
    row!(
        Ruby,
        "ruby jruby",
        "e= E= I= M= m= r= i c",
        "--help; --version; -c !-e",
        |runner, call, options| {
            edited(runner, call, options, options.has("i"), How::Edited);
            source(runner, call, Language::Ruby, options, "e")
        }
    ),
    row!(
        Php,
        "php",
        "r|B|R|E|run= f|file= c= d= l|syntax-check",
        "--help; --version; --syntax-check !--run",
        |runner, call, options| source(runner, call, Language::Php, options, "run")
    )
    .does(RESET),
    row!(
        Awk,
        "awk gawk mawk nawk",
        "f|file= v|assign= F|field-separator= i|include=",
        "--help; --version",
        awk
    ),
    row!(
        Lua,
        "lua luajit",
        "e= l=",
        "--help; --version",
        |runner, call, options| { source(runner, call, Language::Lua, options, "e") }
    ),
];

/// JavaScript that a program of another kind is given.
pub(super) fn javascript(runner: &mut Runner<'_>, call: &Call) -> Stream {
    deno(runner, call, &call.options(JAVASCRIPT))
}

/// `deno eval SOURCE`, `deno run FILE`, `bun FILE`.
fn deno(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let mut words = options.operands.as_slice();
    let verb = words.first().map(Text::shown).unwrap_or_default();
    if matches!(verb.as_str(), "eval" | "run" | "x") {
        words = &words[1..];
    }
    let mut operands = words.iter().filter(|word| !word.lead().starts_with('-'));
    match verb.as_str() {
        _ if options.has("eval") => node(runner, call, options),
        "publish" if !call.words.iter().any(|word| word.is("--dry-run")) => {
            runner.note(Effect::Publish { what: call.shown() }, call);
            Stream::Nothing
        }
        "" => node(runner, call, options),
        "eval" => {
            if let Some(source) = operands.next() {
                runner.foreign(Language::JavaScript, source, &[]);
            }
            Stream::Unknown(call.shown())
        }
        verb if verb == "run" || verb.contains('.') => {
            required(runner, call, options);
            match operands.next() {
                Some(script) => file(runner, call, script),
                None => runner.run_stream(&call.name, &call.name, &call.stdin, call),
            }
        }
        _ => Stream::Unknown(call.shown()),
    }
}

fn node(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    required(runner, call, options);
    if let Some(name) = options.value("run").filter(|_| !options.has("eval")) {
        return super::packages::run_script(runner, call, &name.shown());
    }
    source(runner, call, Language::JavaScript, options, "eval")
}

/// `node -r FILE`.
fn required(runner: &mut Runner<'_>, call: &Call, options: &Options) {
    for script in options.values("require") {
        file(runner, call, script);
    }
}

fn awk(runner: &mut Runner<'_>, call: &Call, options: &Options) -> Stream {
    let in_place = options
        .values("include")
        .any(|library| library.is("inplace"));
    edited(runner, call, options, in_place, How::Edited);
    if options.has("file") {
        return source(runner, call, Language::Awk, options, "");
    }
    if let Some(program) = options.operands.first() {
        runner.foreign(Language::Awk, program, &[]);
    }
    Stream::Unknown(call.shown())
}

/// Runs the source that an option gives, or a file, or what comes in.
fn source(
    runner: &mut Runner<'_>,
    call: &Call,
    language: Language,
    options: &Options,
    given: &str,
) -> Stream {
    if options.value(given).is_some() {
        for source in options.values(given) {
            if is_bomb(&source.shown()) {
                runner.note(Effect::Bomb, call);
            }
            spoken(runner, call, language, &source.shown());
            let words = counted(language, &options.operands, true);
            match foreign::with_topic(language, source) {
                Some(source) => runner.foreign(language, &source, &words),
                None => runner.foreign(language, source, &words),
            }
        }
        return Stream::Unknown(call.shown());
    }
    match options.value("file").or(options.operands.first()) {
        Some(script) if !script.is("-") => {
            if script.shown().ends_with("manage.py") || script.shown().ends_with("artisan") {
                for word in &call.words {
                    super::database::note_spoken(runner, call, &word.shown());
                }
            }
            let scripts = runner.scripts(script);
            let rest = options.operands.get(1..).unwrap_or_default();
            // The first file is the script, and the others are its arguments, unless all of them are tested.
            let (all, rest) = if options.has("test") {
                let more = rest.iter().flat_map(|word| runner.scripts(word));
                (scripts.iter().cloned().chain(more).collect(), Vec::new())
            } else {
                let more = scripts.iter().skip(1).cloned().chain(rest.to_vec());
                (
                    scripts.iter().take(1).cloned().collect::<Vec<Text>>(),
                    more.collect(),
                )
            };
            for script in all.iter().take(MOST_SCRIPTS) {
                runner.given = Some(counted(language, &rest, false));
                file(runner, call, script);
            }
            Stream::Unknown(call.shown())
        }
        _ => {
            spoken(runner, call, language, &call.stdin.text().shown());
            runner.run_stream(&call.name, &call.name, &call.stdin, call)
        }
    }
}

/// What the words of a source say that its calls of the file system do not: statements for a database, and code
/// that it loads from the network.
fn spoken(runner: &mut Runner<'_>, call: &Call, language: Language, source: &str) {
    super::database::note_spoken(runner, call, source);
    let starts: &[&str] = match language {
        Language::JavaScript => &["import", "from", "import("],
        Language::Php => &["include", "include_once", "require", "require_once"],
        _ => return,
    };
    let mut pieces = source.split(['"', '\'', '`']);
    let mut before = pieces.next().unwrap_or_default();
    for piece in pieces {
        let word = before.trim_end().trim_end_matches('(').trim_end();
        let loads = starts
            .iter()
            .any(|start| word.ends_with(start.trim_end_matches('(')));
        if loads && (piece.starts_with("https://") || piece.starts_with("http://")) {
            let code = Code::Downloaded(piece.to_owned());
            runner.note(Effect::Run(code), call);
        }
        before = piece;
    }
}

/// The arguments of a program as its language counts them: behind the names of interpreter and script, or without.
fn counted(language: Language, words: &[Text], is_line: bool) -> Vec<Text> {
    let names = match language {
        Language::Python | Language::Php | Language::Lua => 1,
        Language::JavaScript => 2 - usize::from(is_line),
        Language::Perl | Language::Ruby | Language::Awk => 0,
    };
    if words.is_empty() {
        return Vec::new();
    }
    let names = std::iter::repeat_n(Text::plain(""), names);
    names.chain(words.iter().cloned()).collect()
}

/// `perl -pi -e …` edits its operands in place.
fn edited(runner: &mut Runner<'_>, call: &Call, options: &Options, in_place: bool, how: How) {
    for file in options.operands.iter().filter(|_| in_place) {
        runner.overwrite(file, how, call);
    }
}

/// Whether `perl -i` leaves nothing of its files: every line becomes nothing, or none is printed.
fn clears(call: &Call, options: &Options) -> bool {
    let mut source: String = options.values("e").map(Text::shown).collect();
    source.retain(|char| char != ' ');
    let flags = call.words.iter().filter_map(Text::known);
    let silent = flags
        .filter(|word| word.starts_with('-') && !word.starts_with("--"))
        .any(|word| {
            word.split('e')
                .next()
                .is_some_and(|flags| flags.contains('n'))
        });
    let prints = ["print", "say", "write"]
        .iter()
        .any(|word| source.contains(word));
    matches!(
        source.trim_end_matches(';'),
        "$_=\"\""
            | "$_=''"
            | "undef$_"
            | "$_=undef"
            | "s/.*//"
            | "s/.*//g"
            | "s/.*//s"
            | "s/^.*$//"
    ) || (silent && !prints && options.has("e"))
}

/// A line that forks in a loop without end.
fn is_bomb(source: &str) -> bool {
    const LONGEST: usize = 300;
    source.len() < LONGEST
        && source.contains("fork")
        && ["while", "for(;;)", "for (;;)", "loop", "until"]
            .iter()
            .any(|word| source.contains(word))
}

/// `python -m twine upload`: a module is a program, or a file of the project.
fn module(runner: &mut Runner<'_>, call: &Call, name: &str, rest: &[Text]) -> Stream {
    let words: Vec<Text> = std::iter::once(Text::plain(name))
        .chain(rest.iter().cloned())
        .collect();
    if crate::lookup::is_known(name) {
        return runner.run_words(&words, call);
    }
    let script = Text::plain(format!("{}.py", name.replace('.', "/")));
    file(runner, call, &script)
}

fn file(runner: &mut Runner<'_>, call: &Call, script: &Text) -> Stream {
    let shown = format!("{} {}", call.name, script.shown());
    let from = script.shown();
    if from.starts_with("https://") || from.starts_with("http://") {
        return runner.run_stream(&call.name, &shown, &Stream::Download(from), call);
    }
    // A module may be named without its ending.
    let endings = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js"];
    let script = endings
        .iter()
        .map(|ending| {
            let mut named = script.clone();
            named.push_plain(ending);
            named
        })
        .find(|named| {
            runner
                .path(named)
                .is_some_and(|path| runner.content(&path).is_ok())
        })
        .unwrap_or_else(|| script.clone());
    match runner.file_content(&script) {
        Some(content) => {
            let given = runner.given.take();
            runner.in_named(&script, |runner| {
                super::imported::follow(runner, &call.name, &script, &content);
                runner.given = given.map(|words| runner.given_words(&words));
                runner.run_stream(&call.name, &shown, &content, call)
            })
        }
        None => Stream::Unknown(shown),
    }
}

impl Runner<'_> {
    /// Notes what a source in another language does.
    pub(crate) fn foreign(&mut self, language: Language, source: &Text, given: &[Text]) {
        if let Some(from) = source.downloaded() {
            let code = Code::Downloaded(from.to_owned());
            return self.note(Effect::Run(code), &source.shown());
        }
        if source.has_hole() && source.lead().trim().is_empty() {
            let shown = source.shown();
            return self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
        }
        let known = source
            .literal()
            .map_or_else(|| source.shown(), std::borrow::Cow::into_owned);
        // What awk pipes into a shell is made as it runs.
        let input = match language {
            Language::Awk => Stream::Unknown("what awk prints".to_owned()),
            _ => Stream::Nothing,
        };
        for told in foreign::read(language, &known, given, &|| self.is_late()) {
            if let Deed::Write { path, .. } = &told.deed
                && path
                    .known()
                    .is_some_and(|path| foreign::is_made_anew(&known, path))
            {
                continue;
            }
            if told.sure {
                self.deed(told.deed, &input);
            } else {
                self.perhaps(|runner| runner.deed(told.deed, &input));
            }
        }
    }

    fn deed(&mut self, deed: Deed, input: &Stream) {
        match deed {
            Deed::Shell(source) => {
                self.apart(|runner| runner.source_text(&source, input));
            }
            Deed::Exec(words) => {
                let words: Vec<Text> = words.iter().map(|word| self.foreign_home(word)).collect();
                self.apart(|runner| runner.run_words_with(&words, Vec::new(), Stream::Nothing));
            }
            Deed::Delete { path, recursive } => {
                let targets = vec![self.foreign_target(&path)];
                let command = format!("delete {}", targets[0].shown);
                self.note(
                    Effect::Delete {
                        targets,
                        reach: reach(recursive),
                    },
                    &command,
                );
            }
            Deed::Write { path, how } => {
                let target = self.foreign_target(&path);
                let command = format!("write {}", target.shown);
                self.note(Effect::Overwrite { target, how }, &command);
            }
            Deed::Move { from, to } => {
                let (from, to) = (self.foreign_target(&from), self.foreign_target(&to));
                let command = format!("move {} {}", from.shown, to.shown);
                self.note(
                    Effect::Move {
                        from: vec![from],
                        to,
                    },
                    &command,
                );
            }
            Deed::Permission {
                path,
                what,
                recursive,
            } => {
                let targets = vec![self.foreign_target(&path)];
                let command = format!("chmod {what} {}", targets[0].shown);
                self.note(
                    Effect::Permission {
                        targets,
                        reach: reach(recursive),
                        what,
                    },
                    &command,
                );
            }
            Deed::Run(what) => {
                let shown = what.shown();
                self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
            }
        }
    }

    /// A path of another language.
    fn foreign_target(&mut self, path: &Text) -> crate::target::Target {
        // A pattern is matched by the language's own glob, which knows the tilde.
        let glob = path
            .strip_prefix("./")
            .filter(|path| path.lead().starts_with('~') && path.known().is_none());
        let path = self.foreign_home(&glob.unwrap_or_else(|| path.clone()));
        self.target(&path)
    }

    /// A word of another language: a tilde at its start is its word for home.
    fn foreign_home(&self, word: &Text) -> Text {
        let rest = word
            .strip_prefix("~")
            .filter(|rest| rest.is_empty() || rest.lead().starts_with('/'));
        match rest {
            Some(rest) => {
                let mut home = self.tilde("");
                home.append(rest);
                home
            }
            None => word.clone(),
        }
    }
}

fn reach(recursive: bool) -> Reach {
    if recursive {
        Reach::Trees
    } else {
        Reach::Entries
    }
}
