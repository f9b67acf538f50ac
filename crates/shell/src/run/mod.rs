//! Follows what a shell would do with a command, and notes each effect on the world.
//!
//! Every way that may be taken is taken. Where two ways meet, both stay possible; where too much is
//! possible, it becomes a hole. Nothing is executed.

mod builtin;
mod call;
mod file;
mod glob;
mod lay;
mod node;
mod place;
mod preload;
mod redirect;
mod script;
mod simple;
mod truth;
mod variable;

use std::path::{Path, PathBuf};

use rable::Node;

use crate::analysis::{Analysis, Opaque, Ran, StagingStep};
use crate::effect::{Act, Code, CodeFile, Effect};
use crate::git::staging::{Staged, Staging, Unforeseen};
use crate::parse::{self, Unparsed};
use crate::path;
use crate::state::State;
use crate::stream::Stream;
use crate::target::Place;
use crate::text::Text;
use crate::word;
use crate::world::World;

pub(crate) use builtin::is_builtin;
pub(crate) use call::Call;
use call::Shown;
use file::Left;
pub(crate) use redirect::{is_harmless_device, overwriting};
pub(crate) use script::is_shell;

/// The deepest nesting of shells, scripts and functions.
const DEEPEST: usize = 64;
/// A call with more words than this is a long one.
const MANY_WORDS: usize = 64;
/// The most words of a call that are kept for whoever wants to see them.
const MOST_WORDS: usize = 1024;
/// The most commands that are followed, counted where they are met and where they are called.
const MOST_STEPS: usize = 8000;
/// The most lines of a command that are taken apart because no shell understands them.
const MOST_BROKEN: usize = 8;
/// The most effects that are noted.
const MOST_ACTS: usize = 256;
/// The most steps on the way to a commit that are noted.
const MOST_STAGING: usize = 128;
/// The most combinations of possible values that one command is tried with.
const MOST_CHOICES: usize = 12;

/// A shell that executes nothing.
pub(crate) struct Runner<'w> {
    pub(crate) world: &'w dyn World,
    pub(crate) state: State,
    analysis: Analysis,
    via: Vec<String>,
    /// Functions that are being run, each with how far in the background it was called.
    running: Vec<(String, usize)>,
    /// How many of the commands around this one run in the background.
    background: usize,
    depth: usize,
    steps: usize,
    /// How many steps may be taken here.
    last_step: usize,
    /// Nothing more is followed: there was too much.
    is_done: bool,
    /// The files that the code which runs now stands in, the outermost first.
    pub(crate) files: Vec<CodeFile>,
    /// How many conditions that cannot be told stand around it, inside those files.
    maybe: usize,
    left: Left,
    /// How many tools around this have marked what comes from outside of their files.
    marked: usize,
    choice: Choice,
    /// How many sourced files we are in. What those evaluate is their own business, as long as nothing
    /// in them is known to destroy.
    scripts: usize,
    /// What the program in another language that is about to be read is given.
    pub(crate) given: Option<Vec<Text>>,
    /// Whether the command that is about to run writes nothing, so that `>` empties a file.
    pub(crate) empties: bool,
    /// Whether the command that runs now has an environment that was emptied: `env -i`.
    pub(crate) clears: bool,
    /// How many of the commands around this one run on another machine or later.
    elsewhere: usize,
    /// What process substitutions stand for: `/dev/fd/63`.
    substituted: Vec<(String, Stream)>,
    /// How many pipelines there are around this command.
    piped: usize,
    /// The files that the command which runs now is given, with those before it in its pipeline.
    reading: Vec<PathBuf>,
}

/// Which of several possible values is tried now.
#[derive(Debug, Default)]
struct Choice {
    /// Each variable with several values that was met: its name, how many, and which.
    picks: Vec<(String, usize, usize)>,
}

impl Choice {
    fn pick(&mut self, name: &str, count: usize) -> usize {
        if let Some((_, _, pick)) = self.picks.iter().find(|(known, _, _)| known == name) {
            return (*pick).min(count - 1);
        }
        self.picks.push((name.to_owned(), count, 0));
        0
    }

    /// Goes on to the next combination.
    fn advance(&mut self) -> bool {
        for (_, count, pick) in &mut self.picks {
            *pick += 1;
            if *pick < *count {
                return true;
            }
            *pick = 0;
        }
        false
    }
}

impl<'w> Runner<'w> {
    pub(crate) fn new(world: &'w dyn World, folder: Option<&Path>) -> Self {
        let state = State {
            folders: folder.map(path::normal).into_iter().collect(),
            ..State::default()
        };
        Self {
            world,
            state,
            analysis: Analysis::default(),
            via: Vec::new(),
            running: Vec::new(),
            background: 0,
            depth: 0,
            steps: 0,
            last_step: MOST_STEPS,
            is_done: false,
            files: Vec::new(),
            maybe: 0,
            left: Left::No,
            marked: 0,
            choice: Choice::default(),
            scripts: 0,
            given: None,
            empties: false,
            clears: false,
            elsewhere: 0,
            substituted: Vec::new(),
            piped: 0,
            reading: Vec::new(),
        }
    }

    /// Runs a whole command and says what was found.
    pub(crate) fn analyse(mut self, source: &str) -> Analysis {
        source.clone_into(&mut self.analysis.source);
        match parse::command(source) {
            Ok(nodes) => {
                self.nodes(&nodes, &Stream::Nothing);
            }
            Err(Unparsed::Excess(excess)) => {
                self.note(Effect::Run(Code::Beyond(excess.said().to_owned())), source);
            }
            Err(Unparsed::Syntax(error)) => {
                self.analysis.syntax = Some(error);
                self.mended(source);
            }
        }
        self.run_traps(0);
        let files = std::mem::take(&mut self.state.files).into_iter();
        let known = files.filter_map(|(path, content)| match content {
            Stream::Text(text) => Some((path, text.known()?.to_owned())),
            _ => None,
        });
        self.analysis.written = known.collect();
        self.analysis
    }

    /// All of the command that is read.
    pub(crate) fn whole(&self) -> &str {
        &self.analysis.source
    }

    /// Runs a source in this shell.
    pub(crate) fn source(&mut self, source: &str, stdin: &Stream) -> Stream {
        if !self.deeper() {
            return Stream::Unknown("…".to_owned());
        }
        let out = match parse::source(source) {
            Ok(nodes) => self.nodes(&nodes, stdin),
            Err(Unparsed::Excess(excess)) => {
                self.note(Effect::Run(Code::Beyond(excess.said().to_owned())), source);
                Stream::Unknown("…".to_owned())
            }
            // A shell runs the lines before the one that it does not understand.
            Err(Unparsed::Syntax(_)) => self.lines(source),
        };
        self.depth -= 1;
        out
    }

    /// Runs a text as a source, when it is known.
    pub(crate) fn source_text(&mut self, text: &Text, stdin: &Stream) -> Stream {
        if let Some(from) = text.downloaded() {
            let code = Code::Downloaded(from.to_owned());
            self.note(Effect::Run(code), &text.shown());
            return Stream::Unknown(text.shown());
        }
        match text.known() {
            Some(source) => self.source(source, stdin),
            None if text.lead().trim().is_empty() => {
                let shown = text.shown();
                if self.scripts == 0 {
                    self.note(Effect::Run(Code::Unknown(shown.clone())), &shown);
                }
                Stream::Unknown(shown)
            }
            // Part of it is known: a hole in the middle of a command is like a variable there.
            None => {
                let (source, holes) = with_variables(text);
                for (name, hole) in holes {
                    self.state.set(&name, hole);
                }
                self.source(&source, stdin)
            }
        }
    }

    /// A source that is no shell, read as what it was probably meant to be: with its quote or bracket
    /// closed, or line by line. Another shell may understand what our parser does not.
    fn mended(&mut self, source: &str) {
        const CLOSINGS: [&str; 6] = ["'", "\"", ")", "}", "\nfi", "\ndone"];
        let mended = CLOSINGS
            .iter()
            .find_map(|closing| parse::source(&format!("{source}{closing}")).ok());
        if let Some(nodes) = mended {
            self.nodes(&nodes, &Stream::Nothing);
        } else {
            self.lines(source);
            self.parts(source);
            if self.analysis.commands.is_empty() && crate::interest::names_a_destroyer(source) {
                self.beyond("it is no shell language that can be read");
            }
        }
    }

    /// The lines that can be parsed of a source that cannot.
    fn lines(&mut self, source: &str) -> Stream {
        for line in source.lines() {
            if let Ok(nodes) = parse::source(line) {
                self.nodes(&nodes, &Stream::Nothing);
            }
        }
        Stream::Unknown("…".to_owned())
    }

    /// The same of a command: PowerShell's brackets are no shell's, and what stands in and beside them is.
    fn parts(&mut self, source: &str) {
        let broken = |line: &&str| parse::source(line).is_err();
        for part in source
            .lines()
            .filter(broken)
            .take(MOST_BROKEN)
            .flat_map(|line| line.split(';'))
        {
            let is_shell = part.contains("$(") || part.contains("()");
            let plain = part.replace(['(', ')'], " ");
            let other = || parse::source(&plain).ok().filter(|_| !is_shell);
            if let Some(nodes) = parse::source(part).ok().or_else(other) {
                self.nodes(&nodes, &Stream::Nothing);
            }
        }
    }

    /// Runs something in a shell of its own, whose changes are its own.
    pub(crate) fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (state, left) = (self.state.clone(), self.left);
        let done = run(self);
        self.run_traps(state.traps.len());
        self.left = left;
        let after = std::mem::replace(&mut self.state, state);
        // What a subshell writes to the disk stays.
        self.state.files.extend(after.files);
        self.state.by_files = after.by_files;
        // It began with what was made before: added to that, a fork bomb would double it at every turn.
        (self.state.made, self.state.filled) = (after.made, after.filled);
        self.state.links.extend(after.links);
        self.state.copies.extend(after.copies);
        self.state.git = after.git;
        done
    }

    /// Runs something that is reached through a command: a script, a target of `make`.
    pub(crate) fn through<T>(&mut self, by: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        self.via.push(by.to_owned());
        let done = run(self);
        self.via.pop();
        done
    }

    /// Runs something of which only effects with known targets count.
    pub(crate) fn only_known(&mut self, run: impl FnOnce(&mut Self)) {
        let before = self.analysis.acts.len();
        run(self);
        let mut at = 0;
        self.analysis.acts.retain(|act| {
            at += 1;
            at <= before || act.effect.is_known()
        });
    }

    /// Runs something of which only what is done to some places counts.
    pub(crate) fn only(&mut self, is_ours: &dyn Fn(&Place) -> bool, run: impl FnOnce(&mut Self)) {
        let before = self.analysis.acts.len();
        run(self);
        let acts = self.analysis.acts.split_off(before);
        let kept = acts.into_iter().filter_map(|act| {
            let effect = act.effect.within(is_ours)?;
            Some(Act { effect, ..act })
        });
        self.analysis.acts.extend(kept);
    }

    /// Goes one level deeper, unless that is too deep. A caller that gets `true` must step back afterwards.
    fn deeper(&mut self) -> bool {
        if self.depth >= DEEPEST {
            self.beyond("it is nested too deeply to be followed");
            return false;
        }
        self.depth += 1;
        true
    }

    /// One more command, unless there were too many already or time is up. A long one takes longer, so the
    /// clock is looked at each time.
    fn step(&mut self, words: usize) -> bool {
        self.steps += 1;
        let looks = words > MANY_WORDS || self.steps.is_multiple_of(16);
        if self.is_done || self.steps > self.last_step || (looks && self.is_late()) {
            self.beyond("it does more than can be followed");
            self.is_done = true;
            return false;
        }
        true
    }

    fn beyond(&mut self, why: &str) {
        let in_file = !self.files.is_empty();
        let noted = self.analysis.acts.iter().any(|act| {
            matches!(&act.effect, Effect::Run(Code::Beyond(_))) && act.files.is_empty() != in_file
        });
        if !noted {
            self.note(Effect::Run(Code::Beyond(why.to_owned())), "…");
        }
    }

    pub(crate) fn note(&mut self, effect: Effect, command: &(impl Shown + ?Sized)) {
        let (most, sure) = (self.most_acts(), self.maybe == 0);
        let acts = &mut self.analysis.acts;
        let same = |act: &&mut Act| act.effect == effect && act.via == self.via;
        if let Some(known) = acts.iter_mut().find(same) {
            known.sure |= sure;
            return;
        }
        if acts.len() > most {
            return;
        }
        // What no longer finds a place is not passed over: it is told that there is more.
        let effect = if acts.len() < most {
            effect
        } else {
            Effect::Run(Code::Beyond("more effects than are looked at".to_owned()))
        };
        acts.push(Act {
            effect,
            command: command.shown(),
            via: self.via.clone(),
            files: self.files.clone(),
            sure,
        });
    }

    /// Notes a step on the way to a commit. What is committed elsewhere is not ours.
    pub(crate) fn stage(&mut self, mut staged: Staged) {
        let steps = &mut self.analysis.staging;
        if self.elsewhere > 0 || steps.len() > MOST_STAGING {
            return;
        }
        if steps.len() == MOST_STAGING {
            let (by, of) = ("a command of many steps".to_owned(), Unforeseen::Index);
            staged.act = Staging::Unknown { by, of };
        }
        steps.push(StagingStep {
            staged,
            via: self.via.clone(),
            after: self.analysis.acts.len(),
        });
    }

    /// Runs something on another machine, or later.
    pub(crate) fn elsewhere<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.elsewhere += 1;
        let done = run(self);
        self.elsewhere -= 1;
        done
    }

    fn ran(&mut self, words: &[Text]) {
        if self.analysis.commands.len() < MOST_ACTS {
            self.analysis.commands.push(Ran {
                words: words.iter().take(MOST_WORDS).map(Text::shown).collect(),
                via: self.via.clone(),
                opaque: None,
            });
        }
    }

    /// The command that was met last is one of which nothing is known.
    fn is_opaque(&mut self) {
        let folder = self.folder();
        if let Some(last) = self.analysis.commands.last_mut() {
            last.opaque = Some(Opaque { folder });
        }
    }

    /// The output of a command substitution.
    pub(crate) fn substitute(&mut self, command: &Node) -> Stream {
        self.apart(|runner| {
            if !runner.deeper() {
                return Stream::Unknown("$(…)".to_owned());
            }
            let out = runner.node(command, Stream::Nothing);
            runner.depth -= 1;
            out
        })
    }

    /// The same of a source.
    pub(crate) fn substitute_source(&mut self, source: &str) -> Stream {
        self.apart(|runner| runner.source(source, &Stream::Nothing))
    }

    /// Runs what is substituted in a text that is otherwise of no interest.
    pub(crate) fn substitutions_in(&mut self, source: &str) {
        // An expression may hold another: each is looked into once.
        if (source.contains("$(") || source.contains('`')) && self.deeper() {
            let inner = source.strip_prefix("$((").unwrap_or(source);
            let inner = inner.strip_suffix("))").unwrap_or(inner);
            let _ = word::quoted(self, inner);
            self.depth -= 1;
        }
    }

    /// `<(command)` and `>(command)`: a file whose content is the output, or that is a command's input.
    pub(crate) fn process_substitution(&mut self, direction: &str, command: &Node) -> Text {
        let name = format!("/dev/fd/{}", 63 + self.substituted.len());
        let stream = if direction.starts_with('>') {
            self.apart(|runner| {
                runner.node(command, Stream::Unknown("what is written to it".to_owned()))
            });
            Stream::Nothing
        } else {
            self.substitute(command)
        };
        self.substituted.push((name.clone(), stream));
        Text::plain(name)
    }

    /// What a file holds that the command itself has made.
    pub(crate) fn made_content(&self, path: &Path) -> Option<&Stream> {
        let name = path.to_string_lossy();
        let mut substituted = self.substituted.iter();
        let found = substituted.find(|(substituted, _)| *substituted == name);
        found
            .map(|(_, stream)| stream)
            .or_else(|| self.state.files.get(path))
    }

    /// The content of a file: what was written to it on the way, or what is on the disk.
    pub(crate) fn content(&mut self, path: &Path) -> Result<Stream, crate::Unreadable> {
        let name = path.to_string_lossy();
        if name.starts_with("/dev/tcp/") || name.starts_with("/dev/udp/") {
            return Ok(Stream::Download(name.into_owned()));
        }
        if let Some((_, stream)) = self
            .substituted
            .iter()
            .find(|(substituted, _)| *substituted == name)
        {
            return Ok(stream.clone());
        }
        let path = self.state.links.get(path).map_or(path, PathBuf::as_path);
        match self.state.files.get(path) {
            Some(stream) => Ok(stream.clone()),
            None => self.world.read(path).map(Stream::plain),
        }
    }
}

/// Whether a builtin stands before a program of this name.
#[cfg(test)]
pub(crate) fn hides(world: &dyn World, name: &str) -> bool {
    let call = Call {
        name: name.to_owned(),
        words: Vec::new(),
        variables: Vec::new(),
        stdin: Stream::Nothing,
    };
    builtin::run(&mut Runner::new(world, None), &call).is_some()
}

/// A text with holes as a source with variables in their place, so that it can be parsed.
fn with_variables(text: &Text) -> (String, Vec<(String, Text)>) {
    use crate::text::Piece;
    let (mut source, mut holes) = (String::new(), Vec::new());
    for piece in text.pieces() {
        match piece {
            Piece::Plain(text) | Piece::Pattern(text) => source.push_str(text),
            Piece::Hole(hole) => {
                let name = format!("__hole{}", holes.len());
                source.extend(["${", &name, "}"]);
                holes.push((name, Text::hole(hole.shown.clone(), hole.fill.clone())));
            }
        }
    }
    (source, holes)
}
